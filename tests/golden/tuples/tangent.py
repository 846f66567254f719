"""Tangent of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of the result along directions of where_0, where_1_0, where_1_1, scale.
"""

import math

import numpy as np
from s2sad_runtime import jit, require

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


@jit
def f_d(where_0, where_1_0, where_1_1, scale, where_0_d, where_1_0_d, where_1_1_d, scale_d):
    """`f` and its tangent: the results, then their tangents."""
    weight = where_0
    weight_d = where_0_d
    point_0 = where_1_0
    point_0_d = where_1_0_d
    point_1 = where_1_1
    point_1_d = where_1_1_d
    x = point_0
    x_d = point_0_d
    y = point_1
    y_d = point_1_d
    radius = math.sqrt(x * x + y * y)
    radius_d = np.true_divide(x * x_d, radius) + np.true_divide(y * y_d, radius)
    angle = math.atan2(y, x)
    angle_d = np.true_divide(x * y_d, y * y + x * x) - np.true_divide(y * x_d, y * y + x * x)
    return (
        weight * radius * math.sin(scale * angle),
        radius * math.sin(scale * angle) * weight_d + weight * math.sin(scale * angle) * radius_d
            + weight * radius * np.cos(scale * angle) * angle * scale_d
            + weight * radius * np.cos(scale * angle) * scale * angle_d
    )
