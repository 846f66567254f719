"""Derivatives of matrix operations, and other array work, as Numba takes it as well: loops and calls of LAPACK.

`s2sad_runtime.linalg` compiles these functions; here they are their own plain twins. Loops rather than array
expressions, since those take ten times as long to compile.
"""

import numpy as np

__all__ = [
    "cofactors", "fitted", "folded", "half_tril", "middle_shares", "mirrored", "over_columns", "over_gaps",
    "over_square_gaps", "padded", "spread",
]  # fmt: skip

EPSILON = 2.0**-52


def mirrored(a):
    """The lower triangle on both sides of the diagonal."""
    made = np.empty(a.shape)
    for i in range(a.shape[0]):
        for j in range(i):
            made[i, j] = made[j, i] = a[i, j]
        made[i, i] = a[i, i]
    return made


def folded(a):
    """What both triangles hold, added up in the lower one."""
    made = np.zeros(a.shape)
    for i in range(a.shape[0]):
        for j in range(i):
            made[i, j] = a[i, j] + a[j, i]
        made[i, i] = a[i, i]
    return made


def half_tril(a):
    """The lower triangle, with half the diagonal."""
    made = np.zeros(a.shape)
    for i in range(a.shape[0]):
        for j in range(i):
            made[i, j] = a[i, j]
        made[i, i] = 0.5 * a[i, i]
    return made


def spread(s):
    """s[j] - s[i]."""
    made = np.empty((s.size, s.size))
    for i in range(s.size):
        for j in range(s.size):
            made[i, j] = s[j] - s[i]
    return made


def over_gaps(a, s):
    """a[i, j] / (s[j] - s[i]); zero on the diagonal, and where both a[i, j] is zero and s[i], s[j] are equal.

    Equal but for rounding, that is: a[i, j] that isn't zero gives nan there.
    """
    made = np.zeros(a.shape)
    least = s.size * EPSILON * np.max(np.abs(s)) if s.size else 0.0
    for i in range(s.size):
        for j in range(s.size):
            if i != j and a[i, j] != 0.0:
                gap = s[j] - s[i]
                made[i, j] = a[i, j] / gap if abs(gap) > least else np.nan
    return made


def over_square_gaps(a, s):
    """a[i, j] / (s[j]**2 - s[i]**2) for s >= 0; zero and nan as in `over_gaps`."""
    made = np.zeros(a.shape)
    least = s.size * EPSILON * np.max(np.abs(s)) if s.size else 0.0
    for i in range(s.size):
        for j in range(s.size):
            if i != j and a[i, j] != 0.0:
                gap = s[j] - s[i]
                made[i, j] = a[i, j] / (gap * (s[j] + s[i])) if abs(gap) > least else np.nan
    return made


def over_columns(a, u, s):
    """a[:, j] / s[j], zero where a is, nan where s[j] is zero; all zero if u is square: nothing is outside then."""
    made = np.zeros(a.shape)
    if u.shape[0] != u.shape[1]:
        least = a.shape[0] * EPSILON * np.max(s) if s.size else 0.0
        for i in range(a.shape[0]):
            for j in range(s.size):
                if a[i, j] != 0.0:
                    made[i, j] = a[i, j] / s[j] if s[j] > least else np.nan
    return made


def padded(s, u):
    """`s`, with zeros behind to as many as u has columns."""
    made = np.zeros(u.shape[1])
    for i in range(s.size):
        made[i] = s[i]
    return made


def fitted(a, b):
    """`a` with as many columns as b has rows: the others cut off, missing ones zero."""
    made = np.zeros((a.shape[0], b.shape[0]))
    for i in range(a.shape[0]):
        for j in range(min(a.shape[1], b.shape[0])):
            made[i, j] = a[i, j]
    return made


def cofactors(a):
    """The slope of the determinant, of a singular matrix as well: from singular values and their products."""
    u, s, vt = np.linalg.svd(np.ascontiguousarray(a))
    sign = np.linalg.det(u) * np.linalg.det(vt)
    for k in range(s.size):
        others = sign
        for j in range(s.size):
            if j != k:
                others *= s[j]
        for i in range(s.size):
            u[i, k] *= others
    return u @ vt


def middle_shares(x):
    """The slope of the median: 1, or halves for two middle values; elements that equal one share its part."""
    made = np.zeros(x.shape)
    flat = x.copy().reshape(x.size)
    ranked = np.sort(flat)
    shares = made.reshape(x.size)
    for middle in range((x.size - 1) // 2, x.size // 2 + 1) if x.size else range(0):
        value = ranked[middle]
        ties = 0
        for k in range(x.size):
            ties += flat[k] == value
        for k in range(x.size):
            if np.isnan(ranked[-1]):
                shares[k] = np.nan
            elif flat[k] == value:
                shares[k] += (1.0 if x.size % 2 else 0.5) / ties
    return made
