import math


def f(x: float):
    try:
        y = math.log(x)
    except ValueError:
        y = 0.0
    return y
