"""Tangent of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of r along directions of A, x.
"""

import numpy as np
from s2sad_runtime import jit, mirror_lower, over_gaps, require

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
    t_2 = np.exp(values) * y * y
    t_2_d = np.exp(values) * y * y * values_d + 2.0 * np.exp(values) * y * y_d
    r = np.sum(t_2)
    r_d = np.sum(t_2_d)
    return r, r_d
