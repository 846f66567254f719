"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of s with respect to u, p.

kept         where     bytes       why
v (line 21)  snapshot  8 * v.size  the nest overwrites it as a whole
"""

import numpy as np
from s2sad_runtime import (
    accumulate, fitted, guarded, hold, jit, keep, new_arena, own, pooled_zeros, require, room_for,
    take_real, zeros_of
)

require(1)


@jit(inner=True)
def energy_pull(u, p, y_seed):
    """`energy` and its pullback."""
    u_b = np.zeros_like(u)
    arena = new_arena()
    y = guarded(energy_fwd, (arena,), u, p, arena)
    guarded(energy_rev, (arena,), u, p, u_b, y_seed, arena)
    return y, u_b


@jit(inner=True)
def energy_pull2_d(u, p, y_seed, u_d):
    """`energy` and its pullback."""
    u_b = np.zeros_like(u)
    u_b_d = np.zeros_like(u_b)
    arena = new_arena()
    y, y_d = guarded(energy_2_d_fwd, (arena,), u, p, u_d, 0.0, arena)
    p_b, p_b_d = guarded(energy_2_d_rev, (arena,), u, p, u_d, 0.0, u_b, y_seed, u_b_d, 0.0, arena)
    return y, u_b, p_b, y_d, u_b_d, p_b_d


@jit
def f(u, p, n):
    v = u.copy()
    for k in range(n):
        t, t_2 = energy_pull(v, p, 1.0)
        v -= 0.1 * t_2
    s = 0.0
    for i in range(1, v.shape[0]):
        s += p * (v[i] - v[i - 1]) ** 2 + v[i] ** 4
    return s


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def frame_of_u_b(u, u_b, s_b, p):
    """The frame of `u_b`: cells that get nothing from some of their neighbours."""
    left = min(1, u.shape[0])
    right = max(left, u.shape[0] - 1)
    for side in range(2):
        lo = 0
        hi = left
        if side == 1:
            lo = right
            hi = u.shape[0]
        for i in range(lo, hi):
            if 1 <= i:
                u_b[i] += s_b * (2.0 * p * (u[i] - u[i - 1]) + 4.0 * u[i] ** 3)
            if i < u.shape[0] - 1:
                u_b[i] -= 2.0 * s_b * p * (u[i + 1] - u[i])


@jit(inner=True)
def energy_fwd(u, p, arena):
    s = 0.0
    for i in range(1, u.shape[0]):
        s += p * (u[i] - u[i - 1]) ** 2 + u[i] ** 4
    return s


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def energy_rev(u, p, u_b, s_b, arena):
    # u_b gathers what its cells get from their neighbours
    for i in range(1, u.shape[0] - 1):
        # line 11: s += p * (u[i] - u[i - 1]) ** 2 + u[i] ** 4
        u_b[i] += (
            s_b * (2.0 * p * (u[i] - u[i - 1]) + 4.0 * u[i] ** 3)
            - 2.0 * s_b * p * (u[i + 1] - u[i])
        )
    frame_of_u_b(u, u_b, s_b, p)


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def frame_of_u_b_d_and_u_b(u, u_b_d, u_d, u_b, p, s_b_d, s_b, p_d):
    """The frame of `u_b_d` and `u_b`: cells that get nothing from some of their neighbours."""
    left = min(1, u.shape[0])
    right = max(left, u.shape[0] - 1)
    for side in range(2):
        lo = 0
        hi = left
        if side == 1:
            lo = right
            hi = u.shape[0]
        for i in range(lo, hi):
            if 1 <= i:
                u_b_d[i] += (
                    (2.0 * p * (u[i] - u[i - 1]) + 4.0 * u[i] ** 3) * s_b_d
                    + 2.0 * s_b * (u[i] - u[i - 1]) * p_d
                    + s_b * (2.0 * p + 12.0 * u[i] ** 2) * u_d[i] - 2.0 * s_b * p * u_d[i - 1]
                )
                u_b[i] += s_b * (2.0 * p * (u[i] - u[i - 1]) + 4.0 * u[i] ** 3)
            if i < u.shape[0] - 1:
                u_b_d[i] += (
                    2.0 * s_b * p * u_d[i] - 2.0 * p * (u[i + 1] - u[i]) * s_b_d
                    - 2.0 * s_b * (u[i + 1] - u[i]) * p_d - 2.0 * s_b * p * u_d[i + 1]
                )
                u_b[i] -= 2.0 * s_b * p * (u[i + 1] - u[i])


@jit(inner=True)
def energy_2_d_fwd(u, p, u_d, p_d, arena):
    s = 0.0
    s_d = 0.0
    for i in range(1, u.shape[0]):
        s_d = (
            s_d + (u[i] - u[i - 1]) ** 2 * p_d
            + (2.0 * p * (u[i] - u[i - 1]) + 4.0 * u[i] ** 3) * u_d[i]
            - 2.0 * p * (u[i] - u[i - 1]) * u_d[i - 1]
        )
        s += p * (u[i] - u[i - 1]) ** 2 + u[i] ** 4
    return s, s_d


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def energy_2_d_rev(u, p, u_d, p_d, u_b, s_b, u_b_d, s_b_d, arena):
    p_b = 0.0
    p_b_d = 0.0
    # u_b_d and u_b gather what their cells get from their neighbours
    for i in range(1, u.shape[0] - 1):
        # line 11: s += p * (u[i] - u[i - 1]) ** 2 + u[i] ** 4
        u_b_d[i] += (
            (2.0 * p * (u[i] - u[i - 1]) + 4.0 * u[i] ** 3) * s_b_d
            + 2.0 * s_b * (u[i] - u[i - 1]) * p_d + s_b * (2.0 * p + 12.0 * u[i] ** 2) * u_d[i]
            - 2.0 * s_b * p * u_d[i - 1] + 2.0 * s_b * p * u_d[i]
            - 2.0 * p * (u[i + 1] - u[i]) * s_b_d - 2.0 * s_b * (u[i + 1] - u[i]) * p_d
            - 2.0 * s_b * p * u_d[i + 1]
        )
        u_b[i] += (
            s_b * (2.0 * p * (u[i] - u[i - 1]) + 4.0 * u[i] ** 3)
            - 2.0 * s_b * p * (u[i + 1] - u[i])
        )
    frame_of_u_b_d_and_u_b(u, u_b_d, u_d, u_b, p, s_b_d, s_b, p_d)
    for i in range(1, u.shape[0]):
        p_b_d += (
            (u[i] - u[i - 1]) ** 2 * s_b_d + 2.0 * s_b * (u[i] - u[i - 1]) * u_d[i]
            - 2.0 * s_b * (u[i] - u[i - 1]) * u_d[i - 1]
        )
        p_b += s_b * (u[i] - u[i - 1]) ** 2
    return p_b, p_b_d


@jit(inner=True)
def energy_pull_fwd(u, p, y_seed, arena):
    y2, y3 = energy_pull(u, p, y_seed)
    return y2, y3


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def energy_pull_rev(u, p, y_seed, u_b2, y3_seed, arena):
    y_again, u_g, p_g, y_again_d, u_g_d, p_g_d = energy_pull2_d(u, p, y_seed, y3_seed)
    accumulate(u_b2, u_g_d)
    return p_g_d


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def frame_of_v_b(v, v_b, s_b, p):
    """The frame of `v_b`: cells that get nothing from some of their neighbours."""
    left = min(1, v.shape[0])
    right = max(left, v.shape[0] - 1)
    for side in range(2):
        lo = 0
        hi = left
        if side == 1:
            lo = right
            hi = v.shape[0]
        for i in range(lo, hi):
            if 1 <= i:
                v_b[i] += s_b * (2.0 * p * (v[i] - v[i - 1]) + 4.0 * v[i] ** 3)
            if i < v.shape[0] - 1:
                v_b[i] -= 2.0 * s_b * p * (v[i + 1] - v[i])


@jit(inner=True)
def f_fwd(u, p, n, arena):
    """Run `f` forward; what the reverse sweep needs is kept in the arena."""
    v = own(arena, u)
    for k in range(n):
        t, t_2 = energy_pull_fwd(v, p, 1.0, arena)
        t_2 = own(arena, t_2)
        t_2_fit = fitted(t_2, (v.shape[0],))
        keep(arena, v)
        for i2 in range(v.shape[0]):
            v[i2] -= 0.1 * t_2_fit[i2]
        hold(arena, t_2)
    s = 0.0
    for i in range(1, v.shape[0]):
        s += p * (v[i] - v[i - 1]) ** 2 + v[i] ** 4
    hold(arena, v)
    return s


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_rev(u, p, n, u_b, s_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    v = take_real(arena, 1)
    v_b = pooled_zeros(v)
    p_b = 0.0
    # v_b gathers what its cells get from their neighbours
    for i in range(1, v.shape[0] - 1):
        # line 11: s += p * (u[i] - u[i - 1]) ** 2 + u[i] ** 4
        v_b[i] += (
            s_b * (2.0 * p * (v[i] - v[i - 1]) + 4.0 * v[i] ** 3)
            - 2.0 * s_b * p * (v[i + 1] - v[i])
        )
    frame_of_v_b(v, v_b, s_b, p)
    for i in range(1, v.shape[0]):
        p_b += s_b * (v[i] - v[i - 1]) ** 2
    for k in range(n - 1, -1, -1):
        t_2 = take_real(arena, 1)
        t_2_b = pooled_zeros(t_2)
        # line 20: for k in range(n):
        t_2_fit_b = room_for(t_2_b, (v.shape[0],))
        for i2 in range(v.shape[0]):
            # line 21: v -= 0.1 * slope(v, p)
            t_2_fit_b[i2] -= 0.1 * v_b[i2]
        v = take_real(arena, 1)
        if t_2_b.shape[0] != t_2_fit_b.shape[0]:
            accumulate(t_2_b, t_2_fit_b)
        g = energy_pull_rev(v, p, 1.0, v_b, t_2_b, arena)
        p_b += g
    # line 19: v = u.copy()
    accumulate(u_b, v_b)
    return p_b


@jit
def f_grad(u, p, n):
    """The value and the gradient of `f`."""
    arena = new_arena()
    s = guarded(f_fwd, (arena,), u, p, n, arena)
    u_b = zeros_of(u)
    p_b = guarded(f_rev, (arena,), u, p, n, u_b, 1.0, arena)
    return s, (u_b, p_b)
