"""The sweeps over a tape, compiled; those of several directions per width of a row."""

from s2sad_runtime import patterns, sweeps
from s2sad_runtime.compiled import jit
from s2sad_runtime.lanes import pass_on, take_in
from s2sad_runtime.sweeps import LANES

reverse = jit(nogil=True)(sweeps.reverse)
forward = jit(nogil=True)(sweeps.forward)
spread_chunk = jit(nogil=True)(patterns.spread_chunk)


def _back(lanes):
    @jit(nogil=True)
    def reverse_several(sizes, left, arguments, partials, adjoints, first):
        linear = left.size == 0
        end = arguments.size
        for k in range(sizes.size - 1, -1, -1):
            begin = end - sizes[k]
            index = first + k if linear else left[k]
            pass_on(adjoints, index, arguments, partials, begin, end, lanes)
            end = begin

    return reverse_several


def _on(lanes):
    @jit(nogil=True)
    def forward_several(sizes, left, arguments, partials, tangents, first):
        linear = left.size == 0
        begin = 0
        for k in range(sizes.size):
            end = begin + sizes[k]
            index = first + k if linear else left[k]
            take_in(tangents, index, arguments, partials, begin, end, lanes)
            begin = end

    return forward_several


SEVERAL = {("reverse", n): _back(n) for n in LANES} | {("forward", n): _on(n) for n in LANES}


def several(which, lanes):
    """The sweep, "reverse" or "forward", over rows of so many lanes."""
    return SEVERAL[which, lanes]
