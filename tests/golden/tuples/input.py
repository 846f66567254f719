"""Tuples as parameters and as results inside: functions of their leaves."""

import math

ARGNUMS = (0, 1)
ARGUMENTS = ((0.5, (1.2, -0.3)), 0.8)


def polar(point):
    x, y = point
    return math.sqrt(x * x + y * y), math.atan2(y, x)


def f(where, scale=2.0):
    weight, point = where
    radius, angle = polar(point)
    return weight * radius * math.sin(scale * angle)
