"""Derivatives of matrix operations, and other array work, in NumPy: Numba compiles most of these as they stand.

Those that it does are jitted in `s2sad_runtime.linalg`; here they are their own plain twins.
"""

import numpy as np

__all__ = ["cofactors", "half_tril", "middle_shares"]


def middle_shares(x):
    """The slope of the median: 1, or halves for two middle values; elements that equal one share its part."""
    made = np.empty(x.shape)
    if x.size == 0:
        return made
    ranked = np.sort(x.copy().reshape(x.size))
    if np.isnan(ranked[-1]):
        made[...] = np.nan
        return made
    low, high = ranked[(x.size - 1) // 2], ranked[x.size // 2]
    lower, upper = x == low, x == high
    made[...] = 0.5 * lower / np.sum(lower) + 0.5 * upper / np.sum(upper)
    return made


def half_tril(a):
    """The lower triangle, with half the diagonal."""
    return np.tril(a) - 0.5 * np.diag(np.diag(a))


def cofactors(a):
    """The slope of the determinant, of a singular matrix as well: from singular values and their products."""
    u, s, vt = np.linalg.svd(np.ascontiguousarray(a))
    others = np.ones(s.size)
    for k in range(s.size):
        for j in range(s.size):
            if j != k:
                others[k] *= s[j]
    return np.linalg.det(u) * np.linalg.det(vt) * ((u * others) @ vt)
