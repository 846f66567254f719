"""Sections of arrays, read and written, and names that look into arrays."""

import numpy as np

from corpus.case import case, matrix, vector

# ----- read ------------------------------------------------------------------------------------------------


def strides(x):
    back = x[::-1]
    even = x[::2]
    odd_back = x[-1:1:-2]
    return np.sum(back * x * x) + np.sum(even[:2] * odd_back * odd_back) + x[-2] * back[0]


def rows_and_columns(A, k):
    s = np.sum(A[k] * A[0]) + np.sum(A[:, 1] ** 3) * A[1:][0][0]
    return s + np.sum(A[k][1:] * A[1:, 0]) + np.max(A[-1])


def pairs(x, y):
    d = x[:, None] - y[None, :]
    return np.sum(d * d * d), x[1:] * y[0], d[0]


def windows(x, n):
    s = 0.0
    for i in range(len(x) - n + 1):
        w = x[i : i + n]
        s += np.sum(w * w) * np.sum(w)
        x[i] = s * 0.1
    return s


def planes(c):
    acc = np.zeros((2, 2))
    plane = c[:, :, 0]
    for k in range(c.shape[2]):
        plane = c[:, :, k]
        acc += plane * (k + 1.0)
    return np.sum(plane * plane * acc) + c[1, 0, -1] * c[..., 0][0, 1]


# ----- written ---------------------------------------------------------------------------------------------


def overlapping(x, w):
    a = x * w
    for k in range(3):
        a[1:] = a[1:] + 0.5 * a[:-1] * a[:-1]
    a[:-1] -= a[1:] * 0.7
    a[1:] += a[:-1]
    a += a[::-1] * a[0]
    a[1:] *= a[1]
    return np.sum(a**3)


def shifted_and_scaled(x, s, n):
    for k in range(n):
        x[1:-1] = 0.5 * (x[2:] + x[:-2]) * s
        x[0] = np.sin(x[1])
        x[-1] *= x[0]
    return np.sum(x * x)


def broadcast(A, row, s):
    B = A.copy()
    B[:, 0] = s
    B[1:] += row * s
    B[0] *= row
    B[:, 1:] -= B[:, :-1] * B[:, :1]
    B[:] = B * row[::-1]
    return np.sum(B * B * B)


def bodies(pos, mass, h):
    n = pos.shape[0]
    p = pos.copy()
    v = np.zeros((n, 2))
    acc = np.zeros((n, 2))
    for step in range(3):
        acc[:, :] = 0.0
        for i in range(n):
            for j in range(n):
                if i == j:
                    continue
                d = p[j] - p[i]
                r2 = np.sum(d * d) + 0.1
                acc[i] += mass[j] * d / (r2 * np.sqrt(r2))
        v += h * acc
        p += h * v
    return np.sum(p * p) + np.sum(v[0] * v[1])


def heat(u0, kappa, steps):
    u = u0.copy()
    un = u0.copy()
    for t in range(steps):
        un[1:-1] = u[1:-1] + kappa * u[1:-1] * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        u, un = un, u
    return np.sum(u * u) * un[1]


def guarded_rows(A, t):
    for i in range(A.shape[0]):
        if A[i, 0] > t:
            A[i, 1:] = A[i, :-1] * A[i, 0]
        else:
            A[i] *= 0.5
    return np.sum(A * A)


# ----- names -----------------------------------------------------------------------------------------------


def written_through(x):
    a = x.copy()
    tail = a[1:]
    tail[0] = tail[0] * a[0]
    a[2] = a[1] * a[1] + a[2]
    tail[1] += 3.0 * tail[0]
    return np.sum(a * a) + tail[0] * tail[2]


def same_place_under_two_names(x):
    a = x * 1.0
    tail = a[1:]
    tail[0] = tail[0] * a[1]
    tail[1] += a[2] * a[2] + np.sin(a[2]) * a[1]
    a[3] += tail[2] * tail[1] + tail[2]
    tail[:] += a[1] * a[2]
    tail *= a[1:] * a[2]
    return np.sum(a * a * a)


