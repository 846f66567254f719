"""Calls of other functions are read as if they stood there."""

import numpy as np

ARGNUMS = (0, 1)
ARGUMENTS = (np.array([0.2, 0.9, 0.5]), 0.4)


def decay(t, rate=1.5):
    return np.exp(-rate * t)


def smooth(x, weight):
    for i in range(1, len(x)):
        x[i] += weight * x[i - 1]


def f(x, weight):
    y = x.copy()
    smooth(y, weight)
    s = 0.0
    for i in range(len(y)):
        s += decay(y[i]) * decay(weight, 0.5)
    return s
