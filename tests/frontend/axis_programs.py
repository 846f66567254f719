"""Programs inside the language: axes, shapes, arrays joined and made by rule."""

import numpy as np
from frontend.programs import A, X, program
from frontend.section_programs import C

M = np.sin(np.arange(300.0)).reshape(20, 15)

# ----- along axes --------------------------------------------------------------------------------------------


@program(A)
@program(M)
def along_axes(a):
    s = np.sum(a, 1) + np.max(a, axis=-1)
    return (
        np.sum(a, axis=0) * 2.0,
        np.sum(a, axis=1),
        s,
        a.min(axis=0),
        np.sum(a, axis=None),
        a.sum(axis=0)[1],
    )


@program(C)
def along_axes_of_three(c):
    return np.sum(c, axis=1), np.max(c, axis=0), c.sum(axis=2)[0], np.mean(c, axis=1)


@program(M)
@program(A)
def means(a):
    apart = a - np.mean(a, axis=1, keepdims=True)
    b = apart / np.std(a, axis=1, keepdims=True) + np.sum(a, axis=0, keepdims=True)
    return b, np.mean(a), a.mean(axis=0), np.var(a), a.std(), np.var(a[:, 0], ddof=1), np.var(a, axis=0)


@program(X)
@program(M[0])
def of_one_dimension(x):
    return np.mean(x[1:]), np.sum(x, axis=0), np.max(x, keepdims=True), x.var(), np.sum(x * x, axis=-1)


@program(np.arange(6).reshape(2, 3), A > 0.0)
def whole_numbers_along(k, b):
    return (
        np.sum(k, axis=0),
        np.sum(k, axis=1),
        np.sum(b, axis=1),
        np.cumsum(k),
        np.mean(k, axis=0),
        np.cumsum(b[0]),
    )


@program(X)
@program(M[0])
def running(x):
    level = np.cumsum(x * x * 0.3 + x)
    level[0] = 2.0
    return level, np.cumprod(x), np.diff(x), x.cumsum()[-1], np.diff(level[::-1])


@program(A)
@program(M)
def running_along(a):
    return (
        np.cumsum(a, axis=0),
        np.cumsum(a, axis=1),
        np.cumsum(a),
        np.diff(a, axis=0),
        np.diff(a),
        np.cumprod(a, axis=1),
    )


# ----- shapes ------------------------------------------------------------------------------------------------


@program(A)
def turned(a):
    t = a.T
    s = np.sum(t * t) + t[2, 1] + t.shape[0] + np.transpose(a)[0, 1] + a.T[1:, 0][0]
    b = a * 2.0
    row = b.T[0]
    row += 1.0
    c = b.T
    c[1] = s
    b[:, 2] = c[0]
    return b, c, t + c, np.sum(a[:, 1:].T, axis=0), b.transpose()[1]


@program(A, X)
def reshaped(a, x):
    b = a.reshape(3, 2) + np.reshape(a, (3, 2)) * a.reshape((3, -1))
    c = np.zeros((2, 2))
    flat = c.ravel()
    flat[1] = 3.0
    d = x[::-1].reshape(2, 2)
    return b, c, d, a.ravel()[4], np.sum(a.flatten()), a[:, 1:].ravel(), a.T.reshape(6), flat


@program(A, X)
def flipped(a, x):
    return (
        np.flip(x),
        np.flip(a),
        np.flip(a, 0),
        np.flipud(a),
        np.fliplr(a),
        np.expand_dims(x, 0),
        np.expand_dims(x, -1),
    )


# ----- joined ------------------------------------------------------------------------------------------------


@program(X, X[:2], 0.7)
def joined(x, y, s):
    a = np.concatenate((x[1:], y, np.array([s, s * x[0]])))
    b = np.hstack((y, x))
    c = np.vstack((x, x * s))
    d = np.stack([x, x[::-1]], axis=1)
    e = np.concatenate([c, d.T, c[:1]], axis=0)
    return (
        a,
        b,
        c,
        d,
        e,
        np.column_stack((x, x * 2.0)),
        np.vstack((c, x)),
        np.hstack((c, c)),
        np.stack((x, x)),
    )


@program(X, X[:2])
def not_alike(x, y):
    return np.stack((x, y))


@program(A)
def joined_along(a):
    return (
        np.concatenate((a, a * 2.0), axis=1),
        np.concatenate((a, a[:1])),
        np.concatenate((a, a[:, :1]), axis=-1),
    )


# ----- made by rule --------------------------------------------------------------------------------------------


@program(X, A, 3)
def by_rule(x, a, n):
    k = np.arange(n)
    s = x[k[1]] + np.sum(np.arange(1, n) * 0.5) + np.sum(np.arange(0.0, 1.0, 0.25) * x)
    e = np.eye(n) * x[0] + np.identity(3) + np.eye(2, 3)[0]
    return (
        s,
        e,
        np.outer(x, a[0]),
        np.trace(e),
        np.diag(x),
        np.diag(e),
        np.diagonal(a),
        k,
        np.arange(n, 0, -2),
    )


# ----- arrays as subscripts --------------------------------------------------------------------------------------


@program(X, np.array([0, 2, 0, -1, 1]), A)
def picked(x, idx, a):
    y = x[idx]
    x[idx] = y * 2.0
    x[idx] += 1.0
    x[idx[:2]] -= x[1:3]
    x[[0, 1]] = 0.5
    x[idx] = np.array([0.25])
    b = a[idx % 2]
    c = a[:, idx % 3]
    a[idx % 2, 0] = y
    a[1, idx[:2]] *= 2.0
    a[:, idx[1:3]] = 3.0
    d = a[idx % 2, idx % 3] + a[idx % 2][0, 1]
    return y, b, c, d, x[idx.reshape(5, 1)], a[:, 1:][:, idx % 2], x[1:][idx[:1]]


@program(X, A)
def masked(x, a):
    big = x > 0.4
    y = x[big]
    z = x[x < 0.0]
    x[big] = y + 1.0
    x[x > 1.0] -= 0.5
    x[big] = 2.0
    a[a < 0.0] = 0.0
    w = a[a > 0.2]
    rows = a[:, 0] >= 0.0
    a[rows] *= 2.0
    a[rows, 1] = np.array([5.0])
    a[1:, 2:][a[1:, 2:] > 0.0] = -1.0
    return y, z, w, np.sum(x[big]), len(y), a[rows]
