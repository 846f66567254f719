"""Arrays made by rule, and things that are arrays already."""

from __future__ import annotations

import numpy as np

from s2sad.library.table import room, several, unsupported, written


@written("np.linspace")
def linspace(start, stop, num=50, endpoint=True):
    steps = num - 1 if endpoint else num
    step = (stop - start) / max(steps, 1)
    out = np.empty(num)
    for k in range(num):
        out[k] = k * step + start
    if endpoint and num > 1:
        out[num - 1] = stop
    return out


@written("np.logspace")
def logspace(start, stop, num=50, endpoint=True, base=10.0):
    return base ** linspace(start, stop, num, endpoint)


@written("np.geomspace")
def geomspace(start, stop, num=50, endpoint=True):
    out = start * 10.0 ** linspace(0.0, np.log10(stop / start), num, endpoint)
    if num > 0:
        out[0] = start
    if endpoint and num > 1:
        out[num - 1] = stop
    return out


@written("np.asarray", "np.asanyarray")
def asarray(a, dtype=None):
    if several(a) or np.ndim(a) == 0:
        return np.array(a)
    if dtype is None or dtype == float or dtype == np.float64:  # noqa: E721
        return a
    unsupported("`dtype=` is supported for floats")


@written("np.ascontiguousarray")
def ascontiguousarray(a):
    return np.reshape(a, np.shape(a))


@written("np.vander")
def vander(x, N=None, increasing=False):
    n = len(x) if N is None else N
    out = np.empty((len(x), n))
    power = np.ones_like(x)
    for k in range(n):
        out[:, k if increasing else n - 1 - k] = power
        power = power * x
    return out


@written("np.astype")
def astype(x, dtype):
    if dtype == float or dtype == np.float64 or dtype == "float64":  # noqa: E721
        return np.float64(x)
    if dtype == np.float32 or dtype == "float32":
        return np.float32(x)
    if dtype == bool or dtype == np.bool_ or dtype == "bool":  # noqa: E721
        return x != 0
    if dtype == int or dtype == np.int64 or dtype == "int64":  # noqa: E721
        out = room(np.shape(x), 0)
        _whole_numbers(out, x)
        return out
    unsupported("arrays of float64, float32, int64 and bool are supported")


def _whole_numbers(to, come):
    for i in range(len(come)):
        if np.ndim(come) == 1:
            to[i] = int(come[i])
        else:
            _whole_numbers(to[i], come[i])
