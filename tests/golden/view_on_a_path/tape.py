"""Recording form of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Statements between x, y, a and r are put on a tape.
"""

import numpy as np
from s2sad_runtime import (
    contiguous, copy_index, distinct, free, free_all, guarded, input_index, input_indices, jit,
    new_tape, no_indices, record, record_all, record_sum, require, seal, tape_arena
)

require(1)


@jit
def f(x, y, a):
    w = np.asarray(y * a)
    if a > 0.0:
        w = x[1:]
    t = x[0]
    w *= t
    x[1] += a * y[2]
    t_2 = w * w
    r = np.sum(t_2)
    return r


@jit(inner=True)
def f_tape(x, y, a, x_i, y_i, a_i, tape):
    """Run `f` and put its statements on the tape: the results, then their indices."""
    x_n = np.ones(1, dtype=np.int64)
    x_w = x_n
    w = np.asarray(y * a)
    w_i = no_indices(w)
    record_all(tape, w_i, y_i, a, a_i, y)
    w_n = np.ones(1, dtype=np.int64)
    w_w = w_i.reshape((-1,))
    if a > 0.0:
        w_n[0] -= 1
        if w_n[0] == 0:
            free_all(tape, w_w)
        w = x[1:]
        w_i = x_i[1:]
        w_n = x_n
        w_w = x_w
        w_n[0] += 1
    t = x[0]
    t_i = copy_index(tape, 0, x_i[0])
    p = w.copy()
    w *= t
    record_all(tape, w_i, w_i, t, t_i, p)
    free(tape, t_i)
    x_i[1] = record(tape, x_i[1], x_i[1], 1.0, a_i, y[2], y_i[2], a)
    x[1] += a * y[2]
    t_2 = w * w
    t_2_i = no_indices(t_2)
    record_all(tape, t_2_i, w_i, 2.0 * w)
    r = np.sum(t_2)
    r_i = record_sum(tape, 0, t_2_i, 1.0)
    free_all(tape, t_2_i)
    w_n[0] -= 1
    if w_n[0] == 0:
        free_all(tape, w_w)
    return r, r_i


@jit
def f_record(x, y, a, manager, check):
    """The results of `f`, their indices, those of array arguments at the end, and the tape's
    memory.
    """
    contiguous(x)
    distinct(x, y)
    arena = tape_arena()
    tape = new_tape(arena, manager, check)
    x_i = input_indices(tape, x)
    y_i = input_indices(tape, y)
    a_i = input_index(tape)
    y2, y3 = guarded(f_tape, (arena, x_i, y_i), x, y, a, x_i, y_i, a_i, tape)
    seal(tape)
    return y2, y3, x_i, y_i, arena
