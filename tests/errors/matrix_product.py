import numpy as np


def f(a: "float64[:, :]"):
    a @= a
    return np.sum(a)
