"""Recording form of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Statements between mat, v1, v2 and r_2 are put on a tape.
"""

import numpy as np
from s2sad_runtime import (
    copied, free_all, guarded, input_indices, jit, new_tape, no_indices, record_all, record_dot21,
    record_sum, require, seal, tape_arena
)

require(1)


@jit
def f(mat, v1, v2, n):
    v = v2.copy()
    for r in range(n):
        t = v - v1
        t_2 = np.linalg.solve(mat, t)
        v = t_2 + v1
    t_3 = v * v
    r_2 = np.sum(t_3)
    return r_2


@jit(inner=True)
def f_tape(mat, v1, v2, n, mat_i, v1_i, v2_i, tape):
    """Run `f` and put its statements on the tape: the results, then their indices."""
    v = v2.copy()
    v_i = copied(tape, v2_i)
    for r in range(n):
        t = v - v1
        t_i = no_indices(t)
        record_all(tape, t_i, v_i, 1.0, v1_i, -1.0)
        t_2 = np.linalg.solve(mat, t)
        t_i2 = record_dot21(tape, mat_i, mat_i, t_2, no_indices(t_2))
        m = np.linalg.inv(mat)
        t_i3 = record_dot21(tape, m, no_indices(m), t_i2, t_i2)
        m2 = np.linalg.inv(mat)
        t_i4 = record_dot21(tape, m2, no_indices(m2), t_i, t_i)
        t_2_i = no_indices(t_2)
        record_all(tape, t_2_i, t_i3, -1.0, t_i4, 1.0)
        free_all(tape, t_i2)
        free_all(tape, t_i3)
        free_all(tape, t_i4)
        free_all(tape, v_i)
        v = t_2 + v1
        v_i = no_indices(v)
        record_all(tape, v_i, t_2_i, 1.0, v1_i, 1.0)
        free_all(tape, t_2_i)
        free_all(tape, t_i)
    t_3 = v * v
    t_3_i = no_indices(t_3)
    record_all(tape, t_3_i, v_i, 2.0 * v)
    r_2 = np.sum(t_3)
    r_2_i = record_sum(tape, 0, t_3_i, 1.0)
    free_all(tape, t_3_i)
    free_all(tape, v_i)
    return r_2, r_2_i


@jit
def f_record(mat, v1, v2, n, manager, check):
    """The results of `f`, their indices, those of array arguments at the end, and the tape's
    memory.
    """
    arena = tape_arena()
    tape = new_tape(arena, manager, check)
    mat_i = input_indices(tape, mat)
    v1_i = input_indices(tape, v1)
    v2_i = input_indices(tape, v2)
    y, y2 = guarded(f_tape, (arena, mat_i, v1_i, v2_i), mat, v1, v2, n, mat_i, v1_i, v2_i, tape)
    seal(tape)
    return y, y2, mat_i, v1_i, v2_i, arena
