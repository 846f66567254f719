"""Tangent of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of s along directions of matrix.
"""

import math

import numpy as np
from s2sad_runtime import jit, require

require(1)


@jit
def f(matrix):
    """The sum of the diagonal of Cholesky's factor."""
    a = matrix.copy()
    s = 0.0
    for j in range(a.shape[0]):
        for k in range(j):
            a[j, j] -= a[j, k] * a[j, k]
        a[j, j] = math.sqrt(a[j, j])
        s += a[j, j]
        for i in range(j + 1, a.shape[0]):
            for k in range(j):
                a[i, j] -= a[i, k] * a[j, k]
            a[i, j] /= a[j, j]
    return s


@jit
def f_d(matrix, matrix_d):
    """`f` and its tangent: the results, then their tangents."""
    a = matrix.copy()
    a_d = matrix_d.copy()
    s = 0.0
    s_d = 0.0
    for j in range(a.shape[0]):
        for k in range(j):
            a_d[j, j] -= 2.0 * a[j, k] * a_d[j, k]
            a[j, j] -= a[j, k] * a[j, k]
        a_d[j, j] = np.true_divide(0.5 * a_d[j, j], math.sqrt(a[j, j]))
        a[j, j] = math.sqrt(a[j, j])
        s_d += a_d[j, j]
        s += a[j, j]
        for i in range(j + 1, a.shape[0]):
            for k in range(j):
                a_d[i, j] = a_d[i, j] - a[j, k] * a_d[i, k] - a[i, k] * a_d[j, k]
                a[i, j] -= a[i, k] * a[j, k]
            a_d[i, j] = (
                np.true_divide(a_d[i, j], a[j, j])
                - np.true_divide(np.true_divide(a[i, j] * a_d[j, j], a[j, j]), a[j, j])
            )
            a[i, j] /= a[j, j]
    return s, s_d
