"""Tangent of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of r along directions of x, y.
"""

import numpy as np
from s2sad_runtime import jit, require

require(1)


@jit
def f(x, y, a):
    w = np.asarray(y * a)
    if a > 0.0:
        w = x[1:]
    t = x[0]
    w *= t
    x[1] += a * y[2]
    t_2 = w * w
    r = np.sum(t_2)
    return r


@jit
def f_d(x, y, a, x_d, y_d):
    """`f` and its tangent: the results, then their tangents."""
    w = np.empty(y.shape[0])
    w_d = np.zeros_like(w)
    for i in range(y.shape[0]):
        w_d[i] = a * y_d[i]
        w[i] = y[i] * a
    if a > 0.0:
        w = x[1:]
        w_d = x_d[1:]
    t = x[0]
    t_d = x_d[0]
    w_d[...] = t * w_d + w * t_d
    w *= t
    x_d[1] += a * y_d[2]
    x[1] += a * y[2]
    t_2 = w * w
    t_2_d = 2.0 * w * w_d
    r = np.sum(t_2)
    r_d = np.sum(t_2_d)
    return r, r_d
