"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of s with respect to u, a.
"""

import numpy as np
from s2sad_runtime import (
    accumulate, guarded, hold, jit, new_arena, pooled_zeros, real_slots, require, take_real,
    zeros_of
)

require(1)


@jit(inner=True)
def norm_2x(x):
    t = x * x
    r = np.sqrt(np.sum(t))
    return r


@jit(inner=True)
def norm_ahead(x):
    t = norm_2x(x)
    n = t
    return n, n


@jit(inner=True)
def norm_back(kept_0, kept_1, n_b):
    n = kept_1
    if n == 0.0:
        r_0 = np.zeros_like(kept_0)
    else:
        r_0 = kept_0 * (n_b / n)
    return r_0


@jit
def f(u, a, n):
    s = 0.0
    for k in range(n):
        t = u * a - s
        t_2 = norm_2x(t)
        s += t_2
    return s


@jit(inner=True)
def norm_2x_fwd(x, arena):
    y, kept_0 = norm_ahead(x)
    kept_0_s = real_slots(arena, (1,))
    kept_0_s[0] = kept_0
    hold(arena, kept_0_s)
    return y


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def norm_2x_rev(x, x_b2, y_seed, arena):
    kept_0_s = take_real(arena, 1)
    kept_0_kept = kept_0_s[0]
    x_b = norm_back(x, kept_0_kept, y_seed)
    if x.shape[0] != x_b.shape[0]:
        raise ValueError("a rule gives an adjoint of another shape than the argument has")
    accumulate(x_b2, x_b)


@jit(inner=True)
def f_fwd(u, a, n, arena):
    """Run `f` forward; what the reverse sweep needs is kept in the arena."""
    s = 0.0
    for k in range(n):
        t = real_slots(arena, (u.shape[0],))
        for i in range(u.shape[0]):
            t[i] = u[i] * a - s
        t_2 = norm_2x_fwd(t, arena)
        s += t_2
        hold(arena, t)
    return s


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_rev(u, a, n, u_b, s_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    a_b = 0.0
    for k in range(n - 1, -1, -1):
        t = take_real(arena, 1)
        t_b = pooled_zeros(t)
        # line 31: s += norm(u * a - s)
        norm_2x_rev(t, t_b, s_b, arena)
        for i in range(u.shape[0]):
            w = t_b[i]
            u_b[i] += w * a
            a_b += w * u[i]
            s_b -= w
    return a_b


@jit
def f_grad(u, a, n):
    """The value and the gradient of `f`."""
    arena = new_arena()
    s = guarded(f_fwd, (arena,), u, a, n, arena)
    u_b = zeros_of(u)
    a_b = guarded(f_rev, (arena,), u, a, n, u_b, 1.0, arena)
    return s, (u_b, a_b)
