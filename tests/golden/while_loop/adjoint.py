"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of the result with respect to a, x.

kept         where  bytes   why
x (line 11)  slot   8 * 16  carried by the loop
"""

import math

from s2sad_runtime import (
    grown, guarded, hold, int_slots, jit, new_arena, real_slots, require, take_int, take_real
)

require(1)


@jit
def f(a, x):
    """A square root by Newton's rule."""
    while abs(x * x - a) > 1e-06:
        x = 0.5 * (x + a / x)
    return x * math.log(a)


@jit(inner=True)
def f_fwd(a, x, arena):
    """Run `f` forward; what the reverse sweep needs is kept in the arena."""
    kept = real_slots(arena, (2,))
    kept_n = int_slots(arena, (1,))
    n_while = 0
    x_s = real_slots(arena, (16,))
    while abs(x * x - a) > 1e-06:
        if n_while == x_s.shape[0]:
            x_s = grown(arena, x_s)
        x_s[n_while] = x
        x = 0.5 * (x + a / x)
        n_while += 1
    hold(arena, x_s)
    kept[0] = x
    kept_n[0] = n_while
    t = math.log(a)
    kept[1] = t
    y = x * t
    hold(arena, kept, kept_n)
    return y


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_rev(a, x, y_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    kept_n = take_int(arena, 1)
    kept = take_real(arena, 1)
    # line 11: while abs(x * x - a) > 1e-6:
    x_3 = kept[0]
    n_while_2 = kept_n[0]
    # line 13: return x * math.log(a)
    t = kept[1]
    x_b = y_b * t
    t_b = y_b * x_3
    a_b = t_b / a
    x_s = take_real(arena, 1)
    for n_while in range(n_while_2 - 1, -1, -1):
        # line 11: while abs(x * x - a) > 1e-6:
        x_2 = x_s[n_while]
        # line 12: x = 0.5 * (x + a / x)
        r = 1.0 / x_2
        a_b += 0.5 * x_b * r
        x_b = 0.5 * x_b * (1.0 - a * r * r)
    return a_b, x_b


@jit
def f_grad(a, x):
    """The value and the gradient of `f`."""
    arena = new_arena()
    y = guarded(f_fwd, (arena,), a, x, arena)
    a_b, x_b = guarded(f_rev, (arena,), a, x, 1.0, arena)
    return y, (a_b, x_b)
