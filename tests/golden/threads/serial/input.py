import numba
import numpy as np


def f(x):
    """Every second element, from its neighbours in the same array: in order on the way back."""
    y = x.copy()
    for i in numba.prange((len(x) - 1) // 2):
        y[2 * i + 1] = y[2 * i] * y[2 * i + 2]
    s = 0.0
    for i in numba.prange(len(x)):
        s += y[i] * y[i]
    return s


def vector(n, start=0.3):
    return 0.9 * np.sin(start + 1.7 * np.arange(n))


ARGUMENTS = (vector(22),)
ARGNUMS = (0,)
