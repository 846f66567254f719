"""Arrays as subscripts: picked elements, masks."""

import numpy as np

from corpus.case import case, matrix, vector


def picked(x, idx, w):
    y = x[idx]
    return np.sum(y * y * w)


def rows_and_columns_picked(A, idx):
    rows = A[idx]
    s = np.sum(rows[:, 0] * A[:, idx % 2][1])
    return s + np.sum(A[idx, idx % 2] ** 3) + np.sum(A[0, idx % 2])


def written(x, idx, w):
    x[idx] = w * x[0]
    x[idx] += x[1] * w
    x[idx[1:]] *= x[:2]
    x[idx[0]] += 1.0
    return np.sum(x * x * x)


def masked(x, t):
    big = x > t
    y = x[big] * x[0]
    x[big] = y + np.sum(y)
    x[x < -0.5] *= x[1]
    x[x > 5.0] = t
    return np.sum(x * x) + np.sum(x[big] ** 3)


def rows_masked(A, t):
    A[A < 0.0] = 0.1 * t
    rows = A[:, 0] > 0.2
    A[rows] *= A[0]
    A[rows, 1] = t * A[0, 0]
    return np.sum(A[rows] ** 3) + np.sum(A * A)


def in_a_loop(x, idx, n):
    for k in range(n):
        y = x[idx]
        x[x > 0.3] = 0.9 * x[k]
        x[idx] += y * y[::-1]
    return np.sum(x * x)


def masked_behind_a_number(A, B, i):
    """A mask lies on its own axis; beside integers it stands for the places that it leaves in."""
    A[i, A[0] > 0.1] *= B[1, 0]
    A[1, A[i] < 0.1] = A[0, A[i] < 0.1] * B[0, 0]
    B[:, 1:][B[:, 0] > -2.0, 0] += A[0, 0]
    return np.sum(A[i, A[0] > 0.1] ** 3) + np.sum(A * A) + np.sum(B[1, B[1] < 5.0] * B[0])


def masked_beside_places(A, idx, w):
    rows = A[:, 0] > -2.0
    A[rows, idx] *= w
    A[idx, A[0] > -2.0] += A[rows, idx] * A[0, 0]
    return np.sum(A[rows, idx] ** 3 * w) + np.sum(A * A[1])


CASES = [
    case(masked_behind_a_number, matrix(2, 5), matrix(2, 3, 1.3), 1),
    case(masked_beside_places, matrix(3, 3), np.array([2, 0, 1]), vector(3, 1.1)),
    case(picked, vector(3), np.array([0, 2, 0, 0, 1]), vector(5, 1.1), full=True),
    case(rows_and_columns_picked, matrix(3, 2), np.array([2, 0, 0])),
    case(written, vector(5), np.array([3, 1, 3]), vector(3, 1.1)),
    case(masked, vector(6), 0.2),
    case(rows_masked, matrix(4, 3), 0.7),
    case(in_a_loop, vector(4), np.array([2, 0, 3, 3]), 3, full=True),
]
