"""A name for an array or for a part of another, by the way taken: its index leads to the adjoint of the part."""

import numpy as np

ARGNUMS = (0, 1)
ARGUMENTS = (np.array([0.2, 0.9, -0.5, 0.4]), np.array([0.7, -0.3, 1.1]), 0.4)


def f(x, y, a):
    w = y * a
    if a > 0.0:
        w = x[1:]
    w *= x[0]
    x[1] += a * y[2]
    return np.sum(w * w)
