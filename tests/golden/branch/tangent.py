"""Tangent of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of s along directions of x.
"""

import numpy as np
from s2sad_runtime import jit, require

require(1)


@jit
def f(x):
    s = 1.0
    for i in range(x.shape[0]):
        if s * x[i] > 0.3:
            s *= np.cos(x[i])
        elif x[i] < -1.0:
            s -= x[i] * x[i]
        else:
            s = np.exp(s * x[i])
    return s


@jit
def f_d(x, x_d):
    """`f` and its tangent: the results, then their tangents."""
    s = 1.0
    s_d = 0.0
    for i in range(x.shape[0]):
        if s * x[i] > 0.3:
            s_d = np.cos(x[i]) * s_d - s * np.sin(x[i]) * x_d[i]
            s *= np.cos(x[i])
        elif x[i] < -1.0:
            s_d -= 2.0 * x[i] * x_d[i]
            s -= x[i] * x[i]
        else:
            s_d = np.exp(s * x[i]) * x[i] * s_d + np.exp(s * x[i]) * s * x_d[i]
            s = np.exp(s * x[i])
    return s, s_d
