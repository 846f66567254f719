import numpy as np


def turned(u, n):
    if n == 0:
        return u.copy()
    return turned(u, n - 1) * 2.0


def f(u: "float64[:]", n: int):
    return np.sum(turned(u, n))
