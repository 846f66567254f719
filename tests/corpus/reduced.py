"""Reductions in the forms that are not a single operation, sums of products along an array."""

import numpy as np

from corpus.case import case, matrix, vector

CUBE = vector(24, 0.1).reshape(2, 3, 4) + 0.01 * np.arange(24.0).reshape(2, 3, 4)


def sums_over_several_axes(c):
    return (
        np.sum(np.sum(c * c, axis=(0, 2)) ** 2)
        + np.sum(c * c, axis=(0, 1, 2)) * np.sum(c, where=c > 0)
        + np.sum(np.sum(c, axis=(0, 1), keepdims=True) * c)
        + np.sum(c, initial=2.0) ** 2
    )


def products(x, c):
    return (
        np.prod(x)
        + np.sum(np.prod(c, axis=1) ** 2)
        + np.sum(np.prod(c, axis=(0, 1)) * 3)
        + np.sum(np.prod(c, axis=2, keepdims=True) * c)
        + np.prod(x, where=x > 0)
    )


def product_with_zeros(x):
    return np.prod(x)


def extremes(c):
    return (
        np.sum(np.max(c, axis=(0, 2)) ** 2)
        + np.min(c, initial=-2.0)
        + np.sum(np.min(c, axis=(1, 2)) ** 3)
        + np.ptp(c)
        + np.sum(np.ptp(c, axis=1) ** 2)
        + np.max(c, initial=-5.0, where=c < 0.5)
    )


def moments(c):
    return (
        np.sum(np.mean(c * c, axis=(0, 2)) ** 2)
        + np.mean(c, where=c > 0)
        + np.sum(np.var(c, axis=(0, 1), ddof=1))
        + np.sum(np.std(c, axis=(1, 2)) ** 3)
        + np.std(c, where=c > 0)
    )


def averages(x, A):
    return (
        np.average(x, weights=x * x)
        + np.sum(np.average(A, axis=1, weights=x[:3] ** 2) ** 2)
        + np.sum(np.average(A, axis=0, weights=A * A) ** 3)
        + np.average(x)
    )


def without_nan(x):
    y = np.where(x > 0.8, np.nan, x)
    return (
        np.nansum(y) ** 2
        + np.nanmean(y)
        + np.nanmax(y) * np.nanmin(y)
        + np.nanvar(y)
        + np.nanstd(y)
        + np.nanprod(y)
        + np.sum(np.nancumsum(y) ** 2)
    )


def differences(x, A):
    return (
        np.sum(np.diff(x, n=2) ** 3)
        + np.sum(np.diff(A, 2, axis=1) ** 2)
        + np.sum(np.diff(x, prepend=0.0) ** 2)
        + np.sum(np.ediff1d(A) ** 2)
    )


def trapezoids(x, A):
    return (
        np.trapezoid(x) ** 2
        + np.trapezoid(x * x, x=np.cumsum(x * x))
        + np.sum(np.trapezoid(A, dx=0.3, axis=0) ** 2)
        + np.sum(np.trapezoid(A, x=x[:3], axis=1) ** 2)
    )


def any_and_all(x, A):
    return (
        np.sum(np.where(np.any(A > 0.5, axis=0), x[:3], x[:3] ** 2))
        + (x[0] if np.all(x > -2) else 0.0)
        + (x[1] ** 2 if np.any(x > 5) else x[2])
        + (x[0] ** 2 if np.allclose(x, x) else 0.0)
        + np.sum(np.where(np.isclose(x, x[0]), x**2, x))
        + np.count_nonzero(x > 0) * x[0]
    )


def convolved(x, v):
    return (
        np.sum(np.convolve(x, v) ** 2)
        + np.sum(np.convolve(x, v, mode="same") ** 3)
        + np.sum(np.convolve(v, x, mode="valid") ** 2)
        + np.sum(np.correlate(x, v) ** 2)
        + np.sum(np.correlate(v, x, mode="same") ** 3)
        + np.sum(np.correlate(x, v, mode="full")[:2])
    )


def polynomials(p, x, s):
    return (
        np.polyval(p, s)
        + np.sum(np.polyval(p, x) ** 2)
        + np.sum(np.vander(x, 3) ** 2)
        + np.sum(np.vander(x, increasing=True)[:, 1] ** 3)
    )


def slopes(x, h):
    return (
        np.sum(np.gradient(x) ** 2 * x)
        + np.sum(np.gradient(x, h) ** 3)
        + np.sum(np.gradient(x, np.cumsum(x * x)) ** 2)
        + np.sum(np.gradient(x, 0.3, edge_order=2) ** 2)
        + np.sum(np.gradient(x, np.cumsum(x * x), edge_order=2) ** 2)
    )


def slopes_of_a_matrix(A):
    a, b = np.gradient(A)
    c = np.gradient(A, 0.5, axis=1)
    d, e = np.gradient(A, 0.5, 0.2)
    return np.sum(a * b * b) + np.sum(c**3) + np.sum(d * e)


def covariances(A, x, y):
    return (
        np.sum(np.cov(A) ** 2)
        + np.sum(np.corrcoef(A) ** 3)
        + np.cov(x)
        + np.sum(np.cov(x, y) ** 2)
        + np.sum(np.cov(A, rowvar=False, ddof=0)[0])
    )


CASES = [
    case(sums_over_several_axes, CUBE),
    case(products, vector(4), CUBE),
    case(product_with_zeros, np.array([0.5, 0.0, 0.3]), note="one"),
    case(product_with_zeros, np.array([0.0, 0.0, 0.3]), note="two"),
    case(extremes, CUBE),
    case(moments, CUBE, rounded=True),
    case(averages, vector(5), matrix(2, 3)),
    case(without_nan, vector(6)),
    case(differences, vector(6), matrix(2, 4)),
    case(trapezoids, vector(5), matrix(2, 3)),
    case(any_and_all, vector(5), matrix(2, 3)),
    case(convolved, vector(5), vector(3, 1.0)),
    case(polynomials, vector(3), vector(4), 0.7),
    case(slopes, vector(6), 0.3),
    case(slopes_of_a_matrix, matrix(3, 4)),
    case(covariances, matrix(3, 5), vector(4), vector(4, 0.8), rounded=True),
]
