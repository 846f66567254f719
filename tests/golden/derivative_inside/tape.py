"""Recording form of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Statements between u, p and s are put on a tape.
"""

import numpy as np
from s2sad_runtime import (
    copied, free_all, guarded, input_index, input_indices, jit, new_arena, new_tape, no_indices,
    record, record_all, record_dot21, require, seal, tape_arena
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
def energy_pull_d(u, p, y_seed, u_d):
    """`energy` and its pullback."""
    u_b = np.zeros_like(u)
    u_b_d = np.zeros_like(u_b)
    arena = new_arena()
    y, y_d = guarded(energy_d_fwd, (arena,), u, p, u_d, 0.0, arena)
    guarded(energy_d_rev, (arena,), u, p, u_d, 0.0, u_b, y_seed, u_b_d, 0.0, arena)
    return y, u_b, y_d, u_b_d


@jit(inner=True)
def energy_pull_d2(u, p, y_seed, p_d):
    """`energy` and its pullback."""
    u_b = np.zeros_like(u)
    u_b_d = np.zeros_like(u_b)
    arena = new_arena()
    zero = np.zeros_like(u)
    y, y_d = guarded(energy_d_fwd, (arena,), u, p, zero, p_d, arena)
    zero2 = np.zeros_like(u)
    guarded(energy_d_rev, (arena,), u, p, zero2, p_d, u_b, y_seed, u_b_d, 0.0, arena)
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


@jit(inner=True)
def energy_fwd(u, p, arena):
    s = 0.0
    for i in range(1, u.shape[0]):
        s += p * (u[i] - u[i - 1]) ** 2 + u[i] ** 4
    return s


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def energy_rev(u, p, u_b, s_b, arena):
    for i in range(u.shape[0] - 1, 0, -1):
        # line 11: s += p * (u[i] - u[i - 1]) ** 2 + u[i] ** 4
        u_b[i] += s_b * (2.0 * p * (u[i] - u[i - 1]) + 4.0 * u[i] ** 3)
        u_b[i - 1] -= 2.0 * s_b * p * (u[i] - u[i - 1])
    # line 9: s = 0.0
    s_b = 0.0


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
    for i in range(u.shape[0] - 1, 0, -1):
        # line 11: s += p * (u[i] - u[i - 1]) ** 2 + u[i] ** 4
        u_b_d[i] += (
            (2.0 * p * (u[i] - u[i - 1]) + 4.0 * u[i] ** 3) * s_b_d
            + 2.0 * s_b * (u[i] - u[i - 1]) * p_d + s_b * (2.0 * p + 12.0 * u[i] ** 2) * u_d[i]
            - 2.0 * s_b * p * u_d[i - 1]
        )
        u_b[i] += s_b * (2.0 * p * (u[i] - u[i - 1]) + 4.0 * u[i] ** 3)
        u_b_d[i - 1] += (
            2.0 * s_b * p * u_d[i - 1] - 2.0 * p * (u[i] - u[i - 1]) * s_b_d
            - 2.0 * s_b * (u[i] - u[i - 1]) * p_d - 2.0 * s_b * p * u_d[i]
        )
        u_b[i - 1] -= 2.0 * s_b * p * (u[i] - u[i - 1])
    # line 9: s = 0.0
    s_b = 0.0
    s_b_d = 0.0


@jit(inner=True)
def f_tape(u, p, n, u_i, p_i, tape):
    """Run `f` and put its statements on the tape: the results, then their indices."""
    v = u.copy()
    v_i = copied(tape, u_i)
    for k in range(n):
        t, t_2 = energy_pull(v, p, 1.0)
        v_e = np.zeros(v.shape[0])
        t_2_p = np.zeros((t_2.shape[0], v.shape[0]))
        for k2 in range(v.shape[0]):
            v_e[k2] = 1.0
            t_again, t_2_again, t_d, t_2_d = energy_pull_d(v, p, 1.0, v_e)
            t_2_p[:, k2] = t_2_d
            v_e[k2] = 0.0
        t_again2, t_2_again2, t_d2, t_2_d2 = energy_pull_d2(v, p, 1.0, 1.0)
        n_i = no_indices(t_2_p)
        z = np.zeros(v_i.shape[0])
        t_i = record_dot21(tape, t_2_p, n_i, z, v_i)
        t_2_i = no_indices(t_2)
        record_all(tape, t_2_i, t_i, 1.0, p_i, t_2_d2)
        free_all(tape, t_i)
        v -= 0.1 * t_2
        record_all(tape, v_i, v_i, 1.0, t_2_i, -0.1)
        free_all(tape, t_2_i)
    s = 0.0
    s_i = 0
    for i in range(1, v.shape[0]):
        s_i = record(
            tape, s_i, s_i, 1.0, p_i, (v[i] - v[i - 1]) ** 2, v_i[i],
            2.0 * p * (v[i] - v[i - 1]) + 4.0 * v[i] ** 3, v_i[i - 1], -2.0 * p * (v[i] - v[i - 1])
        )
        s += p * (v[i] - v[i - 1]) ** 2 + v[i] ** 4
    free_all(tape, v_i)
    return s, s_i


@jit
def f_record(u, p, n, manager, check):
    """The results of `f`, their indices, those of array arguments at the end, and the tape's
    memory.
    """
    arena = tape_arena()
    tape = new_tape(arena, manager, check)
    u_i = input_indices(tape, u)
    p_i = input_index(tape)
    y, y2 = guarded(f_tape, (arena, u_i), u, p, n, u_i, p_i, tape)
    seal(tape)
    return y, y2, u_i, arena
