"""Tangent of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of r along directions of x, row, c.
"""

import numpy as np
from s2sad_runtime import common, fitted, jit, require

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
    n = common(x.shape[1], row.shape[0])
    x_fit = fitted(x, (x.shape[0], n))
    x_fit_d = fitted(x_d, (x.shape[0], n))
    row_fit = fitted(row, (n,))
    row_fit_d = fitted(row_d, (n,))
    y = np.empty((x.shape[0], n))
    y_d = np.zeros_like(y)
    for i in range(x.shape[0]):
        for j in range(n):
            t2 = np.tanh(c * x_fit[i, j] + row_fit[j])
            t2_d = (
                (1.0 - t2 * t2) * x_fit[i, j] * c_d + (1.0 - t2 * t2) * c * x_fit_d[i, j]
                + (1.0 - t2 * t2) * row_fit_d[j]
            )
            y_d[i, j] = t2_d
            y[i, j] = t2
    x_fit2 = fitted(x, (y.shape[0], n))
    x_fit2_d = fitted(x_d, (y.shape[0], n))
    sum_z = 0.0
    sum_z_d = 0.0
    sum_t = 0.0
    sum_t_d = 0.0
    for i2 in range(y.shape[0]):
        for j2 in range(n):
            y_d[i2, j2] = row_fit[j2] * y_d[i2, j2] + y[i2, j2] * row_fit_d[j2]
            y[i2, j2] *= row_fit[j2]
            t3 = np.exp(-y[i2, j2])
            t3_d = -t3 * y_d[i2, j2]
            z = t3 * x_fit2[i2, j2]
            z_d = x_fit2[i2, j2] * t3_d + t3 * x_fit2_d[i2, j2]
            t = y[i2, j2] * y[i2, j2]
            t_d = 2.0 * y[i2, j2] * y_d[i2, j2]
            sum_z_d += z_d
            sum_z += z
            sum_t_d += t_d
            sum_t += t
    r = sum_z + c * sum_t
    r_d = sum_z_d + sum_t * c_d + c * sum_t_d
    return r, r_d