def views_of_views(x):
    a = x * 2.0
    one = a[1:]
    two = one[::-1]
    three = two[:2]
    three[0] += a[0] * a[0]
    two[1] *= one[0]
    one[:] = one + two * a[0]
    two += a[:-1] * three[1]
    return np.sum(a * a) + np.sum(three * one[:2])


def rows_in_place(A):
    s = 0.0
    for i in range(A.shape[0]):
        row = A[i]
        row[0] = row[0] * 0.5 + row[1] * row[1]
        row[1:] *= row[0]
        s += np.sum(row * row) * A[i - 1, 0]
    return s


def rows_looped_over(A, w):
    B = A.copy()
    s = 0.0
    for i, row in enumerate(B):
        row[0] = row[0] * w[i] + row[1] * s
        s += np.sum(row * row) * (i + 1)
    for v, row in zip(w, B):
        s += v * row[0] * row[1]
    return s


def rows_at_computed_places(A, n):
    s = 0.0
    for i in range(n):
        k = (2 * i + 1) % A.shape[0]
        row = A[k]
        t = row[0] * row[1]
        row[0] = t * A[0, 1]
        s = s * t + np.sin(t)
    return s + np.sum(A * A)


def smooth(part, k, s):
    part[k] *= s
    part[:] = part + part[0] * part
    return part[1:]


def parts_passed(x, s):
    a = x.copy()
    rest = smooth(a[1:], 0, s)
    other = smooth(a, 1, s)
    return np.sum(rest * other[1:]) + smooth(a[::-1], 0, s)[0]


def bound_anew(x, n):
    u = x * 1.0
    s = 0.0
    for k in range(n):
        mid = u[1:-1]
        s += np.sum(mid * mid)
        mid[0] = s * 0.1
        u = np.sin(u[::-1]) * 0.9 + u * mid[0]
    return s + np.sum(u)


def views_and_swaps(x, n):
    u = x * 1.0
    v = x * 0.5
    for k in range(n):
        inside = v[1:-1]
        inside[:] = u[2:] * u[:-2] + inside
        v[0] = u[0] * inside[0]
        u, v = v, u
    return np.sum(u * u * v)


def in_a_while_loop(x):
    a = x.copy()
    k = 1
    while k < len(a):
        head = a[:k]
        head *= a[k]
        a[k] = np.sum(head) + a[k] * a[k]
        k += 1 if a[k] < 0.1 else 2
    return np.sum(a * a)


def chosen(x, s):
    part = x[1:] if s > 0.0 else x[:-1]
    return np.sum(part * part * s)


def tangent_that_is_a_section(A, x):
    t = A[1:, 0] + x
    t -= 0.3 * np.sin(A[:-1, 0] * t)
    return np.sum(A * A) + np.sum(t)


def returned(x):
    y = x * x
    return y[1:], x[::-1], np.sum(y)


CASES = [
    case(strides, vector(6), full=True),
    case(rows_and_columns, matrix(3, 3), 1),
    case(pairs, vector(3), vector(2, 1.1), full=True),
    case(windows, vector(6), 3),
    case(planes, vector(12).reshape(2, 2, 3)),
    case(overlapping, vector(5), 0.7),
    case(shifted_and_scaled, vector(6), 0.9, 3),
    case(broadcast, matrix(3, 3), vector(3, 1.1), 0.4),
    case(bodies, matrix(3, 2), vector(3, 2.0), 0.1, full=True),
    case(heat, vector(7), 0.2, 4),
    case(guarded_rows, matrix(4, 3), 0.1),
    case(written_through, vector(4), full=True),
    case(same_place_under_two_names, vector(4)),
    case(views_of_views, vector(4)),
    case(rows_in_place, matrix(3, 3), full=True),
    case(rows_looped_over, matrix(3, 2), vector(3, 1.1), full=True),
    case(rows_at_computed_places, matrix(3, 2), 4),
    case(parts_passed, vector(5), 0.8),
    case(bound_anew, vector(5), 3),
    case(views_and_swaps, vector(5), 3),
    case(in_a_while_loop, vector(6)),
    case(chosen, vector(5), 0.6),
    case(chosen, vector(5), -0.6, note="other arm"),
    case(tangent_that_is_a_section, matrix(3, 2), 0.7),
    case(returned, vector(4)),
]
