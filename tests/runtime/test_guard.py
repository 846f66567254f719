"""Exceptions of a guarded call arrive as they were, and nothing is lost on the way."""

import numpy as np
import pytest

from s2sad_runtime import fork, guarded, jit, keep, memory, new_arena, new_stack_real, push_real, real_slots


@jit(inner=True)
def sweep(a, case, arena, stack):
    keep(arena, a)
    real_slots(arena, (300_000,))
    for k in range(10_000):
        push_real(stack, k)
    if case == 1:
        raise ValueError("seven", case)
    if case == 2:
        raise ZeroDivisionError
    if case == 3:
        return 1.0 / (a[0] - a[0])
    if case == 4:
        raise AssertionError("small")
    return a[0] * 2.0


@jit(cache=False)
def driver(a, case):
    arena = new_arena()
    stack = new_stack_real()
    result = np.zeros(5)
    return guarded(sweep, (arena, stack, result), a, case, arena, stack)


@jit(inner=True)
def silent(a):
    a[0] += 1.0


@jit(cache=False)
def quiet(a):
    guarded(silent, (), a)
    return a[0]


def test_value():
    assert driver(np.full(3, 2.0), 0) == 4
    assert quiet(np.ones(2)) == 2


def test_arguments_are_cast_as_in_a_call():
    assert driver(np.full(3, 2.0), np.int32(0)) == 4
    assert driver(np.full(3, 2.0), False) == 4


@pytest.mark.parametrize(
    ("case", "error", "args"),
    [
        (1, ValueError, ("seven", 1)),
        (2, ZeroDivisionError, ()),
        (3, ZeroDivisionError, ("division by zero",)),
        (4, AssertionError, ("small",)),
    ],
)
def test_exceptions_come_unchanged_and_lose_nothing(alive, case, error, args):
    lent = memory().lent
    a = np.full(3, 2.0)
    driver(a, 0)
    before = alive()
    for _ in range(10):
        with pytest.raises(error) as caught:
            driver(a, case)
        assert caught.value.args == args
    assert memory().lent == lent
    # a reference to the caller's own array per exception stays, as in any Numba function
    assert alive() - before <= 10
    assert driver(a, 0) == 4


def test_a_fork_lets_go_of_its_original(alive):
    @jit(cache=False)
    def forking(a, case):
        arena = new_arena()
        keep(arena, np.ones(300_000))
        mine = fork(arena)
        stack = new_stack_real()
        return guarded(sweep, (mine, arena, stack), a, case, mine, stack)

    lent = memory().lent
    a = np.ones(3)
    forking(a, 0)
    before = alive()
    for _ in range(5):
        with pytest.raises(ZeroDivisionError):
            forking(a, 2)
    assert memory().lent == lent
    assert alive() - before <= 5


def test_a_handler_of_the_user_runs():
    @jit(cache=False)
    def user(a, case):
        try:
            return driver(a, case)
        except Exception:
            return -1.0

    lent = memory().lent
    assert user(np.full(3, 2.0), 0) == 4
    assert user(np.full(3, 2.0), 1) == -1
    assert memory().lent == lent


def test_plain(rt):
    if rt.__name__.endswith("plain"):
        assert rt.guarded(lambda a, b: a + b, (), 1, 2) == 3
