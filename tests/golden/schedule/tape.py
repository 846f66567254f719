"""Recording form of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Statements between u0, nu and r are put on a tape.
"""

import numpy as np
from s2sad_runtime import (
    copied, free, free_all, guarded, input_index, input_indices, jit, new_tape, no_indices, record,
    record_all, record_sum, require, seal, tape_arena
)

require(1)


@jit
def f(u0, nu, n, snapshots):
    u = u0.copy()
    v = u0.copy()
    for _ in range(n):
        for i in range(1, u.shape[0] - 1):
            v[i] = u[i] + nu * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i]
        u, v = v, u
        nu *= 0.99
    t = u * u
    r = np.sum(t)
    return r


@jit(inner=True)
def f_tape(u0, nu, n, snapshots, u0_i, nu_i, tape):
    """Run `f` and put its statements on the tape: the results, then their indices."""
    u = u0.copy()
    u_i = copied(tape, u0_i)
    v = u0.copy()
    v_i = copied(tape, u0_i)
    for _ in range(n):
        for i in range(1, u.shape[0] - 1):
            v_i[i] = record(
                tape, v_i[i], u_i[i],
                1.0 + nu * (u[i - 1] - 2.0 * u[i] + u[i + 1]) - 2.0 * nu * u[i], nu_i,
                (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i], u_i[i - 1], nu * u[i], u_i[i + 1],
                nu * u[i]
            )
            v[i] = u[i] + nu * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i]
        u, v = v, u
        u_i, v_i = v_i, u_i
        nu_i = record(tape, nu_i, nu_i, 0.99)
        nu *= 0.99
    free(tape, nu_i)
    t = u * u
    t_i = no_indices(t)
    record_all(tape, t_i, u_i, 2.0 * u)
    r = np.sum(t)
    r_i = record_sum(tape, 0, t_i, 1.0)
    free_all(tape, t_i)
    free_all(tape, v_i)
    free_all(tape, u_i)
    return r, r_i


@jit
def f_record(u0, nu, n, snapshots, manager, check):
    """The results of `f`, their indices, those of array arguments at the end, and the tape's
    memory.
    """
    arena = tape_arena()
    tape = new_tape(arena, manager, check)
    u0_i = input_indices(tape, u0)
    nu_i = input_index(tape)
    y, y2 = guarded(f_tape, (arena, u0_i), u0, nu, n, snapshots, u0_i, nu_i, tape)
    seal(tape)
    return y, y2, u0_i, arena
