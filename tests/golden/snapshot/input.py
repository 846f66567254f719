"""An array that is overwritten as a whole in every step, and read before: a copy of it is kept."""

import numpy as np

ARGNUMS = (0,)
ARGUMENTS = (np.array([0.4, -0.3, 0.8]), 2)


def f(x, steps):
    y = x.copy()
    s = 0.0
    for _ in range(steps):
        for i in range(len(y)):
            y[i] = np.sin(y[i]) + x[i]
        for i in range(len(y)):
            s += y[i] * y[i] * x[i]
    return s
