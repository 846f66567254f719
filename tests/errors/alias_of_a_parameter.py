import numpy as np


def f(x: 'float64[:]', y: 'float64[:]', n: int):
    a = x
    for i in range(n):
        if i == 2:
            a = y
    a[0] = 1.0
    return np.sum(x) + np.sum(y)
