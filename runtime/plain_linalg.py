"""Derivatives of matrix operations, and other array work, as Numba takes it as well: loops and calls of LAPACK.

`s2sad_runtime.linalg` compiles these functions; here they are their own plain twins. Loops rather than array
expressions, since those take ten times as long to compile.
"""

import numpy as np

__all__ = [
    "eigh_vectors", "eigh_with",
    "solve_banded", "turned_bands", "bands_of", "banded_product",
    "one_triangle", "turned_over", "solve_triangular", "solve_sylvester", "sqrtm",
    "block_pair", "cofactors", "cofactors_along", "corner_block", "eig_real", "einsum", "tensordot_by",
    "einsum_like", "expm", "expm_along", "fit_columns", "fold_lower", "gaps_of", "half_tril",
    "head_columns", "inverse_or_nan", "matrix_power", "middle_shares", "mirror_lower", "over_columns", "over_gaps",
    "over_square_gaps", "pad_values", "power_along", "side_by_side", "singular_values", "svd_u",
    "svd_vt", "svd_with", "tail_columns", "room_for_factors", "solve_by", "with_factors",
    "cholesky_back",
]  # fmt: skip

EPSILON = 2.0**-52
NO_ROOT = "the principal square root of the matrix is not real"


def one_triangle(a, lower, unit):
    """The lower or upper triangle; without the diagonal where that counts as ones (`unit`)."""
    made = np.zeros(a.shape)
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if (i == j and not unit) or (i > j and lower) or (i < j and not lower):
                made[i, j] = a[i, j]
    return made


def turned_over(a, turned):
    """The transpose, or the matrix as it stands, in memory of its own."""
    made = a.T.copy() if turned else a.copy()
    return np.ascontiguousarray(made)


def turned_bands(ab, low, up):
    """The transpose of a banded matrix with low diagonals below and up above the main one."""
    n = ab.shape[1]
    made = np.zeros(ab.shape)
    for j in range(n):
        for i in range(max(0, j - up), min(n, j + low + 1)):
            made[low + j - i, i] = ab[up + i - j, j]
    return made


def bands_of(v, x, low, up):
    """The diagonals of v x^T."""
    n = v.shape[0]
    made = np.zeros((low + up + 1, n))
    for j in range(n):
        for i in range(max(0, j - up), min(n, j + low + 1)):
            for k in range(v.shape[1]):
                made[up + i - j, j] += v[i, k] * x[j, k]
    return made


def banded_product(ab, x, low, up):
    """A banded matrix times x."""
    n = x.shape[0]
    made = np.zeros(x.shape)
    for j in range(n):
        for i in range(max(0, j - up), min(n, j + low + 1)):
            for k in range(x.shape[1]):
                made[i, k] += ab[up + i - j, j] * x[j, k]
    return made


def mirror_lower(a):
    """The lower triangle on both sides of the diagonal."""
    made = np.empty(a.shape)
    for i in range(a.shape[0]):
        for j in range(i):
            made[i, j] = made[j, i] = a[i, j]
        made[i, i] = a[i, i]
    return made


def fold_lower(a):
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


def gaps_of(s):
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


def pad_values(s, u):
    """`s`, with zeros behind to as many as u has columns."""
    made = np.zeros(u.shape[1])
    for i in range(s.size):
        made[i] = s[i]
    return made


def fit_columns(a, b):
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


def einsum(subscripts, *operands):
    """`np.einsum`, always in memory of its own."""
    made = np.einsum(subscripts, *operands)
    return made.copy() if len(operands) == 1 and made.ndim else made


def tensordot_by(subscripts, *operands):
    """The sum over the labels that the output lacks, as `np.tensordot` forms it; the output's order is a's, then b's."""
    left, right = subscripts.partition("->")[0].split(",")
    common = [x for x in left if x in right]
    a, b = operands
    made = np.tensordot(a, b, ([left.index(x) for x in common], [right.index(x) for x in common]))
    return made if made.ndim else made.item()


def einsum_like(subscripts, like, *operands):
    """A sum of products in the shape of `like`: spread along labels that only the output has."""
    left, _, output = subscripts.partition("->")
    labels = "".join(dict.fromkeys(output))
    made = np.zeros(like.shape)
    inner = "".join(x for x in labels if x in left)
    place = np.einsum(f"{output}->{labels}", made)  # a view
    found = np.einsum(f"{left}->{inner}", *operands)
    place[...] = np.reshape(found, [n if x in left else 1 for x, n in zip(labels, place.shape, strict=True)])
    return made


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


def cofactors_along(a, x):
    """The derivative of `cofactors` in direction x, from singular values and products of all but two of them."""
    u, s, vt = np.linalg.svd(np.ascontiguousarray(a))
    sign = np.linalg.det(u) * np.linalg.det(vt)
    e = np.ascontiguousarray(u.T) @ x @ np.ascontiguousarray(vt.T)
    made = np.zeros(a.shape)
    for i in range(s.size):
        for j in range(s.size):
            if i != j:
                others = sign
                for k in range(s.size):
                    if k != i and k != j:
                        others *= s[k]
                made[i, i] += e[j, j] * others
                made[i, j] -= e[j, i] * others
    return u @ made @ vt


