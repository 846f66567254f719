"""Elements moved about, arrays joined and taken apart, values chosen: functions of the library."""

import numpy as np

from corpus.case import case, matrix, vector

CUBE = vector(24, 0.1).reshape(2, 3, 4) + 0.01 * np.arange(24.0).reshape(2, 3, 4)


def rolled(x):
    return np.sum(np.roll(x, 2) ** 2 * x)


def rolled_along(A):
    return (
        np.sum(np.roll(A, 1, axis=1) * A)
        + np.sum(np.roll(A, (1, -1), axis=(0, 1)) ** 3 * A)
        + np.sum(np.roll(A, 1) * A)
    )


def turned_by_quarters(A):
    return (
        np.sum(np.rot90(A) * A.T)
        + np.sum(np.rot90(A, 2) * A)
        + np.sum(np.rot90(A, 3)[0] ** 2)
        + np.sum(np.rot90(A, -1)[1] ** 3)
    )


def flipped_along_two(c):
    return np.sum(np.flip(c, (0, 2)) * c * c)


def axis_rolled(c):
    return np.sum(np.rollaxis(c, 2)[0] ** 2) + np.sum(np.rollaxis(c, 0, 3)[1] ** 3)


def squeezed(c):
    return np.sum(np.squeeze(c[:1], axis=0) ** 2 * c[1]) + np.squeeze(c[0, :1, :1], axis=(0, 1)) ** 2


def repeated(x, A):
    return (
        np.sum(np.repeat(x, 2) * np.repeat(x * x, 2))
        + np.sum(np.repeat(A, 3, axis=1) ** 2)
        + np.sum(np.repeat(A, np.array([1, 2]), axis=0) ** 3)
        + np.sum(np.repeat(A, 2) ** 2)
    )


def tiled(x, A):
    return (
        np.sum(np.tile(x, 3) ** 2 * np.tile(x, 3))
        + np.sum(np.tile(A, (2, 1)) ** 2)
        + np.sum(np.tile(x, (2, 2))[1] ** 3)
    )


def broadcast(x, A):
    return np.sum(np.broadcast_to(x, (2, 3)) * A) + np.sum(np.broadcast_to(x[0], (3,)) * x)


def padded(x):
    return (
        np.sum(np.pad(x, 2) ** 2)
        + np.sum(np.pad(x, (1, 2), mode="edge") ** 2)
        + np.sum(np.pad(x, (3, 2), mode="reflect") ** 3)
        + np.sum(np.pad(x, 2, mode="symmetric") ** 2)
        + np.sum(np.pad(x, (2, 1), mode="wrap") ** 3)
    )


def padded_matrix(A, s):
    return (
        np.sum(np.pad(A, ((1, 0), (0, 2))) ** 2 * 1.5)
        + np.sum(np.pad(A, 1, mode="edge") ** 3)
        + np.sum(np.pad(A, ((1, 1), (2, 0)), constant_values=3.0) ** 2)
    )


def taken(x, A):
    return (
        np.sum(np.take(x, np.array([2, 0, 1])) * x)
        + np.sum(np.take(A, np.array([1, 1, 0]), axis=1) ** 2)
        + np.take(x, 1)
        + np.sum(np.take(A, 1, axis=0) ** 2)
        + np.sum(x.take(np.array([2, 0, 1])) ** 3)
    )


def taken_along(A):
    return np.sum(np.take_along_axis(A, np.argsort(A, axis=1), axis=1) * A)


def put(x):
    y = x * 2.0
    np.put(y, np.array([0, 2]), x[1])
    np.put(y, 1, x[0] * x[1])
    return np.sum(y * y * x)


def put_into_a_matrix(A):
    B = A * 2.0
    np.put(B, np.array([1, 4]), A[0, :2])
    np.fill_diagonal(B, A[0, 1])
    np.put_along_axis(B, np.array([[0], [1]]), A[:, :1] ** 2, axis=1)
    return np.sum(B * B * A)


def deleted(x, A):
    return np.sum(np.delete(x, 1) ** 2) + np.sum(np.delete(A, 0, axis=1) ** 3)


