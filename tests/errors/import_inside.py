import math


def f(x: float):
    import cmath

    return x * cmath.pi
