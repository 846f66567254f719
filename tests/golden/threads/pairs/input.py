import numba
import numpy as np


def f(x, w):
    """Points that are near each other: every trip reads all of them, and adds to all of them on the way back."""
    n = len(x)
    s = 0.0
    for i in numba.prange(n):
        near = 0.0
        for j in range(n):
            d = x[i] - x[j]
            near += w[j] * np.exp(-d * d)
        s += near * w[i]
    return s


def vector(n, start=0.3):
    return 0.9 * np.sin(start + 1.7 * np.arange(n))


ARGUMENTS = (vector(19), vector(19, 1.0))
ARGNUMS = (0, 1)
