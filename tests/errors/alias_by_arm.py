import numpy as np


def f(x: 'float64[:]', k: int):
    a = x * 2.0
    b = x * 3.0
    if k > 0:
        b = a
    b[0] = 1.0
    return np.sum(a) + np.sum(b)
