import numba
import numpy as np


def f(u0, k, steps):
    """Explicit steps of a nonlinear diffusion: neighbours are read, and gathered from on the way back."""
    n = len(u0)
    u, un = u0.copy(), u0.copy()
    for _ in range(steps):
        for i in numba.prange(1, n - 1):
            un[i] = u[i] + k[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i]
        u, un = un, u
    s = 0.0
    for i in numba.prange(n):
        s += u[i] * u[i]
    return s


def vector(n, start=0.3):
    return 0.9 * np.sin(start + 1.7 * np.arange(n))


ARGUMENTS = (vector(23), 0.1 * vector(23, 1.0), 3)
ARGNUMS = (0, 1)
