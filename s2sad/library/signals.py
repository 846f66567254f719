"""Sums of products along an array: convolutions, polynomials, differences that approximate derivatives, covariances."""

from __future__ import annotations

import numpy as np

from s2sad.library.table import early, several, times, unsupported, written


@written("np.convolve")
def convolve(a, v, mode="full"):
    n, m = len(a), len(v)
    full = _all_lags(a, v)
    less, more = min(n, m), max(n, m)
    if mode == "same":
        return full[(less - 1) // 2 : (less - 1) // 2 + more]
    if mode == "valid":
        return full[less - 1 : more]
    return full


def _all_lags(a, v):
    out = np.zeros(len(a) + len(v) - 1)
    for j in range(len(v)):
        out[j : j + len(a)] += v[j] * a
    return out


@written("np.correlate")
def correlate(a, v, mode="valid"):
    n, m = len(a), len(v)
    full = _all_lags(a, v[::-1])
    less, more = min(n, m), max(n, m)
    if mode == "same":
        start = (less - 1) // 2 if n >= m else less - 1 - (less - 1) // 2
        return full[start : start + more]
    if mode == "valid":
        return full[less - 1 : more]
    return full


@written("np.polyval")
def polyval(p, x):
    y = 0.0 * x
    for k in range(len(p)):
        y = y * x + p[k]
    return y


@written("np.gradient")
def gradient(f, *varargs, axis=None, edge_order=1):
    if axis is None and np.ndim(f) == 1:
        return _slope(f, spacing(varargs, 0), 0, edge_order)
    if axis is not None and not several(axis):
        return _slope(f, spacing(varargs, 0), axis, edge_order)
    along = axis if axis is not None else times(np.ndim(f))
    made = ()
    for k in times(len(along)):
        made = (*made, _slope(f, spacing(varargs, k), along[k], edge_order))
    return made


def spacing(varargs, k):
    """The distance, or the coordinates, along the k-th axis."""
    if len(varargs) == 0:
        return 1.0
    if len(varargs) == 1:
        return varargs[0]
    return varargs[k]


def _slope(f, h, axis, edge_order):
    out = np.empty(np.shape(f))
    to, y = np.moveaxis(out, axis, 0), np.moveaxis(f, axis, 0)
    n = len(y)
    if n < edge_order + 1:
        raise ValueError("Shape of array too small to calculate a numerical gradient")
    if np.ndim(h) == 0:
        to[1:-1] = (y[2:] - y[:-2]) / (2.0 * h)
        if edge_order == 1:
            to[0] = (y[1] - y[0]) / h
            to[n - 1] = (y[n - 1] - y[n - 2]) / h
        else:
            to[0] = -1.5 / h * y[0] + 2.0 / h * y[1] - 0.5 / h * y[2]
            to[n - 1] = 0.5 / h * y[n - 3] - 2.0 / h * y[n - 2] + 1.5 / h * y[n - 1]
        return out
    d = np.diff(h)
    for i in range(1, n - 1):
        p, q = d[i - 1], d[i]
        to[i] = -q / (p * (p + q)) * y[i - 1] + (q - p) / (p * q) * y[i] + p / (q * (p + q)) * y[i + 1]
    if edge_order == 1:
        to[0] = (y[1] - y[0]) / d[0]
        to[n - 1] = (y[n - 1] - y[n - 2]) / d[n - 2]
    else:
        p, q = d[0], d[1]
        to[0] = -(2.0 * p + q) / (p * (p + q)) * y[0] + (p + q) / (p * q) * y[1] - p / (q * (p + q)) * y[2]
        p, q = d[n - 3], d[n - 2]
        to[n - 1] = (
            q / (p * (p + q)) * y[n - 3]
            - (q + p) / (p * q) * y[n - 2]
            + (2.0 * q + p) / (q * (p + q)) * y[n - 1]
        )
    return out


@written("np.cov")
def cov(m, y=None, rowvar=True, bias=False, ddof=None):
    if y is not None:
        m = np.vstack((m, y))
    if np.ndim(m) == 1:
        apart = m - np.mean(m)
        return np.sum(apart * apart) / (len(m) - lost(bias, ddof))
    x = m if rowvar else m.T
    if np.shape(x)[0] == 1:
        raise ValueError("of one variable `np.cov` is a number: pass it as an array of one dimension")
    apart = x - np.mean(x, axis=1, keepdims=True)
    return np.dot(apart, apart.T) / (np.shape(x)[1] - lost(bias, ddof))


@early
def lost(bias: bool, ddof: int | None) -> int:
    return (0 if bias else 1) if ddof is None else ddof


@written("np.corrcoef")
def corrcoef(x, y=None, rowvar=True):
    c = cov(x, y, rowvar)
    if np.ndim(c) == 0:
        unsupported("`np.corrcoef` needs two variables or more")
    d = np.sqrt(np.diag(c))
    return c / d[:, None] / d[None, :]
