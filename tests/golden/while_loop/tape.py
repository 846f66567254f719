"""Recording form of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Statements between a, x and the result are put on a tape.
"""

import math

import numpy as np
from s2sad_runtime import (
    free, guarded, input_index, jit, new_tape, record, require, seal, tape_arena
)

require(1)


@jit
def f(a, x):
    """A square root by Newton's rule."""
    while abs(x * x - a) > 1e-06:
        x = 0.5 * (x + a / x)
    return x * math.log(a)


@jit(inner=True)
def f_tape(a, x, a_i, x_i, tape):
    """Run `f` and put its statements on the tape: the results, then their indices."""
    while abs(x * x - a) > 1e-06:
        x_i = record(
            tape, x_i, x_i, 0.5 * (1.0 - np.divide(np.divide(a, x), x)), a_i, np.divide(0.5, x)
        )
        x = 0.5 * (x + a / x)
    t = math.log(a)
    y = x * t
    y_i = record(tape, 0, x_i, t, a_i, np.divide(x, a))
    free(tape, x_i)
    return y, y_i


@jit
def f_record(a, x, manager, check):
    """The results of `f`, their indices, those of array arguments at the end, and the tape's
    memory.
    """
    arena = tape_arena()
    tape = new_tape(arena, manager, check)
    a_i = input_index(tape)
    x_i = input_index(tape)
    y2, y3 = guarded(f_tape, (arena,), a, x, a_i, x_i, tape)
    seal(tape)
    return y2, y3, arena
