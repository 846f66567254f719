"""Tangent of energy, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of s along directions of x.
"""

import numpy as np
from s2sad_runtime import jit, require

require(1)


@jit
def energy(x, A):
    s = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            s += A[i, j] * np.sin(x[i]) * x[j] ** 2
    return s


@jit
def energy_d(x, A, x_d):
    """`energy` and its tangent: the results, then their tangents."""
    directions = x_d.shape[1]
    s_d = np.zeros(directions)
    s = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            s += A[i, j] * np.sin(x[i]) * x[j] ** 2
            slope = A[i, j] * np.cos(x[i]) * x[j] ** 2
            slope2 = 2.0 * A[i, j] * np.sin(x[i]) * x[j]
            for q in range(directions):
                s_d[q] = s_d[q] + slope * x_d[i, q] + slope2 * x_d[j, q]
    return s, s_d
