"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of r with respect to x, row, c.

kept         where  bytes       why
y (line 11)  copy   8 * y.size  overwritten at once, read before
"""

import numpy as np
from s2sad_runtime import (
    accumulate, guarded, hold, jit, keep, new_arena, own, real_slots, require, restore, take_real,
    zeros_of
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
    kept = real_slots(arena, (1,))
    y = own(arena, np.tanh(c * x + row))
    keep(arena, y)
    y *= row
    z = own(arena, np.exp(-y) * x)
    t = own(arena, y * y)
    t2 = np.sum(z)
    t3 = np.sum(t)
    kept[0] = t3
    r = t2 + c * t3
    hold(arena, t, z, y, kept)
    return r


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_rev(x, row, c, x_b, row_b, r_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    kept = take_real(arena, 1)
    # line 13: return np.sum(z) + c * np.sum(y * y)
    t3 = kept[0]
    y = take_real(arena, 2)
    y_b = np.zeros_like(y)
    z = take_real(arena, 2)
    z_b = np.zeros_like(z)
    t = take_real(arena, 2)
    t_b = np.zeros_like(t)
    c_b = r_b * t3
    t3_b = r_b * c
    accumulate(t_b, t3_b)
    accumulate(z_b, r_b)
    accumulate(y_b, 2.0 * t_b * y)
    # line 12: z = np.exp(-y) * x
    accumulate(y_b, -z_b * np.exp(-y) * x)
    accumulate(x_b, z_b * np.exp(-y))
    # line 11: y *= row
    restore(arena, y)
    accumulate(row_b, y_b * y)
    y_b *= row
    # line 10: y = np.tanh(c * x + row)
    c_b += np.sum(y_b * (1.0 - y * y) * x)
    accumulate(x_b, y_b * (1.0 - y * y) * c)
    accumulate(row_b, y_b * (1.0 - y * y))
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
