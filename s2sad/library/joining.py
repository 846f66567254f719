"""Arrays joined and taken apart."""

from __future__ import annotations

import numpy as np

from s2sad.library.moving import exchanged
from s2sad.library.table import early, room, several, times, unsupported, written


@written("np.concatenate", only="none axis")
def concatenate(arrays, axis=0):
    if axis is None:
        flat = ()
        for array in arrays:
            flat = (*flat, np.ravel(array))
        return np.concatenate(flat)
    return np.concatenate(arrays, axis)


@written("np.dstack")
def dstack(tup):
    deep = ()
    for piece in tup:
        deep = (*deep, np.atleast_3d(piece))
    return np.concatenate(deep, 2)


@written("np.append")
def append(arr, values, axis=None):
    if axis is None:
        return np.concatenate((np.ravel(np.atleast_1d(arr)), np.ravel(np.atleast_1d(values))))
    return np.concatenate((arr, values), axis)


@written("np.insert")
def insert(arr, obj, values, axis=None):
    if axis is None:
        return _inserted(np.ravel(arr), obj, values, 0)
    return _inserted(arr, obj, values, axis)


def _inserted(arr, obj, values, axis):
    n = np.shape(arr)[axis]
    k = obj if obj >= 0 else obj + n
    come = np.moveaxis(arr, axis, 0)
    if np.ndim(values) == np.ndim(arr):
        filling = np.moveaxis(values, axis, 0)
        count = len(filling)
        out = room(exchanged(np.shape(arr), axis, n + count), arr, values)
        to = np.moveaxis(out, axis, 0)
        to[k : k + count] = filling
        to[k + count :] = come[k:]
    else:
        out = room(exchanged(np.shape(arr), axis, n + 1), arr, values)
        to = np.moveaxis(out, axis, 0)
        to[k] = values
        to[k + 1 :] = come[k:]
    to[:k] = come[:k]
    return out


@written("np.split")
def split(ary, indices_or_sections, axis=0):
    if several(indices_or_sections):
        return _parts(ary, indices_or_sections, axis)
    n = np.shape(ary)[axis]
    if n % indices_or_sections != 0:
        raise ValueError("array split does not result in an equal division")
    size = n // indices_or_sections
    ends = ()
    for k in times(less(indices_or_sections)):
        ends = (*ends, (k + 1) * size)
    return _parts(ary, ends, axis)


@early
def less(count: int) -> int:
    return count - 1


@written("np.array_split")
def array_split(ary, indices_or_sections, axis=0):
    if several(indices_or_sections):
        return _parts(ary, indices_or_sections, axis)
    n = np.shape(ary)[axis]
    size, more = n // indices_or_sections, n % indices_or_sections
    ends = ()
    for k in times(less(indices_or_sections)):
        ends = (*ends, (k + 1) * size + min(k + 1, more))
    return _parts(ary, ends, axis)


def _parts(ary, ends, axis):
    come = np.moveaxis(ary, axis, 0)
    starts, ends = (0, *ends), (*ends, np.shape(ary)[axis])
    made = ()
    for k in times(len(ends)):
        made = (*made, np.moveaxis(come[starts[k] : ends[k]], 0, axis))
    return made


@written("np.hsplit")
def hsplit(ary, indices_or_sections):
    return split(ary, indices_or_sections, 0 if np.ndim(ary) == 1 else 1)


@written("np.vsplit")
def vsplit(ary, indices_or_sections):
    return split(ary, indices_or_sections, 0)


@written("np.dsplit")
def dsplit(ary, indices_or_sections):
    return split(ary, indices_or_sections, 2)


@written("np.meshgrid")
def meshgrid(*xi, indexing="xy", sparse=False, copy=True):
    if sparse or not copy:
        unsupported("`np.meshgrid` makes full arrays here")
    shape = ()
    for k in times(len(xi)):
        shape = (*shape, np.size(xi[place(k, len(xi), indexing)]))
    made = ()
    for k in times(len(xi)):
        out = room(shape, xi[k])
        along = np.moveaxis(out, place(k, len(xi), indexing), -1)
        along[...] = xi[k]
        made = (*made, out)
    return made


@early
def place(k: int, count: int, indexing: str) -> int:
    return 1 - k if indexing == "xy" and count > 1 and k < 2 else k


@written("np.broadcast_arrays")
def broadcast_arrays(*args):
    dims = ()
    for a in args:
        dims = (*dims, np.ndim(a))
    ndim = most(dims)
    shape = ()
    for k in times(ndim):
        n = 1
        for a in args:
            if reaches(np.ndim(a), ndim, k):
                n = _common(n, np.shape(a)[k - ndim])
        shape = (*shape, n)
    made = ()
    for a in args:
        out = room(shape, a)
        out[...] = a
        made = (*made, out)
    return made


@early
def most(dims: tuple[int, ...]) -> int:
    return max(dims)


@early
def reaches(ndim: int, wanted: int, k: int) -> bool:
    return k >= wanted - ndim


def _common(n, m):
    return m if n == 1 else n
