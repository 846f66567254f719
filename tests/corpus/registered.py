"""Functions that are registered: called as they are, of Numba and in Python, for numbers and for arrays."""

import math

import numba
import numpy as np

import s2sad
from corpus.case import case, vector


@numba.njit
def kepler(M, e):
    """E - e sin E = M, by Newton's method until it stands still."""
    E = M
    while True:
        step = (E - e * math.sin(E) - M) / (1.0 - e * math.cos(E))
        E -= step
        if abs(step) < 1e-14:
            return E


s2sad.register(kepler, partials=("1.0 / (1.0 - e * np.cos(y))", "np.sin(y) / (1.0 - e * np.cos(y))"))


def powers(x, n):
    """x^2/2 - 0.1 x^n, by a set, which nobody differentiates."""
    total = 0.0
    for k in {2, n}:
        total += x**k * (0.5 if k == 2 else -0.1)
    return total


s2sad.register(powers, partials=("x - 0.1 * n * x**(n - 1)", None))


@numba.vectorize(["float64(float64, float64)"])
def ratio(a, b):
    return a / (a + b)


s2sad.register(ratio, partials=("(1.0 - y) / (a + b)", "-y / (a + b)"))
s2sad.register(np.spacing, partials="0.0")


def numbers(x, e):
    s = 0.0
    for k in range(3):
        s += kepler(x + s, e) * x
    return s


def one_alone(x, n):
    return powers(x * x, n) * x


def arrays(u, x):
    w = ratio(u * u, x) * x
    s = 0.0
    for i in range(len(w)):
        s += ratio(w[i], u[i] * u[i])
    return s + np.sum(w)


def kept_in_a_loop(u, e, n):
    v = u.copy()
    for k in range(n):
        for i in range(len(v)):
            v[i] = kepler(v[i] * v[i - 1], e)
    return np.sum(v * v)


def flat(u):
    return np.sum((u + np.spacing(u)) * u)


CASES = [
    case(numbers, 0.7, 0.3, full=True),
    case(one_alone, 0.6, 3),
    case(arrays, vector(3) + 1.0, 0.8),
    case(kept_in_a_loop, vector(3) + 1.0, 0.4, 2),
    case(flat, vector(3)),
    case(kepler, 0.7, 0.3),
]
