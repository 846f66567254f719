"""Buffers that every iteration fills anew, and arrays whose elements are written once."""

import numpy as np

from corpus.case import case, matrix, vector


def refilled(x, w, n):
    d = len(x)
    r = np.empty(d)
    s = 0.0
    for k in range(n):
        for i in range(d):
            r[i] = x[i] * w[k] + 0.5 * x[i]
        for i in range(d):
            s += r[i] * r[i] * w[k]
    return s


def refilled_from_above(x, w, n):
    r = np.zeros_like(x)
    s = 0.0
    for k in range(n - 1, 0, -2):
        for i in range(len(x)):
            r[i] = np.sin(x[i] * w[k])
        for i in range(len(x) - 1):
            s += r[i] * r[i + 1]
    return s


def added_to_afterwards(x, w, n):
    d = x.shape[0]
    r = np.empty(d)
    q = np.empty(d)
    s = 0.0
    for k in range(1, n):
        for j in range(2):
            for i in range(d):
                r[i] = x[i] - w[k, i]
                q[i] = r[i] * w[j, i]
            for i in range(d):
                s += q[i] * q[i]
                for m in range(i + 1, d):
                    q[m] += w[k, m] * r[i]
            for i in range(d):
                s += q[i] * q[i] * r[i]
    return s


def square_buffer(x, n):
    a = np.empty((len(x), len(x)))
    s = 0.0
    for k in range(n):
        for i in range(len(x)):
            for j in range(len(x)):
                a[i, j] = x[i] * x[j] + k * x[j]
        for i in range(len(x)):
            s += a[i, i] * a[i, 0] * a[-1, i]
    return s


def transposed_filling(x, n):
    a = np.empty((len(x), 2))
    s = 0.0
    for k in range(n):
        for j in range(2):
            for i in range(len(x)):
                a[i, j] = x[i] ** (j + 1) * (k + 1)
        for i in range(len(x)):
            s += a[i, 0] * a[i, 1]
    return s


def partly_filled(x, n):
    d = len(x)
    r = np.zeros(d)
    s = 0.0
    for k in range(n):
        for i in range(1, d):
            r[i] = x[i] * x[i] + r[0]
        r[0] = r[d - 1] * x[0] * 0.1
        for i in range(d):
            s += r[i] * r[i]
    return s


def filled_from_neighbours(x, n):
    d = len(x)
    r = np.ones(d)
    s = 0.0
    for k in range(n):
        for i in range(d):
            r[i] = x[i] * r[i - 1]
        for i in range(d):
            s += r[i] * r[i]
    return s


def filled_in_a_branch(x, n):
    d = len(x)
    r = np.ones(d)
    s = 0.0
    for k in range(n):
        if k != 1:
            for i in range(d):
                r[i] = x[i] * (k + 1)
        for i in range(d):
            s += r[i] * r[i] * x[0]
    return s


def read_before_filled(x, n):
    d = len(x)
    r = np.ones(d)
    s = 0.0
    for k in range(n):
        s += r[1] * r[1]
        for i in range(d):
            r[i] = x[i] * s
    return s


def read_after_the_loop(x, n):
    d = len(x)
    r = np.ones(d)
    s = 0.0
    for k in range(n):
        for i in range(d):
            r[i] = x[i] * (k + 1) + s
        for i in range(d):
            s += r[i] * r[i] * 0.1
    return s + r[0] * r[1]


def bounds_that_grow(x, n):
    r = np.empty(n)
    s = 0.0
    for k in range(n):
        for i in range(k + 1):
            r[i] = x[i] * x[k]
        for i in range(k + 1):
            s += r[i] * r[i]
    return s


def sizes_in_a_loop(x, n):
    s = 0.0
    for m in range(1, n):
        r = np.empty(m)
        for k in range(2):
            for i in range(m):
                r[i] = x[i] * x[k]
            for i in range(m):
                s += r[i] * r[i]
    return s


