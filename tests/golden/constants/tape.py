"""Recording form of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Statements between a, b and the result are put on a tape.
"""

import numpy as np
from s2sad_runtime import (
    free, guarded, input_index, jit, new_tape, record, require, seal, tape_arena
)

require(1)

NODES = np.array([-0.7745966692414834, 0.0, 0.7745966692414834])
WEIGHTS = np.array([0.5555555555555556, 0.8888888888888888, 0.5555555555555556])
GRAVITY = 9.81


@jit
def f(a, b):
    """Gauss' rule with three points."""
    s = 0.0
    for k in range(NODES.shape[0]):
        t = 0.5 * (a + b) + 0.5 * (b - a) * NODES[k]
        s += WEIGHTS[k] * np.sqrt(GRAVITY * t)
    return 0.5 * (b - a) * s


@jit(inner=True)
def f_tape(a, b, a_i, b_i, tape):
    """Run `f` and put its statements on the tape: the results, then their indices."""
    s = 0.0
    s_i = 0
    t_i = 0
    for k in range(NODES.shape[0]):
        t = 0.5 * (a + b) + 0.5 * (b - a) * NODES[k]
        t_i = record(tape, t_i, a_i, 0.5 - 0.5 * NODES[k], b_i, 0.5 + 0.5 * NODES[k])
        s_i = record(
            tape, s_i, s_i, 1.0, t_i, np.divide(0.5 * WEIGHTS[k] * GRAVITY, np.sqrt(GRAVITY * t))
        )
        s += WEIGHTS[k] * np.sqrt(GRAVITY * t)
    free(tape, t_i)
    y = 0.5 * (b - a) * s
    y_i = record(tape, 0, b_i, 0.5 * s, a_i, -0.5 * s, s_i, 0.5 * (b - a))
    free(tape, s_i)
    return y, y_i


@jit
def f_record(a, b, manager, check):
    """The results of `f`, their indices, those of array arguments at the end, and the tape's
    memory.
    """
    arena = tape_arena()
    tape = new_tape(arena, manager, check)
    a_i = input_index(tape)
    b_i = input_index(tape)
    y2, y3 = guarded(f_tape, (arena,), a, b, a_i, b_i, tape)
    seal(tape)
    return y2, y3, arena
