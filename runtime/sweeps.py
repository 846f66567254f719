"""Sweeps over one chunk of a tape, backwards and forwards; the chunks are taken one after the other.

A chunk is four arrays: the number of arguments per statement, left-hand indices (empty on a linear tape, whose
statements have the indices `first`, `first + 1`, ...), arguments and partials. The functions are plain Python; those of
one direction are compiled where tapes are.
"""

LANES = (4, 8, 16)  # directions in a row that there is compiled code for


def reverse(sizes, left, arguments, partials, adjoints, first):
    """Take every statement backwards: pass its adjoint on, and leave zero; nothing is done where it is zero."""
    linear = left.size == 0
    end = arguments.size
    for k in range(sizes.size - 1, -1, -1):
        begin = end - sizes[k]
        index = first + k if linear else left[k]
        w = adjoints[index]
        if w != 0.0:
            adjoints[index] = 0.0
            for j in range(begin, end):
                adjoints[arguments[j]] += partials[j] * w
        end = begin


def forward(sizes, left, arguments, partials, tangents, first):
    """Every statement's tangent from those of its arguments."""
    linear = left.size == 0
    begin = 0
    for k in range(sizes.size):
        end = begin + sizes[k]
        total = 0.0
        for j in range(begin, end):
            total += partials[j] * tangents[arguments[j]]
        tangents[first + k if linear else left[k]] = total
        begin = end


def reverse_several(sizes, left, arguments, partials, adjoints, first):
    """`reverse` for several directions at once: `adjoints` has them along its last axis."""
    linear = left.size == 0
    end = arguments.size
    for k in range(sizes.size - 1, -1, -1):
        begin = end - sizes[k]
        index = first + k if linear else left[k]
        w = adjoints[index].copy()
        if w.any():
            adjoints[index] = 0.0
            for j in range(begin, end):
                adjoints[arguments[j]] += partials[j] * w
        end = begin


def forward_several(sizes, left, arguments, partials, tangents, first):
    """`forward` for several directions at once."""
    linear = left.size == 0
    begin = 0
    for k in range(sizes.size):
        end = begin + sizes[k]
        tangents[first + k if linear else left[k]] = partials[begin:end] @ tangents[arguments[begin:end]]
        begin = end


def several(which, lanes):
    """The sweep, "reverse" or "forward", over rows of any number of lanes."""
    return reverse_several if which == "reverse" else forward_several
