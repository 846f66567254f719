"""Tangent of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of the result along directions of x, rate.
"""

import numpy as np
from s2sad_runtime import jit, require

require(1)


@jit
def f(x, rate, steps):
    """A damped pendulum, with explicit steps."""
    v = 0.0
    for _ in range(steps):
        v -= 0.1 * (np.sin(x) + rate * v)
        x += 0.1 * v
    return x * x + v


@jit
def f_d(x, rate, steps, x_d, rate_d):
    """`f` and its tangent: the results, then their tangents."""
    v = 0.0
    v_d = 0.0
    for _ in range(steps):
        v_d = (1.0 - 0.1 * rate) * v_d - 0.1 * np.cos(x) * x_d - 0.1 * v * rate_d
        v -= 0.1 * (np.sin(x) + rate * v)
        x_d += 0.1 * v_d
        x += 0.1 * v
    return x * x + v, 2.0 * x * x_d + v_d
