"""A function of the user's that is called as it is: Kepler's equation, solved by a loop that s2sad doesn't read."""

import math

import numba
import numpy as np

import s2sad


@numba.njit
def anomaly(M, e):
    E = M
    while True:
        step = (E - e * math.sin(E) - M) / (1.0 - e * math.cos(E))
        E -= step
        if abs(step) < 1e-14:
            return E


s2sad.register(anomaly, partials=("1.0 / (1.0 - e * np.cos(y))", "np.sin(y) / (1.0 - e * np.cos(y))"))


def f(times, e):
    x = 0.0
    for k in range(len(times)):
        x += np.cos(anomaly(times[k], e)) - e
    return x


ARGUMENTS = (np.array([0.1, 0.9, 2.0]), 0.3)
ARGNUMS = (0, 1)
