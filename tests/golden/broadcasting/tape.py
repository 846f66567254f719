"""Recording form of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Statements between x, row, c and r are put on a tape.
"""

import numpy as np
from s2sad_runtime import (
    free, free_all, guarded, input_index, input_indices, jit, new_tape, no_indices, record,
    record_all, record_sum, require, seal, tape_arena
)

require(1)


@jit
def f(x, row, c):
    y = np.tanh(c * x + row)
    y *= row
    z = np.exp(-y) * x
    t = y * y
    r = np.sum(z) + c * np.sum(t)
    return r


@jit(inner=True)
def f_tape(x, row, c, x_i, row_i, c_i, tape):
    """Run `f` and put its statements on the tape: the results, then their indices."""
    y = np.tanh(c * x + row)
    y_i = no_indices(y)
    record_all(tape, y_i, c_i, (1.0 - y * y) * x, x_i, (1.0 - y * y) * c, row_i, 1.0 - y * y)
    p = y.copy()
    y *= row
    record_all(tape, y_i, y_i, row, row_i, p)
    z = np.exp(-y) * x
    z_i = no_indices(z)
    record_all(tape, z_i, y_i, -np.exp(-y) * x, x_i, np.exp(-y))
    t = y * y
    t_i = no_indices(t)
    record_all(tape, t_i, y_i, 2.0 * y)
    t2 = np.sum(z)
    t2_i = record_sum(tape, 0, z_i, 1.0)
    t3 = np.sum(t)
    t3_i = record_sum(tape, 0, t_i, 1.0)
    r = t2 + c * t3
    r_i = record(tape, 0, t2_i, 1.0, c_i, t3, t3_i, c)
    free(tape, t2_i, t3_i)
    free_all(tape, t_i)
    free_all(tape, z_i)
    free_all(tape, y_i)
    return r, r_i


@jit
def f_record(x, row, c, manager, check):
    """The results of `f`, their indices, those of array arguments at the end, and the tape's
    memory.
    """
    arena = tape_arena()
    tape = new_tape(arena, manager, check)
    x_i = input_indices(tape, x)
    row_i = input_indices(tape, row)
    c_i = input_index(tape)
    y2, y3 = guarded(f_tape, (arena, x_i, row_i), x, row, c, x_i, row_i, c_i, tape)
    seal(tape)
    return y2, y3, x_i, row_i, arena
