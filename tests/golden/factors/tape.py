"""Recording form of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Statements between A, x and r are put on a tape.
"""

import numpy as np
from s2sad_runtime import (
    as_indices, free_all, guarded, input_indices, jit, mirror_lower, new_tape, no_indices,
    over_gaps, record_all, record_dot21, record_dot22, record_sum, require, seal, tape_arena
)

require(1)


@jit
def f(A, x):
    values, vectors = np.linalg.eigh(A)
    t = vectors.T
    y = t @ x
    t_2 = np.exp(values) * y * y
    r = np.sum(t_2)
    return r


@jit(inner=True)
def f_tape(A, x, A_i, x_i, tape):
    """Run `f` and put its statements on the tape: the results, then their indices."""
    values, vectors = np.linalg.eigh(A)
    t_i2 = as_indices(mirror_lower(A_i))
    m = vectors.T
    t_i3 = record_dot22(tape, m, no_indices(m), t_i2, t_i2)
    t_i4 = record_dot22(tape, t_i3, t_i3, vectors, no_indices(vectors))
    t_i5 = as_indices(np.diag(t_i4).copy())
    values_i = no_indices(values)
    record_all(tape, values_i, t_i5, 1.0)
    free_all(tape, t_i3)
    free_all(tape, t_i4)
    t_i6 = as_indices(mirror_lower(A_i))
    m2 = vectors.T
    t_i7 = record_dot22(tape, m2, no_indices(m2), t_i6, t_i6)
    t_i8 = record_dot22(tape, t_i7, t_i7, vectors, no_indices(vectors))
    m3 = over_gaps(1.0 * np.ones_like(t_i8), values)
    t_i9 = no_indices(t_i8)
    record_all(tape, t_i9, t_i8, m3)
    t_i10 = record_dot22(tape, vectors, no_indices(vectors), t_i9, t_i9)
    vectors_i = no_indices(vectors)
    record_all(tape, vectors_i, t_i10, 1.0)
    free_all(tape, t_i7)
    free_all(tape, t_i8)
    free_all(tape, t_i9)
    free_all(tape, t_i10)
    t = vectors.T
    t_i = vectors_i.T
    y = t @ x
    y_i = record_dot21(tape, t, t_i, x, x_i)
    t_2 = np.exp(values) * y * y
    t_2_i = no_indices(t_2)
    record_all(tape, t_2_i, values_i, np.exp(values) * y * y, y_i, 2.0 * np.exp(values) * y)
    r = np.sum(t_2)
    r_i = record_sum(tape, 0, t_2_i, 1.0)
    free_all(tape, t_2_i)
    free_all(tape, y_i)
    free_all(tape, vectors_i)
    free_all(tape, values_i)
    return r, r_i


@jit
def f_record(A, x, manager, check):
    """The results of `f`, their indices, those of array arguments at the end, and the tape's
    memory.
    """
    arena = tape_arena()
    tape = new_tape(arena, manager, check)
    A_i = input_indices(tape, A)
    x_i = input_indices(tape, x)
    y2, y3 = guarded(f_tape, (arena, A_i, x_i), A, x, A_i, x_i, tape)
    seal(tape)
    return y2, y3, A_i, x_i, arena
