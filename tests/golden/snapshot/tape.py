"""Recording form of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Statements between x and s are put on a tape.
"""

import numpy as np
from s2sad_runtime import (
    copied, free_all, guarded, input_indices, jit, new_tape, record, require, seal, tape_arena
)

require(1)


@jit
def f(x, steps):
    y = x.copy()
    s = 0.0
    for _ in range(steps):
        for i in range(y.shape[0]):
            y[i] = np.sin(y[i]) + x[i]
        for i in range(y.shape[0]):
            s += y[i] * y[i] * x[i]
    return s


@jit(inner=True)
def f_tape(x, steps, x_i, tape):
    """Run `f` and put its statements on the tape: the results, then their indices."""
    y = x.copy()
    y_i = copied(tape, x_i)
    s = 0.0
    s_i = 0
    for _ in range(steps):
        for i in range(y.shape[0]):
            y_i[i] = record(tape, y_i[i], y_i[i], np.cos(y[i]), x_i[i], 1.0)
            y[i] = np.sin(y[i]) + x[i]
        for i in range(y.shape[0]):
            s_i = record(tape, s_i, s_i, 1.0, y_i[i], 2.0 * y[i] * x[i], x_i[i], y[i] * y[i])
            s += y[i] * y[i] * x[i]
    free_all(tape, y_i)
    return s, s_i


@jit
def f_record(x, steps, manager, check):
    """The results of `f`, their indices, those of array arguments at the end, and the tape's
    memory.
    """
    arena = tape_arena()
    tape = new_tape(arena, manager, check)
    x_i = input_indices(tape, x)
    y2, y3 = guarded(f_tape, (arena, x_i), x, steps, x_i, tape)
    seal(tape)
    return y2, y3, x_i, arena
