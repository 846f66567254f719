import numpy as np

import s2sad


def f(x):
    z = 1j * x
    return np.sum(np.abs(z))


def run():
    s2sad.record(f)(np.ones(3))
