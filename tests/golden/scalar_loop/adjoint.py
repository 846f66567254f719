"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of the result with respect to x, rate.

kept         where  bytes      why
v (line 12)  slot   8 * steps  carried by the loop
x (line 12)  slot   8 * steps  carried by the loop
"""

import numpy as np
from s2sad_runtime import guarded, hold, jit, new_arena, real_slots, require, take_real

require(1)


@jit
def f(x, rate, steps):
    """A damped pendulum, with explicit steps."""
    v = 0.0
    for _ in range(steps):
        v -= 0.1 * (np.sin(x) + rate * v)
        x += 0.1 * v
    return x * x + v


@jit(inner=True)
def f_fwd(x, rate, steps, arena):
    """Run `f` forward; what the reverse sweep needs is kept in the arena."""
    kept = real_slots(arena, (1,))
    v = 0.0
    v_s = real_slots(arena, (steps,))
    x_s = real_slots(arena, (steps,))
    for it in range(steps):
        v_s[it] = v
        x_s[it] = x
        t = np.sin(x)
        v -= 0.1 * (t + rate * v)
        x += 0.1 * v
    hold(arena, v_s, x_s)
    kept[0] = x
    y = x * x + v
    hold(arena, kept)
    return y


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_rev(x, rate, steps, y_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    kept = take_real(arena, 1)
    # line 12: for _ in range(steps):
    x_3 = kept[0]
    rate_b = 0.0
    # line 15: return x * x + v
    x_b = 2.0 * y_b * x_3
    v_b = y_b
    x_s = take_real(arena, 1)
    v_s = take_real(arena, 1)
    for it in range(steps - 1, -1, -1):
        # line 12: for _ in range(steps):
        v = v_s[it]
        x_2 = x_s[it]
        # line 14: x = x + 0.1 * v
        v_b += 0.1 * x_b
        # line 13: v = v - 0.1 * (np.sin(x) + rate * v)
        t_b = -0.1 * v_b
        rate_b -= 0.1 * v_b * v
        v_b *= 1.0 - 0.1 * rate
        x_b += t_b * np.cos(x_2)
    return x_b, rate_b


@jit
def f_grad(x, rate, steps):
    """The value and the gradient of `f`."""
    arena = new_arena()
    y = guarded(f_fwd, (arena,), x, rate, steps, arena)
    x_b, rate_b = guarded(f_rev, (arena,), x, rate, steps, 1.0, arena)
    return y, (x_b, rate_b)
