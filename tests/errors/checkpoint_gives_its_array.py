import numpy as np

import s2sad


@s2sad.checkpoint
def step(u):
    u[0] = u[0] * u[1]
    return u


def f(u: "float64[:]"):
    v = step(u)
    return np.sum(v)
