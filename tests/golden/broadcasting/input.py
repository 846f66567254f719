"""Whole arrays: a matrix, a row and a number; what was broadcast is summed on the way back."""

import numpy as np

ARGNUMS = (0, 1, 2)
ARGUMENTS = (np.array([[0.2, 0.7, 1.1], [0.5, 0.1, 0.9]]), np.array([0.3, 0.6, 0.2]), 1.4)


def f(x, row, c):
    y = np.tanh(c * x + row)
    y *= row
    z = np.exp(-y) * x
    return np.sum(z) + c * np.sum(y * y)
