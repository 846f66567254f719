"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of r with respect to x, row, c.

kept          where  bytes               why
t2 (line 10)  slot   8 * x.shape[0] * n  dear to form again
t3 (line 12)  slot   8 * y.shape[0] * n  dear to form again
y (line 11)   log    8 * y.shape[0] * n  an overwritten element is read before
"""

import numpy as np
from s2sad_runtime import (
    accumulate, common, fitted, guarded, hold, int_slots, jit, new_arena, pooled_zeros, real_slots,
    require, room_for, take_int, take_real, zeros_of
)

require(1)


@jit
def f(x, row, c):
    y = np.tanh(c * x + row)
    y *= row
    z = np.exp(-y) * x
    t = y * y
    r = np.sum(z) + c * np.sum(t)
    return r


@jit(inner=True)
def f_fwd(x, row, c, arena):
    """Run `f` forward; what the reverse sweep needs is kept in the arena."""
    kept_n = int_slots(arena, (1,))
    kept = real_slots(arena, (1,))
    n = common(x.shape[1], row.shape[0])
    kept_n[0] = n
    x_fit = fitted(x, (x.shape[0], n))
    row_fit = fitted(row, (n,))
    y = real_slots(arena, (x.shape[0], n))
    t2_s = real_slots(arena, (x.shape[0], n))
    for i in range(x.shape[0]):
        for j in range(n):
            t2 = np.tanh(c * x_fit[i, j] + row_fit[j])
            t2_s[i, j] = t2
            y[i, j] = t2
    hold(arena, t2_s)
    x_fit2 = fitted(x, (y.shape[0], n))
    sum_z = 0.0
    sum_t = 0.0
    t3_s = real_slots(arena, (y.shape[0], n))
    y_s = real_slots(arena, (y.shape[0], n))
    for i2 in range(y.shape[0]):
        for j2 in range(n):
            y_s[i2, j2] = y[i2, j2]
            y[i2, j2] *= row_fit[j2]
            t3 = np.exp(-y[i2, j2])
            t3_s[i2, j2] = t3
            z = t3 * x_fit2[i2, j2]
            t = y[i2, j2] * y[i2, j2]
            sum_z += z
            sum_t += t
    hold(arena, t3_s, y_s)
    kept[0] = sum_t
    r = sum_z + c * sum_t
    hold(arena, y, kept_n, kept)
    return r


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_rev(x, row, c, x_b, row_b, r_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    kept = take_real(arena, 1)
    kept_n = take_int(arena, 1)
    # line 10: y = np.tanh(c * x + row)
    n = kept_n[0]
    # line 11: y *= row
    sum_t = kept[0]
    y = take_real(arena, 2)
    y_b = pooled_zeros(y)
    x_fit = fitted(x, (x.shape[0], n))
    x_fit_b = room_for(x_b, (x.shape[0], n))
    row_fit = fitted(row, (n,))
    row_fit_b = room_for(row_b, (n,))
    x_fit2 = fitted(x, (y.shape[0], n))
    x_fit2_b = room_for(x_b, (y.shape[0], n))
    # line 13: return np.sum(z) + c * np.sum(y * y)
    c_b = r_b * sum_t
    sum_t_b = r_b * c
    y_s = take_real(arena, 2)
    t3_s = take_real(arena, 2)
    for i2 in range(y.shape[0]):
        for j2 in range(n):
            # line 12: z = np.exp(-y) * x
            t3 = t3_s[i2, j2]
            t3_b = r_b * x_fit2[i2, j2]
            x_fit2_b[i2, j2] += r_b * t3
            y_b[i2, j2] += 2.0 * sum_t_b * y[i2, j2] - t3_b * t3
            # line 11: y *= row
            y[i2, j2] = y_s[i2, j2]
            w = y_b[i2, j2]
            y_b[i2, j2] = w * row_fit[j2]
            row_fit_b[j2] += w * y[i2, j2]
    if x_b.shape[0] != x_fit2_b.shape[0] or x_b.shape[1] != x_fit2_b.shape[1]:
        # line 12: z = np.exp(-y) * x
        accumulate(x_b, x_fit2_b)
    t2_s = take_real(arena, 2)
    for i in range(x.shape[0]):
        for j in range(n):
            # line 10: y = np.tanh(c * x + row)
            t2 = t2_s[i, j]
            w = y_b[i, j]
            c_b += w * (1.0 - t2 * t2) * x_fit[i, j]
            x_fit_b[i, j] += w * (1.0 - t2 * t2) * c
            row_fit_b[j] += w * (1.0 - t2 * t2)
    if row_b.shape[0] != row_fit_b.shape[0]:
        accumulate(row_b, row_fit_b)
    if x_b.shape[0] != x_fit_b.shape[0] or x_b.shape[1] != x_fit_b.shape[1]:
        accumulate(x_b, x_fit_b)
    return c_b


@jit
def f_grad(x, row, c):
    """The value and the gradient of `f`."""
    arena = new_arena()
    r = guarded(f_fwd, (arena,), x, row, c, arena)
    x_b = zeros_of(x)
    row_b = zeros_of(row)
    c_b = guarded(f_rev, (arena,), x, row, c, x_b, row_b, 1.0, arena)
    return r, (x_b, row_b, c_b)
