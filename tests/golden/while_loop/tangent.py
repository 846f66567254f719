"""Tangent of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of the result along directions of a, x.
"""

import math

import numpy as np
from s2sad_runtime import jit, require

require(1)


@jit
def f(a, x):
    """A square root by Newton's rule."""
    while abs(x * x - a) > 1e-06:
        x = 0.5 * (x + a / x)
    return x * math.log(a)


@jit
def f_d(a, x, a_d, x_d):
    """`f` and its tangent: the results, then their tangents."""
    while abs(x * x - a) > 1e-06:
        x_d = (
            0.5 * (1.0 - np.true_divide(np.true_divide(a, x), x)) * x_d
            + np.true_divide(0.5 * a_d, x)
        )
        x = 0.5 * (x + a / x)
    return x * math.log(a), math.log(a) * x_d + np.true_divide(x * a_d, a)
