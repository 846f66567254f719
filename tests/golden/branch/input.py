"""Which way a branch went is kept where it can't be told any more."""

import numpy as np

ARGNUMS = (0,)
ARGUMENTS = (np.array([0.4, -1.3, 2.2, -0.1]),)


def f(x):
    s = 1.0
    for i in range(len(x)):
        if s * x[i] > 0.3:
            s = s * np.cos(x[i])
        elif x[i] < -1.0:
            s -= x[i] * x[i]
        else:
            s = np.exp(s * x[i])
    return s
