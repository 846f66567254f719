"""Systems that are solved with the same matrix more than once: its factors are kept.

The first solution is LAPACK's own, as `np.linalg.solve` asks for it, and leaves the factors. Later ones use them: with
the matrix transposed, on the way back, and with the matrix as it is. Large systems are solved anew where the
bits of the function's own value count: LAPACK divides a solution among threads otherwise than it divides both steps.
"""

import numpy as np

from s2sad_runtime.compiled import jit
from s2sad_runtime.lapack import gesv, getrs

LARGE = 200  # from this size on LAPACK may use several threads


@jit(inner=True)
def room_for_factors(a):
    """Room for the factors of a matrix, and for its pivots; the last entry of those tells whether they are there."""
    return np.empty(a.shape), np.zeros(a.shape[0] + 1, np.int64)


@jit(inner=True)
def solve_by(a, lu, pivots, b):
    """`np.linalg.solve(a, b)`, to the last bit, by the factors of `a` if they are there; if not they are now."""
    n = a.shape[0]
    known = pivots[n] == 1  # and with them that the matrix is finite
    if a.shape[1] != n or b.shape[0] != n or not ((known or np.isfinite(a).all()) and np.isfinite(b).all()):
        return np.linalg.solve(a, b)  # raises what it raises
    rows = _rows(b)
    if rows.size == 0:
        return _columns(rows, b)
    if known and n < LARGE:
        getrs(lu, pivots[:n].astype(np.intc), rows, False)
        return _columns(rows, b)
    lu[:] = a.T
    order = np.empty(n, np.intc)
    if gesv(lu, order, rows):
        return np.linalg.solve(a, b)
    pivots[:n] = order
    pivots[n] = 1
    return _columns(rows, b)


@jit(inner=True)
def with_factors(lu, pivots, b, turned=False):
    """The solution for the right side `b` by factors that are there, of the matrix or (`turned`) of its transpose."""
    n = lu.shape[0]
    rows = _rows(b)
    if rows.size == 0:
        return _columns(rows, b)
    if not pivots[n]:
        raise RuntimeError("there are no factors: the system was not solved before")
    getrs(lu, pivots[:n].astype(np.intc), rows, turned)
    return _columns(rows, b)


@jit(inner=True)
def _rows(b):
    """Right sides, or one, as rows of memory of their own."""
    if b.ndim == 1:
        return b.copy().reshape((1, b.size))
    return b.T.copy()


@jit(inner=True)
def _columns(rows, b):
    """Rows as the columns that they stand for, in the shape of `b`, as `np.linalg.solve` lays them out under Numba."""
    if b.ndim == 1:
        return rows.reshape(rows.size)
    return rows.T
