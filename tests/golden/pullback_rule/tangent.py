"""Tangent of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of s along directions of u, a.
"""

import numpy as np
from s2sad_runtime import (
    accumulate, guarded, hold, jit, new_arena, own, pooled_zeros, real_slots, require, take_real
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
def norm_back_pull(kept_0, kept_1, n_b, y_seed):
    """`norm_back` and its pullback."""
    arena = new_arena()
    y = guarded(norm_back_fwd, (arena,), kept_0, kept_1, n_b, arena)
    n_b_b = guarded(norm_back_rev, (arena,), kept_0, kept_1, n_b, y_seed, arena)
    return y, n_b_b


@jit(inner=True)
def norm_2x_d(x, x_t):
    """`norm_2x` and its tangent: the pullback of its rule, transposed."""
    y, kept_0 = norm_ahead(x)
    x_b_again, y_t = norm_back_pull(x, kept_0, 0.0, x_t)
    return y, y_t


@jit
def f(u, a, n):
    s = 0.0
    for k in range(n):
        t = u * a - s
        t_2 = norm_2x(t)
        s += t_2
    return s


@jit(inner=True)
def norm_back_fwd(kept_0, kept_1, n_b, arena):
    n = kept_1
    c = n == 0.0
    if c:
        r_0 = own(arena, np.zeros_like(kept_0))
    else:
        t = n_b / n
        r_0 = real_slots(arena, (kept_0.shape[0],))
        for i in range(kept_0.shape[0]):
            r_0[i] = kept_0[i] * t
    hold(arena, r_0)
    return r_0.copy()


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def norm_back_rev(kept_0, kept_1, n_b, r_0_seed, arena):
    r_0 = take_real(arena, 1)
    r_0_b = pooled_zeros(r_0)
    # line 19: x, n = kept
    n = kept_1
    # line 20: if n == 0.0:
    c = n == 0.0
    n_b_b = 0.0
    t_b = 0.0
    accumulate(r_0_b, r_0_seed)
    if not c:
        for i in range(kept_0.shape[0]):
            # line 22: return (x * (n_b / n),)
            w = r_0_b[i]
            r_0_b[i] = 0.0
            t_b += w * kept_0[i]
        n_b_b += t_b / n
        t_b = 0.0
    return n_b_b


@jit
def f_d(u, a, n, u_d, a_d):
    """`f` and its tangent: the results, then their tangents."""
    s = 0.0
    s_d = 0.0
    for k in range(n):
        t = np.empty(u.shape[0])
        t_d = np.zeros_like(t)
        for i in range(u.shape[0]):
            t_d[i] = a * u_d[i] + u[i] * a_d - s_d
            t[i] = u[i] * a - s
        t_2, t_2_d = norm_2x_d(t, t_d)
        s_d += t_2_d
        s += t_2
    return s, s_d
