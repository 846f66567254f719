"""The plain twins of `parts`: numbers of entities of which names may look at parts."""

# ruff: noqa: D103 (what these do stands where they are compiled)

import numpy as np

__all__ = ["hold_part", "own_as", "part_at", "part_end", "part_new", "part_place", "part_share"]

GAPS = "an argument whose array other names share has to be C-contiguous: pass a copy"
WIDTH = "an array that other names look at parts of has to be of float64, int64, bool or complex128"


class Parts:
    """Entities by number: the index in a pool, where the memory begins, how many bytes it has."""

    def __init__(self, pool):
        self.pool, self.lives = pool, [(0, 0, 0)]

    def places(self):
        return self.pool.places()


def part_new(arena, pool, a):
    ways = [(n - 1) * stride for n, stride in zip(a.shape, a.strides, strict=True)]
    low, high = sum(min(way, 0) for way in ways), a.itemsize + sum(max(way, 0) for way in ways)
    pool.lives.append((pool.pool.new(), _address(a) + low, high - low))
    return len(pool.lives) - 1


def part_share(pool, number):
    pool.pool.share(pool.lives[number][0])
    return number


def part_end(pool, number):
    pool.pool.release(pool.lives[number][0])


def part_place(arena, places, number, like, layer, pool):
    index, begin, size = pool.lives[number]
    memory = places.at(index, np.broadcast_to(0.0, ((size + 7) // 8,)), layer)
    if like.size == 0:
        return np.zeros(like.shape, like.dtype)
    return np.ndarray(like.shape, like.dtype, memory, _address(like) - begin, like.strides)


def part_at(places, number, array, layer, like):
    memory = array.ravel("K")
    longer = [k for k, n in enumerate(like.shape) if n > 1]
    if any(like.strides[k] != array.strides[k] for k in longer) or not np.may_share_memory(memory, array):
        raise ValueError(GAPS)
    places[layer, number] = memory


def own_as(arena, a):
    return np.array(a, order="K")


def hold_part(arena, a):
    if a.dtype not in (np.float64, np.int64, np.bool_, np.complex128):
        raise TypeError(WIDTH)
    arena.append(a)


def _address(a):
    return a.__array_interface__["data"][0]
