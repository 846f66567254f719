"""A name that turns its array over in every step: one adjoint array, whatever the number of steps."""

import numpy as np

ARGNUMS = (0,)
ARGUMENTS = (np.array([0.2, 0.9, -0.5, 0.4]), 3)


def f(x, steps):
    u = x.copy()
    for k in range(steps):
        for i in range(1, len(u)):
            u[i] += 0.5 * u[i - 1]
        u = u[::-1]
    return u[0] * u[1]
