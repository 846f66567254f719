"""Arrays overwritten: element by element, swept, broadcast into; arguments that come back changed."""

import numpy as np

from corpus.case import case, matrix, vector


def gauss_seidel(u, rhs, omega):
    n = u.shape[0]
    for sweep in range(3):
        for i in range(1, n - 1):
            u[i] = (1.0 - omega) * u[i] + omega * 0.5 * (u[i - 1] + u[i + 1] + rhs[i])
    energy = 0.0
    for i in range(n):
        energy += (i + 1) * u[i] * u[i]
    return energy


def nonlinear_sweep(u, n):
    for k in range(n):
        for i in range(len(u)):
            u[i] = np.sin(u[i - 1]) * u[i] + 0.1
    return np.sum(u * u)


def self_assignment(u):
    for i in range(len(u)):
        for j in range(len(u)):
            u[i] = u[j] * 0.5 + u[i] * u[j]
    return np.sum(u)


def copy_of_element(u):
    n = len(u)
    for i in range(n):
        u[i] = u[n - 1 - i]
    return u[0] * u[0] + u[n - 1] * u[1]


def constant_overwrites(u, x):
    v = u * x
    s = v[0] * v[1]
    v[0] = 1.0
    for i in range(1, len(v)):
        v[i] = v[i] * v[i - 1]
    v[1] = 0.0
    return np.sum(v * v) + s


def constant_overwrites_in_loop(u, n):
    s = 0.0
    for k in range(n):
        for i in range(len(u)):
            u[i] = u[i] * u[i - 1] + 0.3 * (k + 1)
        u[0] = 0.5
        s += u[-1] * u[1]
    return s


def wrapped_reads(u):
    s = 0.0
    for i in range(len(u)):
        s += u[i] * u[i - 1] * u[i - 2]
    return s * u[-1]


def wrapped_stores(u, x):
    for i in range(len(u)):
        u[i - 1] = u[i] * x + u[i - 2]
        u[-1] += np.sin(u[i - 1])
    return np.sum(u * u)


def stencil(u, x, n):
    v = np.zeros_like(u)
    for k in range(n):
        for i in range(1, len(u) - 1):
            v[i] = u[i] + x * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i]
        for i in range(1, len(u) - 1):
            u[i] = v[i]
    return np.sum(u * v)


def broadcast_into(A, u, x):
    A += u
    A *= x
    A -= A * A
    return np.sum(A * A)


def whole_array_updates(u, v, n):
    for k in range(n):
        u *= v
        v += 0.1 * u * u
        u -= np.sin(v)
        v /= 1.5
    return np.sum(u * v)


def scaled_by_own_sum(u):
    u /= 3.0 + np.sum(u)
    u *= u[0]
    return np.sum(u * u)


def row_by_row(A, x):
    n, m = A.shape
    for i in range(1, n):
        for j in range(m):
            A[i, j] = A[i - 1, j] * x + A[i, j - 1] * A[i, j]
    return np.sum(A * A)


def two_dimensional_sweep(A):
    n, m = A.shape
    for k in range(2):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                A[i, j] = 0.2 * (A[i - 1, j] + A[i + 1, j] + A[i, j - 1] + A[i, j + 1] + np.sin(A[i, j]))
    return np.sum(A * A)


def cumulative_product(u):
    n = len(u)
    p = np.ones(n)
    p[0] = u[0]
    for i in range(1, n):
        p[i] = p[i - 1] * u[i]
    return np.sum(p * p)


def accumulated_twice(u):
    h = np.zeros(3)
    for i in range(len(u)):
        h[i % 3] += u[i] * u[i]
    for i in range(3):
        h[i] *= h[i - 1]
    return np.sum(h)


def returned_argument(u, x):
    for i in range(len(u)):
        u[i] = u[i] * x + u[i - 1]
    return u


def read_between_stores(u, x):
    u[0] = u[1] * x
    a = u[0] * u[0]
    u[0] = a * u[2]
    b = u[0] * a
    u[1] = b
    return np.sum(u) * b


