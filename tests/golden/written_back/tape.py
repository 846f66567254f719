"""Recording form of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Statements between x, c and the result are put on a tape.
"""

import numpy as np
from s2sad_runtime import (
    copy_index, free, guarded, input_index, input_indices, jit, new_tape, record, require, seal,
    tape_arena
)

require(1)


@jit
def f(x, c):
    s = 0.0
    for i in range(x.shape[0]):
        x[i] = c * x[i] * x[i]
        s += np.sin(x[i])
    x[0] = s
    return s * x[0]


@jit(inner=True)
def f_tape(x, c, x_i, c_i, tape):
    """Run `f` and put its statements on the tape: the results, then their indices."""
    s = 0.0
    s_i = 0
    for i in range(x.shape[0]):
        x_i[i] = record(tape, x_i[i], c_i, x[i] * x[i], x_i[i], 2.0 * c * x[i])
        x[i] = c * x[i] * x[i]
        s_i = record(tape, s_i, s_i, 1.0, x_i[i], np.cos(x[i]))
        s += np.sin(x[i])
    x[0] = s
    x_i[0] = copy_index(tape, x_i[0], s_i)
    y = s * x[0]
    y_i = record(tape, 0, s_i, x[0], x_i[0], s)
    free(tape, s_i)
    return y, y_i


@jit
def f_record(x, c, manager, check):
    """The results of `f`, their indices, those of array arguments at the end, and the tape's
    memory.
    """
    arena = tape_arena()
    tape = new_tape(arena, manager, check)
    x_i = input_indices(tape, x)
    c_i = input_index(tape)
    y2, y3 = guarded(f_tape, (arena, x_i), x, c, x_i, c_i, tape)
    seal(tape)
    return y2, y3, x_i, arena
