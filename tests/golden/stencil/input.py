"""Two arrays that swap in a time loop: values are kept by step, and copies of whole arrays before the nest."""

import numpy as np

ARGNUMS = (0, 1)
ARGUMENTS = (np.array([0.1, 0.9, 0.4, 0.7, 0.2]), 0.2, 3)


def f(start, k, steps):
    n = len(start)
    u = start.copy()
    u_next = start.copy()
    for _ in range(steps):
        for i in range(1, n - 1):
            u_next[i] = u[i] + k * u[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1])
        u, u_next = u_next, u
    s = 0.0
    for i in range(n):
        s += u[i] * u[i]
    return s
