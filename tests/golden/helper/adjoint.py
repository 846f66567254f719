"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of s with respect to x, weight.

kept          where  bytes           why
t2 (line 23)  slot   8 * y.shape[0]  dear to form again
t3 (line 23)  slot   8 * y.shape[0]  dear to form again
"""

import numpy as np
from s2sad_runtime import (
    accumulate, guarded, hold, jit, new_arena, own, pooled_zeros, real_slots, require, take_real,
    zeros_of
)

require(1)


@jit
def f(x, weight):
    y = x.copy()
    for i in range(1, y.shape[0]):
        y[i] += weight * y[i - 1]
    s = 0.0
    for i in range(y.shape[0]):
        t = y[i]
        s += np.exp(-1.5 * t) * np.exp(-0.5 * weight)
    return s


@jit(inner=True)
def f_fwd(x, weight, arena):
    """Run `f` forward; what the reverse sweep needs is kept in the arena."""
    y = own(arena, x)
    for i in range(1, y.shape[0]):
        y[i] += weight * y[i - 1]
    s = 0.0
    t2_s = real_slots(arena, (y.shape[0],))
    t3_s = real_slots(arena, (y.shape[0],))
    for i in range(y.shape[0]):
        t = y[i]
        t2 = np.exp(-1.5 * t)
        t2_s[i] = t2
        t3 = np.exp(-0.5 * weight)
        t3_s[i] = t3
        s += t2 * t3
    hold(arena, t2_s, t3_s, y)
    return s


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_rev(x, weight, x_b, s_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    y = take_real(arena, 1)
    y_b = pooled_zeros(y)
    weight_b = 0.0
    t3_s = take_real(arena, 1)
    t2_s = take_real(arena, 1)
    for i in range(y.shape[0]):
        # line 23: s += decay(y[i]) * decay(weight, 0.5)
        t2 = t2_s[i]
        t3 = t3_s[i]
        t2_b = s_b * t3
        t3_b = s_b * t2
        weight_b -= 0.5 * t3_b * t3
        t_b = -1.5 * t2_b * t2
        y_b[i] += t_b
    for i in range(y.shape[0] - 1, 0, -1):
        # line 15: x[i] += weight * x[i - 1]
        w = y_b[i]
        weight_b += w * y[i - 1]
        y_b[i - 1] += w * weight
    # line 19: y = x.copy()
    accumulate(x_b, y_b)
    return weight_b


@jit
def f_grad(x, weight):
    """The value and the gradient of `f`."""
    arena = new_arena()
    s = guarded(f_fwd, (arena,), x, weight, arena)
    x_b = zeros_of(x)
    weight_b = guarded(f_rev, (arena,), x, weight, x_b, 1.0, arena)
    return s, (x_b, weight_b)
