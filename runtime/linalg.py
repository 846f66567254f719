"""What `plain_linalg` does, compiled: BLAS and LAPACK do the work, through Numba."""

from types import FunctionType

import numpy as np

from s2sad_runtime import plain_linalg
from s2sad_runtime.compiled import jit
from s2sad_runtime.lapack import trtrs

#: Taken over as they stand; a function may call those before it.
AS_THEY_STAND = (
    "one_triangle", "turned_over", "eigh_vectors", "eigh_with", "turned_bands", "bands_of", "banded_product",
    "mirror_lower", "fold_lower", "half_tril", "gaps_of", "over_gaps", "over_square_gaps", "over_columns", "pad_values",
    "fit_columns", "head_columns", "tail_columns", "side_by_side", "block_pair", "corner_block", "cofactors",
    "cofactors_along", "inverse_or_nan", "svd_u", "svd_vt", "svd_with", "matrix_power", "power_along", "middle_shares",
)  # fmt: skip
SCOPE = dict(vars(plain_linalg))


def _compiled(name):
    f = getattr(plain_linalg, name)
    SCOPE[name] = made = jit(inner=True)(FunctionType(f.__code__, SCOPE, name))
    return made


globals().update({name: _compiled(name) for name in AS_THEY_STAND})
one_triangle, turned_over = SCOPE["one_triangle"], SCOPE["turned_over"]


@jit(inner=True)
def singular_values(a):
    """The singular values alone."""
    return np.linalg.svd(a, False)[1]


@jit(inner=True)
def eig_real(a):
    """`np.linalg.eig`, which raises where an eigenvalue is not real."""
    values, vectors = np.linalg.eig(a)
    return values, vectors


#: Numerator of the Padé approximant of degree 13, and the norm up to which it is as exact as numbers are.
PADE = (
    64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0,
    10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0, 1.0,
)  # fmt: skip
REACH = 5.371920351148152


@jit(inner=True)
def expm(a):
    """The exponential of a matrix, by scaling, a Padé approximant and squaring (Higham 2005)."""
    n = a.shape[0]
    norm = 0.0
    for j in range(n):
        norm = max(norm, np.sum(np.abs(a[:, j])))
    squarings = max(0, int(np.ceil(np.log2(norm / REACH)))) if norm > REACH and np.isfinite(norm) else 0
    one = np.eye(n)
    a1 = a / 2.0**squarings
    a2 = a1 @ a1
    a4 = a2 @ a2
    a6 = a4 @ a2
    high = PADE[13] * a6 + PADE[11] * a4 + PADE[9] * a2
    odd = a1 @ (a6 @ high + PADE[7] * a6 + PADE[5] * a4 + PADE[3] * a2 + PADE[1] * one)
    high = PADE[12] * a6 + PADE[10] * a4 + PADE[8] * a2
    even = a6 @ high + PADE[6] * a6 + PADE[4] * a4 + PADE[2] * a2 + PADE[0] * one
    made = np.ascontiguousarray(np.linalg.solve(even - odd, even + odd))
    for _ in range(squarings):
        made = made @ made
    return made


SCOPE["expm"] = expm
expm_along = _compiled("expm_along")


@jit(inner=True)
def solve_triangular(a, b, lower, turned, unit):
    """The solution of a system with one triangle of a matrix, turned over or not."""
    n = a.shape[0]
    rows = np.ascontiguousarray(b).reshape((n, b.size // max(1, n))).T.copy()
    if rows.size and trtrs(np.ascontiguousarray(a), rows, lower, turned, unit):
        raise np.linalg.LinAlgError("the triangular matrix is singular")
    return np.ascontiguousarray(rows.T).reshape(b.shape)


@jit(inner=True)
def solve_sylvester(a, b, q):
    """The solution x of a x + x b = q, as one system for all its elements."""
    n, m = q.shape
    system = np.zeros((n * m, n * m))
    for i in range(n):
        for j in range(m):
            for k in range(n):
                system[i * m + j, k * m + j] += a[i, k]
            for k in range(m):
                system[i * m + j, i * m + k] += b[k, j]
    return np.linalg.solve(system, np.ascontiguousarray(q).reshape(n * m)).reshape((n, m))


@jit(inner=True)
def sqrtm(a):
    """The principal square root, by the iteration of Denman and Beavers 1976."""
    root, inverse = a.copy(), np.eye(a.shape[0])
    change = np.inf
    for _ in range(100):
        new = np.ascontiguousarray(0.5 * (root + np.linalg.inv(inverse)))
        inverse = np.ascontiguousarray(0.5 * (inverse + np.linalg.inv(root)))
        moved = np.max(np.abs(new - root)) / np.max(np.abs(new)) if new.size else 0.0
        root = new
        if not moved > 1e-14 or (moved < 1e-10 and not moved < change):
            return root
        change = moved
    raise ValueError("the principal square root of the matrix is not real")


@jit(inner=True)
def solve_banded(low, up, ab, b):
    """The solution of a banded system, as a dense one."""
    n = ab.shape[1]
    dense = np.zeros((n, n))
    for j in range(n):
        for i in range(max(0, j - up), min(n, j + low + 1)):
            dense[i, j] = ab[up + i - j, j]
    return np.ascontiguousarray(np.linalg.solve(dense, b))
