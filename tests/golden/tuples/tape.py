"""Recording form of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Statements between where_0, where_1_0, where_1_1, scale and the result are put on a tape.
"""

import math

import numpy as np
from s2sad_runtime import (
    copy_index, free, guarded, input_index, jit, new_tape, record, require, seal, tape_arena
)

require(1)


@jit
def f(where_0, where_1_0, where_1_1, scale):
    weight = where_0
    point_0 = where_1_0
    point_1 = where_1_1
    x = point_0
    y = point_1
    radius = math.sqrt(x * x + y * y)
    angle = math.atan2(y, x)
    return weight * radius * math.sin(scale * angle)


@jit(inner=True)
def f_tape(
    where_0, where_1_0, where_1_1, scale, where_0_i, where_1_0_i, where_1_1_i, scale_i, tape
):
    """Run `f` and put its statements on the tape: the results, then their indices."""
    weight = where_0
    weight_i = copy_index(tape, 0, where_0_i)
    point_0 = where_1_0
    point_0_i = copy_index(tape, 0, where_1_0_i)
    point_1 = where_1_1
    point_1_i = copy_index(tape, 0, where_1_1_i)
    x = point_0
    x_i = copy_index(tape, 0, point_0_i)
    free(tape, point_0_i)
    y = point_1
    y_i = copy_index(tape, 0, point_1_i)
    free(tape, point_1_i)
    radius = math.sqrt(x * x + y * y)
    radius_i = record(tape, 0, x_i, np.divide(x, radius), y_i, np.divide(y, radius))
    angle = math.atan2(y, x)
    angle_i = record(tape, 0, y_i, np.divide(x, y * y + x * x), x_i, np.divide(-y, y * y + x * x))
    free(tape, x_i, y_i)
    t = math.sin(scale * angle)
    y2 = weight * radius * t
    y2_i = record(
        tape, 0, weight_i, radius * t, radius_i, weight * t, scale_i,
        weight * radius * np.cos(scale * angle) * angle, angle_i,
        weight * radius * np.cos(scale * angle) * scale
    )
    free(tape, weight_i, radius_i, angle_i)
    return y2, y2_i


@jit
def f_record(where_0, where_1_0, where_1_1, scale, manager, check):
    """The results of `f`, their indices, those of array arguments at the end, and the tape's
    memory.
    """
    arena = tape_arena()
    tape = new_tape(arena, manager, check)
    where_0_i = input_index(tape)
    where_1_0_i = input_index(tape)
    where_1_1_i = input_index(tape)
    scale_i = input_index(tape)
    y3, y4 = guarded(
        f_tape, (arena,), where_0, where_1_0, where_1_1, scale, where_0_i, where_1_0_i, where_1_1_i,
        scale_i, tape
    )
    seal(tape)
    return y3, y4, arena
