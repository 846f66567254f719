"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of r with respect to x, y.

kept         where  bytes       why
w (line 13)  copy   8 * w.size  overwritten at once, read before
"""

import numpy as np
from s2sad_runtime import (
    accumulate, contiguous, distinct, guarded, hold, hold_part, int_slots, jit, keep, new_arena,
    new_parts, new_places, own, part_at, part_end, part_new, part_place, part_share, pooled_zeros,
    real_slots, require, restore, take_int, take_pool, take_real, take_real_part, zeros_of
)

require(1)


@jit
def f(x, y, a):
    w = np.asarray(y * a)
    if a > 0.0:
        w = x[1:]
    t = x[0]
    w *= t
    x[1] += a * y[2]
    t_2 = w * w
    r = np.sum(t_2)
    return r


@jit(inner=True)
def f_fwd(x, y, a, arena):
    """Run `f` forward; what the reverse sweep needs is kept in the arena."""
    kept_n = int_slots(arena, (2,))
    kept = real_slots(arena, (2,))
    pool = new_parts(arena)
    x_i = part_new(arena, pool, x)
    w = real_slots(arena, (y.shape[0],))
    w_i = part_new(arena, pool, w)
    kept_n[0] = w_i
    for i in range(y.shape[0]):
        w[i] = y[i] * a
    c = a > 0.0
    if c:
        hold_part(arena, w)
        part_end(pool, w_i)
        w = x[1:]
        w_i = part_share(pool, x_i)
    kept_n[1] = w_i
    t = x[0]
    kept[0] = t
    keep(arena, w)
    w *= t
    kept[1] = x[1]
    x[1] += a * y[2]
    t_2 = own(arena, w * w)
    r = np.sum(t_2)
    hold(arena, t_2)
    hold_part(arena, w)
    part_end(pool, w_i)
    hold(arena, pool, kept_n, kept)
    return r


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_rev(x, y, a, x_b, y_b, r_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    x_final = own(arena, x)
    kept = take_real(arena, 1)
    kept_n = take_int(arena, 1)
    # line 10: w = y * a
    w_i = kept_n[0]
    # line 11: if a > 0.0:
    w_i_2 = kept_n[1]
    # line 13: w *= x[0]
    t = kept[0]
    pool = take_pool(arena, 1)
    places = new_places(arena, pool, 1)
    part_at(places, 1, x_b, 0, x)
    w = take_real_part(arena, 1)
    # line 15: return np.sum(w * w)
    w_b = part_place(arena, places, w_i_2, w, 0, pool)
    t_2 = take_real(arena, 1)
    t_2_b = pooled_zeros(t_2)
    # line 11: if a > 0.0:
    c = a > 0.0
    # line 15: return np.sum(w * w)
    accumulate(t_2_b, r_b)
    accumulate(w_b, 2.0 * t_2_b * w)
    # line 14: x[1] += a * y[2]
    x[1] = kept[1]
    y_b[2] += x_b[1] * a
    # line 13: w *= x[0]
    restore(arena, w)
    t_b = np.sum(w_b * w)
    w_b *= t
    x_b[0] += t_b
    if c:
        w = take_real_part(arena, 1)
        # line 12: w = x[1:]
        w_b = part_place(arena, places, w_i, w, 0, pool)
    for i in range(y.shape[0]):
        # line 10: w = y * a
        w2 = w_b[i]
        w_b[i] = 0.0
        y_b[i] += w2 * a
    w_b[...] = 0.0
    x[...] = x_final


@jit
def f_grad(x, y, a):
    """The value and the gradient of `f`."""
    contiguous(x)
    distinct(x, y)
    arena = new_arena()
    r = guarded(f_fwd, (arena,), x, y, a, arena)
    x_b = zeros_of(x)
    y_b = zeros_of(y)
    guarded(f_rev, (arena,), x, y, a, x_b, y_b, 1.0, arena)
    return r, (x_b, y_b)
