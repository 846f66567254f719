"""Recording form of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Statements between packed and s are put on a tape.
"""

import numpy as np
from s2sad_runtime import guarded, input_indices, jit, new_tape, record, require, seal, tape_arena

require(1)


@jit
def f(packed, n):
    """A quadratic form, its upper triangle packed by rows."""
    s = 0.0
    p = 0
    for i in range(n):
        for j in range(i, n):
            s += packed[p] * packed[p] * (i + 1.0) / (j + 2.0)
            p += 1
    return s


@jit(inner=True)
def f_tape(packed, n, packed_i, tape):
    """Run `f` and put its statements on the tape: the results, then their indices."""
    s = 0.0
    s_i = 0
    p = 0
    for i in range(n):
        for j in range(i, n):
            s_i = record(
                tape, s_i, s_i, 1.0, packed_i[p], np.divide(2.0 * packed[p] * (i + 1.0), j + 2.0)
            )
            s += packed[p] * packed[p] * (i + 1.0) / (j + 2.0)
            p += 1
    return s, s_i


@jit
def f_record(packed, n, manager, check):
    """The results of `f`, their indices, those of array arguments at the end, and the tape's
    memory.
    """
    arena = tape_arena()
    tape = new_tape(arena, manager, check)
    packed_i = input_indices(tape, packed)
    y, y2 = guarded(f_tape, (arena, packed_i), packed, n, packed_i, tape)
    seal(tape)
    return y, y2, packed_i, arena
