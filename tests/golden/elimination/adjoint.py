"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of the result with respect to u, k.

kept           where  bytes                           why
c (line 12)    log    8 * steps * u_2.shape[0]        an overwritten element is read before
u_2 (line 13)  log    8 * steps * u_2.shape[0]        an overwritten element is read before
u_2 (line 15)  log    8 * steps * (u_2.shape[0] - 1)  an overwritten element is read before
"""

import numpy as np
from s2sad_runtime import (
    accumulate, guarded, hold, jit, new_arena, own, pooled_zeros, real_slots, require, take_real,
    zeros_of
)

require(1)


@jit
def f(u, k, steps):
    u_2 = u.copy()
    c = np.zeros(u_2.shape[0])
    for _ in range(steps):
        for i in range(1, u_2.shape[0]):
            b = 2.0 + k[i] * c[i - 1]
            c[i] = k[i] / b
            u_2[i] = (u_2[i] + k[i] * u_2[i - 1]) / b
        for i in range(u_2.shape[0] - 2, -1, -1):
            u_2[i] += c[i] * u_2[i + 1]
    return np.sum(u_2)


@jit(inner=True, error_model="numpy")
def formed_again(k_at, c_at):
    """Values of the program, formed as it formed them."""
    b = 2.0 + k_at * c_at
    return b


@jit(inner=True)
def f_fwd(u, k, steps, arena):
    """Run `f` forward; what the reverse sweep needs is kept in the arena."""
    u_2 = own(arena, u)
    c = own(arena, np.zeros(u_2.shape[0]))
    c_s = real_slots(arena, (steps, u_2.shape[0]))
    u_2_s = real_slots(arena, (steps, u_2.shape[0]))
    u_2_s2 = real_slots(arena, (steps, u_2.shape[0] - 1))
    for it in range(steps):
        for i in range(1, u_2.shape[0]):
            b = 2.0 + k[i] * c[i - 1]
            c_s[it, i] = c[i]
            c[i] = k[i] / b
            u_2_s[it, i] = u_2[i]
            u_2[i] = (u_2[i] + k[i] * u_2[i - 1]) / b
        for i in range(u_2.shape[0] - 2, -1, -1):
            u_2_s2[it, u_2.shape[0] - 2 - i] = u_2[i]
            u_2[i] += c[i] * u_2[i + 1]
    hold(arena, c_s, u_2_s, u_2_s2)
    y = np.sum(u_2)
    hold(arena, c, u_2)
    return y


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_rev(u, k, steps, u_b, k_b, y_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    u_2 = take_real(arena, 1)
    u_2_b = pooled_zeros(u_2)
    c = take_real(arena, 1)
    c_b = pooled_zeros(c)
    # line 16: return np.sum(u)
    accumulate(u_2_b, y_b)
    u_2_s2 = take_real(arena, 2)
    u_2_s = take_real(arena, 2)
    c_s = take_real(arena, 2)
    for it in range(steps - 1, -1, -1):
        for i in range(u_2.shape[0] - 1):
            # line 15: u[i] += c[i] * u[i + 1]
            u_2[i] = u_2_s2[it, u_2.shape[0] - 2 - i]
            w = u_2_b[i]
            c_b[i] += w * u_2[i + 1]
            u_2_b[i + 1] += w * c[i]
        for i in range(u_2.shape[0] - 1, 0, -1):
            # line 11: b = 2.0 + k[i] * c[i - 1]
            b = formed_again(k[i], c[i - 1])
            # line 13: u[i] = (u[i] + k[i] * u[i - 1]) / b
            u_2[i] = u_2_s[it, i]
            w2 = u_2_b[i]
            r = 1.0 / b
            u_2_b[i] = w2 * r
            u_2_b[i - 1] += w2 * k[i] * r
            b_b = -w2 * (u_2[i] + k[i] * u_2[i - 1]) * r * r
            # line 12: c[i] = k[i] / b
            c[i] = c_s[it, i]
            w = c_b[i]
            c_b[i] = 0.0
            b_b -= w * k[i] * r * r
            # line 11: b = 2.0 + k[i] * c[i - 1]
            k_b[i] += w2 * u_2[i - 1] * r + w * r + b_b * c[i - 1]
            c_b[i - 1] += b_b * k[i]
    # line 7: u = u.copy()
    accumulate(u_b, u_2_b)


@jit
def f_grad(u, k, steps):
    """The value and the gradient of `f`."""
    arena = new_arena()
    y = guarded(f_fwd, (arena,), u, k, steps, arena)
    u_b = zeros_of(u)
    k_b = zeros_of(k)
    guarded(f_rev, (arena,), u, k, steps, u_b, k_b, 1.0, arena)
    return y, (u_b, k_b)
