"""Recording form of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Statements between u, k and the result are put on a tape.
"""

import numpy as np
from s2sad_runtime import (
    copied, free, free_all, guarded, input_indices, jit, new_tape, no_indices, record, record_sum,
    require, seal, tape_arena
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


@jit(inner=True)
def f_tape(u, k, steps, u_i, k_i, tape):
    """Run `f` and put its statements on the tape: the results, then their indices."""
    u_2 = u.copy()
    u_2_i = copied(tape, u_i)
    c = np.zeros(u_2.shape[0])
    c_i = no_indices(c)
    b_i = 0
    for _ in range(steps):
        for i in range(1, u_2.shape[0]):
            b = 2.0 + k[i] * c[i - 1]
            b_i = record(tape, b_i, k_i[i], c[i - 1], c_i[i - 1], k[i])
            c_i[i] = record(
                tape, c_i[i], k_i[i], np.divide(1.0, b), b_i, np.divide(np.divide(-k[i], b), b)
            )
            c[i] = k[i] / b
            u_2_i[i] = record(
                tape, u_2_i[i], u_2_i[i], np.divide(1.0, b), k_i[i], np.divide(u_2[i - 1], b),
                u_2_i[i - 1], np.divide(k[i], b), b_i,
                np.divide(np.divide(-(u_2[i] + k[i] * u_2[i - 1]), b), b)
            )
            u_2[i] = (u_2[i] + k[i] * u_2[i - 1]) / b
        for i in range(u_2.shape[0] - 2, -1, -1):
            u_2_i[i] = record(tape, u_2_i[i], u_2_i[i], 1.0, c_i[i], u_2[i + 1], u_2_i[i + 1], c[i])
            u_2[i] += c[i] * u_2[i + 1]
    free(tape, b_i)
    y = np.sum(u_2)
    y_i = record_sum(tape, 0, u_2_i, 1.0)
    free_all(tape, c_i)
    free_all(tape, u_2_i)
    return y, y_i


@jit
def f_record(u, k, steps, manager, check):
    """The results of `f`, their indices, those of array arguments at the end, and the tape's
    memory.
    """
    arena = tape_arena()
    tape = new_tape(arena, manager, check)
    u_i = input_indices(tape, u)
    k_i = input_indices(tape, k)
    y2, y3 = guarded(f_tape, (arena, u_i, k_i), u, k, steps, u_i, k_i, tape)
    seal(tape)
    return y2, y3, u_i, k_i, arena
