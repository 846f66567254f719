import numpy as np


def f(a: 'float64[:, :]'):
    s = np.sum(a, axis=0)
    return s[0]
