"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of s with respect to x, w.
The loop of line 9 runs in threads both ways.

kept            where  bytes      why
t (line 13)     slot   8 * n * n  dear to form again
near (line 11)  slot   8 * n      a branch or a loop decides it
"""

import numba
import numpy as np
from s2sad_runtime import (
    guarded, hold, jit, new_arena, real_slots, require, take_real, thread_count, zeros_of
)

require(1)


@jit(parallel=True)
def f(x, w):
    """Points that are near each other: every trip reads all of them, and adds to all of them on
    the way back.
    """
    n = x.shape[0]
    s = 0.0
    for i in numba.prange(n):
        near = 0.0
        for j in range(n):
            d = x[i] - x[j]
            near += w[j] * np.exp(-d * d)
        s += near * w[i]
    return s


@jit(inner=True, parallel=True)
def f_fwd(x, w, arena):
    """Run `f` forward; what the reverse sweep needs is kept in the arena."""
    n = x.shape[0]
    s = 0.0
    t_s = real_slots(arena, (n, n))
    near_s = real_slots(arena, (n,))
    for i in numba.prange(n):
        near = 0.0
        for j in range(n):
            d = x[i] - x[j]
            t = np.exp(-d * d)
            t_s[i, j] = t
            near += w[j] * t
        near_s[i] = near
        s += near * w[i]
    hold(arena, t_s, near_s)
    return s


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"}, parallel=True)
def f_rev(x, w, x_b, w_b, s_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    # line 7: n = len(x)
    n = x.shape[0]
    near_s = take_real(arena, 1)
    t_s = take_real(arena, 2)
    parts = thread_count()
    w_parts = np.zeros((parts, w_b.shape[0]))
    x_parts = np.zeros((parts, x_b.shape[0]))
    # each part has its own `w_b` and `x_b`
    for part in numba.prange(parts):
        w_part = w_parts[part]
        x_part = x_parts[part]
        for i in range(part * n // parts, (part + 1) * n // parts):
            # line 11: for j in range(n):
            near = near_s[i]
            # line 14: s += near * w[i]
            near_b = s_b * w[i]
            w_part[i] += s_b * near
            # line 11: for j in range(n):
            x_sum = 0.0
            for j in range(n):
                # line 13: near += w[j] * np.exp(-d * d)
                t = t_s[i, j]
                # line 12: d = x[i] - x[j]
                d = x[i] - x[j]
                # line 13: near += w[j] * np.exp(-d * d)
                w_part[j] += near_b * t
                t_b = near_b * w[j]
                d_b = -2.0 * t_b * t * d
                # line 12: d = x[i] - x[j]
                x_sum += d_b
                x_part[j] -= d_b
            x_part[i] += x_sum
    for i in numba.prange(w_b.shape[0]):
        for part in range(parts):
            w_b[i] += w_parts[part, i]
    for i in numba.prange(x_b.shape[0]):
        for part in range(parts):
            x_b[i] += x_parts[part, i]


@jit
def f_grad(x, w):
    """The value and the gradient of `f`."""
    arena = new_arena()
    s = guarded(f_fwd, (arena,), x, w, arena)
    x_b = zeros_of(x)
    w_b = zeros_of(w)
    guarded(f_rev, (arena,), x, w, x_b, w_b, 1.0, arena)
    return s, (x_b, w_b)
