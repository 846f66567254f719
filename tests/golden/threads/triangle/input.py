import numba
import numpy as np


def f(x, w):
    """Each pair once: the inner loop begins behind the outer one, and what is kept has places in a box."""
    n = len(x)
    s = 0.0
    for i in numba.prange(n):
        near = 0.0
        for j in range(i + 1, n):
            d = x[i] - x[j]
            near += w[j] * np.exp(-d * d)
        s += near * w[i]
    return s


def vector(n, start=0.3):
    return 0.9 * np.sin(start + 1.7 * np.arange(n))


ARGUMENTS = (vector(19), vector(19, 1.0))
ARGNUMS = (0, 1)
