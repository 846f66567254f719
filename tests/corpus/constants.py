"""Module-level numbers and tables; arguments of no use."""

import math

import numpy as np

from corpus.case import case, vector

NODES = np.array([-0.8611363115940526, -0.3399810435848563, 0.3399810435848563, 0.8611363115940526])
WEIGHTS = np.array([0.3478548451374538, 0.6521451548625461, 0.6521451548625461, 0.3478548451374538])
SHIFT = 0.25
ORDER = np.array([1, 0, 2])
TABLE = np.arange(6.0).reshape(2, 3) * 0.3
LIMIT = 3


def quadrature(a, b, k):
    half = 0.5 * (b - a)
    mid = 0.5 * (b + a)
    s = 0.0
    for i in range(NODES.shape[0]):
        t = mid + half * NODES[i]
        s += WEIGHTS[i] * np.exp(-k * t) * np.sin(t + SHIFT)
    return half * s


def pi_and_e(x):
    return np.sin(math.pi * x) * math.e + np.cos(np.pi * x)


def table_expression(u):
    B = TABLE * u + SHIFT
    return np.sum(B * B)


def table_copied(u):
    t = TABLE.copy()
    t[1, 2] = u[0] * t[0, 1]
    t[0, 0] += u[1]
    return np.sum(t * t)


def table_of_subscripts(u):
    s = 0.0
    for k in range(LIMIT):
        s += u[ORDER[k]] * u[k] * (k + 1)
    return s


def unused(x, u, y, n):
    return x * x


def unused_array_written(x, u):
    u[0] = 2.0
    return x * x


CASES = [
    case(quadrature, 0.2, 1.9, 0.8),
    case(pi_and_e, 0.3),
    case(table_expression, vector(3)),
    case(table_copied, vector(3)),
    case(table_of_subscripts, vector(3)),
    case(unused, 0.7, vector(3), 0.4, 2),
    case(unused_array_written, 0.7, vector(2)),
]
