"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of the result with respect to x, c.

kept         where  bytes           why
x (line 12)  log    8 * x.shape[0]  an overwritten element is read before
"""

import numpy as np
from s2sad_runtime import (
    guarded, hold, jit, new_arena, own, real_slots, require, take_real, zeros_of
)

require(1)


@jit
def f(x, c):
    s = 0.0
    for i in range(x.shape[0]):
        x[i] = c * x[i] * x[i]
        s += np.sin(x[i])
    x[0] = s
    return s * x[0]


@jit(inner=True)
def f_fwd(x, c, arena):
    """Run `f` forward; what the reverse sweep needs is kept in the arena."""
    kept = real_slots(arena, (2,))
    s = 0.0
    x_s = real_slots(arena, (x.shape[0],))
    for i in range(x.shape[0]):
        x_s[i] = x[i]
        x[i] = c * x[i] * x[i]
        t = np.sin(x[i])
        s += t
    hold(arena, x_s)
    kept[0] = s
    kept[1] = x[0]
    x[0] = s
    y = s * x[0]
    hold(arena, kept)
    return y


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_rev(x, c, x_b, y_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    x_final = own(arena, x)
    kept = take_real(arena, 1)
    # line 11: for i in range(len(x)):
    s = kept[0]
    c_b = 0.0
    # line 15: return s * x[0]
    s_b = y_b * x[0]
    x_b[0] += y_b * s
    # line 14: x[0] = s
    x[0] = kept[1]
    w = x_b[0]
    x_b[0] = 0.0
    s_b += w
    x_s = take_real(arena, 1)
    for i in range(x.shape[0]):
        # line 13: s += np.sin(x[i])
        x_b[i] += s_b * np.cos(x[i])
        # line 12: x[i] = c * x[i] * x[i]
        x[i] = x_s[i]
        w = x_b[i]
        x_b[i] = 2.0 * w * c * x[i]
        c_b += w * x[i] * x[i]
    x[...] = x_final
    return c_b


@jit
def f_grad(x, c):
    """The value and the gradient of `f`."""
    arena = new_arena()
    y = guarded(f_fwd, (arena,), x, c, arena)
    x_b = zeros_of(x)
    c_b = guarded(f_rev, (arena,), x, c, x_b, 1.0, arena)
    return y, (x_b, c_b)
