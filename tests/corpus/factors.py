"""Factorisations of matrices on the way: several results, in loops and branches."""

import numpy as np

from corpus.case import case, matrix, vector


def spectrum(A, c):
    w, v = np.linalg.eigh(A + A.T)
    return np.sum(w * w * c) + np.sum(v[:, 0] ** 2 * c)


def low_rank(A, n):
    s0 = 0.0
    for _ in range(n):
        u, s, vt = np.linalg.svd(A, full_matrices=False)
        A = A + 0.1 * s[0] * np.outer(u[:, 0], vt[0])
        s0 += s[0] * s[1]
    return s0 + np.sum(A * A)


CASES = [
    case(spectrum, matrix(3, 3), vector(3)),
    case(low_rank, matrix(3, 2), 2),
]
