"""Arrays of a shape that they have, as a rule, or are broadcast to."""

import numpy as np
from numba.extending import overload

from s2sad_runtime.compiled import jit


@jit(inner=True)
def common(n, m):
    """The length that axes of lengths n and m have together (ValueError where they have none)."""
    if n == m or m == 1:
        return n
    if n != 1:
        raise ValueError("operands could not be broadcast together")
    return m


def _laid(a, made):
    """A C-contiguous array under the type of `a`."""


@overload(_laid)
def _laid_as(a, made):
    if a.layout == "C":
        return lambda a, made: made
    if a.layout == "F":
        return lambda a, made: np.asfortranarray(made)
    return lambda a, made: made[::1]


@jit(inner=True)
def fitted(a, shape):
    """The array itself where it has that shape; else what it is broadcast to, copied (ValueError: it can't be)."""
    if a.shape == shape:
        return a
    return _laid(a, np.broadcast_to(a, shape).copy())


@jit(inner=True)
def room_for(a, shape):
    """The array itself where it has that shape; else zeros of that shape."""
    if a.shape == shape:
        return a
    return _laid(a, np.zeros(shape, a.dtype))
