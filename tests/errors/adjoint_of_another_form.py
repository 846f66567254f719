from typing import NamedTuple

import s2sad


@s2sad.entity
class Point(NamedTuple):
    x: float
    y: float


@s2sad.operation
def distance(p):
    return p.x * p.x + p.y * p.y


@distance.adjoint("p")
def distance_p(r_b, p):
    return 2.0 * r_b * p.x


def f(p: Point):
    return distance(p)
