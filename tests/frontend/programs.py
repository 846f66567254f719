"""Small programs inside the language, each with arguments; they are run as Python, and as IR."""

import math
import math as m
from math import sin
from typing import NamedTuple

import numpy
import numpy as np
import numpy as xp

from s2sad.markers import checkpoint_range, stop_gradient

SHIFT = 0.25
FLAG = True
POWERS = (2, 3)
TABLE = np.array([0.5, -0.25, 0.75])


class Point(NamedTuple):
    x: float
    y: float


def vector(*values):
    return np.array(values)


X = vector(0.3, -0.8, 0.5, 1.1)
A = np.arange(6.0).reshape(2, 3) * 0.3 - 0.5

PROGRAMS = []


def program(*arguments):
    def add(f):
        PROGRAMS.append((f, arguments))
        return f

    return add


# ----- scalars ---------------------------------------------------------------------------------------------


@program(0.7, 1.3)
def arithmetic(x, y):
    return (x + y) * x - y / x + x**2 - 2**-1 + x // y + x % y + -x + +y


@program(0.7, 3)
def integers_and_reals(x, n):
    k = 0
    k += n
    k = k // 2
    half = n / 2
    return x * k + half + (n**2) % 5


@program(0.7)
def spellings(x):
    return sin(x) + m.cos(x) + math.exp(x) + numpy.tanh(x) + xp.sqrt(x) + abs(-x) + math.pi + np.pi


@program(0.7, 1.3, -0.4)
def largest(x, y, z):
    return max(x, y, z) + min(x, y) * np.maximum(x, z) + pow(x, 2) + math.floor(y)


@program(0.7, 1.3)
@program(1.3, 0.7)
def conditions(x, y):
    s = 0.0
    if 0.0 < x < y <= 2.0 and not x == y:
        s += x
    elif x > y or FLAG:
        s -= y
    else:
        s = 5.0
    ok = x > 0 and y > 0
    return s + (x if ok else y if x < y else 2.0)


@program(0.7)
def names_again(x):
    x = x * x
    y = x
    x = y + x
    x, y = y, x
    return x - 2 * y


@program(0.7, 2)
def docstring_and_pass(x, n):
    """Says something."""
    x: float = x * n
    return x


# ----- branches and exits ----------------------------------------------------------------------------------


@program(0.7)
@program(-0.7)
@program(3.0)
def early_returns(x):
    if x < 0.0:
        return -x
    y = x * x
    if y > 4.0:
        if x > 2.5:
            return y
        y = y + 1.0
    return y * x


@program(0.7, 5)
def continues(x, n):
    s = 0.0
    for i in range(n):
        if i == 1:
            continue
        if i > 2:
            s += x
            if i == 4:
                continue
            s += 1.0
        s = s * x + i
    return s


@program(X)
@program(vector(-1.0, 2.0))
def results_of_one_form(x):
    if x[0] > 0:
        return x[0], x * 2.0
    y = x + 1.0
    return y[1], y


@program(0.7)
@program(-0.7)
def raises(x):
    assert x < 5.0, "too large"
    if x < 0.0:
        raise ValueError("negative", 3)
    return math.sqrt(x)


@program(0.7, None)
@program(0.7, 2.0)
def optional(x, w=None):
    if w is None:
        return x
    w = w * x
    return w if w is not None else x


# ----- loops -----------------------------------------------------------------------------------------------


@program(X, 0)
@program(X, 3)
def total_from_integer(x, n):
    total = 0
    for i in range(n):
        total = total + x[i]
    return total


@program(X, 4)
def ranges(x, n):
    s = 0.0
    for i in range(1, n):
        for j in range(n - 1, -1, -2):
            s += x[i] * x[j]
    return s


@program(X, 0)
@program(X, 3)
def counter_read_after(x, n):
    i = 1
    for i in range(n):
        pass
    return x[i] * i


@program(X, 4)
def counter_assigned(x, n):
    s = 0.0
    for i in range(n):
        i = (i * 2) % n
        s += x[i]
    return s


@program(X, 2)
def counter_bounds(x, i):
    s = 0.0
    for i in range(i, 4):
        for i in range(i):
            s += x[i]
    return s


@program(X)
def elements(x):
    s = 0.0
    for v in x * 2.0:
        s += v
        for v in x:
            s *= v
    return s


@program(0.7, 3)
def plain_loop_marker(x, n):
    for _ in checkpoint_range(n, snapshots=2):
        x = x * x + stop_gradient(x)
    return x


@program(3, 2.0)
def integer_parameter_becomes_real(n, x):
    for _ in range(3):
        n = n * 0.5
    return n * x


@program(X)
def reused_with_another_kind(x):
    t = x * 2.0
    s = np.sum(t)
    for i in range(3):
        t = x[i]
        s += t
    return s


# ----- names -----------------------------------------------------------------------------------------------


@program(X, 1.4)
def awkward(x, dx):
    tape = x * dx
    stack = tape.copy()
    d_x = 0.0
    total = 1.0
    keep = 2.0
    x_2 = 3.0
    np_ = x[0]
    for _i in range(3):
        d_x += tape[_i] * stack[_i] * keep
        total = total * dx
        sum = d_x + x_2
        keep = sum
    x = total * keep
    return x * d_x + np_


square = lambda t: t * t + SHIFT  # noqa: E731
PROGRAMS.append((square, (0.7,)))


def made(c):
    k = 2

    def inner(x):
        return x * c + k

    return inner


PROGRAMS.append((made(3.0), (0.7,)))
