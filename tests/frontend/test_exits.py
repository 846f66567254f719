"""Loops that are left in the middle: what is written out, and that the IR of every corpus case runs as Python does."""

import numpy as np
import pytest
from corpus import CASES
from frontend.test_lower import VECTOR, agrees, text

from s2sad.ir.nodes import INT, REAL


@pytest.mark.parametrize("case", [c for c in CASES if not c.refused and not c.rounded], ids=lambda c: c.name)
def test_the_corpus_as_ir(case):
    agrees(case.f, case.arguments)


def first_above(x, limit):
    s = 0.0
    for i in range(len(x)):
        if x[i] > limit:
            return x[i]
        s += x[i]
    return s


def test_a_return_in_a_loop():
    assert text(first_above, VECTOR, REAL) == [
        "    s = 0.0",
        "    i = 0",
        "    going = True",
        "    r = 0.0",
        "    while going and i < shape(x, 0):",
        "        if x[i] > limit:",
        "            r = x[i]",
        "            going = False",
        "        else:",
        "            s = s + x[i]",
        "        i = i + 1",
        "    if going:",
        "        r = s",
        "    return r",
    ]


def halved(x, n):
    while x > 1.0:
        if n == 0:
            break
        x = x * 0.5
        n -= 1
    else:
        x = -x
    return x


def test_a_break_and_an_else():
    assert text(halved, REAL, INT) == [
        "    going = True",
        "    while going and x > 1.0:",
        "        if n == 0:",
        "            going = False",
        "        else:",
        "            x = x * 0.5",
        "            n = n - 1",
        "    if going:",
        "        x = -x",
        "    return x",
    ]
    for n in range(5):
        agrees(halved, (5.0, n))


def empty_lists(x, n):
    v = []
    for i in range(n):
        v.append(x * i)
    return v[1] + v.pop()


def at(x, i):
    v = [x, x * x, 2.0]
    v[i] = v[-i] * 3.0
    return v[0] + v[1] * v[2]


def test_errors_of_lists_are_those_of_python():
    for n in range(4):
        agrees(empty_lists, (0.7, n))
    for i in range(-5, 5):
        agrees(at, (0.7, i))


def real_range(x, n):
    for i in range(n):
        if i > x:
            break
        x = x * 0.5
    return x


def test_bounds_of_a_loop_that_is_left_are_integers():
    from s2sad.errors import KindError

    agrees(real_range, (9.0, 4))
    with pytest.raises(KindError, match="`range` takes integers"):
        text(real_range, REAL, REAL)


def test_arrays_of_numbers_that_are_known():
    def f(x):
        return np.array([1, 2]), np.array([True, False]), np.array([1, x]), np.array([1, 2], dtype=float)

    fn = agrees(f, (0.7,))
    assert [str(fn.kinds[r.name]) for r in fn.results] == ["int[:]", "bool[:]", "real[:]", "real[:]"]
