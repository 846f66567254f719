import numpy as np


def f(x: 'float64[:]'):
    return np.sum(x[x * 2.0])
