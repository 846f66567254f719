"""Values chosen by conditions and numbers."""

from __future__ import annotations

import numpy as np

from s2sad.library.table import is_complex, times, written


@written("np.select")
def select(condlist, choicelist, default=0):
    value = default
    for k in times(len(condlist)):
        value = np.where(condlist[-1 - k], choicelist[-1 - k], value)
    return value


@written("np.choose")
def choose(a, choices):
    if np.size(a) > 0:
        if np.min(a) < 0 or np.max(a) >= len(choices):
            raise ValueError("invalid entry in choice array")
    value = choices[-1]
    for k in times(len(choices)):
        value = np.where(a == len(choices) - 1 - k, choices[-1 - k], value)
    return value


@written("np.clip", only="a_min a_max min max none")
def clip(a, a_min=None, a_max=None, *, min=None, max=None):
    low = min if a_min is None else a_min
    high = max if a_max is None else a_max
    if low is None:
        return np.minimum(a, high)
    if high is None:
        return np.maximum(a, low)
    return np.clip(a, low, high)


@written("np.compress")
def compress(condition, a, axis=None):
    mask = np.asarray(condition) != 0
    if axis is None:
        return np.ravel(a)[: len(mask)][mask]
    return np.moveaxis(np.moveaxis(a, axis, 0)[: len(mask)][mask], 0, axis)


@written("np.extract")
def extract(condition, arr):
    return np.ravel(arr)[np.ravel(np.asarray(condition)) != 0]


@written("np.copyto")
def copyto(dst, src, *, where=None):
    if where is None:
        dst[...] = src
    else:
        dst[...] = np.where(where, src, dst)


@written("np.putmask")
def putmask(a, mask, values):
    a[...] = np.where(mask, values, a)


@written("np.nan_to_num", only="nan posinf neginf copy 3+")
def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    high = 1.7976931348623157e308 if posinf is None else posinf
    low = -1.7976931348623157e308 if neginf is None else neginf
    return np.where(np.isnan(x), nan, np.where(x == np.inf, high, np.where(x == -np.inf, low, x)))


@written("np.fix")
def fix(x):
    return np.trunc(x)


@written("np.round", "np.around")
def around(a, decimals=0):
    return np.round(a, decimals)


@written("np.real_if_close")
def real_if_close(a):
    return a


@written("np.divmod", "divmod")
def divmod(x1, x2):
    return x1 // x2, x1 % x2


@written("np.modf", "math.modf")
def modf(x):
    return np.fmod(x, 1.0), np.trunc(x)


@written("np.angle")
def angle(z, deg=False):
    factor = 180.0 / np.pi if deg else 1.0
    if np.ndim(z) == 0 or is_complex(z):
        return factor * np.arctan2(np.imag(z), np.real(z))
    return factor * np.where(z < 0.0, np.pi, 0.0)
