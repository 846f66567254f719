"""Elements moved about: rolled, turned, repeated, padded, taken; axes that come and go."""

from __future__ import annotations

import numpy as np

from s2sad.library.table import axes_of, early, pair, room, several, times, unsupported, written


@written("np.roll")
def roll(a, shift, axis=None):
    if axis is None:
        return np.reshape(_rolled(np.ravel(a), shift, 0), np.shape(a))
    if several(axis):
        shifts = _each(shift, axis)
        for k in times(len(axis)):
            a = _rolled(a, shifts[k], axis[k])
        return a
    return _rolled(a, shift, axis)


def _each(value, axis):
    if several(value):
        return value
    return (value,) * len(axis)


def _rolled(a, shift, axis):
    out = np.empty_like(a)
    n = np.shape(a)[axis]
    k = shift % max(n, 1)
    to, come = np.moveaxis(out, axis, 0), np.moveaxis(a, axis, 0)
    to[k:] = come[: n - k]
    to[:k] = come[n - k :]
    return out


@written("np.rot90")
def rot90(m, k=1, axes=(0, 1)):
    turns = quarter(k)
    if turns == 0:
        return m
    if turns == 1:
        return np.swapaxes(np.flip(m, axes[1]), axes[0], axes[1])
    if turns == 2:
        return np.flip(np.flip(m, axes[0]), axes[1])
    return np.flip(np.swapaxes(m, axes[0], axes[1]), axes[1])


@early
def quarter(turns: int) -> int:
    return turns % 4


@written("np.flip", only="axes")
def flip(m, axis=None):
    for k in axis:
        m = np.flip(m, k)
    return m


@written("np.rollaxis")
def rollaxis(a, axis, start=0):
    return np.moveaxis(a, axis, rolled_to(axis, start, np.ndim(a)))


@early
def rolled_to(axis: int, start: int, ndim: int) -> int:
    axis, start = axis % ndim, start + ndim if start < 0 else start
    return start - 1 if axis < start else start


@written("np.squeeze")
def squeeze(a, axis=None):
    if axis is None:
        unsupported("`np.squeeze` needs `axis=` here: how many dimensions stay must be known")
    for k in axes_of(axis, np.ndim(a)):
        if np.shape(a)[k] != 1:
            raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
        a = np.moveaxis(a, k, 0)[0]
    return a


@written("np.repeat")
def repeat(a, repeats, axis=None):
    if axis is None:
        return _repeated(np.ravel(a), repeats, 0)
    return _repeated(a, repeats, axis)


def _repeated(a, repeats, axis):
    n = np.shape(a)[axis]
    if np.ndim(repeats) == 0:
        out = room(exchanged(np.shape(a), axis, n * repeats), a)
        to, come = np.moveaxis(out, axis, 0), np.moveaxis(a, axis, 0)
        for i in range(n):
            for j in range(repeats):
                to[i * repeats + j] = come[i]
        return out
    out = room(exchanged(np.shape(a), axis, np.sum(repeats)), a)
    to, come = np.moveaxis(out, axis, 0), np.moveaxis(a, axis, 0)
    k = 0
    for i in range(n):
        for _ in range(repeats[i]):
            to[k] = come[i]
            k += 1
    return out


def exchanged(shape, axis, length):
    """A shape with another length along an axis."""
    k = axis % len(shape)
    return (*shape[:k], length, *shape[k + 1 :])


@written("np.tile")
def tile(A, reps):
    counts = reps if several(reps) else (reps,)
    a = _with_axes(A, missing(len(counts), np.ndim(A)))
    first = np.ndim(a) - len(counts)
    for k in times(len(counts)):
        a = _tiled(a, counts[k], first + k)
    return a


@early
def missing(count: int, ndim: int) -> int:
    return max(0, count - ndim)


def _with_axes(a, count):
    for _ in times(count):
        a = np.expand_dims(a, 0)
    return a


def _tiled(a, count, axis):
    n = np.shape(a)[axis]
    out = room(exchanged(np.shape(a), axis, n * count), a)
    to, come = np.moveaxis(out, axis, 0), np.moveaxis(a, axis, 0)
    for j in range(count):
        to[j * n : (j + 1) * n] = come
    return out


@written("np.broadcast_to")
def broadcast_to(array, shape):
    out = room(shape, array)
    out[...] = array
    return out


@written("np.pad")
def pad(array, pad_width, mode="constant", *, constant_values=0):
    for k in times(np.ndim(array)):
        before, after = width(pad_width, k)
        array = _padded(array, before, after, mode, pair(width(constant_values, k)), k)
    return array


