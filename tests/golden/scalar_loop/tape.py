"""Recording form of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Statements between x, rate and the result are put on a tape.
"""

import numpy as np
from s2sad_runtime import (
    free, guarded, input_index, jit, new_tape, record, require, seal, tape_arena
)

require(1)


@jit
def f(x, rate, steps):
    """A damped pendulum, with explicit steps."""
    v = 0.0
    for _ in range(steps):
        v -= 0.1 * (np.sin(x) + rate * v)
        x += 0.1 * v
    return x * x + v


@jit(inner=True)
def f_tape(x, rate, steps, x_i, rate_i, tape):
    """Run `f` and put its statements on the tape: the results, then their indices."""
    v = 0.0
    v_i = 0
    for _ in range(steps):
        v_i = record(tape, v_i, v_i, 1.0 - 0.1 * rate, x_i, -0.1 * np.cos(x), rate_i, -0.1 * v)
        v -= 0.1 * (np.sin(x) + rate * v)
        x_i = record(tape, x_i, x_i, 1.0, v_i, 0.1)
        x += 0.1 * v
    y = x * x + v
    y_i = record(tape, 0, x_i, 2.0 * x, v_i, 1.0)
    free(tape, v_i, x_i)
    return y, y_i


@jit
def f_record(x, rate, steps, manager, check):
    """The results of `f`, their indices, those of array arguments at the end, and the tape's
    memory.
    """
    arena = tape_arena()
    tape = new_tape(arena, manager, check)
    x_i = input_index(tape)
    rate_i = input_index(tape)
    y2, y3 = guarded(f_tape, (arena,), x, rate, steps, x_i, rate_i, tape)
    seal(tape)
    return y2, y3, arena
