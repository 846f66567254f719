"""Tangent of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of s along directions of x.
"""

import numpy as np
from s2sad_runtime import jit, require

require(1)


@jit
def f(x, steps):
    y = x.copy()
    s = 0.0
    for _ in range(steps):
        for i in range(y.shape[0]):
            y[i] = np.sin(y[i]) + x[i]
        for i in range(y.shape[0]):
            s += y[i] * y[i] * x[i]
    return s


@jit
def f_d(x, steps, x_d):
    """`f` and its tangent: the results, then their tangents."""
    y = x.copy()
    y_d = x_d.copy()
    s = 0.0
    s_d = 0.0
    for _ in range(steps):
        for i in range(y.shape[0]):
            y_d[i] = np.cos(y[i]) * y_d[i] + x_d[i]
            y[i] = np.sin(y[i]) + x[i]
        for i in range(y.shape[0]):
            s_d = s_d + 2.0 * y[i] * x[i] * y_d[i] + y[i] * y[i] * x_d[i]
            s += y[i] * y[i] * x[i]
    return s, s_d
