import numpy as np


def f(x: 'float64[:]', n: 'int64'):
    u = x * 1.0
    for k in range(n):
        part = u[1:]
        u = np.sin(u)
        part[0] = u[1]
        u[2] += part[0]
    return np.sum(u)
