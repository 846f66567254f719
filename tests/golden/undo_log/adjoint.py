"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of r with respect to x0, b.

kept         where  bytes                          why
x (line 13)  log    8 * sweeps * (x.shape[0] - 1)  an overwritten element is read before
"""

import numpy as np
from s2sad_runtime import (
    accumulate, guarded, hold, jit, new_arena, own, pooled_zeros, real_slots, require, take_real,
    zeros_of
)

require(1)


@jit
def f(x0, b, sweeps):
    x = x0.copy()
    for _ in range(sweeps):
        for i in range(1, x.shape[0] - 1):
            x[i] = 0.5 * (b[i] + x[i - 1] * x[i + 1])
    t = x * x
    r = np.sum(t)
    return r


@jit(inner=True)
def f_fwd(x0, b, sweeps, arena):
    """Run `f` forward; what the reverse sweep needs is kept in the arena."""
    x = own(arena, x0)
    x_s = real_slots(arena, (sweeps, x.shape[0] - 1))
    for it in range(sweeps):
        for i in range(1, x.shape[0] - 1):
            x_s[it, i] = x[i]
            x[i] = 0.5 * (b[i] + x[i - 1] * x[i + 1])
    hold(arena, x_s)
    r = 0.0
    for i2 in range(x.shape[0]):
        t = x[i2] * x[i2]
        r += t
    hold(arena, x)
    return r


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_rev(x0, b, sweeps, x0_b, b_b, r_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    x = take_real(arena, 1)
    x_b = pooled_zeros(x)
    for i2 in range(x.shape[0]):
        # line 14: return np.sum(x * x)
        x_b[i2] += 2.0 * r_b * x[i2]
    x_s = take_real(arena, 2)
    for it in range(sweeps - 1, -1, -1):
        for i in range(x.shape[0] - 2, 0, -1):
            # line 13: x[i] = 0.5 * (b[i] + x[i - 1] * x[i + 1])
            x[i] = x_s[it, i]
            w = x_b[i]
            x_b[i] = 0.0
            b_b[i] += 0.5 * w
            x_b[i - 1] += 0.5 * w * x[i + 1]
            x_b[i + 1] += 0.5 * w * x[i - 1]
    # line 10: x = x0.copy()
    accumulate(x0_b, x_b)


@jit
def f_grad(x0, b, sweeps):
    """The value and the gradient of `f`."""
    arena = new_arena()
    r = guarded(f_fwd, (arena,), x0, b, sweeps, arena)
    x0_b = zeros_of(x0)
    b_b = zeros_of(b)
    guarded(f_rev, (arena,), x0, b, sweeps, x0_b, b_b, 1.0, arena)
    return r, (x0_b, b_b)
