"""Names for views on some paths: which part of which array a name looks at depends on the way taken."""

import numpy as np

import s2sad
from corpus.case import case, matrix, vector

TABLE = np.array([0.4, -0.9, 1.2, 0.7])


def reversed_on_one_path(u, a):
    w = u * a
    if a > 1.0:
        w = w[::-1]
    w[0] = w[1] * w[1]
    return np.sum(w * u)


def reversed_in_a_loop(u, steps):
    w = u.copy()
    for k in range(steps):
        w[0] += np.sin(w[1]) * u[k]
        w = w[::-1]
    return w[0] + 0.5 * np.sum(w * w)


def shorter_and_shorter(u, a):
    w = u * u
    while len(w) > 1 and w[0] < a:
        w[1] += w[0] * a
        w = w[1:]
    return np.sum(w) * w[0]


def either_end(u, v, a):
    w = u[1:] if a > 0.0 else v[:-1]
    w *= np.sin(a)
    u[1] += w[0] * v[0]
    return np.sum(u * v) + w[0]


def every_other(u, odd):
    w = u[::2]
    if odd:
        w = u[1::2]
    w *= u[0]
    u += 0.3 * u[1]
    return np.sum(w * w)


def row_or_column(A, v, k, across):
    w = v
    if across > 0:
        w = A[k % 3]
    elif across < 0:
        w = A[:, k]
    w[0] *= 2.0 + w[1]
    A[1, 1] += v[0] * w[2]
    return np.sum(A * A) + np.sum(w * v)


def rows_in_turn(A, x):
    row = A[0]
    for k in range(1, A.shape[0]):
        row[0] = x * row[1]
        A[k] += row
        row = A[k]
    return np.sum(row * row)


def turned_over(A, steps):
    B = A * A
    for k in range(steps):
        B[0, 1] += np.sin(B[1, 0])
        B = B.T
        B = B[:, ::-1]
    return B[0, 1] + np.sum(B * A)


def overlapping(u, a):
    head, tail = u[:-1], u[1:]
    if a > 0.0:
        head, tail = tail, head
    head += a * tail
    tail *= head
    return np.sum(head) + u[0]


def exchanged_with_its_view(u, a):
    w = u * 1.5
    r = w[::-1]
    for k in range(3):
        r[0] += a * w[1]
        if k != 1:
            r, w = w, r
    return w[0] + 2.0 * w[2] + np.sum(r * u)


def tail_of(q, a):
    q[0] *= a
    return q[1:] if a > 0.4 else q


def seen_through_a_callee(u, a):
    w = u.copy()
    for k in range(2):
        w = tail_of(w, a * (k + 0.5))
        w[0] += u[k] * w[-1]
    return np.sum(w) * w[0]


def left_early(u, a):
    w = u.copy()
    for k in range(4):
        w = w[::-1]
        w[1] *= a
        if w[0] > a:
            return w[0] * w[1]
        w[0] += w[2]
    return np.sum(w * u)


def part_of_an_argument(u, a):
    w = u
    if a > 0.0:
        w = w[1:]
    w[0] = a * a
    return w


def part_or_another(u, v, steps):
    for k in range(steps):
        w = u[::-1]
        w[0] += v[k] * u[1]
        if k % 2 == 0:
            u, v = v, w
        else:
            v = v.copy()
    return np.sum(u * v) + u[0]


def places_by_parts(u, order):
    where = order.copy()
    s = 0.0
    for k in range(3):
        s += u[where[0]] * (k + 1.0)
        where[0] = (where[0] + 1) % len(u)
        where = where[::-1]
        u[where[0]] *= 1.0 + s
    return s


def another_shape(u, n, m, flat):
    A = np.zeros((n, m))
    v = A.reshape(n * m)
    if flat:
        v = A[0]
    v[:2] = u[:2]
    A *= u[0]
    return np.sum(v * v) + np.sum(A)


