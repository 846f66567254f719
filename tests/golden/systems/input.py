"""Systems with one matrix in a loop: one factorisation for all trips, and for the way back."""

import numpy as np


def f(mat, v1, v2, n):
    v = v2.copy()
    for r in range(n):
        v = np.linalg.solve(mat, v - v1) + v1
    return np.sum(v * v)


ARGUMENTS = (
    np.array([[3.0, 0.5, -0.2], [0.1, 2.5, 0.4], [-0.3, 0.2, 2.0]]),
    np.array([0.3, -0.1, 0.7]),
    np.array([1.0, 0.4, -0.6]),
    3,
)
ARGNUMS = (0, 1, 2)
