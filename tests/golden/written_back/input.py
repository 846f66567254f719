"""An argument that is written: it ends as the function leaves it, and its derivative is that of what came in."""

import numpy as np

ARGNUMS = (0, 1)
ARGUMENTS = (np.array([0.3, 1.2, 0.7]), 0.5)


def f(x, c):
    s = 0.0
    for i in range(len(x)):
        x[i] = c * x[i] * x[i]
        s += np.sin(x[i])
    x[0] = s
    return s * x[0]
