"""Recording form of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Statements between x, weight and s are put on a tape.
"""

import numpy as np
from s2sad_runtime import (
    copied, copy_index, free, free_all, guarded, input_index, input_indices, jit, new_tape, record,
    require, seal, tape_arena
)

require(1)


@jit
def f(x, weight):
    y = x.copy()
    for i in range(1, y.shape[0]):
        y[i] += weight * y[i - 1]
    s = 0.0
    for i in range(y.shape[0]):
        t = y[i]
        s += np.exp(-1.5 * t) * np.exp(-0.5 * weight)
    return s


@jit(inner=True)
def f_tape(x, weight, x_i, weight_i, tape):
    """Run `f` and put its statements on the tape: the results, then their indices."""
    y = x.copy()
    y_i = copied(tape, x_i)
    for i in range(1, y.shape[0]):
        y_i[i] = record(tape, y_i[i], y_i[i], 1.0, weight_i, y[i - 1], y_i[i - 1], weight)
        y[i] += weight * y[i - 1]
    s = 0.0
    s_i = 0
    t_i = 0
    for i in range(y.shape[0]):
        t = y[i]
        t_i = copy_index(tape, t_i, y_i[i])
        t2 = np.exp(-1.5 * t)
        t3 = np.exp(-0.5 * weight)
        s_i = record(tape, s_i, s_i, 1.0, t_i, -1.5 * t2 * t3, weight_i, -0.5 * t2 * t3)
        s += t2 * t3
    free(tape, t_i)
    free_all(tape, y_i)
    return s, s_i


@jit
def f_record(x, weight, manager, check):
    """The results of `f`, their indices, those of array arguments at the end, and the tape's
    memory.
    """
    arena = tape_arena()
    tape = new_tape(arena, manager, check)
    x_i = input_indices(tape, x)
    weight_i = input_index(tape)
    y2, y3 = guarded(f_tape, (arena, x_i), x, weight, x_i, weight_i, tape)
    seal(tape)
    return y2, y3, x_i, arena
