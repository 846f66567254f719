"""Recording form of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Statements between w, x and s are put on a tape.
"""

import math

from s2sad_runtime import (
    free, guarded, input_indices, jit, new_tape, record, require, seal, tape_arena
)

require(1)


@jit(inner=True)
def logistic(x):
    return 1.0 / (1.0 + math.exp(-x))


@jit(inner=True)
def logistic_tangent(primals_0, tangents_0):
    x = primals_0
    x_d = tangents_0
    t = logistic(x)
    y = t
    return y, y * (1.0 - y) * x_d


@jit
def f(w, x, n):
    s = 0.0
    for k in range(n):
        t = w[0] + w[1] * x[k]
        t_2 = logistic(t)
        s += t_2
    return s


@jit(inner=True)
def f_tape(w, x, n, w_i, x_i, tape):
    """Run `f` and put its statements on the tape: the results, then their indices."""
    s = 0.0
    s_i = 0
    t_i = 0
    t_2_i = 0
    for k in range(n):
        t = w[0] + w[1] * x[k]
        t_i = record(tape, t_i, w_i[0], 1.0, w_i[1], x[k], x_i[k], w[1])
        t_2 = logistic(t)
        t_2_again, t_2_d = logistic_tangent(t, 1.0)
        t_i2 = record(tape, 0, t_i, t_2_d)
        free(tape, t_2_i)
        t_2_i = t_i2
        s_i = record(tape, s_i, s_i, 1.0, t_2_i, 1.0)
        s += t_2
    free(tape, t_i, t_2_i)
    return s, s_i


@jit
def f_record(w, x, n, manager, check):
    """The results of `f`, their indices, those of array arguments at the end, and the tape's
    memory.
    """
    arena = tape_arena()
    tape = new_tape(arena, manager, check)
    w_i = input_indices(tape, w)
    x_i = input_indices(tape, x)
    y, y2 = guarded(f_tape, (arena, w_i, x_i), w, x, n, w_i, x_i, tape)
    seal(tape)
    return y, y2, w_i, x_i, arena
