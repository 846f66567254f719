"""Recording form of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Statements between u, a and s are put on a tape.
"""

import numpy as np
from s2sad_runtime import (
    accumulate, free, free_all, guarded, hold, input_index, input_indices, jit, new_arena, new_tape,
    no_indices, own, pooled_zeros, record, record_all, record_sum, require, seal, take_real,
    tape_arena
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
        r_0 = own(arena, kept_0 * (n_b / n))
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
    accumulate(r_0_b, r_0_seed)
    if not c:
        # line 22: return (x * (n_b / n),)
        n_b_b += np.sum(r_0_b * kept_0 / n)
    return n_b_b


@jit(inner=True)
def f_tape(u, a, n, u_i, a_i, tape):
    """Run `f` and put its statements on the tape: the results, then their indices."""
    s = 0.0
    s_i = 0
    t_2_i = 0
    for k in range(n):
        t = u * a - s
        t_i = no_indices(t)
        record_all(tape, t_i, u_i, a, a_i, u, s_i, -1.0)
        t_2 = norm_2x(t)
        t_e = np.zeros(t.shape[0])
        t_2_p = np.zeros(t.shape[0])
        for k2 in range(t.shape[0]):
            t_e[k2] = 1.0
            t_2_again, t_2_d = norm_2x_d(t, t_e)
            t_2_p[k2] = t_2_d
            t_e[k2] = 0.0
        t_i2 = record_sum(tape, 0, t_i, t_2_p)
        free(tape, t_2_i)
        t_2_i = t_i2
        s_i = record(tape, s_i, s_i, 1.0, t_2_i, 1.0)
        s += t_2
        free_all(tape, t_i)
    free(tape, t_2_i)
    return s, s_i


@jit
def f_record(u, a, n, manager, check):
    """The results of `f`, their indices, those of array arguments at the end, and the tape's
    memory.
    """
    arena = tape_arena()
    tape = new_tape(arena, manager, check)
    u_i = input_indices(tape, u)
    a_i = input_index(tape)
    y, y2 = guarded(f_tape, (arena, u_i), u, a, n, u_i, a_i, tape)
    seal(tape)
    return y, y2, u_i, arena
