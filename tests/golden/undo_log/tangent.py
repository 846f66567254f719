"""Tangent of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of r along directions of x0, b.
"""

import numpy as np
from s2sad_runtime import jit, require

require(1)


@jit
def f(x0, b, sweeps):
    x = x0.copy()
    for _ in range(sweeps):
        for i in range(1, x.shape[0] - 1):
            x[i] = 0.5 * (b[i] + x[i - 1] * x[i + 1])
    t = x * x
    r = np.sum(t)
    return r


@jit
def f_d(x0, b, sweeps, x0_d, b_d):
    """`f` and its tangent: the results, then their tangents."""
    x = x0.copy()
    x_d = x0_d.copy()
    for _ in range(sweeps):
        for i in range(1, x.shape[0] - 1):
            x_d[i] = 0.5 * b_d[i] + 0.5 * x[i + 1] * x_d[i - 1] + 0.5 * x[i - 1] * x_d[i + 1]
            x[i] = 0.5 * (b[i] + x[i - 1] * x[i + 1])
    r = 0.0
    r_d = 0.0
    for i2 in range(x.shape[0]):
        t = x[i2] * x[i2]
        t_d = 2.0 * x[i2] * x_d[i2]
        r_d += t_d
        r += t
    return r, r_d
