import numpy as np


def f(x: "float64[:]"):
    z = x * 1j
    return np.sum(z)
