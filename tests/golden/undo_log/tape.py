"""Recording form of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Statements between x0, b and r are put on a tape.
"""

import numpy as np
from s2sad_runtime import (
    copied, free_all, guarded, input_indices, jit, new_tape, no_indices, record, record_all,
    record_sum, require, seal, tape_arena
)

require(1)


@jit
def f(x0, b, sweeps):
    x = x0.copy()
    for _ in range(sweeps):
        for i in range(1, x.shape[0] - 1):
            x[i] = 0.5 * (b[i] + x[i - 1] * x[i + 1])
    t = x * x
    r = np.sum(t)
    return r


@jit(inner=True)
def f_tape(x0, b, sweeps, x0_i, b_i, tape):
    """Run `f` and put its statements on the tape: the results, then their indices."""
    x = x0.copy()
    x_i = copied(tape, x0_i)
    for _ in range(sweeps):
        for i in range(1, x.shape[0] - 1):
            x_i[i] = record(
                tape, x_i[i], b_i[i], 0.5, x_i[i - 1], 0.5 * x[i + 1], x_i[i + 1], 0.5 * x[i - 1]
            )
            x[i] = 0.5 * (b[i] + x[i - 1] * x[i + 1])
    t = x * x
    t_i = no_indices(t)
    record_all(tape, t_i, x_i, 2.0 * x)
    r = np.sum(t)
    r_i = record_sum(tape, 0, t_i, 1.0)
    free_all(tape, t_i)
    free_all(tape, x_i)
    return r, r_i


@jit
def f_record(x0, b, sweeps, manager, check):
    """The results of `f`, their indices, those of array arguments at the end, and the tape's
    memory.
    """
    arena = tape_arena()
    tape = new_tape(arena, manager, check)
    x0_i = input_indices(tape, x0)
    b_i = input_indices(tape, b)
    y, y2 = guarded(f_tape, (arena, x0_i, b_i), x0, b, sweeps, x0_i, b_i, tape)
    seal(tape)
    return y, y2, x0_i, b_i, arena
