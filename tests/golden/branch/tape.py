"""Recording form of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Statements between x and s are put on a tape.
"""

import numpy as np
from s2sad_runtime import guarded, input_indices, jit, new_tape, record, require, seal, tape_arena

require(1)


@jit
def f(x):
    s = 1.0
    for i in range(x.shape[0]):
        if s * x[i] > 0.3:
            s *= np.cos(x[i])
        elif x[i] < -1.0:
            s -= x[i] * x[i]
        else:
            s = np.exp(s * x[i])
    return s


@jit(inner=True)
def f_tape(x, x_i, tape):
    """Run `f` and put its statements on the tape: the results, then their indices."""
    s = 1.0
    s_i = 0
    for i in range(x.shape[0]):
        if s * x[i] > 0.3:
            t = np.cos(x[i])
            s_i = record(tape, s_i, s_i, t, x_i[i], -s * np.sin(x[i]))
            s *= t
        elif x[i] < -1.0:
            s_i = record(tape, s_i, s_i, 1.0, x_i[i], -2.0 * x[i])
            s -= x[i] * x[i]
        else:
            s_i = record(tape, s_i, s_i, np.exp(s * x[i]) * x[i], x_i[i], np.exp(s * x[i]) * s)
            s = np.exp(s * x[i])
    return s, s_i


@jit
def f_record(x, manager, check):
    """The results of `f`, their indices, those of array arguments at the end, and the tape's
    memory.
    """
    arena = tape_arena()
    tape = new_tape(arena, manager, check)
    x_i = input_indices(tape, x)
    y, y2 = guarded(f_tape, (arena, x_i), x, x_i, tape)
    seal(tape)
    return y, y2, x_i, arena
