import numpy as np


def f(a: 'float64[:, :]'):
    v = a.ravel()
    v[0] = 0.0
    return np.sum(a)
