"""An integer that counts along: its value in each trip is kept, or follows from the loop variable."""

import numpy as np

ARGNUMS = (0,)
ARGUMENTS = (np.array([0.4, 1.3, -0.2, 0.8, 0.5, 1.1]), 3)


def f(packed, n):
    """A quadratic form, its upper triangle packed by rows."""
    s = 0.0
    p = 0
    for i in range(n):
        for j in range(i, n):
            s += packed[p] * packed[p] * (i + 1.0) / (j + 2.0)
            p += 1
    return s
