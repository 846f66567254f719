"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of r with respect to A, x.
"""

import numpy as np
from s2sad_runtime import (
    accumulate, fold_lower, guarded, hold, jit, new_arena, over_gaps, own, require, take_real,
    zeros_of
)

require(1)


@jit
def f(A, x):
    values, vectors = np.linalg.eigh(A)
    t = vectors.T
    y = t @ x
    t_2 = np.exp(values) * y * y
    r = np.sum(t_2)
    return r


@jit(inner=True)
def f_fwd(A, x, arena):
    """Run `f` forward; what the reverse sweep needs is kept in the arena."""
    values, vectors = np.linalg.eigh(A)
    values = own(arena, values)
    vectors = own(arena, vectors)
    t = vectors.T
    y = own(arena, t @ x)
    t_2 = own(arena, np.exp(values) * y * y)
    r = np.sum(t_2)
    hold(arena, t_2, y, vectors, values)
    return r


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_rev(A, x, A_b, x_b, r_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    values = take_real(arena, 1)
    values_b = np.zeros_like(values)
    vectors = take_real(arena, 2)
    vectors_b = np.zeros_like(vectors)
    y = take_real(arena, 1)
    y_b = np.zeros_like(y)
    t_2 = take_real(arena, 1)
    t_2_b = np.zeros_like(t_2)
    # line 12: return np.sum(np.exp(values) * y * y)
    t = vectors.T
    t_b = vectors_b.T
    accumulate(t_2_b, r_b)
    accumulate(values_b, t_2_b * np.exp(values) * y * y)
    accumulate(y_b, 2.0 * t_2_b * np.exp(values) * y)
    # line 11: y = vectors.T @ x
    accumulate(t_b, np.outer(y_b, x))
    accumulate(x_b, y_b @ t)
    # line 10: values, vectors = np.linalg.eigh(A)
    accumulate(A_b, fold_lower(vectors * values_b @ vectors.T))
    accumulate(A_b, fold_lower(vectors @ over_gaps(vectors.T @ vectors_b, values) @ vectors.T))


@jit
def f_grad(A, x):
    """The value and the gradient of `f`."""
    arena = new_arena()
    r = guarded(f_fwd, (arena,), A, x, arena)
    A_b = zeros_of(A)
    x_b = zeros_of(x)
    guarded(f_rev, (arena,), A, x, A_b, x_b, 1.0, arena)
    return r, (A_b, x_b)
