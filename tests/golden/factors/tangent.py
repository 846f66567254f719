"""Tangent of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of r along directions of A, x.
"""

import numpy as np
from s2sad_runtime import common, fitted, jit, mirror_lower, over_gaps, require

require(1)


@jit
def f(A, x):
    values, vectors = np.linalg.eigh(A)
    t = vectors.T
    y = t @ x
    t_2 = np.exp(values) * y * y
    r = np.sum(t_2)
    return r


@jit
def f_d(A, x, A_d, x_d):
    """`f` and its tangent: the results, then their tangents."""
    values, vectors = np.linalg.eigh(A)
    values_d = np.diag(vectors.T @ mirror_lower(A_d) @ vectors).copy()
    vectors_d = vectors @ over_gaps(vectors.T @ mirror_lower(A_d) @ vectors, values)
    t = vectors.T
    t_d = vectors_d.T
    y = t @ x
    y_d = t_d @ x + t @ x_d
    n = common(values.shape[0], y.shape[0])
    values_fit = fitted(values, (n,))
    values_fit_d = fitted(values_d, (n,))
    y_fit = fitted(y, (n,))
    y_fit_d = fitted(y_d, (n,))
    r = 0.0
    r_d = 0.0
    for i in range(n):
        t2 = np.exp(values_fit[i])
        t2_d = t2 * values_fit_d[i]
        t_2 = t2 * y_fit[i] * y_fit[i]
        t_2_d = y_fit[i] * y_fit[i] * t2_d + 2.0 * t2 * y_fit[i] * y_fit_d[i]
        r_d += t_2_d
        r += t_2
    return r, r_d
