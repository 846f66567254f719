"""Tangent of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of s along directions of u, p.
"""

import numpy as np
from s2sad_runtime import fitted, guarded, jit, new_arena, require

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
def energy_pull_d(u, p, y_seed, u_d, p_d):
    """`energy` and its pullback."""
    u_b = np.zeros_like(u)
    u_b_d = np.zeros_like(u_b)
    arena = new_arena()
    y, y_d = guarded(energy_d_fwd, (arena,), u, p, u_d, p_d, arena)
    guarded(energy_d_rev, (arena,), u, p, u_d, p_d, u_b, y_seed, u_b_d, 0.0, arena)
    return y, u_b, y_d, u_b_d


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
    # line 9: s = 0.0
    s_b = 0.0


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
def energy_d_fwd(u, p, u_d, p_d, arena):
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
def energy_d_rev(u, p, u_d, p_d, u_b, s_b, u_b_d, s_b_d, arena):
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
    # line 9: s = 0.0
    s_b = 0.0
    s_b_d = 0.0


@jit
def f_d(u, p, n, u_d, p_d):
    """`f` and its tangent: the results, then their tangents."""
    v = u.copy()
    v_d = u_d.copy()
    for k in range(n):
        t, t_2, t_d, t_2_d = energy_pull_d(v, p, 1.0, v_d, p_d)
        t_2_fit = fitted(t_2, (v.shape[0],))
        t_2_fit_d = fitted(t_2_d, (v.shape[0],))
        for i2 in range(v.shape[0]):
            v_d[i2] -= 0.1 * t_2_fit_d[i2]
            v[i2] -= 0.1 * t_2_fit[i2]
    s = 0.0
    s_d = 0.0
    for i in range(1, v.shape[0]):
        s_d = (
            s_d + (v[i] - v[i - 1]) ** 2 * p_d
            + (2.0 * p * (v[i] - v[i - 1]) + 4.0 * v[i] ** 3) * v_d[i]
            - 2.0 * p * (v[i] - v[i - 1]) * v_d[i - 1]
        )
        s += p * (v[i] - v[i - 1]) ** 2 + v[i] ** 4
    return s, s_d
