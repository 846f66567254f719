"""The plain twins of `compiled_lives`."""

# ruff: noqa: D103 (what these do stands where they are compiled)

import numpy as np

from s2sad_runtime.lives import field_of, revive, settle

__all__ = [
    "adjoint", "adjoint_room", "bits_int", "entity", "field_of", "given_array", "int_bits", "ints_bits", "revive",
    "settle",
]  # fmt: skip


def int_bits(n):
    return np.int64(n).view(np.float64)


def ints_bits(a):
    return a.astype(np.int64).view(np.float64)


def bits_int(x):
    return int(np.float64(x).view(np.int64))


def entity(heap, places, index, axes):
    start, *shape = places[index].tolist()
    return heap[start : start + _product(shape)].reshape(shape)


def adjoint_room():
    return []


def adjoint(room, places, bars, index, axes):
    if bars[index] == 0:
        room.append(np.zeros(int(places[index + 1, 0] - places[index, 0])))
        bars[index] = len(room)
    shape = places[index, 1:].tolist()
    return room[int(bars[index]) - 1][: _product(shape)].reshape(shape)


def given_array(data, here, axes):
    shape = [int(n) for n in data[here : here + axes]]
    start = here + axes
    return data[start : start + _product(shape)].reshape(shape)


def _product(shape):
    size = 1
    for n in shape:
        size *= n
    return size
