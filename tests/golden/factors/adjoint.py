"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of r with respect to A, x.

kept          where  bytes  why
t2 (line 12)  slot   8 * n  dear to form again
"""

import numpy as np
from s2sad_runtime import (
    accumulate, add_outer, common, fitted, fold_lower, guarded, hold, int_slots, jit, new_arena,
    over_gaps, own, pooled_zeros, real_slots, require, room_for, take_int, take_real, zeros_of
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
    kept_n = int_slots(arena, (1,))
    values, vectors = np.linalg.eigh(A)
    values = own(arena, values)
    vectors = own(arena, vectors)
    t = vectors.T
    y = own(arena, t @ x)
    n = common(values.shape[0], y.shape[0])
    kept_n[0] = n
    values_fit = fitted(values, (n,))
    y_fit = fitted(y, (n,))
    r = 0.0
    t2_s = real_slots(arena, (n,))
    for i in range(n):
        t2 = np.exp(values_fit[i])
        t2_s[i] = t2
        t_2 = t2 * y_fit[i] * y_fit[i]
        r += t_2
    hold(arena, t2_s, y, vectors, values, kept_n)
    return r


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_rev(A, x, A_b, x_b, r_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    kept_n = take_int(arena, 1)
    # line 12: return np.sum(np.exp(values) * y * y)
    n = kept_n[0]
    values = take_real(arena, 1)
    values_b = pooled_zeros(values)
    vectors = take_real(arena, 2)
    vectors_b = pooled_zeros(vectors)
    y = take_real(arena, 1)
    y_b = pooled_zeros(y)
    t = vectors.T
    t_b = vectors_b.T
    values_fit_b = room_for(values_b, (n,))
    y_fit = fitted(y, (n,))
    y_fit_b = room_for(y_b, (n,))
    t2_s = take_real(arena, 1)
    for i in range(n):
        t2 = t2_s[i]
        t2_b = r_b * y_fit[i] * y_fit[i]
        y_fit_b[i] += 2.0 * r_b * t2 * y_fit[i]
        values_fit_b[i] += t2_b * t2
    if y_b.shape[0] != y_fit_b.shape[0]:
        accumulate(y_b, y_fit_b)
    if values_b.shape[0] != values_fit_b.shape[0]:
        accumulate(values_b, values_fit_b)
    # line 11: y = vectors.T @ x
    add_outer(t_b, y_b, x)
    accumulate(x_b, y_b @ t)
    # line 10: values, vectors = np.linalg.eigh(A)
    accumulate(A_b, fold_lower(vectors * values_b @ vectors.T))
    accumulate(A_b, fold_lower(vectors @ over_gaps(vectors.T @ vectors_b, values) @ vectors.T))


@jit(inner=True)
def f_both(A, x, A_b, x_b, r_b, arena):
    """Run `f`, and take each trip of a loop backwards at once."""
    # line 10: values, vectors = np.linalg.eigh(A)
    values, vectors = np.linalg.eigh(A)
    values = own(arena, values)
    vectors = own(arena, vectors)
    # line 11: y = vectors.T @ x
    t = vectors.T
    y = own(arena, t @ x)
    # line 12: return np.sum(np.exp(values) * y * y)
    n = common(values.shape[0], y.shape[0])
    values_fit = fitted(values, (n,))
    y_fit = fitted(y, (n,))
    r = 0.0
    values_b = pooled_zeros(values)
    vectors_b = pooled_zeros(vectors)
    y_b = pooled_zeros(y)
    t_b = vectors_b.T
    values_fit_b = room_for(values_b, (n,))
    y_fit_b = room_for(y_b, (n,))
    for i in range(n):
        t2 = np.exp(values_fit[i])
        t_2 = t2 * y_fit[i] * y_fit[i]
        r += t_2
        t2_b = r_b * y_fit[i] * y_fit[i]
        y_fit_b[i] += 2.0 * r_b * t2 * y_fit[i]
        values_fit_b[i] += t2_b * t2
    if y_b.shape[0] != y_fit_b.shape[0]:
        accumulate(y_b, y_fit_b)
    if values_b.shape[0] != values_fit_b.shape[0]:
        accumulate(values_b, values_fit_b)
    # line 11: y = vectors.T @ x
    add_outer(t_b, y_b, x)
    accumulate(x_b, y_b @ t)
    # line 10: values, vectors = np.linalg.eigh(A)
    accumulate(A_b, fold_lower(vectors * values_b @ vectors.T))
    accumulate(A_b, fold_lower(vectors @ over_gaps(vectors.T @ vectors_b, values) @ vectors.T))
    return r


@jit
def f_grad(A, x):
    """The value and the gradient of `f`."""
    arena = new_arena()
    A_b = zeros_of(A)
    x_b = zeros_of(x)
    r = guarded(f_both, (arena,), A, x, A_b, x_b, 1.0, arena)
    return r, (A_b, x_b)
