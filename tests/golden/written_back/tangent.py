"""Tangent of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of the result along directions of x, c.
"""

import numpy as np
from s2sad_runtime import jit, require

require(1)


@jit
def f(x, c):
    s = 0.0
    for i in range(x.shape[0]):
        x[i] = c * x[i] * x[i]
        s += np.sin(x[i])
    x[0] = s
    return s * x[0]


@jit
def f_d(x, c, x_d, c_d):
    """`f` and its tangent: the results, then their tangents."""
    s = 0.0
    s_d = 0.0
    for i in range(x.shape[0]):
        x_d[i] = x[i] * x[i] * c_d + 2.0 * c * x[i] * x_d[i]
        x[i] = c * x[i] * x[i]
        s_d += np.cos(x[i]) * x_d[i]
        s += np.sin(x[i])
    x_d[0] = s_d
    x[0] = s
    return s * x[0], x[0] * s_d + s * x_d[0]
