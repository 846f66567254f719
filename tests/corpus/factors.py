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


def row_written(y, n):
    """A row of what was found goes on, and is written into."""
    s = 0.0
    for i in range(n):
        w, v = np.linalg.eigh(np.outer(y, y) + np.diag(np.array([1.0, 2.0])))
        y = v[-1]
        y[0] = y[0] * (1.0 + i)
        s += np.sum(v * v * v) * 0.1 + w[0]
    return s * np.sum(y)


CASES = [
    case(spectrum, matrix(3, 3), vector(3)),
    case(low_rank, matrix(3, 2), 2),
    case(row_written, vector(2), 3),
]
