"""Loops: carried values, trip counts, bounds, values before and after."""

import numpy as np

from corpus.case import case, matrix, vector


def carried_overwritten(x, a, n):
    s = x
    for i in range(n):
        t = np.sin(s) * a
        s = s * t + 0.5 * x
        t = s
    return s * s


def carried_used_after(x, n):
    s = x
    p = 1.0
    for i in range(n):
        p = p * s
        s = 0.9 * s + 0.1 * p
    return p * s + x


def preloop_value_after_loop(x, n):
    start = x * x
    y = start
    for i in range(n):
        y = np.sin(y) + start * 0.1
    return y * start


def several_carried(x, y, n):
    a, b, c = x, y, x * y
    for i in range(n):
        a = b * np.cos(c)
        b = c * 0.5 + a
        c = a * b
    return a + b * c


def triangular(u):
    n = len(u)
    s = 0.0
    for i in range(n):
        for j in range(i):
            s += u[i] * u[j] * (i - j)
        for j in range(i + 1, n):
            s += np.sin(u[i] * u[j])
    return s


def downwards(u):
    n = u.shape[0]
    s = 1.0
    for i in range(n - 1, -1, -1):
        s = s * 0.5 + u[i] * s * s
    return s


def strided(u, start, stop, step):
    s = 1.0
    for i in range(start, stop, step):
        s = s * (0.5 + u[i])
    return s


def bounds_change_inside(u, n):
    m = n
    s = 0.0
    for i in range(m):
        s += u[i] * u[m - 1 - i] * (m - i)
        m = n
    n = 2
    return s * n


def variable_after_loop(u):
    i = 0
    s = 0.0
    for i in range(len(u)):
        s += u[i] * u[i]
    return s * i + u[i]


def variable_rebound_inside(u):
    s = 0.0
    for i in range(3):
        s += u[i] * (i + 1)
        i = 0
        s = s * u[i]
    return s


def three_deep(A, n):
    s = 0.0
    for k in range(n):
        for i in range(A.shape[0]):
            r = 0.0
            for j in range(A.shape[1]):
                r = r * 0.5 + np.sin(A[i, j] + s)
            s += r * 0.1
    return s * s


def sum_in_place(u, x):
    total = 0.0
    for i in range(len(u)):
        total = total + u[i] * x
        x = x * 0.9
    return total * x


def nested_zero_trips(u, n):
    s = u[0]
    for i in range(n):
        for j in range(i, i):
            s = s * u[j]
        s = s * u[i]
    return s


def index_shadows_nothing(x, n):
    s = 0.0
    for i in range(n):
        s += x * i
    for i in range(n):
        s *= 1.0 + 0.1 * np.sin(x + i)
    return s


def fibonacci_like(x, n):
    a, b = 0.5, x
    for k in range(n):
        a, b = b, a * 0.5 + b * b
    return b - a


def unused_loop(x, n):
    y = x
    for i in range(n):
        y = y * 2.0 + x
    y = x * x
    return y + x


def no_trips_by_name(x, n):
    s = 0.5
    for i in range(n, n, -1):
        s = np.sin(s * x)
    for i in range(n, n):
        s = np.sin(s * x)
    return s * x


CASES = [
    case(carried_overwritten, 0.7, 1.3, 4, full=True),
    case(carried_overwritten, 0.7, 1.3, 0, note="no trips"),
    case(carried_overwritten, 0.7, 1.3, -2, note="negative count"),
    case(carried_used_after, 0.8, 3),
    case(preloop_value_after_loop, 0.8, 3),
    case(several_carried, 0.8, 0.4, 3),
    case(triangular, vector(4)),
    case(triangular, vector(1), note="one"),
    case(triangular, np.zeros(0), note="empty"),
    case(downwards, vector(4)),
    case(strided, vector(7), 1, 7, 2),
    case(strided, vector(7), 6, 0, -3, note="down"),
    case(strided, vector(7), 6, -8, -5, note="wraps"),
    case(bounds_change_inside, vector(4), 4),
    case(variable_after_loop, vector(3)),
    case(variable_rebound_inside, vector(3)),
    case(three_deep, matrix(2, 3), 2),
    case(sum_in_place, vector(4), 0.7),
    case(nested_zero_trips, vector(3), 3),
    case(index_shadows_nothing, 0.7, 3),
    case(fibonacci_like, 0.7, 4),
    case(unused_loop, 0.7, 3),
    case(no_trips_by_name, 0.7, 3),
]