def numbers_in_a_buffer(x, n):
    d = len(x)
    order = np.zeros(d, dtype=np.int64)
    s = 0.0
    for k in range(n):
        for i in range(d):
            order[i] = (i * 2 + k) % d
        for i in range(d):
            s += x[order[i]] * x[i] * (k + 1)
    return s


def until(x, n):
    d = len(x)
    r = np.empty(d)
    s, k = 0.0, 0
    while k < n:
        for i in range(d):
            r[i] = x[i] * (k + 1)
        for i in range(d):
            s += r[i] * r[i]
        k += 1
    return s


def leaves_early(x, n):
    d = len(x)
    r = np.empty(d)
    s = 0.0
    for k in range(n):
        for i in range(d):
            r[i] = x[i] * (k + 1)
        for i in range(d):
            if r[i] > 1.5:
                break
            s += r[i] * r[i]
        if s > 40.0:
            return s * r[0]
    return s


def stored_where_it_stays(x):
    n = len(x)
    y = np.empty(n)
    s = 0.0
    for i in range(n):
        t = np.exp(x[i])
        y[i] = t
        t = t * x[i]
        s += t * t
    for i in range(n):
        s += y[i] * y[n - 1 - i]
    return s


def zeros_read_before(x):
    n = len(x)
    y = np.ones(n)
    s = 0.0
    for i in range(n):
        s += y[n - 1 - i] * y[n - 1 - i] * x[i]
        t = np.exp(x[i])
        y[i] = t
        s += t * y[i]
    return s


def stored_again(x, n):
    y = np.empty(len(x))
    s = 0.0
    for k in range(n):
        for i in range(len(x)):
            t = np.exp(x[i] * (k + 1))
            y[i] = t
            s += t * t
    for i in range(len(x)):
        s += y[i] * y[i]
    return s


def once_from_the_end(x):
    n = len(x)
    y = np.empty(n + 1)
    for i in range(n, -1, -1):
        y[i] = np.exp(0.1 * i * x[i - 1])
    s = 0.0
    for i in range(n):
        s += y[i] * y[i + 1]
    return s


def counted_from_the_end(x):
    n = len(x)
    y = np.ones(n)
    s = 0.0
    for i in range(-2, n - 2):
        t = np.exp(x[i])
        y[i] = t
        s += y[0] * y[0] + t
    return s


def stored_at_a_place_formed_later(x):
    n = len(x)
    y = np.empty((n, n + 1))
    s = 0.0
    k = 0
    for i in range(n):
        t = np.sin(x[i])
        k = i + 1
        y[i, k] = t
        s = s + t * t * s + t
        k = 0
    return s + y[k, 1]


CASES = [
    case(refilled, vector(3), vector(4), 4),
    case(refilled, vector(3), vector(4), 0, note="no trip"),
    case(refilled, vector(0), vector(4), 2, note="empty"),
    case(refilled_from_above, vector(3), vector(6), 6),
    case(added_to_afterwards, vector(4), matrix(3, 4), 3, full=True),
    case(square_buffer, vector(3), 2),
    case(transposed_filling, vector(3), 2),
    case(partly_filled, vector(3), 3),
    case(filled_from_neighbours, vector(3), 3),
    case(filled_in_a_branch, vector(3), 3),
    case(read_before_filled, vector(3), 3),
    case(read_after_the_loop, vector(3), 3),
    case(bounds_that_grow, vector(4), 4),
    case(sizes_in_a_loop, vector(4), 4),
    case(numbers_in_a_buffer, vector(5), 2),
    case(until, vector(3), 3),
    case(leaves_early, vector(3, 1.0) + 1.0, 5),
    case(stored_where_it_stays, vector(4)),
    case(zeros_read_before, vector(5)),
    case(stored_again, vector(3), 2),
    case(once_from_the_end, vector(4)),
    case(counted_from_the_end, vector(4)),
    case(stored_at_a_place_formed_later, vector(4)),
]
