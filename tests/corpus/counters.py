"""Integer counters as subscripts, flags and trip counts."""

import numpy as np

from corpus.case import case, matrix, vector


def packed_triangle(A):
    n = len(A)
    w = np.zeros(n * (n + 1) // 2)
    p = 0
    for i in range(n):
        for j in range(i + 1):
            w[p] = A[i, j] * A[j, i]
            p += 1
    s = 1.0
    for k in range(p):
        s = s * 0.5 + w[k] * w[k]
    return s


def conditional_counter(u):
    kept = np.zeros(len(u))
    n = 0
    for i in range(len(u)):
        if u[i] > 0.0:
            kept[n] = u[i] * u[i]
            n += 1
    s = 0.0
    for i in range(n):
        s += kept[i] * kept[n - 1 - i]
    return s * n


def counter_wraps(u, n):
    p = 1
    s = 0.5
    for k in range(n):
        u[p] = u[p] * s + u[p - 1]
        s = s * u[p] + 0.1
        p = (p + 2) % len(u)
    return s


def counts_down(u):
    p = len(u)
    s = 1.0
    for i in range(len(u)):
        p -= 1
        s = s * u[p] + u[i]
    return s * p + s


def trip_count_from_data(u, x):
    s = x
    for i in range(len(u)):
        n = 0
        if u[i] > 0.0:
            n = i + 1
        for k in range(n):
            s = np.sin(s) + u[i]
    return s


def subscript_overwritten(u):
    i = 0
    u[i] = u[i] * u[i + 1]
    i = 1
    u[i] = u[i] * u[i + 1]
    i = i + 1
    u[i] = u[i] * u[0]
    return np.sum(u * u)


def integer_table(u, order):
    s = 0.0
    for k in range(len(order)):
        s = s * 0.5 + u[order[k]] * s + u[order[k]]
    return s


def floor_of_active(u, x):
    k = int(x)
    return u[k] * (x - k) + u[k + 1] * (k + 1 - x)


CASES = [
    case(packed_triangle, matrix(3, 3)),
    case(conditional_counter, vector(6), full=True),
    case(counter_wraps, vector(4), 6),
    case(counts_down, vector(4)),
    case(trip_count_from_data, vector(4), 0.6),
    case(subscript_overwritten, vector(3)),
    case(integer_table, vector(4), np.array([2, 0, 3, 2, -1])),
    case(floor_of_active, vector(4), 1.3),
]
