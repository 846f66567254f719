"""Where a derivative is a convention: ties share equally, `abs` has slope 0 at 0, `x**0` slope 0."""

import math

import numpy as np

from corpus.case import case, vector


def powers(x):
    return x**0 + x**1 + x**2 + x**3


def array_powers(u):
    return np.sum(u**0 + 3.0 * u**1 + u**2)


def float_powers(x):
    return x**2.0 + x**1.0


def absolute(x):
    return abs(x) + 2.0 * np.abs(x) + math.fabs(x) + x


def larger(x, y):
    return 3.0 * np.maximum(x, y)


def smaller(x, y):
    return 3.0 * np.minimum(x, y)


def builtin_larger(x, y):
    return max(x, y) * min(x * x, y) + max(0.0, x)


def clipped(u):
    s = 0.0
    for i in range(len(u)):
        s += max(min(u[i], 0.5), -0.5) * (i + 1)
    return s


def steps(x, y):
    return np.floor(x) * y + np.sign(x) * y + x


def elementwise_maximum(u, v):
    return np.sum(np.maximum(u, v) * np.minimum(u, 0.2))


def square_root_of_zero_untaken(x, y):
    if x > 0.0:
        z = np.sqrt(x)
    else:
        z = x * y
    return z + y


def norm_guarded(u):
    s = np.sum(u * u)
    return np.sqrt(s) if s > 0.0 else 0.0


CASES = [
    case(powers, 0.0),
    case(array_powers, np.array([0.0, 1.0, -2.0])),
    case(float_powers, 0.0),
    case(absolute, 0.0, expected={0: 1.0}, order=1),
    case(absolute, -0.7, note="negative"),
    case(larger, 0.4, 0.4, expected={0: 1.5, 1: 1.5}, order=1),
    case(larger, 0.4, 0.7, note="apart"),
    case(smaller, 0.4, 0.4, expected={0: 1.5, 1: 1.5}, order=1),
    case(builtin_larger, 0.4, 0.7),
    case(clipped, vector(5)),
    case(steps, 1.3, 0.7),
    case(elementwise_maximum, vector(4), vector(4, 2.0)),
    case(square_root_of_zero_untaken, 0.0, 0.7, expected={0: 0.7, 1: 1.0}, order=1),
    case(norm_guarded, np.zeros(2), expected={0: np.zeros(2)}, order=1),
    case(norm_guarded, vector(2), note="apart"),
]
