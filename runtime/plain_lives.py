"""The plain twins of `compiled_lives`."""

# ruff: noqa: D103 (what these do stands where they are compiled)

import numpy as np

from s2sad_runtime.lives import field_of, revive, settle

__all__ = ["bits_int", "entity", "field_of", "given_array", "int_bits", "ints_bits", "revive", "settle"]


def int_bits(n):
    return np.int64(n).view(np.float64)


def ints_bits(a):
    return a.astype(np.int64).view(np.float64)


def bits_int(x):
    return int(np.float64(x).view(np.int64))


def entity(heap, places, index, axes):
    start, *shape = places[index].tolist()
    return heap[start : start + _product(shape)].reshape(shape)


def given_array(data, here, axes):
    shape = [int(n) for n in data[here : here + axes]]
    start = here + axes
    return data[start : start + _product(shape)].reshape(shape)


def _product(shape):
    size = 1
    for n in shape:
        size *= n
    return size
