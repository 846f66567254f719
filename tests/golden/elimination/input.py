"""A tridiagonal system, step by step: what is formed of the element before needn't be kept."""

import numpy as np


def f(u, k, steps):
    u = u.copy()
    c = np.zeros(len(u))
    for _ in range(steps):
        for i in range(1, len(u)):
            b = 2.0 + k[i] * c[i - 1]
            c[i] = k[i] / b
            u[i] = (u[i] + k[i] * u[i - 1]) / b
        for i in range(len(u) - 2, -1, -1):
            u[i] += c[i] * u[i + 1]
    return np.sum(u)


ARGUMENTS = (np.array([0.3, -0.2, 0.7, 1.1]), np.array([0.5, 0.4, -0.3, 0.2]), 3)
ARGNUMS = (0, 1)
