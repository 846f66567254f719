"""Back through the Cholesky factorisation, block by block: half the work of the formula for the whole matrix."""

import numpy as np

from s2sad_runtime.compiled import jit
from s2sad_runtime.lapack import trtrs
from s2sad_runtime.linalg import fold_lower, half_tril

BLOCK = 64


@jit(inner=True)
def cholesky_back(factor, w):
    """What flows back to a matrix from its factor with the adjoint w (Murray 2016, section 4): in its lower triangle."""
    n = factor.shape[0]
    v = np.tril(w)
    for top in range((n - 1) // BLOCK * BLOCK, -1, -BLOCK):
        end = min(top + BLOCK, n)
        corner, left = factor[top:end, top:end].copy(), factor[top:end, :top].copy()
        if end < n:
            below = v[end:, top:end].copy()
            trtrs(corner, below, True, True, False)
            v[end:, top:end] = below
            v[end:, :top] -= below @ left
            v[top:end, top:end] -= np.tril(below.T @ factor[end:, top:end].copy())
            v[top:end, :top] -= below.T @ factor[end:, :top].copy()
        own = _back(corner, v[top:end, top:end].copy())
        v[top:end, top:end] = own
        v[top:end, :top] -= (own + own.T) @ left
    return v


@jit(inner=True)
def _back(factor, w):
    """The same by the formula for the whole matrix."""
    half = half_tril(factor.T @ w)
    rows = 0.5 * (half + half.T)
    trtrs(factor, rows, True, True, False)
    rows = rows.T.copy()
    trtrs(factor, rows, True, True, False)
    return fold_lower(rows)
