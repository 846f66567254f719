"""Order: sorting by a permutation that is read off the values, places in sorted arrays, counts."""

from __future__ import annotations

import numpy as np

from s2sad.library.making import linspace
from s2sad.library.moving import exchanged
from s2sad.library.reducing import without
from s2sad.library.table import cleared, operation, room, several, times, unsupported, written


@written("np.sort")
def sort(a, axis=-1, kind=None):
    if axis is None:
        return sort(np.ravel(a))
    if np.ndim(a) == 1:
        return a[operation("argsort", a)]
    out = np.empty_like(a)
    _sort_lines(np.moveaxis(out, axis, -1), np.moveaxis(a, axis, -1))
    return out


def _sort_lines(to, come):
    if np.ndim(come) == 1:
        to[:] = come[operation("argsort", come)]
    else:
        for i in range(len(come)):
            _sort_lines(to[i], come[i])


@written("np.argsort")
def argsort(a, axis=-1, kind=None):
    if axis is None:
        return argsort(np.ravel(a), -1, kind)
    if np.ndim(a) == 1:
        return _order(a, kind)
    out = room(np.shape(a), 0)
    _order_lines(np.moveaxis(out, axis, -1), np.moveaxis(a, axis, -1), kind)
    return out


def _order(x, kind):
    if kind == "stable" or kind == "mergesort":
        return operation("argsort_stable", x)
    return operation("argsort", x)


def _order_lines(to, come, kind):
    if np.ndim(come) == 1:
        to[:] = _order(come, kind)
    else:
        for i in range(len(come)):
            _order_lines(to[i], come[i], kind)


@written("np.partition")
def partition(a, kth, axis=-1):
    if np.ndim(a) == 1:
        return a[operation("argpartition", a, kth)]
    out = np.empty_like(a)
    _part_lines(np.moveaxis(out, axis, -1), np.moveaxis(a, axis, -1), kth)
    return out


def _part_lines(to, come, kth):
    if np.ndim(come) == 1:
        to[:] = come[operation("argpartition", come, kth)]
    else:
        for i in range(len(come)):
            _part_lines(to[i], come[i], kth)


@written("np.argpartition")
def argpartition(a, kth, axis=-1):
    if np.ndim(a) != 1:
        unsupported("`np.argpartition` is supported for arrays of one dimension")
    return operation("argpartition", a, kth)


@written("np.argmax", only="axis keepdims 2+")
def argmax(a, axis=None, *, keepdims=False):
    out = room(exchanged(np.shape(a), axis, 1), 0)
    _max_lines(np.moveaxis(out, axis, -1), np.moveaxis(a, axis, -1))
    return out if keepdims else without(out, axis)


def _max_lines(to, come):
    if np.ndim(come) == 1:
        to[0] = operation("argmax", come)
    else:
        for i in range(len(come)):
            _max_lines(to[i], come[i])


@written("np.argmin", only="axis keepdims 2+")
def argmin(a, axis=None, *, keepdims=False):
    out = room(exchanged(np.shape(a), axis, 1), 0)
    _min_lines(np.moveaxis(out, axis, -1), np.moveaxis(a, axis, -1))
    return out if keepdims else without(out, axis)


def _min_lines(to, come):
    if np.ndim(come) == 1:
        to[0] = operation("argmin", come)
    else:
        for i in range(len(come)):
            _min_lines(to[i], come[i])


# ----- places ----------------------------------------------------------------------------------------------


@written("np.searchsorted")
def searchsorted(a, v, side="left"):
    if np.ndim(v) == 0:
        return _place(a, v, side)
    out = room(np.shape(v), 0)
    _place_all(out, a, v, side)
    return out


def _place(a, v, side):
    if side == "right":
        return operation("searchsorted_right", a, v)
    return operation("searchsorted", a, v)


def _place_all(to, a, v, side):
    for i in range(len(v)):
        if np.ndim(v) == 1:
            to[i] = _place(a, v[i], side)
        else:
            _place_all(to[i], a, v[i], side)


@written("np.digitize")
def digitize(x, bins, right=False):
    return searchsorted(bins, x, "left" if right else "right")


