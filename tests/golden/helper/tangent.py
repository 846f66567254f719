"""Tangent of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of s along directions of x, weight.
"""

import numpy as np
from s2sad_runtime import jit, require

require(1)


@jit
def f(x, weight):
    y = x.copy()
    for i in range(1, y.shape[0]):
        y[i] += weight * y[i - 1]
    s = 0.0
    for i in range(y.shape[0]):
        t = y[i]
        s += np.exp(-1.5 * t) * np.exp(-0.5 * weight)
    return s


@jit
def f_d(x, weight, x_d, weight_d):
    """`f` and its tangent: the results, then their tangents."""
    y = x.copy()
    y_d = x_d.copy()
    for i in range(1, y.shape[0]):
        y_d[i] = y_d[i] + y[i - 1] * weight_d + weight * y_d[i - 1]
        y[i] += weight * y[i - 1]
    s = 0.0
    s_d = 0.0
    for i in range(y.shape[0]):
        t = y[i]
        t_d = y_d[i]
        s_d = (
            s_d - 1.5 * np.exp(-1.5 * t) * np.exp(-0.5 * weight) * t_d
            - 0.5 * np.exp(-1.5 * t) * np.exp(-0.5 * weight) * weight_d
        )
        s += np.exp(-1.5 * t) * np.exp(-0.5 * weight)
    return s, s_d
