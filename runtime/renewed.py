"""An array that is about to be overwritten: what it holds stays where it is, and it goes on in other memory."""

from s2sad_runtime.compiled import jit
from s2sad_runtime.records import _record, _room
from s2sad_runtime.views import address, code_of, itemsize, lay_like
from s2sad_runtime.words import copy_bytes


@jit(inner=True)
def renewed(arena, a, box):
    """Put `a` itself on top of the arena, whose memory it has; the array that it goes on as.

    What is around `box` (from and to, per axis) is as it was; what is in it is undefined, and is to be given values.
    """
    _record(arena, a.shape, code_of(a), address(a))
    made = lay_like(_room(arena, a.shape, code_of(a)), a.shape, a)
    source, target = address(a), address(made)
    width, size = a.shape[a.ndim - 1], itemsize(a)
    left = min(max(box[2 * a.ndim - 2], 0), width)
    right = max(min(box[2 * a.ndim - 1], width), left)
    for row in range(a.size // max(width, 1)):
        at = row * width * size
        if _inside(row, a, box):
            copy_bytes(target + at, source + at, left * size)
            at += right * size
            copy_bytes(target + at, source + at, (width - right) * size)
        else:
            copy_bytes(target + at, source + at, width * size)
    return made


@jit(inner=True)
def _inside(row, a, box):
    """Do the first axes of a row lie in the box?"""
    for axis in range(a.ndim - 2, -1, -1):
        i = row % a.shape[axis]
        row //= a.shape[axis]
        if i < box[2 * axis] or i >= box[2 * axis + 1]:
            return False
    return True
