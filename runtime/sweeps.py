"""Sweeps over one chunk of a tape, backwards and forwards; the chunks are taken one after the other.

A chunk is four arrays: the number of arguments per statement, left-hand indices (empty on a linear tape, whose
statements have the indices `first`, `first + 1`, ...), arguments and partials. The functions are plain Python, and are
compiled where tapes are.
"""


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


def reverse_several(sizes, left, arguments, partials, adjoints, first, w):
    """`reverse` for several directions at once: `adjoints` has them along its last axis, `w` is room for one row."""
    linear = left.size == 0
    directions = adjoints.shape[1]
    end = arguments.size
    for k in range(sizes.size - 1, -1, -1):
        begin = end - sizes[k]
        index = first + k if linear else left[k]
        some = 0.0
        for d in range(directions):
            w[d] = adjoints[index, d]
            some += abs(w[d])
            adjoints[index, d] = 0.0
        if some != 0.0:
            for j in range(begin, end):
                p = partials[j]
                target = arguments[j]
                for d in range(directions):
                    adjoints[target, d] += p * w[d]
        end = begin


def forward_several(sizes, left, arguments, partials, tangents, first, total):
    """`forward` for several directions at once."""
    linear = left.size == 0
    directions = tangents.shape[1]
    begin = 0
    for k in range(sizes.size):
        end = begin + sizes[k]
        for d in range(directions):
            total[d] = 0.0
        for j in range(begin, end):
            p = partials[j]
            source = arguments[j]
            for d in range(directions):
                total[d] += p * tangents[source, d]
        index = first + k if linear else left[k]
        for d in range(directions):
            tangents[index, d] = total[d]
        begin = end