def used_after_its_loop(u):
    for k in range(3):
        part = u[k:]
        part[0] *= part[1] + k
    return np.sum(part * part) + u[0]


def loop_over_both(u, c):
    w = u[::-1] if c > 0.5 else u * 1.0
    for i in range(len(u)):
        w[i] = w[i] * 0.5 + u[i] * c
    return np.sum(w * w) + u[1]


def loop_over_neighbours(u, c):
    x = u * 2.0
    w = u
    if c > 0.5:
        w = u[1:]
    for k in range(3):
        for i in range(1, len(w) - 1):
            x[i] += w[i - 1] * w[i + 1] + u[i] * u[i + 1]
        for i in range(1, len(w) - 1):
            w[i] = x[i] * 0.5 + u[i - 1] * w[i]
    return np.sum(x * u)


def turned_over_with_a_view(A, n):
    t = A[:, -1][:-1][::-1]
    A[-1, -1] *= np.cos(A[0, 0])
    for k in range(n):
        A = A[::-1]
        A[0, 1] *= t[0]
    return np.sum(t * t) + A[0, 0]


def written_in_a_region(u, a):
    w = u * a
    if a > 0.5:
        w = w[::-1]
    with s2sad.checkpoint():
        w[0] *= w[1]
        w *= np.sin(w)
    return np.sum(w * u)


def complex_numbers(u, a):
    c = u * (1.0 + 2.0j)
    if a > 0.5:
        c = c[::-1]
    c[0] *= c[1]
    return np.sum(c.real) + c[0].imag * u[0]


def with_a_constant(u, a):
    w = u * a
    v = TABLE[::-1] if a > 0.5 else w[::-1]
    w += v[0]
    return np.sum(v * w)


CASES = [
    case(reversed_on_one_path, vector(4), 1.4, full=True),
    case(reversed_on_one_path, vector(4), 0.6, note="the other"),
    case(reversed_in_a_loop, vector(5), 3, full=True),
    case(reversed_in_a_loop, vector(5), 0, note="no trips"),
    case(shorter_and_shorter, vector(5), 0.8),
    case(either_end, vector(4), vector(4, 2.0), 0.7, full=True),
    case(either_end, vector(4), vector(4, 2.0), -0.7, note="the other"),
    case(every_other, vector(6), True),
    case(every_other, vector(6), False, note="even"),
    case(row_or_column, matrix(3, 3), vector(3), 2, 1, full=True),
    case(row_or_column, matrix(3, 3), vector(3), 2, -1, note="column"),
    case(row_or_column, matrix(3, 3), vector(3), 2, 0, note="neither"),
    case(rows_in_turn, matrix(3, 2), 0.7),
    case(turned_over, matrix(2, 2), 3),
    case(overlapping, vector(4), 0.7),
    case(overlapping, vector(4), -0.7, note="the other"),
    case(exchanged_with_its_view, vector(3), 0.6),
    case(seen_through_a_callee, vector(4), 0.6, full=True),
    case(left_early, vector(3), 0.3),
    case(left_early, vector(3), 0.9, note="to the end"),
    case(part_of_an_argument, vector(3), 0.7, full=True),
    case(part_of_an_argument, vector(3), -0.7, note="whole"),
    case(part_or_another, vector(4), vector(4, 2.0), 3),
    case(places_by_parts, vector(4), np.array([2, 0, 3])),
    case(another_shape, vector(4), 2, 3, True),
    case(another_shape, vector(4), 2, 3, False, note="flat"),
    case(used_after_its_loop, vector(5)),
    case(loop_over_both, vector(5), 0.7, full=True),
    case(loop_over_neighbours, vector(6), 0.7, full=True),
    case(loop_over_neighbours, vector(6), 0.3, note="whole"),
    case(turned_over_with_a_view, matrix(4, 2), 3),
    case(written_in_a_region, vector(4), 0.7),
    case(complex_numbers, vector(4), 0.7),
    case(with_a_constant, vector(4), 0.7, refused="S080"),
]
