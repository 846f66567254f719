"""Recording form of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Statements between matrix and s are put on a tape.
"""

import math

import numpy as np
from s2sad_runtime import (
    copied, free_all, guarded, input_indices, jit, new_tape, record, require, seal, tape_arena
)

require(1)


@jit
def f(matrix):
    """The sum of the diagonal of Cholesky's factor."""
    a = matrix.copy()
    s = 0.0
    for j in range(a.shape[0]):
        for k in range(j):
            a[j, j] -= a[j, k] * a[j, k]
        a[j, j] = math.sqrt(a[j, j])
        s += a[j, j]
        for i in range(j + 1, a.shape[0]):
            for k in range(j):
                a[i, j] -= a[i, k] * a[j, k]
            a[i, j] /= a[j, j]
    return s


@jit(inner=True)
def f_tape(matrix, matrix_i, tape):
    """Run `f` and put its statements on the tape: the results, then their indices."""
    a = matrix.copy()
    a_i = copied(tape, matrix_i)
    s = 0.0
    s_i = 0
    for j in range(a.shape[0]):
        for k in range(j):
            a_i[j, j] = record(tape, a_i[j, j], a_i[j, j], 1.0, a_i[j, k], -2.0 * a[j, k])
            a[j, j] -= a[j, k] * a[j, k]
        a_i[j, j] = record(tape, a_i[j, j], a_i[j, j], np.divide(0.5, math.sqrt(a[j, j])))
        a[j, j] = math.sqrt(a[j, j])
        s_i = record(tape, s_i, s_i, 1.0, a_i[j, j], 1.0)
        s += a[j, j]
        for i in range(j + 1, a.shape[0]):
            for k in range(j):
                a_i[i, j] = record(
                    tape, a_i[i, j], a_i[i, j], 1.0, a_i[i, k], -a[j, k], a_i[j, k], -a[i, k]
                )
                a[i, j] -= a[i, k] * a[j, k]
            a_i[i, j] = record(
                tape, a_i[i, j], a_i[i, j], np.divide(1.0, a[j, j]), a_i[j, j],
                np.divide(np.divide(-a[i, j], a[j, j]), a[j, j])
            )
            a[i, j] /= a[j, j]
    free_all(tape, a_i)
    return s, s_i


@jit
def f_record(matrix, manager, check):
    """The results of `f`, their indices, those of array arguments at the end, and the tape's
    memory.
    """
    arena = tape_arena()
    tape = new_tape(arena, manager, check)
    matrix_i = input_indices(tape, matrix)
    y, y2 = guarded(f_tape, (arena, matrix_i), matrix, matrix_i, tape)
    seal(tape)
    return y, y2, matrix_i, arena
