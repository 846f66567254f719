"""Sums, products and their like in the forms that are not a single operation; means and quantiles."""

from __future__ import annotations

import numpy as np

from s2sad.library.moving import exchanged
from s2sad.library.table import axes_of, room, several, times, unsupported, written


def without(a, axis):
    """`a` without axes of length one."""
    for k in axes_of(axis, np.ndim(a)):
        a = np.moveaxis(a, k, 0)[0]
    return a


@written("np.sum", only="where initial axes")
def sum(a, axis=None, keepdims=False, initial=None, where=None):
    if where is not None:
        a = np.where(where, a, 0)
    if several(axis):
        for k in axes_of(axis, np.ndim(a)):
            a = np.sum(a, axis=k, keepdims=keepdims)
        total = a
    else:
        total = np.sum(a, axis=axis, keepdims=keepdims)
    if initial is None:
        return total
    return total + initial


@written("np.prod")
def prod(a, axis=None, keepdims=False, initial=1, where=None):
    if where is not None:
        a = np.where(where, a, 1)
    if axis is None and not keepdims:
        return initial * _product(np.ravel(a))
    for k in axes_of(axis, np.ndim(a)):
        a = _along(a, k, keepdims)
    return a * initial


def _product(x):
    total = 1
    for i in range(len(x)):
        total = total * x[i]
    return total


def _along(a, axis, keepdims):
    if np.ndim(a) == 1 and not keepdims:
        return _product(a)
    out = room(exchanged(np.shape(a), axis, 1), a)
    out[...] = 1
    to, come = np.moveaxis(out, axis, 0), np.moveaxis(a, axis, 0)
    for k in range(len(come)):
        to[0] *= come[k]
    if keepdims:
        return out
    return to[0].copy()


@written("math.prod")
def math_prod(iterable, *, start=1):
    total = start
    for value in iterable:
        total = total * value
    return total


@written("math.hypot", only="3+ 1 0")
def hypot(*coordinates):
    total = 0.0
    for value in coordinates:
        total = total + value * value
    return np.sqrt(total)


@written("math.dist")
def dist(p, q):
    total = 0.0
    for u, v in zip(p, q):
        total = total + (u - v) * (u - v)
    return np.sqrt(total)


@written("np.max", only="axes initial where")
def max(a, axis=None, keepdims=False, initial=None, where=None):
    if where is not None:
        a = np.where(where, a, initial)
    for k in axes_of(axis, np.ndim(a)):
        a = np.max(a, axis=k, keepdims=keepdims)
    if initial is None:
        return a
    return np.maximum(a, initial)


@written("np.min", only="axes initial where")
def min(a, axis=None, keepdims=False, initial=None, where=None):
    if where is not None:
        a = np.where(where, a, initial)
    for k in axes_of(axis, np.ndim(a)):
        a = np.min(a, axis=k, keepdims=keepdims)
    if initial is None:
        return a
    return np.minimum(a, initial)


@written("np.ptp")
def ptp(a, axis=None, keepdims=False):
    return np.max(a, axis=axis, keepdims=keepdims) - np.min(a, axis=axis, keepdims=keepdims)


@written("np.mean", only="axes where")
def mean(a, axis=None, keepdims=False, where=None):
    if where is not None:
        kept = np.where(where, 1.0, np.zeros_like(a))
        return np.sum(np.where(where, a, 0), axis=axis, keepdims=keepdims) / np.sum(
            kept, axis=axis, keepdims=keepdims
        )
    return np.sum(a, axis=axis, keepdims=keepdims) / count(a, axis)


def count(a, axis):
    """How many elements are put together."""
    n = 1
    for k in axes_of(axis, np.ndim(a)):
        n = n * np.shape(a)[k]
    return n


@written("np.var", only="axes where mean correction")
def var(
    a, axis=None, ddof=0, keepdims=False, where=None, mean=None, correction=0
):  # fmt: skip
    if where is not None:
        kept = np.sum(np.where(where, 1.0, np.zeros_like(a)), axis=axis, keepdims=True)
        middle = np.sum(np.where(where, a, 0), axis=axis, keepdims=True) / kept
        apart = np.where(where, a - middle, 0.0)
        total = np.sum(apart * apart, axis=axis, keepdims=True) / (kept - ddof - correction)
        return total if keepdims else without(total, axis)
    if mean is None:
        mean = np.mean(a, axis=axis, keepdims=True)
    apart = a - mean
    degrees = count(a, axis) - ddof - correction
    if degrees < 0:
        degrees = 0
    return np.sum(apart * apart, axis=axis, keepdims=keepdims) / degrees


@written("np.std", only="axes where mean correction")
def std(
    a, axis=None, ddof=0, keepdims=False, where=None, mean=None, correction=0
):  # fmt: skip
    return np.sqrt(var(a, axis, ddof, keepdims, where, mean, correction))


