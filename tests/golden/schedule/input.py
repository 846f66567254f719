import numpy as np

import s2sad


def f(u0, nu, n, snapshots):
    u = u0.copy()
    v = u0.copy()
    for _ in s2sad.checkpoint_range(n, snapshots):
        for i in range(1, len(u) - 1):
            v[i] = u[i] + nu * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i]
        u, v = v, u
        nu = nu * 0.99
    return np.sum(u * u)


ARGUMENTS = (np.array([0.1, 0.5, 0.9, 0.3, 0.7]), 0.2, 7, 3)
ARGNUMS = (0, 1)