@written("np.nonzero")
def nonzero(a):
    places = operation("nonzero", np.ravel(a))
    made = ()
    for k in times(np.ndim(a)):
        rest = 1
        for length in np.shape(a)[np.ndim(a) - k :]:
            rest = rest * length
        made = (places // rest % np.shape(a)[np.ndim(a) - 1 - k], *made)
    return made


@written("np.where", only="1")
def where(condition):
    return nonzero(condition)


@written("np.flatnonzero")
def flatnonzero(a):
    return operation("nonzero", np.ravel(a))


@written("np.argwhere")
def argwhere(a):
    return np.stack(nonzero(a), 1)


@written("np.unique")
def unique(ar):
    ordered = sort(np.ravel(ar))
    first = np.ones(len(ordered), dtype=bool)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


@written("np.interp")
def interp(x, xp, fp, left=None, right=None):
    low = fp[0] if left is None else left
    high = fp[-1] if right is None else right
    if np.ndim(x) == 0:
        return _between(x, xp, fp, low, high)
    out = room(np.shape(x), fp, 1.0)
    _between_all(out, x, xp, fp, low, high)
    return out


def _between_all(to, x, xp, fp, low, high):
    for i in range(len(x)):
        if np.ndim(x) == 1:
            to[i] = _between(x[i], xp, fp, low, high)
        else:
            _between_all(to[i], x[i], xp, fp, low, high)


def _between(x, xp, fp, low, high):
    last = len(xp) - 1
    if x < xp[0]:
        y = low
    elif x > xp[last]:
        y = high
    else:
        k = operation("searchsorted_right", xp, x) - 1
        if k >= last:
            y = fp[last]
        else:
            y = (fp[k + 1] - fp[k]) / (xp[k + 1] - xp[k]) * (x - xp[k]) + fp[k]
    return y


# ----- quantiles and counts --------------------------------------------------------------------------------


@written("np.quantile")
def quantile(a, q, axis=None, *, method="linear", keepdims=False):
    if method != "linear":
        unsupported('`np.quantile` is supported with `method="linear"`')
    if axis is None:
        ordered = sort(np.ravel(a))
    else:
        ordered = np.moveaxis(sort(a, axis), axis, 0)
    if np.ndim(q) == 0:
        value = _cut(ordered, q)
        if not keepdims:
            return value
        return _kept(value, a, axis)
    if keepdims:
        unsupported("`keepdims=` with several quantiles is not supported")
    out = room((len(q), *np.shape(ordered)[1:]), ordered, 1.0)
    for k in range(len(q)):
        out[k] = _cut(ordered, q[k])
    return out


def _kept(value, a, axis):
    if axis is not None:
        out = room(exchanged(np.shape(a), axis, 1), value)
        to = np.moveaxis(out, axis, 0)
        to[0] = value
        return out
    shape = ()
    for _ in times(np.ndim(a)):
        shape = (*shape, 1)
    return np.full(shape, value)


def _cut(ordered, q):
    last = len(ordered) - 1
    place = q * last
    k = int(np.floor(place))
    t = place - k
    low, high = ordered[k], ordered[min(k + 1, last)]
    if t >= 0.5:
        return high - (high - low) * (1.0 - t)
    return low + (high - low) * t


@written("np.percentile")
def percentile(a, q, axis=None, *, method="linear", keepdims=False):
    if several(q):
        q = np.array(q)
    return quantile(a, q / 100, axis, method=method, keepdims=keepdims)


@written("np.bincount")
def bincount(x, weights=None, minlength=0):
    n = minlength
    for i in range(len(x)):
        n = max(n, x[i] + 1)
    if weights is None:
        out = cleared(n, 0)
        for i in range(len(x)):
            out[x[i]] += 1
        return out
    out = np.zeros(n)
    for i in range(len(x)):
        out[x[i]] += weights[i]
    return out


@written("np.histogram")
def histogram(a, bins=10, range=None, density=False, weights=None):
    x = np.ravel(a)
    if np.ndim(bins) > 0:
        edges = bins
    else:
        low, high = (0.0, 1.0) if range is None else range
        if range is None and len(x) > 0:
            low, high = np.min(x), np.max(x)
        if low > high:
            raise ValueError("max must be larger than min in range parameter.")
        if low == high:
            low, high = low - 0.5, high + 0.5
        edges = linspace(low, high, bins + 1)
    counts = _counts(x, edges) if weights is None else _weighted(x, edges, np.ravel(weights))
    if density:
        return counts / np.diff(edges) / np.sum(counts), edges
    return counts, edges


def _counts(x, edges):
    n = len(edges) - 1
    out = cleared(n, 0)
    for i in range(len(x)):
        if edges[0] <= x[i] <= edges[n]:
            out[min(operation("searchsorted_right", edges, x[i]) - 1, n - 1)] += 1
    return out


def _weighted(x, edges, weights):
    n = len(edges) - 1
    out = np.zeros(n)
    for i in range(len(x)):
        if edges[0] <= x[i] <= edges[n]:
            out[min(operation("searchsorted_right", edges, x[i]) - 1, n - 1)] += weights[i]
    return out
