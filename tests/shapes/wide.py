"""Programs whose Jacobians and Hessians are wanted whole."""

import numpy as np


def energy(x, A):
    s = 0.0
    for i in range(len(x)):
        for j in range(len(x)):
            s += A[i, j] * np.sin(x[i]) * x[j] ** 2
    return s


def waves(x, c, steps):
    n = len(x)
    u, un = x.copy(), x.copy()
    s = c
    y = np.zeros(3)
    for _ in range(steps):
        for i in range(1, n - 1):
            un[i] = u[i] + c * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i]
        u, un = un, u
        if u[1] > 0.1:
            s *= np.cos(u[1] * c)
    for i in range(n):
        y[i % 3] += s * u[i] * u[i]
    return y, s


def product_with(A, x):
    return A @ x * np.sin(x)


def steady(x, n):
    return np.ones(n)
