import numpy as np


def f(a: 'float64[:]'):
    return np.sum(np.roots(a))
