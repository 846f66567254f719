"""What programs say: `print`, exceptions with values, `assert` with a message."""

import sys

import numpy as np

from corpus.case import case, vector


def prints(x, n):
    print("from", n, x, None, True)
    s = 1.0
    for k in range(n):
        s = s * (1.0 + x[k])
        print(k, s)
    print(f"{n} factors", x * 2.0)
    return s


def step(x):
    if x > 5.0:
        print("large", x)
        return 5.0 * x
    return x * x


def prints_in_a_callee(x):
    return step(step(x) + 3.0)


def raises_with_values(x, n):
    total = np.sum(x * x)
    if total > 100.0:
        raise ValueError("too large", total, n)
    if n < 0:
        raise IndexError(f"{n} is negative")
    assert n > 0, f"n = {n}"
    return total * n


def prints_tuples(x, n):
    u = x * 2.0
    print((n, u), "of", (x[0], (n, "a", None)))
    print((u[0],))
    if n > 3:
        raise ValueError("too many", (n, u), u)
    return np.sum(u * x)


class Refused(ValueError):
    """An exception of this module's own."""

    def __init__(self, what, size):
        super().__init__(what, size)
        self.size = size


class Stopped(Exception):
    """One without values."""


def checked(x, n):
    if n < 0:
        raise np.linalg.LinAlgError("negative")
    return x * n


def raises_its_own(x, n):
    y = checked(x, n)
    if n > 5:
        raise Refused("too many", n)
    for k in range(n):
        y = y * x
        if k == 4:
            raise Stopped from None
    return y


def raises_from(x, n):
    if n > 3:
        raise Refused("too many", n) from KeyError("n", n)
    return x**n


def prints_elsewhere(x, n):
    print("x", x, file=sys.stderr)
    print(n, file=sys.stdout, flush=True)
    return x**n


def prints_in_a_row(x, n):
    for k in range(n):
        print(k, x * k, sep="; ", end=" | ")
    print()
    return x * n


CASES = [
    case(prints_tuples, vector(3), 2, full=True),
    case(prints, vector(4), 4, full=True),
    case(prints, vector(4), 0, note="no trips"),
    case(prints_in_a_callee, 1.7),
    case(raises_its_own, 0.7, 3, full=True),
    case(raises_from, 0.7, 3, plain=True),
    case(prints_elsewhere, 0.7, 3, plain=True),
    case(raises_with_values, vector(4), 2, full=True),
]