@written("np.average", only="weights returned 3+ axes")
def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    if weights is None:
        value, total = np.mean(a, axis=axis, keepdims=keepdims), 1.0 * count(a, axis)
    elif np.ndim(weights) < np.ndim(a):
        if keepdims:
            unsupported("`keepdims=` with weights along one axis is not supported")
        value, total = np.sum(np.moveaxis(a, axis, -1) * weights, axis=-1) / np.sum(weights), np.sum(weights)
    else:
        total = np.sum(weights, axis=axis, keepdims=keepdims)
        value = np.sum(a * weights, axis=axis, keepdims=keepdims) / total
    if returned:
        return value, total
    return value


# ----- without what is no number ---------------------------------------------------------------------------


@written("np.nansum")
def nansum(a, axis=None, keepdims=False):
    return np.sum(np.where(np.isnan(a), 0.0, a), axis=axis, keepdims=keepdims)


@written("np.nanprod")
def nanprod(a, axis=None, keepdims=False):
    return prod(np.where(np.isnan(a), 1.0, a), axis, keepdims)


@written("np.nanmax")
def nanmax(a, axis=None, keepdims=False):
    return np.max(np.where(np.isnan(a), -np.inf, a), axis=axis, keepdims=keepdims)


@written("np.nanmin")
def nanmin(a, axis=None, keepdims=False):
    return np.min(np.where(np.isnan(a), np.inf, a), axis=axis, keepdims=keepdims)


@written("np.nanmean")
def nanmean(a, axis=None, keepdims=False):
    there = np.sum(np.where(np.isnan(a), 0.0, 1.0), axis=axis, keepdims=keepdims)
    return np.sum(np.where(np.isnan(a), 0.0, a), axis=axis, keepdims=keepdims) / there


@written("np.nanvar")
def nanvar(a, axis=None, ddof=0, keepdims=False):
    there = np.sum(np.where(np.isnan(a), 0.0, 1.0), axis=axis, keepdims=True)
    middle = np.sum(np.where(np.isnan(a), 0.0, a), axis=axis, keepdims=True) / there
    apart = np.where(np.isnan(a), 0.0, a - middle)
    total = np.sum(apart * apart, axis=axis, keepdims=True) / (there - ddof)
    return total if keepdims else without(total, axis)


@written("np.nanstd")
def nanstd(a, axis=None, ddof=0, keepdims=False):
    return np.sqrt(nanvar(a, axis, ddof, keepdims))


@written("np.nancumsum")
def nancumsum(a, axis=None):
    return np.cumsum(np.where(np.isnan(a), 0.0, a), axis=axis)


@written("np.nancumprod")
def nancumprod(a, axis=None):
    return np.cumprod(np.where(np.isnan(a), 1.0, a), axis=axis)


# ----- along an axis ---------------------------------------------------------------------------------------


@written("np.diff", only="n 2+ prepend append")
def diff(a, n=1, axis=-1, prepend=None, append=None):
    if prepend is not None:
        a = np.concatenate((_plate(prepend, a, axis), a), axis)
    if append is not None:
        a = np.concatenate((a, _plate(append, a, axis)), axis)
    for _ in times(n):
        a = np.diff(a, axis=axis)
    return a


def _plate(value, a, axis):
    if np.ndim(value) > 0:
        return value
    out = room(exchanged(np.shape(a), axis, 1), value)
    out[...] = value
    return out


@written("np.ediff1d")
def ediff1d(ary):
    return np.diff(np.ravel(ary))


@written("np.trapezoid", "scipy.integrate.trapezoid")
def trapezoid(y, x=None, dx=1.0, axis=-1):
    y = np.moveaxis(y, axis, -1)
    if x is None:
        return np.sum(dx * (y[..., 1:] + y[..., :-1]) / 2.0, axis=-1)
    if np.ndim(x) > 1:
        x = np.moveaxis(x, axis, -1)
    return np.sum(np.diff(x) * (y[..., 1:] + y[..., :-1]) / 2.0, axis=-1)


@written("scipy.integrate.cumulative_trapezoid")
def cumulative_trapezoid(y, x=None, dx=1.0, axis=-1, initial=None):
    y = np.moveaxis(y, axis, -1)
    if x is None:
        total = np.cumsum(dx * (y[..., 1:] + y[..., :-1]) / 2.0, axis=-1)
    else:
        total = np.cumsum(np.diff(x) * (y[..., 1:] + y[..., :-1]) / 2.0, axis=-1)
    if initial is not None:
        total = np.concatenate((_plate(initial, total, -1), total), -1)
    return np.moveaxis(total, -1, axis)
