"""Control flow."""

import math
import sys

import numba
import numpy as np

from language.row import no, yes
from s2sad import checkpoint


def branches(x):
    """`if`, `elif`, `else`, ternaries"""
    y = x * x if x > 0.5 else 1.0
    if x > 2.0:
        y = 0.0
    elif x > 0.0:
        y = np.sin(y)
    return y


def comparisons(x):
    """`a < b <= c`, `and`, `or`, `not`

    each operand is evaluated once, and only where Python does
    """
    return x * x if 0.0 < x <= 1.0 and not (x == 0.5 or x > 2.0) else x


def early_return(x):
    """`return` anywhere, also inside loops"""
    for k in range(5):
        x = x * 1.5
        if x > k:
            return x * x
    return x


def for_range(x, n):
    """`for i in range(start, stop, step)`

    any integers, no trips, downwards; `i` may be read behind the loop and bound anew inside
    """
    for i in range(n, 0, -2):
        x = x * x + i
        i = i + 1
    return x * i


def for_prange(u, c):
    """`for i in numba.prange(n)`

    in threads with `parallel=True`, backwards too where iterations allow it
    """
    s = 0.0
    for i in numba.prange(len(u)):
        s += np.sin(c * u[i])
    return s


def loop_else(u, limit):
    """`break`, `continue`, `else` of a loop"""
    s = 1.0
    for v in u:
        if v < 0.0:
            continue
        if v > limit:
            break
        s = s * v
    else:
        s = s * 2.0
    return s


def while_loop(x):
    """`while`, also `while True` with an exit"""
    while True:
        x = x * x + 0.1
        if x > 1.0:
            break
    while x > 0.3:
        x = x * 0.5
    return x


def for_array(u, A):
    """`for v in x` over an array, a list, a tuple

    rows of a matrix are views
    """
    s = 0.0
    for v in u:
        s += v * v
    for row in A:
        s += row[0] * row[1]
    for v in (s, 2.0, s * s):
        s += v
    return s


def helpers_of_loops(u, w):
    """`enumerate`, `zip`, `reversed`"""
    s = 0.0
    for i, (a, b) in enumerate(zip(u, w, strict=False), 1):
        s += i * a * b
    for v in reversed(u):
        s = s * v
    return s


def match_values(x, k):
    """`match` on values, with alternatives, guards, `_` and a name for what is left"""
    match k:
        case 0:
            return x
        case 1 | 2 if x > 0.0:
            return x * x
        case n:
            return x * n


class TooLarge(Exception):
    pass


def asserted(x, n):
    """`assert`, `raise` of exceptions, your own too, with text, numbers, arrays, tuples and f-strings

    comes through unchanged
    """
    assert x > 0.0, "x must be positive"
    if x > 100.0:
        raise TooLarge("too large", x, f"n = {n}")
    return math.log(x) * n


def walrus(x):
    """`:=`"""
    k = 0
    while (y := x * 0.5) > 0.1 and k < 3:
        x = y
        k += 1
    return x * y


def deleted(x):
    """`del` of a name, `pass`, annotations of names"""
    y: float = x * x
    z = y * x
    del y
    return z


def endless(x):
    """a loop that nothing leaves"""
    while True:
        x = x * 0.5


def tried(x):
    """`try`"""
    try:
        y = math.log(x)
    except ValueError:
        y = 0.0
    return y


def with_block(x):
    """`with`, apart from `s2sad.checkpoint()`"""
    with np.errstate(all="ignore"):
        return x * x


def match_parts(x):
    """`match` with patterns that look into a value"""
    match (x, 1):
        case (a, 1):
            return a
    return x


def generated(x):
    """`yield`, `await`"""
    yield x


def imported(x):
    """`import` inside a function"""
    import math as m

    return m.sin(x)


def printed(x, n):
    """`print` of numbers, arrays, text and tuples

    on the way forward only
    """
    print("x =", x, f"n = {n}")
    return x * n


def printed_with_a_format(x):
    """f-strings of reals, and formats, in `print` and exceptions"""
    print(f"x = {x:.3f}")
    return x * x


def printed_apart(x):
    """`sep=`, `end=`, `flush=` and `file=sys.stderr` of `print`"""
    print("x", x, sep=": ", end="; ", flush=True)
    print("x", x, file=sys.stderr)
    return x * x


def raised_from(x):
    """`raise ... from ...`"""
    if x < 0.0:
        raise TooLarge("negative") from ValueError(x)
    return x * x


def printed_again(x):
    """`print` in a stretch that is run again

    print outside of it
    """
    with checkpoint():
        y = x * x
        print(y)
    return y


def asked(x):
    """`input`, `open`"""
    return x * float(input())


def unbound(x):
    """a name without a value on some path"""
    if x > 0.0:
        y = x
    return y


ROWS = [
    yes(branches, 0.7),
    yes(comparisons, 0.7),
    yes(early_return, 0.7),
    yes(for_range, 0.7, 5),
    yes(for_prange, np.array([0.7, -0.2, 1.5]), 0.5),
    yes(loop_else, np.array([0.7, -0.2, 1.5]), 1.0),
    yes(while_loop, 0.9),
    yes(for_array, np.array([0.7, 1.5]), np.array([[0.4, 0.2], [0.3, 0.8]])),
    yes(helpers_of_loops, np.array([0.7, 1.5]), np.array([0.2, 0.5])),
    yes(match_values, 0.7, 2),
    yes(asserted, 0.7, 3),
    yes(printed, 0.7, 3),
    yes(printed_with_a_format, 0.7, jit="S035"),
    yes(printed_apart, 0.7, jit="S029"),
    yes(raised_from, 0.7, jit="S026"),
    yes(walrus, 0.7),
    yes(deleted, 0.7),
    no(endless, "S011", 0.7),
    no(tried, "S016", 0.7),
    no(with_block, "S017", 0.7),
    no(match_parts, "S025", 0.7),
    no(generated, "S024", 0.7),
    no(imported, "S019", 0.7),
    no(printed_again, "S029", 0.7),
    no(asked, "S029", 0.7),
    no(unbound, "S051", 0.7),
]
