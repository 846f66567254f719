import numpy as np


def f(x: float):
    a = np.zeros(3, dtype=np.int64)
    a[0] = x
    return x * a[0]