def appended(x, y, A):
    return (
        np.sum(np.append(x, y) ** 2)
        + np.sum(np.append(A, A * 2, axis=0) ** 3)
        + np.sum(np.append(x, y[0]) ** 3)
        + np.sum(np.dstack((A, A * A)) ** 2)
        + np.sum(np.concatenate((A, A[:1]), axis=None) ** 2)
    )


def inserted(x):
    return np.sum(np.insert(x, 1, x[0] * x[1]) ** 2 * 2) + np.sum(np.insert(x, 2, x) ** 3)


def split(x, A):
    a, b, c = np.split(x, 3)
    d, e = np.hsplit(A, 2)
    f, g = np.array_split(x, 2)
    p = np.split(x, [1, 3])
    return (
        np.sum(a * b * c)
        + np.sum(d * e * e)
        + np.sum(f) ** 2 * np.sum(g)
        + np.sum(p[1] ** 2) * p[0][0]
        + np.sum(np.vsplit(A, 2)[1] ** 3)
    )


def grid(x, y):
    X, Y = np.meshgrid(x, y)
    P, Q = np.meshgrid(x, y, indexing="ij")
    return np.sum(X * Y * Y) + np.sum(P * P * Q)


def broadcast_together(x, A):
    a, b = np.broadcast_arrays(x, A)
    return np.sum(a * b * b)


def selected(x):
    return np.sum(np.select([x < -0.3, x < 0.4], [x * x, x**3], x * 2.0)) + np.sum(
        np.choose(np.array([0, 1, 2, 0, 1, 0]), (x, x * x, x**3))
    )


def clipped_on_one_side(x):
    return (
        np.sum(np.clip(x, None, 0.2) ** 2)
        + np.sum(np.clip(x, -0.1, None) ** 3)
        + np.sum(np.clip(x, a_min=-0.3, a_max=0.3) * x)
    )


def compressed(x, A):
    return (
        np.sum(np.compress(x > 0, x) ** 2)
        + np.sum(np.extract(A > 0, A) ** 3)
        + np.sum(np.compress(np.array([True, False]), A, axis=0) ** 2)
    )


def copied_into(x):
    y = np.zeros(6)
    np.copyto(y, x * x)
    np.copyto(y, x**3, where=x > 0)
    return np.sum(y * x)


def rounded(x):
    return (
        np.sum(np.nan_to_num(x) ** 2)
        + np.sum(np.fix(x * 3) * x)
        + np.sum(np.round(x, 1) * x)
        + np.sum(np.around(x) * x)
    )


def divided(x, s):
    a, b = np.divmod(s * 5, 1.3)
    c, d = np.modf(s * 3)
    return a * b + c * d * b + np.angle(s)


CASES = [
    case(rolled, vector(5)),
    case(rolled_along, matrix(2, 3)),
    case(turned_by_quarters, matrix(3, 3)),
    case(flipped_along_two, CUBE),
    case(axis_rolled, CUBE, rounded=True),
    case(squeezed, CUBE),
    case(repeated, vector(3), matrix(2, 2)),
    case(tiled, vector(3), matrix(2, 2)),
    case(broadcast, vector(3), matrix(2, 3)),
    case(padded, vector(5)),
    case(padded_matrix, matrix(2, 3), 0.5),
    case(taken, vector(3), matrix(2, 3)),
    case(taken_along, matrix(2, 3)),
    case(put, vector(4)),
    case(put_into_a_matrix, matrix(2, 3)),
    case(deleted, vector(4), matrix(2, 3)),
    case(appended, vector(3), vector(2), matrix(2, 3)),
    case(inserted, vector(4)),
    case(split, vector(6), matrix(2, 4)),
    case(grid, vector(3), vector(2)),
    case(broadcast_together, vector(3), matrix(2, 3)),
    case(selected, vector(6)),
    case(clipped_on_one_side, vector(6)),
    case(compressed, vector(5), matrix(2, 3)),
    case(copied_into, vector(6)),
    case(rounded, vector(5)),
    case(divided, vector(3), 0.7),
]
