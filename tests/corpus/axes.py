"""Reductions along axes, other shapes, arrays joined and made by rule."""

import numpy as np
from numpy import diag as on_the_diagonal
from numpy import flipud as upside_down

from corpus.case import case, matrix, vector


def sums_along(A):
    s = np.sum(A * A, axis=0)
    t = np.sum(A, axis=1, keepdims=True)
    return np.sum(s * s * s) + np.sum(A * t * t) + np.sum(np.sum(A, axis=-1) ** 3)


def three_axes(c):
    return np.sum(np.sum(c, axis=1) ** 3), np.max(c, axis=0), np.mean(c * c, axis=2)


def standardised(A):
    z = (A - np.mean(A, axis=0)) / np.std(A, axis=0)
    return np.sum(z * z * z) + np.var(A) * np.mean(A) + np.std(A[0], ddof=1)


def guarded(x):
    length = np.sqrt(np.sum(x * x, axis=1))
    safe = np.where(length < 0.25, 2.0, length)
    return np.sum(safe * safe * safe)


def largest(A):
    return np.sum(np.max(A, axis=1) * np.min(A, axis=1)) + np.sum(np.max(A, axis=0) ** 2)


def drawdown(r):
    level = np.cumsum(r * r * 0.3 + r)
    peak = level[0]
    worst = 0.0
    for i in range(level.shape[0]):
        peak = max(peak, level[i])
        worst = max(worst, peak - level[i])
    return worst * worst + peak + np.sum(np.diff(level) ** 3)


def products(x, A):
    return (
        np.sum(np.cumprod(x))
        + np.sum(np.cumsum(A, axis=0) * np.cumsum(A, axis=1))
        + np.cumprod(A, axis=1)[0, -1]
    )


def turned(A, x):
    t = A.T
    y = np.sum(t * x, axis=1)
    B = A * 2.0
    row = B.T[0]
    row *= y[0]
    B.T[1] = y[1] * B[:, 0]
    return np.sum(B * A) + np.sum(np.transpose(B)[1:] ** 2)


def reshaped(A, x):
    y = A.reshape(3, 2)
    z = np.zeros((2, 3))
    flat = z.ravel()
    for i in range(6):
        flat[i] = x[i] * A.ravel()[i] + np.sum(y[:, 0])
    s = np.sum(np.flip(x)[:3] * A.T.ravel()[:3] * A.flatten()[1])
    return s + np.sum(z * z * A) + np.sum(A[:, 1:].reshape(4) ** 3)


def joined(x, y, s):
    a = np.concatenate((x[1:], y, np.array([s, s * x[0]])))
    b = np.hstack((y, x))
    c = np.vstack((x, x * s))
    d = np.reshape(a, (2, 3))
    return np.sum(a * a * a) + np.sum(b * b) * s + np.sum(c * d)


def stacked_in_a_loop(x, n):
    rows = np.stack([x, x * x, np.sin(x)], axis=1)
    for k in range(n):
        rows = np.concatenate((rows[:, 1:], rows[:, :1] * rows[:, 1:2]), axis=1)
    return np.sum(rows**3) + np.column_stack((x, rows[:, 0]))[0, 1]


def by_rule(x, n):
    k = np.arange(n)
    E = np.eye(n) * x[0]
    E[1] += x * k
    D = np.diag(x * x)
    P = np.outer(x, x * x) + D * E
    return np.trace(P) * np.sum(P * E) + np.sum(np.diag(P) ** 2) + np.sum(0.1 * np.arange(1, n + 1) * x)


def under_other_names(A, x):
    B = upside_down(A) * on_the_diagonal(x) + np.fliplr(A) * A
    return np.sum(B * np.flip(A)) * np.sum(on_the_diagonal(B))


def at_least(x, y):
    A = np.atleast_2d(x) * np.atleast_1d(x[0])
    return np.sum(A * A) * np.sum(np.atleast_3d(x)) + np.sum(np.atleast_2d(y) * np.atleast_2d(A))


def medians(A, x):
    m = np.median(x)
    return m * m * np.sum(np.median(A * A, axis=0) * x) + np.sum(np.median(A, axis=1, keepdims=True) * A)


CASES = [
    case(medians, matrix(4, 3), vector(3)),
    case(medians, matrix(3, 4), vector(4), note="even"),
    case(under_other_names, matrix(3, 3), vector(3)),
    case(at_least, vector(3), 0.7),
    case(sums_along, matrix(3, 4)),
    case(three_axes, vector(12).reshape(2, 3, 2)),
    case(standardised, matrix(4, 3)),
    case(guarded, np.array([[0.1, 0.0], [2.0, -1.0], [0.6, 0.8]])),
    case(largest, matrix(3, 4)),
    case(drawdown, vector(6)),
    case(products, vector(4), matrix(2, 3)),
    case(products, np.array([0.5, 0.0, 0.3, 0.0]), matrix(2, 3), note="zeros"),
    case(turned, matrix(3, 2), vector(3), full=True),
    case(reshaped, matrix(2, 3), vector(6)),
    case(joined, vector(3), vector(2, 1.1), 0.7),
    case(stacked_in_a_loop, vector(3), 3),
    case(by_rule, vector(3), 3),
]
