"""Tangent of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of r along directions of x, row, c.
"""

import numpy as np
from s2sad_runtime import jit, require

require(1)


@jit
def f(x, row, c):
    y = np.tanh(c * x + row)
    y *= row
    z = np.exp(-y) * x
    t = y * y
    r = np.sum(z) + c * np.sum(t)
    return r


@jit
def f_d(x, row, c, x_d, row_d, c_d):
    """`f` and its tangent: the results, then their tangents."""
    y = np.tanh(c * x + row)
    y_d = (1.0 - y * y) * x * c_d + (1.0 - y * y) * c * x_d + (1.0 - y * y) * row_d
    y_d[...] = row * y_d + y * row_d
    y *= row
    z = np.exp(-y) * x
    z_d = np.exp(-y) * x_d - np.exp(-y) * x * y_d
    t = y * y
    t_d = 2.0 * y * y_d
    t2 = np.sum(z)
    t2_d = np.sum(z_d)
    t3 = np.sum(t)
    t3_d = np.sum(t_d)
    r = t2 + c * t3
    r_d = t2_d + t3 * c_d + c * t3_d
    return r, r_d