def inverse_or_nan(a):
    """The inverse; of a singular matrix nan in every place."""
    if np.linalg.slogdet(a)[0] != 0.0:
        return np.linalg.inv(a)
    return np.full(a.shape, np.nan)


def block_pair(a, x):
    """[[a, x], [0, a]]."""
    n = a.shape[0]
    made = np.zeros((2 * n, 2 * n))
    for i in range(n):
        for j in range(n):
            made[i, j] = made[n + i, n + j] = a[i, j]
            made[i, n + j] = x[i, j]
    return made


def corner_block(a):
    """The upper right quarter."""
    n = a.shape[0] // 2
    made = np.empty((n, n))
    for i in range(n):
        for j in range(n):
            made[i, j] = a[i, n + j]
    return made


def head_columns(a, q):
    """The first columns of a, as many as q has."""
    made = np.empty((a.shape[0], q.shape[1]))
    for i in range(a.shape[0]):
        for j in range(q.shape[1]):
            made[i, j] = a[i, j]
    return made


def tail_columns(a, q):
    """The columns of a behind as many as q has."""
    made = np.empty((a.shape[0], a.shape[1] - q.shape[1]))
    for i in range(made.shape[0]):
        for j in range(made.shape[1]):
            made[i, j] = a[i, q.shape[1] + j]
    return made


def side_by_side(a, b):
    """The columns of a, and behind them those of b."""
    made = np.empty((a.shape[0], a.shape[1] + b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            made[i, j] = a[i, j]
        for j in range(b.shape[1]):
            made[i, a.shape[1] + j] = b[i, j]
    return made


def eigh_vectors(a):
    """The eigenvectors of a symmetric matrix."""
    return np.linalg.eigh(a)[1]


def eigh_with(a, x):
    """The product v * x @ v.T: the eigenvectors of a with other values."""
    _, v = np.linalg.eigh(a)
    return (v * x) @ v.T


def svd_u(a):
    """The left singular vectors, as many as there are values."""
    return np.linalg.svd(a, False)[0]


def svd_vt(a):
    """The right singular vectors, in rows."""
    return np.linalg.svd(a, False)[2]


def svd_with(a, v):
    """The product u * v @ vt: the singular vectors of a with other values."""
    u, _, vt = np.linalg.svd(a, False)
    return (u * v) @ vt


def singular_values(a):
    """The singular values alone."""
    return np.linalg.svd(a, compute_uv=False)


def eig_real(a):
    """`np.linalg.eig` where all eigenvalues are real; ValueError else, as Numba has it."""
    values, vectors = np.linalg.eig(a)
    if np.iscomplexobj(values):
        raise ValueError("eig() argument must not cause a domain change.")
    return values, vectors


def expm(a):
    """`scipy.linalg.expm`."""
    from scipy.linalg import expm

    return expm(a)


def expm_along(a, x):
    """The derivative of `expm` in direction x."""
    return corner_block(expm(block_pair(a, x)))


def matrix_power(a, n):
    """`np.linalg.matrix_power`, always in memory of its own."""
    base = np.ascontiguousarray(np.linalg.inv(a) if n < 0 else a.copy())
    n = abs(n)
    if n == 3:
        return base @ base @ base
    made = np.eye(a.shape[0])
    first = True
    while n > 0:
        if n % 2:
            made = base.copy() if first else made @ base
            first = False
        n //= 2
        if n:
            base = base @ base
    return made


def power_along(a, n, x):
    """The derivative of `np.linalg.matrix_power` in direction x."""
    return corner_block(matrix_power(block_pair(a, x), n))


def solve_triangular(a, b, lower, turned, unit):
    """`scipy.linalg.solve_triangular`."""
    from scipy.linalg import solve_triangular

    return solve_triangular(a, b, int(turned), lower, unit, check_finite=False)


def cholesky_back(factor, w):
    """What flows back to a matrix from its Cholesky factor with the adjoint w: in its lower triangle."""
    half = half_tril(factor.T @ w)
    once = solve_triangular(factor, 0.5 * (half + half.T), True, True, False)
    return fold_lower(solve_triangular(factor, once.T, True, True, False))


def room_for_factors(a):
    """Room for a matrix that systems are solved with: NumPy has no factors to keep."""
    return np.empty(a.shape), np.zeros(a.shape[0] + 1, np.int64)


def solve_by(a, lu, pivots, b):
    """`np.linalg.solve`."""
    x = np.linalg.solve(a, b)
    lu[...], pivots[-1] = a, 1
    return x


def with_factors(lu, pivots, b, turned=False):
    """The solution with a matrix that a system was solved with before, or with its transpose."""
    if lu.size and not pivots[-1]:
        raise RuntimeError("there are no factors: the system was not solved before")
    return np.linalg.solve(lu.T if turned else lu, b)


def solve_sylvester(a, b, q):
    """`scipy.linalg.solve_sylvester`."""
    from scipy.linalg import solve_sylvester

    return solve_sylvester(a, b, q)


def sqrtm(a):
    """`scipy.linalg.sqrtm` where the principal root is real; ValueError else."""
    from scipy.linalg import sqrtm

    made = sqrtm(a)
    if np.iscomplexobj(made):
        raise ValueError(NO_ROOT)
    return made


def solve_banded(low, up, ab, b):
    """`scipy.linalg.solve_banded`."""
    from scipy.linalg import solve_banded

    return solve_banded((low, up), ab, b)
