import numpy as np


def f(a: 'float64[:, :]', x: 'float64[:]'):
    return np.sum(a @ x)
