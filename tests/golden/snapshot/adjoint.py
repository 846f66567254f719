"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of s with respect to x.

kept         where  bytes                   why
y (line 14)  log    8 * steps * y.shape[0]  an overwritten element is read before
"""

import numpy as np
from s2sad_runtime import (
    accumulate, guarded, hold, jit, new_arena, own, pooled_zeros, real_slots, require, take_real,
    zeros_of
)

require(1)


@jit
def f(x, steps):
    y = x.copy()
    s = 0.0
    for _ in range(steps):
        for i in range(y.shape[0]):
            y[i] = np.sin(y[i]) + x[i]
        for i in range(y.shape[0]):
            s += y[i] * y[i] * x[i]
    return s


@jit(inner=True)
def f_fwd(x, steps, arena):
    """Run `f` forward; what the reverse sweep needs is kept in the arena."""
    y = own(arena, x)
    s = 0.0
    y_s = real_slots(arena, (steps, y.shape[0]))
    for it in range(steps):
        for i in range(y.shape[0]):
            t = np.sin(y[i])
            y_s[it, i] = y[i]
            y[i] = t + x[i]
        for i in range(y.shape[0]):
            s += y[i] * y[i] * x[i]
    hold(arena, y_s, y)
    return s


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_rev(x, steps, x_b, s_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    y = take_real(arena, 1)
    y_b = pooled_zeros(y)
    y_s = take_real(arena, 2)
    for it in range(steps - 1, -1, -1):
        for i in range(y.shape[0]):
            # line 16: s += y[i] * y[i] * x[i]
            y_b[i] += 2.0 * s_b * y[i] * x[i]
            x_b[i] += s_b * y[i] * y[i]
        for i in range(y.shape[0]):
            # line 14: y[i] = np.sin(y[i]) + x[i]
            y[i] = y_s[it, i]
            w = y_b[i]
            y_b[i] = 0.0
            x_b[i] += w
            y_b[i] += w * np.cos(y[i])
    # line 10: y = x.copy()
    accumulate(x_b, y_b)


@jit
def f_grad(x, steps):
    """The value and the gradient of `f`."""
    arena = new_arena()
    s = guarded(f_fwd, (arena,), x, steps, arena)
    x_b = zeros_of(x)
    guarded(f_rev, (arena,), x, steps, x_b, 1.0, arena)
    return s, (x_b,)