def scratch_reused(u, n):
    t = np.zeros(len(u))
    s = 0.0
    for k in range(n):
        for i in range(len(u)):
            t[i] = u[i] * (k + 1) + t[i] * t[i]
        for i in range(len(u)):
            s += np.sin(t[i] * s)
            s += t[i]
    return s


def subscript_in_subscript(u, index):
    s = 0.0
    for i in range(len(index)):
        u[index[i]] = u[index[i]] * u[index[i - 1]] + 0.1
        s += u[index[i]]
    return s * s


def eliminated(k, u, steps):
    c = np.zeros(len(k))
    d = np.zeros(len(k))
    for t in range(steps):
        for i in range(1, len(k)):
            b = 2.0 + k[i] * c[i - 1]
            c[i] = k[i] / b
            d[i] = (u[i] + k[i] * d[i - 1]) / b
        for i in range(len(k) - 2, -1, -1):
            w = d[i + 1] + 0.3 * u[i + 1]
            d[i] -= c[i] * w
            u[i] = d[i]
    return u @ c


def wraps_at_the_start(c, k):
    for t in range(2):
        for i in range(len(c)):
            b = 1.0 + k * c[i - 1]
            c[i] = b * b
    return np.sum(c)


def from_anywhere(c, k, start):
    for i in range(start, len(c) - 1):
        b = 1.0 + k * c[i + 1]
        c[i] = b * b
    return np.sum(c)


def in_a_plane(A, k):
    for t in range(2):
        for i in range(1, A.shape[0]):
            for j in range(A.shape[1]):
                b = 1.0 + k * A[i - 1, j]
                A[i, j] = b * b * A[i, j]
                g = A[0, j] + b
                A[2, j] = g * g
    return np.sum(A)


def summed_in_its_cell(A, x, n):
    s = np.zeros(A.shape[0])
    q = 0.0
    for _ in range(n):
        for i in range(A.shape[0]):
            s[i] = 0.0
            for j in range(A.shape[1]):
                s[i] += A[i, j] * x[j]
            s[i] += np.exp(x[0])
            q += s[i] * s[i]
            x[0] = 0.1 * q
    return q


def squared_on_the_way(x, k):
    for t in range(3):
        for i in range(len(x)):
            x[i] = k * x[i]
            x[i] = x[i] * x[i]
            x[i] += k
            if x[i] > 1.0:
                x[i] -= 0.5 * k
            x[i] *= 0.3
    return np.sum(x * x)


def seen_by_another_name(x, k):
    tail = x[1:]
    q = 0.0
    for t in range(2):
        for i in range(1, len(x)):
            x[i] = k * x[i - 1] + 0.1
            q += tail[i - 1] * tail[i - 1]
            x[i] += k
            tail[i - 1] += q
            x[i] *= 0.4
            q += x[i] * x[i]
    return q


def the_next_cell(x, k, n):
    at = 0
    q = 0.0
    for t in range(n):
        x[at] = k
        x[at] += 0.3 * q
        at = (at + 1) % len(x)
        x[at] += k * k
        q += x[at] * x[at]
    return q


def until_small(x, k):
    q = 0.0
    for i in range(len(x)):
        x[i] = k * x[i]
        while x[i] > 0.2:
            x[i] *= 0.5
            x[i] -= 0.01 * k
            q += x[i]
        q += x[i] * x[i]
    return q


def triangular_factors(a, n):
    a = a + 3.0 * np.eye(n)
    s = 0.0
    for k in range(n):
        s += np.log(a[k, k])
        for i in range(k + 1, n):
            a[i, k] = a[i, k] / a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    return s + np.sum(a)


def root_by_rows(a, n):
    a = a @ a.T + 3.0 * np.eye(n)
    s = 0.0
    for i in range(n):
        for j in range(i + 1):
            t = a[i, j]
            for k in range(j):
                t -= a[i, k] * a[j, k]
            if i == j:
                a[i, j] = np.sqrt(t)
            else:
                a[i, j] = t / a[j, j]
        s += a[i, i] * a[i, 0]
    return s


