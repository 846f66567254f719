"""Recording form of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Statements between times, e and x are put on a tape.
`given.anomaly_6849` is golden_registered.anomaly (8569aca7).
"""

import numpy as np
from s2sad_runtime import (
    given, guarded, input_index, input_indices, jit, new_tape, record, require, seal, tape_arena
)

require(1)


@jit
def f(times, e):
    x = 0.0
    for k in range(times.shape[0]):
        x += np.cos(given.anomaly_6849(times[k], e)) - e
    return x


@jit(inner=True)
def f_tape(times, e, times_i, e_i, tape):
    """Run `f` and put its statements on the tape: the results, then their indices."""
    x = 0.0
    x_i = 0
    for k in range(times.shape[0]):
        t = given.anomaly_6849(times[k], e)
        x_i = record(
            tape, x_i, x_i, 1.0, times_i[k], np.divide(-np.sin(t), 1.0 - e * np.cos(t)), e_i,
            np.divide(-np.sin(t) * np.sin(t), 1.0 - e * np.cos(t)) - 1.0
        )
        x += np.cos(t) - e
    return x, x_i


@jit
def f_record(times, e, manager, check):
    """The results of `f`, their indices, those of array arguments at the end, and the tape's
    memory.
    """
    arena = tape_arena()
    tape = new_tape(arena, manager, check)
    times_i = input_indices(tape, times)
    e_i = input_index(tape)
    y, y2 = guarded(f_tape, (arena, times_i), times, e, times_i, e_i, tape)
    seal(tape)
    return y, y2, times_i, arena