def width(widths, axis):
    """The pair that belongs to an axis, of what stands for all of them."""
    if not several(widths):
        return widths, widths
    if len(widths) == 1 and several(widths[0]):
        return widths[0]
    if several(widths[0]):
        return widths[axis]
    if len(widths) == 1:
        return widths[0], widths[0]
    return widths


def _padded(a, before, after, mode, values, axis):
    n = np.shape(a)[axis]
    out = room(exchanged(np.shape(a), axis, before + n + after), a)
    to, come = np.moveaxis(out, axis, 0), np.moveaxis(a, axis, 0)
    if mode == "constant":
        to[:before] = values[0]
        to[before : before + n] = come
        to[before + n :] = values[1]
    elif mode == "edge":
        to[:before] = come[:1]
        to[before : before + n] = come
        to[before + n :] = come[n - 1 :]
    elif mode == "wrap":
        for i in range(before + n + after):
            to[i] = come[(i - before) % n]
    elif mode == "reflect":
        for i in range(before + n + after):
            k = (i - before) % max(2 * n - 2, 1)
            to[i] = come[min(k, 2 * n - 2 - k)] if n > 1 else come[0]
    elif mode == "symmetric":
        for i in range(before + n + after):
            k = (i - before) % (2 * n)
            to[i] = come[min(k, 2 * n - 1 - k)]
    else:
        unsupported("this mode of `np.pad` is not supported")
    return out


@written("np.take")
def take(a, indices, axis=None):
    if axis is None:
        return np.ravel(a)[indices]
    k = axis % np.ndim(a)
    taken = np.moveaxis(a, k, 0)[indices]
    if np.ndim(indices) == 0:
        return taken
    inner = times(np.ndim(indices))
    return np.moveaxis(taken, inner, shifted(inner, k))


@early
def shifted(numbers: tuple[int, ...], by: int) -> tuple[int, ...]:
    return tuple(n + by for n in numbers)


@written("np.take_along_axis")
def take_along_axis(arr, indices, axis):
    if axis is None:
        return np.ravel(arr)[indices]
    out = room(np.shape(indices), arr)
    _take_lines(np.moveaxis(out, axis, -1), np.moveaxis(arr, axis, -1), np.moveaxis(indices, axis, -1))
    return out


def _take_lines(to, come, indices):
    if np.ndim(indices) == 1:
        for i in range(len(indices)):
            to[i] = come[indices[i]]
    else:
        if len(come) != len(indices):
            raise IndexError("shape mismatch: indexing arrays could not be broadcast together")
        for i in range(len(indices)):
            _take_lines(to[i], come[i], indices[i])


@written("np.put")
def put(a, ind, v):
    if np.ndim(ind) == 0:
        _put_at(a, ind % np.size(a), v)
    else:
        for k in range(len(ind)):
            if np.ndim(v) == 0:
                _put_at(a, ind[k] % np.size(a), v)
            else:
                _put_at(a, ind[k] % np.size(a), v[k % len(v)])


def _put_at(a, place, v):
    if np.ndim(a) == 1:
        a[place] = v
    else:
        rest = np.size(a) // len(a)
        _put_at(a[place // rest], place % rest, v)


@written("np.put_along_axis")
def put_along_axis(arr, indices, values, axis):
    filling = broadcast_to(values, np.shape(indices))
    _put_lines(np.moveaxis(arr, axis, -1), np.moveaxis(indices, axis, -1), np.moveaxis(filling, axis, -1))


def _put_lines(to, indices, come):
    if np.ndim(indices) == 1:
        for i in range(len(indices)):
            to[indices[i]] = come[i]
    else:
        for i in range(len(indices)):
            _put_lines(to[i], indices[i], come[i])


@written("np.fill_diagonal")
def fill_diagonal(a, val):
    for k in range(min(np.shape(a)[0], np.shape(a)[1])):
        if np.ndim(val) == 0:
            a[k, k] = val
        else:
            a[k, k] = val[k % len(val)]


@written("np.delete")
def delete(arr, obj, axis=None):
    if axis is None:
        return _deleted(np.ravel(arr), obj, 0)
    return _deleted(arr, obj, axis)


def _deleted(arr, obj, axis):
    n = np.shape(arr)[axis]
    k = obj % n
    out = room(exchanged(np.shape(arr), axis, n - 1), arr)
    to, come = np.moveaxis(out, axis, 0), np.moveaxis(arr, axis, 0)
    to[:k] = come[:k]
    to[k:] = come[k + 1 :]
    return out
