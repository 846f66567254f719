"""Whole-array statements: elementwise expressions, broadcasting, creations, sums, rebinding."""

import numpy as np

from corpus.case import case, matrix, vector


def elementwise(u, v, x):
    w = np.sin(u) * v + x
    return np.sum(w * w / (1.0 + v * v))


def broadcast_row(A, u):
    B = A * u + np.exp(-A)
    return np.sum(B * B)


def broadcast_column(A, C):
    B = np.tanh(A * C) + C
    return np.sum(B * A)


def broadcast_both(R, C, x):
    B = R * C + x
    return np.sum(np.sin(B))


def broadcast_ones(u, w):
    y = u + w * u
    return np.sum(y * y)


def sum_of_expression(u, v):
    return np.sum(u * v + np.cos(u)) * np.sum(v)


def nested_sums(u, A):
    s = np.sum(u * np.sum(A * A)) + np.sum(np.sin(A))
    return s / (1.0 + np.sum(u * u))


def rebound(u, h, n):
    y = u.copy()
    for k in range(n):
        y = y + h * np.sin(y) * np.sum(y)
    return np.sum(y * y)


def rebound_by_an_element(u, n):
    """The last thing that is read of the array before its name goes to another is one element."""
    a = u.copy()
    for k in range(n):
        u = np.tanh(0.5 * a * u[k - 2])
    return np.sum(u) + 0.6 * np.sum(a)


def rebound_parameter(u, x):
    u = u * x
    u = np.sin(u) + u
    return np.sum(u * u)


def runge_kutta(u, h, n):
    y = u.copy()
    for k in range(n):
        k1 = np.sin(y)
        k2 = np.sin(y + 0.5 * h * k1)
        y = y + h * k2
    return np.sum(y * y)


def creations(u, x):
    n = len(u)
    z = np.zeros(n)
    o = np.ones_like(u)
    f = np.full(n, x)
    e = np.empty(n)
    for i in range(n):
        e[i] = u[i] * f[i]
        z[i] += e[i] * o[i]
    return np.sum(z * e + f * o)


def copies(u):
    a = u.copy()
    b = np.copy(a)
    a[0] = a[0] * b[1]
    b[1] = a[0] * a[0]
    return np.sum(a * b) + u[0] * u[1]


def shapes(A):
    n, m = A.shape
    s = 0.0
    for i in range(n):
        for j in range(m):
            s += A[i, j] * (i * m + j) * A[n - 1 - i, m - 1 - j]
    return s / A.shape[0] + np.sum(A) * len(A)


def array_result(u, x):
    v = np.sin(u) * x
    v[0] = v[0] * v[1]
    return v


def several_results(u, x):
    s = np.sum(u * x)
    v = u * s
    return v, s, x * x


def fresh_though_equal(u, x):
    a = u * 1.0
    b = -(-u)
    c = u + 0.0
    d = +u
    a[0] += x * u[1]
    b[1] *= u[0]
    c[0] = u[1] * x
    d[1] = x
    return np.sum(a * b) + np.sum(c * d) * np.sum(u)


def power_of_arrays(u, v):
    return np.sum(u**2 + (2.0 + v) ** u + u**3 * v**0)


def ternary_rank(T, u):
    s = 0.0
    for i in range(T.shape[0]):
        for j in range(T.shape[1]):
            for k in range(T.shape[2]):
                s += np.sin(T[i, j, k] * u[k]) * T[i, j, -1]
    return s


def where_elementwise(u, x):
    w = np.where(u > 0.0, u * x, np.sin(u))
    return np.sum(w * w)


def passive_array_made_active(u, n):
    w = np.zeros(n)
    for i in range(n):
        w[i] = i * 0.5
    for i in range(n):
        w[i] += u[i] * w[i]
    return np.sum(w * w)


CASES = [
    case(elementwise, vector(4), vector(4, 1.1), 0.7),
    case(elementwise, np.zeros(0), np.zeros(0), 0.7, note="empty"),
    case(elementwise, vector(1), vector(4, 1.1), 0.7, note="broadcast"),
    case(broadcast_row, matrix(2, 3), vector(3), full=True),
    case(broadcast_row, matrix(2, 3), vector(1), note="one"),
    case(broadcast_column, matrix(2, 3), matrix(2, 1, 2.0)),
    case(broadcast_both, matrix(1, 3), matrix(2, 1, 2.0), 0.4),
    case(broadcast_ones, vector(3), vector(1)),
    case(sum_of_expression, vector(3), vector(3, 2.0)),
    case(nested_sums, vector(3), matrix(2, 2)),
    case(rebound, vector(3), 0.1, 3, full=True),
    case(rebound, vector(3), 0.1, 0, note="no trips"),
    case(rebound_by_an_element, vector(3), 2),
    case(rebound_parameter, vector(3), 0.7),
    case(runge_kutta, vector(3), 0.1, 3),
    case(creations, vector(3), 0.7),
    case(copies, vector(3)),
    case(shapes, matrix(2, 3)),
    case(array_result, vector(3), 0.7, full=True),
    case(several_results, vector(3), 0.7),
    case(fresh_though_equal, vector(3), 0.7),
    case(power_of_arrays, 0.5 + vector(3) ** 2, vector(3, 1.0)),
    case(ternary_rank, vector(12).reshape(2, 2, 3), vector(3, 2.0)),
    case(where_elementwise, vector(4), 0.7),
    case(passive_array_made_active, vector(3), 3),
]
