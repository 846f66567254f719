import numpy as np

import s2sad


def g(u):
    return np.sum(u * u)


slope = s2sad.grad(g)


def f(u: "float64[:]"):
    return np.sum(slope(u))
