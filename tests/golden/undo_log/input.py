"""Gauss-Seidel sweeps in place: each element that is overwritten is kept, and put back on the way back."""

import numpy as np

ARGNUMS = (0, 1)
ARGUMENTS = (np.array([0.1, 0.5, 0.2, 0.4]), np.array([0.3, 0.1, 0.8, 0.2]), 2)


def f(x0, b, sweeps):
    x = x0.copy()
    for _ in range(sweeps):
        for i in range(1, len(x) - 1):
            x[i] = 0.5 * (b[i] + x[i - 1] * x[i + 1])
    return np.sum(x * x)
