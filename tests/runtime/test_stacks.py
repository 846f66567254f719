"""Stacks of scalars: what goes in comes out backwards, whatever the number."""

import numpy as np
import pytest

import s2sad_runtime


@pytest.mark.parametrize("n", [0, 1, 64, 65, 1000, 300_000])
def test_backwards(rt, n):
    new_real, push_real, pop_real = rt.new_stack_real, rt.push_real, rt.pop_real
    new_int, push_int, pop_int = rt.new_stack_int, rt.push_int, rt.pop_int
    new_bit, push_bit, pop_bit = rt.new_stack_bit, rt.push_bit, rt.pop_bit

    @rt.jit(cache=False)
    def program(n):
        reals, ints, bits = new_real(), new_int(), new_bit()
        for k in range(n):
            push_real(reals, k + 0.5)
            push_int(ints, k - 7)
            push_bit(bits, k % 3 == 0)
        wrong = 0
        for k in range(n - 1, -1, -1):
            wrong += pop_real(reals) != k + 0.5
            wrong += pop_int(ints) != k - 7
            wrong += pop_bit(bits) != (k % 3 == 0)
        return wrong

    assert program(n) == 0


@pytest.mark.parametrize("kind", ["real", "int", "bit"])
def test_empty(rt, kind):
    new, push, pop = (getattr(rt, name) for name in (f"new_stack_{kind}", f"push_{kind}", f"pop_{kind}"))

    @rt.jit(cache=False)
    def program():
        stack = new()
        push(stack, True)
        pop(stack)
        return pop(stack)

    with pytest.raises(IndexError, match="pop from"):
        program()


def test_up_and_down(rt):
    new, push, pop = rt.new_stack_real, rt.push_real, rt.pop_real

    @rt.jit(cache=False)
    def program(n):
        stack = new()
        s = 0.0
        for k in range(n):
            push(stack, k)
            push(stack, 2 * k)
            s += pop(stack)
        for _ in range(n):
            s += pop(stack)
        return s

    assert program(1000) == 3 * sum(range(1000))


def test_memory_goes_with_the_stack(alive):
    new, push = s2sad_runtime.new_stack_real, s2sad_runtime.push_real

    @s2sad_runtime.jit(cache=False)
    def program(n):
        stack = new()
        for k in range(n):
            push(stack, k)
        return n

    program(1)
    before = alive()
    program(1_000_000)
    assert alive() == before
    assert s2sad_runtime.memory().lent == 0


def test_values_keep_their_bits(rt):
    new, push, pop = rt.new_stack_real, rt.push_real, rt.pop_real

    @rt.jit(cache=False)
    def program(x):
        stack = new()
        push(stack, x)
        return pop(stack)

    for x in (-0.0, np.inf, 5e-324, 0.1):
        assert np.float64(program(x)).tobytes() == np.float64(x).tobytes()
    assert np.isnan(program(np.nan))
