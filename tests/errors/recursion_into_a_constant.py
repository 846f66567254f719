import numpy as np

TABLE = np.ones(3)


def g(a, x, i):
    a[i] = x
    return x if i == 0 else x * g(TABLE, x, i - 1)


def f(a: "float64[:]", x: float):
    return g(a, x, 2)