def solved_in_place(u, x):
    y = u.copy()
    for i in range(len(u)):
        for j in range(i):
            y[i] -= x[i] * y[j]
        y[i] = y[i] / (1.0 + x[i] * x[i])
    for i in range(len(u) - 2, -1, -1):
        y[i] -= x[i] * y[i + 1] * y[i + 1]
    return np.sum(y * y)


def again_from_the_front(u, times):
    u = u.copy()
    for _ in range(times):
        for i in range(1, len(u)):
            u[i] = u[i] / (1.0 + u[i - 1] * u[i - 1])
    return np.sum(u)


def a_table_for_each(u, x):
    s = 0.0
    for k in range(len(u)):
        t = np.zeros((4, 4))
        t[0, 0] = u[k]
        for i in range(1, 4):
            for j in range(i):
                t[i, j] = np.sin(t[i - 1, j]) + x[j] * t[i - 1, i - 1]
            t[i, i] = t[i, 0] / (2.0 + t[i, i - 1])
        s += t[3, 3] * t[3, 1]
    return s


CASES = [
    case(gauss_seidel, vector(6), vector(6, 2.0), 1.3, full=True),
    case(nonlinear_sweep, vector(4), 3),
    case(nonlinear_sweep, vector(1), 3, note="one"),
    case(nonlinear_sweep, np.zeros(0), 3, note="empty"),
    case(self_assignment, vector(3)),
    case(copy_of_element, vector(5)),
    case(copy_of_element, vector(4), note="even"),
    case(constant_overwrites, vector(4), 0.7),
    case(constant_overwrites_in_loop, vector(4), 3),
    case(wrapped_reads, vector(4)),
    case(wrapped_stores, vector(4), 0.7, full=True),
    case(wrapped_stores, vector(2), 0.7, note="two"),
    case(stencil, vector(6), 0.2, 3),
    case(stencil, vector(2), 0.2, 3, note="no interior"),
    case(broadcast_into, matrix(2, 3), vector(3), 0.7),
    case(broadcast_into, matrix(2, 3), vector(1), 0.7, note="one"),
    case(broadcast_into, matrix(2, 3), matrix(2, 1, 2.0), 0.7, note="column"),
    case(whole_array_updates, vector(3), vector(3, 2.0), 2),
    case(scaled_by_own_sum, vector(3)),
    case(row_by_row, matrix(3, 2), 0.7),
    case(two_dimensional_sweep, matrix(4, 4)),
    case(cumulative_product, vector(4)),
    case(cumulative_product, np.array([0.5, 0.0, -2.0, 0.0]), note="zeros"),
    case(accumulated_twice, vector(7)),
    case(returned_argument, vector(4), 0.7),
    case(read_between_stores, vector(3), 0.7),
    case(scratch_reused, vector(3), 3),
    case(subscript_in_subscript, vector(4), np.array([2, 0, 0, 3, -1])),
    case(eliminated, vector(5), vector(5), 3),
    case(wraps_at_the_start, vector(4), 0.7),
    case(wraps_at_the_start, vector(1), 0.7, note="one"),
    case(from_anywhere, vector(4), 0.7, 0),
    case(from_anywhere, vector(4), 0.7, -1, note="the end beside the start"),
    case(from_anywhere, vector(1), 0.7, -1, note="itself"),
    case(in_a_plane, matrix(3, 2), 0.3),
    case(summed_in_its_cell, matrix(3, 2), vector(2), 2),
    case(squared_on_the_way, vector(3), 0.7),
    case(seen_by_another_name, vector(4), 0.3),
    case(the_next_cell, vector(3), 0.7, 5),
    case(the_next_cell, vector(1), 0.7, 3, note="one cell"),
    case(until_small, vector(4), 0.9),
    case(triangular_factors, matrix(4, 4), 4, full=True),
    case(root_by_rows, matrix(4, 4), 4, full=True),
    case(solved_in_place, vector(5), vector(5), full=True),
    case(again_from_the_front, vector(4), 3),
    case(a_table_for_each, vector(3), vector(4)),
]
