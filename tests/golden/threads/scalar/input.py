import numba
import numpy as np


def f(c, x):
    """A number that all trips read: a sum on the way back."""
    s = 0.0
    for i in numba.prange(len(x)):
        s += np.sin(c * x[i])
    return s


def vector(n, start=0.3):
    return 0.9 * np.sin(start + 1.7 * np.arange(n))


ARGUMENTS = (0.7, vector(21))
ARGNUMS = (0, 1)
