"""Order, places and counts; questions; arrays made by rule; results that go into an array there is."""

import math

import numpy as np

from corpus.case import case, matrix, vector

CUBE = vector(24, 0.1).reshape(2, 3, 4) + 0.01 * np.arange(24.0).reshape(2, 3, 4)


def sorted_arrays(x, A, c):
    return (
        np.sum(np.sort(x) * np.arange(5))
        + np.sum(np.sort(A, axis=0) ** 2 * A)
        + np.sum(np.sort(A) * A)
        + np.sum(np.sort(c, axis=1) * c)
        + np.sum(np.sort(A, axis=None) ** 3)
    )


def by_order(x, A):
    return (
        np.sum(x[np.argsort(x)] * np.arange(5))
        + np.sum(np.take_along_axis(A, np.argsort(A, axis=0, kind="stable"), axis=0) * A)
        + A[np.argmax(A, axis=0)[0], 0]
        + np.sum(x * np.argsort(x))
        + A[0, np.argmin(A, axis=1)[0]] ** 2
        + x[x.argmax()] ** 2
    )


def partitioned(x, A):
    return (
        np.partition(x, 2)[2] ** 2
        + np.sum(np.partition(A, 1, axis=1)[:, 1] ** 2)
        + np.sum(x[np.argpartition(x, 1)][:1])
    )


def places_in_order(x, y):
    k = np.searchsorted(np.sort(x), y)
    j = np.digitize(y, np.sort(x)[:4])
    return np.sum(y * k) + np.sum(y * y * j) + y[0] * np.searchsorted(np.sort(x), y[0], side="right")


def where_not_zero(x, A):
    i, j = np.nonzero(A > 0)
    k = np.where(x > 0)[0]
    return (
        np.sum(A[i, j] ** 2)
        + np.sum(x[k] ** 3)
        + np.sum(x[np.flatnonzero(x < 0)])
        + np.sum(A * len(np.argwhere(A > 0.2)))
    )


def unique_values(x):
    return np.sum(np.unique(x) ** 2)


def interpolated(x, xp, fp, s):
    xs = np.cumsum(xp * xp)
    return (
        np.sum(np.interp(x, xs, fp) ** 2)
        + np.interp(s, xs, fp)
        + np.sum(np.interp(x, xs, fp, left=0.0, right=s) ** 3)
    )


def quantiles(x, A, q):
    return (
        np.quantile(x, 0.3) ** 2
        + np.percentile(x, 77.0)
        + np.sum(np.quantile(A, 0.6, axis=0) ** 2)
        + np.sum(np.percentile(A, np.array([10.0, 50.0]), axis=1) ** 2)
        + np.quantile(x, q) ** 3
        + np.sum(np.quantile(A, 0.5, axis=1, keepdims=True) * A)
    )


def histograms(x, w):
    h, e = np.histogram(x, bins=4, weights=w)
    g, _ = np.histogram(x, bins=3, range=(-1.0, 1.0), weights=w * w)
    b = np.bincount(np.array([0, 2, 2, 1, 0]), weights=w, minlength=5)
    n, _ = np.histogram(x, 4)
    d, ee = np.histogram(x, bins=3, density=True)
    return np.sum(h * h * e[1:]) + np.sum(g**3) + np.sum(b * b) * n[0] + np.sum(d * d) + ee[1]


def evenly(a, b):
    return (
        np.sum(np.linspace(a, b, 5) ** 2)
        + np.sum(np.linspace(a, b, 4, endpoint=False) ** 3)
        + np.sum(np.logspace(a, b, 3))
        + np.sum(np.geomspace(a * a + 1, b * b + 1, 4) ** 2)
    )


def as_arrays(x, s):
    return (
        np.sum(np.asarray(x) ** 2) * np.sum(np.asarray([s, s * s]))
        + np.sum(np.ascontiguousarray(x[::2]) ** 3)
        + np.sum(np.asarray(x, dtype=float))
    )


def of_math(x, s):
    return (
        math.dist((s, x[0]), (1.0, x[1]))
        + math.prod((s, x[0], x[1]))
        + math.hypot(s, x[0], x[1])
        + math.prod(x)
        + math.gamma(s) * math.lgamma(s + 1)
        + math.remainder(s * 3, 0.7 * x[0])
        + math.ldexp(s, 2)
        + (s if math.isclose(s, s) else 0.0)
    )


