from typing import NamedTuple


class Point(NamedTuple):
    x: float
    y: float


def f(p: Point):
    return p.norm() * p.x
