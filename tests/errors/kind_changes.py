import numpy as np


def f(x: float, n: int):
    y = x
    for i in range(n):
        y = np.ones(3) * y
    return np.sum(y)
