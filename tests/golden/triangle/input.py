"""An inner loop whose length changes from trip to trip: its slots are made anew in each."""

import math

import numpy as np

ARGNUMS = (0,)
ARGUMENTS = (np.array([[2.0, 0.4, 0.1], [0.4, 1.5, 0.3], [0.1, 0.3, 1.2]]),)


def f(matrix):
    """The sum of the diagonal of Cholesky's factor."""
    a = matrix.copy()
    s = 0.0
    for j in range(len(a)):
        for k in range(j):
            a[j, j] -= a[j, k] * a[j, k]
        a[j, j] = math.sqrt(a[j, j])
        s += a[j, j]
        for i in range(j + 1, len(a)):
            for k in range(j):
                a[i, j] -= a[i, k] * a[j, k]
            a[i, j] = a[i, j] / a[j, j]
    return s
