"""Tangent of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of the result along directions of u, k.
"""

import numpy as np
from s2sad_runtime import jit, require

require(1)


@jit
def f(u, k, steps):
    u_2 = u.copy()
    c = np.zeros(u_2.shape[0])
    for _ in range(steps):
        for i in range(1, u_2.shape[0]):
            b = 2.0 + k[i] * c[i - 1]
            c[i] = k[i] / b
            u_2[i] = (u_2[i] + k[i] * u_2[i - 1]) / b
        for i in range(u_2.shape[0] - 2, -1, -1):
            u_2[i] += c[i] * u_2[i + 1]
    return np.sum(u_2)


@jit
def f_d(u, k, steps, u_d, k_d):
    """`f` and its tangent: the results, then their tangents."""
    u_2 = u.copy()
    u_2_d = u_d.copy()
    c = np.zeros(u_2.shape[0])
    c_d = np.zeros_like(c)
    for _ in range(steps):
        for i in range(1, u_2.shape[0]):
            b = 2.0 + k[i] * c[i - 1]
            b_d = c[i - 1] * k_d[i] + k[i] * c_d[i - 1]
            c_d[i] = np.true_divide(k_d[i], b) - np.true_divide(np.true_divide(k[i] * b_d, b), b)
            c[i] = k[i] / b
            u_2_d[i] = (
                np.true_divide(u_2_d[i], b) + np.true_divide(u_2[i - 1] * k_d[i], b)
                + np.true_divide(k[i] * u_2_d[i - 1], b)
                - np.true_divide(np.true_divide((u_2[i] + k[i] * u_2[i - 1]) * b_d, b), b)
            )
            u_2[i] = (u_2[i] + k[i] * u_2[i - 1]) / b
        for i in range(u_2.shape[0] - 2, -1, -1):
            u_2_d[i] = u_2_d[i] + u_2[i + 1] * c_d[i] + c[i] * u_2_d[i + 1]
            u_2[i] += c[i] * u_2[i + 1]
    t = np.sum(u_2)
    t_d = np.sum(u_2_d)
    return t, t_d
