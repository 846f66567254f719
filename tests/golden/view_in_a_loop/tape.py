"""Recording form of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Statements between x and r are put on a tape.
"""

import numpy as np
from s2sad_runtime import (
    copied, free_all, guarded, input_indices, jit, new_tape, record, require, seal, tape_arena
)

require(1)


@jit
def f(x, steps):
    u = x.copy()
    for k in range(steps):
        for i in range(1, u.shape[0]):
            u[i] += 0.5 * u[i - 1]
        u_2 = u[::-1]
        u = u_2
    r = u[0] * u[1]
    return r


@jit(inner=True)
def f_tape(x, steps, x_i, tape):
    """Run `f` and put its statements on the tape: the results, then their indices."""
    u = x.copy()
    u_i = copied(tape, x_i)
    u_n = np.ones(1, dtype=np.int64)
    u_w = u_i.reshape((-1,))
    for k in range(steps):
        for i in range(1, u.shape[0]):
            u_i[i] = record(tape, u_i[i], u_i[i], 1.0, u_i[i - 1], 0.5)
            u[i] += 0.5 * u[i - 1]
        u_2 = u[::-1]
        u_2_i = u_i[::-1]
        u_2_n = u_n
        u_2_w = u_w
        u_2_n[0] += 1
        u_n[0] -= 1
        if u_n[0] == 0:
            free_all(tape, u_w)
        u = u_2
        u_i = u_2_i
        u_n = u_2_n
        u_w = u_2_w
    r = u[0] * u[1]
    r_i = record(tape, 0, u_i[0], u[1], u_i[1], u[0])
    u_n[0] -= 1
    if u_n[0] == 0:
        free_all(tape, u_w)
    return r, r_i


@jit
def f_record(x, steps, manager, check):
    """The results of `f`, their indices, those of array arguments at the end, and the tape's
    memory.
    """
    arena = tape_arena()
    tape = new_tape(arena, manager, check)
    x_i = input_indices(tape, x)
    y, y2 = guarded(f_tape, (arena, x_i), x, steps, x_i, tape)
    seal(tape)
    return y, y2, x_i, arena
