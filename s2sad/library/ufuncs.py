"""Methods of NumPy's elementwise functions: `np.add.at`, `np.multiply.outer`, `np.maximum.accumulate` and their like."""

from __future__ import annotations

import numpy as np

from s2sad.library.reducing import prod
from s2sad.library.table import times, written


@written("np.add.at")
def add_at(a, indices, b):
    for k in range(len(indices)):
        if np.ndim(b) == 0:
            a[indices[k]] += b
        else:
            a[indices[k]] += b[k]


@written("np.subtract.at")
def subtract_at(a, indices, b):
    for k in range(len(indices)):
        if np.ndim(b) == 0:
            a[indices[k]] -= b
        else:
            a[indices[k]] -= b[k]


@written("np.multiply.at")
def multiply_at(a, indices, b):
    for k in range(len(indices)):
        if np.ndim(b) == 0:
            a[indices[k]] *= b
        else:
            a[indices[k]] *= b[k]


@written("np.add.reduce")
def add_reduce(array, axis=0, *, keepdims=False):
    return np.sum(array, axis=axis, keepdims=keepdims)


@written("np.multiply.reduce")
def multiply_reduce(array, axis=0, *, keepdims=False):
    return prod(array, axis, keepdims)


@written("np.maximum.reduce")
def maximum_reduce(array, axis=0, *, keepdims=False):
    return np.max(array, axis=axis, keepdims=keepdims)


@written("np.minimum.reduce")
def minimum_reduce(array, axis=0, *, keepdims=False):
    return np.min(array, axis=axis, keepdims=keepdims)


@written("np.logical_and.reduce")
def and_reduce(array, axis=0):
    return np.all(array, axis=axis)


@written("np.logical_or.reduce")
def or_reduce(array, axis=0):
    return np.any(array, axis=axis)


@written("np.add.accumulate")
def add_accumulate(array, axis=0):
    return np.cumsum(array, axis=axis)


@written("np.multiply.accumulate")
def multiply_accumulate(array, axis=0):
    return np.cumprod(array, axis=axis)


@written("np.maximum.accumulate")
def maximum_accumulate(array, axis=0):
    out = array.copy()
    to = np.moveaxis(out, axis, 0)
    for k in range(1, len(to)):
        to[k] = np.maximum(to[k - 1], to[k])
    return out


@written("np.minimum.accumulate")
def minimum_accumulate(array, axis=0):
    out = array.copy()
    to = np.moveaxis(out, axis, 0)
    for k in range(1, len(to)):
        to[k] = np.minimum(to[k - 1], to[k])
    return out


def _stretched(a, count):
    for _ in times(count):
        a = np.expand_dims(a, -1)
    return a


@written("np.add.outer")
def add_outer(A, B):
    return _stretched(A, np.ndim(B)) + B


@written("np.subtract.outer")
def subtract_outer(A, B):
    return _stretched(A, np.ndim(B)) - B


@written("np.multiply.outer")
def multiply_outer(A, B):
    return _stretched(A, np.ndim(B)) * B


@written("np.divide.outer")
def divide_outer(A, B):
    return _stretched(A, np.ndim(B)) / B


@written("np.maximum.outer")
def maximum_outer(A, B):
    return np.maximum(_stretched(A, np.ndim(B)), B)


@written("np.minimum.outer")
def minimum_outer(A, B):
    return np.minimum(_stretched(A, np.ndim(B)), B)
