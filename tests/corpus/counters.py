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


def upper_triangle(u, A):
    d = len(u)
    p = 1
    s = 0.0
    for i in range(d):
        for j in range(i + 1, d):
            s += A[p] * u[i] * np.sin(u[j])
            p += 1
        s = np.tanh(s)
    return s * p


def triangle_with_diagonal(u, A):
    d = len(u)
    s = 0.0
    for k in range(2):
        p = k
        for i in range(d):
            s += A[p] * A[p]
            for j in range(i, d):
                s += A[p] * u[i] * u[j]
                p = p + 2
    return s


def lower_triangle(u, A):
    p = 0
    s = 0.0
    for i in range(len(u)):
        for j in range(1, i + 2):
            s += A[p] * A[p] * u[i] * u[j - 1]
            p += 1
    return s


def below_the_start(u, A):
    p = 0
    s = 0.0
    for i in range(len(u)):
        for j in range(2, i):
            s += A[p] * A[p] * u[i] * u[j]
            p += 1
    return s


def blocks(u, A, n, m):
    p = 0
    s = 0.0
    for i in range(2, n):
        for j in range(m):
            s += A[p] * A[p] * u[i]
            p += 3
    return s


def growing_blocks(u, A, n):
    p = 0
    m = 0
    s = 0.0
    for i in range(n):
        m = m + i
        for j in range(m):
            s += A[p] * A[p] * u[i]
            p += 1
    return s


def trapezoid(u, A, n):
    p = 0
    s = 0.0
    for i in range(1, n):
        for j in range(i, n):
            s += A[p] * A[p] * u[j]
            p += 1
    return s


def steps_counted_before(u, n):
    m = 0
    for i in range(2):
        m = m + i
    p = 0
    s = 1.0
    for i in range(n):
        s = np.sin(s * u[p] + u[p])
        for _ in range(m):
            p += 1
    for i in range(2):
        m = m + 1
    return s * m


def steps_from_data(u, order, n):
    m = order[0]
    p = 0
    s = 1.0
    for i in range(n):
        s = s * u[p] + u[p]
        for _ in range(m):
            p += 1
    m = 2
    for i in range(m):
        s = s * u[i]
    return s


def bounds_of_an_array_bound_anew(u):
    s = 1.0
    p = 0
    y = u.copy()
    for i in range(len(y) - 3, len(u)):
        s = np.sin(s * u[p] + u[i])
        y = y[:2] * u[0]
        p += 1
    return s + y[0]


CASES = [
    case(packed_triangle, matrix(3, 3)),
    case(conditional_counter, vector(6), full=True),
    case(counter_wraps, vector(4), 6),
    case(counts_down, vector(4)),
    case(trip_count_from_data, vector(4), 0.6),
    case(subscript_overwritten, vector(3)),
    case(integer_table, vector(4), np.array([2, 0, 3, 2, -1])),
    case(floor_of_active, vector(4), 1.3),
    case(upper_triangle, vector(4), vector(8, 2.0)),
    case(upper_triangle, vector(1), vector(2, 2.0), note="one"),
    case(triangle_with_diagonal, vector(3), vector(16, 2.0), full=True),
    case(lower_triangle, vector(4), vector(12, 2.0)),
    case(below_the_start, vector(5), vector(12, 2.0)),
    case(blocks, vector(5), vector(30, 2.0), 5, 2),
    case(blocks, vector(5), vector(30, 2.0), 5, -2, note="no trip"),
    case(growing_blocks, vector(5), vector(20, 2.0), 4),
    case(trapezoid, vector(5), vector(20, 2.0), 4),
    case(steps_counted_before, vector(6), 5),
    case(steps_from_data, vector(9), np.array([2, 3]), 4),
    case(bounds_of_an_array_bound_anew, vector(6)),
]
