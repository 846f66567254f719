"""Adjoint of stepped, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of s with respect to x.

kept          where  bytes      why
s (line 130)  slot   8 * steps  carried by the loop
"""

import numpy as np
from s2sad_runtime import (
    guarded, hold, jit, mark, new_arena, real_slots, release, require, take_real
)

require(1)


@jit(inner=True)
def stepped_region(s, x):
    """A region of `stepped`, run again on the way back."""
    for i in range(3):
        s += np.sin(s * x) / (i + 1.0)
    return s


@jit
def stepped(x, steps):
    s = x
    for _ in range(steps):
        for i in range(3):
            s += np.sin(s * x) / (i + 1.0)
    return s


@jit(inner=True)
def stepped_region_fwd(s, x, arena):
    s_s = real_slots(arena, (3,))
    for i in range(3):
        s_s[i] = s
        t = np.sin(s * x)
        s += t / (i + 1.0)
    hold(arena, s_s)
    return s


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def stepped_region_rev(s, x, s_seed, arena):
    x_b = 0.0
    s_b = s_seed
    s_s = take_real(arena, 1)
    for i in range(2, -1, -1):
        # line 131: for i in range(3):
        s_2 = s_s[i]
        # line 132: s = s + np.sin(s * x) / (i + 1.0)
        t_b = s_b / (i + 1.0)
        s_b += t_b * np.cos(s_2 * x) * x
        x_b += t_b * np.cos(s_2 * x) * s_2
    return s_b, x_b


@jit(inner=True)
def stepped_fwd(x, steps, arena):
    """Run `stepped` forward; what the reverse sweep needs is kept in the arena."""
    s = x
    s_s = real_slots(arena, (steps,))
    for it in range(steps):
        s_s[it] = s
        s = stepped_region(s, x)
    hold(arena, s_s)
    return s


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def stepped_rev(x, steps, s_b, arena):
    """Take `stepped` backwards: from the adjoints of its results to those of its arguments."""
    x_b = 0.0
    s_s = take_real(arena, 1)
    for it in range(steps - 1, -1, -1):
        # line 130: for _ in range(steps):
        s = s_s[it]
        frame = mark(arena)
        s_again = stepped_region_fwd(s, x, arena)
        g, g2 = stepped_region_rev(s, x, s_b, arena)
        s_b = g
        x_b += g2
        release(arena, frame)
    # line 129: s = x
    x_b += s_b
    return x_b


@jit
def stepped_grad(x, steps):
    """The value and the gradient of `stepped`."""
    arena = new_arena()
    s = guarded(stepped_fwd, (arena,), x, steps, arena)
    x_b = guarded(stepped_rev, (arena,), x, steps, 1.0, arena)
    return s, x_b
