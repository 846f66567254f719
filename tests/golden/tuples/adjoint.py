"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of the result with respect to where_0, where_1_0, where_1_1, scale.
"""

import math

import numpy as np
from s2sad_runtime import guarded, hold, jit, new_arena, real_slots, require, take_real

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
def f_fwd(where_0, where_1_0, where_1_1, scale, arena):
    """Run `f` forward; what the reverse sweep needs is kept in the arena."""
    kept = real_slots(arena, (2,))
    weight = where_0
    point_0 = where_1_0
    point_1 = where_1_1
    x = point_0
    y = point_1
    radius = math.sqrt(x * x + y * y)
    angle = math.atan2(y, x)
    kept[0] = angle
    t = math.sin(scale * angle)
    kept[1] = t
    y2 = weight * radius * t
    hold(arena, kept)
    return y2


@jit(inner=True, error_model="numpy")
def f_rev(where_0, where_1_0, where_1_1, scale, y2_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    kept = take_real(arena, 1)
    # line 16: radius, angle = polar(point)
    angle = kept[0]
    # line 17: return weight * radius * math.sin(scale * angle)
    t = kept[1]
    # line 15: weight, point = where
    weight = where_0
    point_0 = where_1_0
    point_1 = where_1_1
    # line 16: radius, angle = polar(point)
    radius = math.sqrt(point_0 * point_0 + point_1 * point_1)
    # line 17: return weight * radius * math.sin(scale * angle)
    weight_b = y2_b * radius * t
    radius_b = y2_b * weight * t
    t_b = y2_b * weight * radius
    scale_b = t_b * np.cos(scale * angle) * angle
    angle_b = t_b * np.cos(scale * angle) * scale
    # line 16: radius, angle = polar(point)
    r = 1.0 / (point_1 * point_1 + point_0 * point_0)
    y_b = angle_b * point_0 * r
    x_b = -angle_b * point_1 * r
    r2 = 1.0 / radius
    x_b += radius_b * point_0 * r2
    y_b += radius_b * point_1 * r2
    # line 15: weight, point = where
    where_1_1_b = y_b
    where_1_0_b = x_b
    where_0_b = weight_b
    return where_0_b, where_1_0_b, where_1_1_b, scale_b


@jit
def f_grad(where, scale=2.0):
    """The value and the gradient of `f`."""
    where_0, (where_1_0, where_1_1) = where
    arena = new_arena()
    y2 = guarded(f_fwd, (arena,), where_0, where_1_0, where_1_1, scale, arena)
    where_0_b, where_1_0_b, where_1_1_b, scale_b = guarded(
        f_rev, (arena,), where_0, where_1_0, where_1_1, scale, 1.0, arena
    )
    return y2, ((where_0_b, (where_1_0_b, where_1_1_b)), scale_b)
