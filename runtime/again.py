"""What code made for a program calls to go through kept statements, backwards and forwards.

`at` and `more` are the places in the operands and in the constants. Plain Python, compiled where tapes are.
"""


def operand(primal, constants, index, at):
    """The value of an operand: in the vector of values, or among the constants."""
    return primal[index] if index != 0 else constants[at]


def back_sum(arguments, constants, partials, at, more):
    """Form the partial derivatives of a sum: its first operand, its first constant, how many operands it has."""
    size = int(constants[more - 1])
    more, at = more - 1, at - size
    for j in range(at, at + size):
        partials[j] = 1.0
        more -= arguments[j] == 0
    return at, more, size


def back_dot(arguments, constants, primal, partials, at, more):
    """The same of a product of two vectors."""
    size = int(constants[more - 1])
    more, at = more - 1, at - size
    for j in range(at, at + size):
        more -= arguments[j] == 0
    here = more
    for j in range(at, at + size, 2):
        one, other = arguments[j], arguments[j + 1]
        partials[j + 1] = operand(primal, constants, one, here)
        here += one == 0
        partials[j] = operand(primal, constants, other, here)
        here += other == 0
    return at, more, size


def on_sum(arguments, constants, primal, partials, count, at, more):
    """A sum once more, of so many operands: its value, and the next operand and constant."""
    value = 0.0
    for j in range(at, at + count):
        partials[j] = 1.0
        value += operand(primal, constants, arguments[j], more)
        more += arguments[j] == 0
    return value, at + count, more + 1


def on_dot(arguments, constants, primal, partials, count, at, more):
    """A product of two vectors once more."""
    value = 0.0
    for j in range(at, at + count, 2):
        one = operand(primal, constants, arguments[j], more)
        more += arguments[j] == 0
        other = operand(primal, constants, arguments[j + 1], more)
        more += arguments[j + 1] == 0
        partials[j], partials[j + 1] = other, one
        value += one * other
    return value, at + count, more + 1
