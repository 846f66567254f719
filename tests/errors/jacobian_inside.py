import numpy as np

import s2sad


def g(u):
    return u * u


def f(u: "float64[:]"):
    return np.sum(s2sad.jacobian(g)(u))
