import numpy as np


def f(x: 'float64[:]', n: int):
    a = x * 2.0
    b = a
    b[0] = 3.0
    a = a * b
    return np.sum(a) + np.sum(b)