def elementwise(x, s):
    return (
        np.sum(np.logaddexp2(x, s))
        + np.sum(np.sinc(x) * x)
        + np.sinc(s)
        + np.sum(np.float_power(np.abs(x), s))
        + np.sum(np.heaviside(x, s) * x)
        + np.heaviside(s, 0.5) * s
        + np.sum(np.i0(x))
        + np.sum(np.where(np.signbit(x), x, x * x))
        + np.sum(np.where(np.logical_xor(x > 0, x > s), x**3, x))
        + np.sum(np.ldexp(x, 3))
    )


def sinc_near_zero(x):
    return np.sum(np.sinc(x) * np.arange(1, 4))


def into_arrays(x, y):
    z = np.empty(4)
    np.multiply(x, y, out=z)
    np.add(z, x, out=z)
    w = np.zeros(4)
    np.divide(x, y, out=w, where=y > 0)
    t = np.empty(4)
    np.exp(w, t)
    np.cumsum(t, out=w)
    return np.sum(z * z * w)


def into_arrays_made_there(x, y):
    """What is filled is what is given back, though it has no name."""
    q = np.divide(x, y, out=np.zeros_like(x), where=y > 0)
    r = np.multiply(q, x, np.full(len(x), 3.0))
    s = np.cumsum(r * r, out=np.empty(4))
    t = np.clip(x, 0.1, 0.6, out=x.copy())
    return np.sum(s * np.sqrt(np.abs(y), out=t * 2.0, where=y > 0.2)) + np.sum(np.maximum(q, t, out=r + q))


def methods(x, A):
    return (
        x.prod()
        + np.sum(A.swapaxes(0, 1)[0] ** 2)
        + np.sum(A[:1].squeeze(axis=0) ** 2)
        + np.sum(x.repeat(2) ** 2)
        + x.take(1)
        + (1.0 if (x > 0).any() else 2.0) * x[0]
        + x.argmin() * x[0]
        + np.sum(x.round(1) * x)
        + np.sum(A.astype(float) ** 2)
    )


def methods_of_functions(x, A):
    y = x.copy()
    np.add.at(y, np.array([0, 0, 2]), x[1:4] * 2)
    np.subtract.at(y, np.array([1, 1]), x[0])
    return (
        np.sum(y**2)
        + np.add.reduce(x)
        + np.sum(np.add.reduce(A, axis=0) ** 2)
        + np.multiply.reduce(x)
        + np.sum(np.add.accumulate(x) ** 2)
        + np.sum(np.multiply.outer(x, x[:2]) ** 2)
        + np.sum(np.subtract.outer(x, x) ** 2)
        + np.maximum.reduce(x)
        + np.sum(np.maximum.accumulate(x) ** 2)
        + np.sum(np.minimum.accumulate(x) * x)
    )


CASES = [
    case(sorted_arrays, vector(5), matrix(2, 3), CUBE),
    case(by_order, vector(5), matrix(2, 3)),
    case(partitioned, vector(5), matrix(2, 4)),
    case(places_in_order, vector(6), vector(3, 0.1)),
    case(where_not_zero, vector(5), matrix(2, 3)),
    case(unique_values, vector(5)),
    case(interpolated, np.array([0.1, 0.7, -2.0, 9.0]), vector(5) + 1.2, vector(5), 1.3),
    case(quantiles, vector(6), matrix(3, 4), 0.37),
    case(histograms, vector(5), vector(5, 1.0)),
    case(evenly, 0.3, 1.7),
    case(as_arrays, vector(5), 0.7),
    case(of_math, vector(3), 0.7),
    case(elementwise, vector(5), 0.7),
    case(sinc_near_zero, np.array([0.0, 1e-5, 0.3])),
    case(into_arrays, vector(4), vector(4, 1.0)),
    case(into_arrays_made_there, vector(4), vector(4, 1.0)),
    case(methods, vector(4), matrix(2, 3)),
    case(methods_of_functions, vector(5), matrix(2, 3)),
]
