"""Memory of arenas: borrowed in chunks, given back by mark and release, and when the arena dies."""

import gc
import threading

import numpy as np
import pytest

import s2sad_runtime
from s2sad_runtime import (
    fork,
    hold,
    jit,
    keep,
    mark,
    memory,
    new_arena,
    own,
    real_slots,
    release,
    restore,
    take_real,
)
from s2sad_runtime.arena import WORDS


@jit(cache=False)
def with_record(n):
    arena = new_arena()
    a = real_slots(arena, (n,))
    a[:] = n
    hold(arena, a)
    return arena


@jit(cache=False)
def top_sum(arena):
    return np.sum(take_real(arena, 1))


@jit(cache=False)
def forked(arena):
    return fork(arena)


@jit(cache=False)
def put(arena, a):
    keep(arena, a)


def test_an_arena_is_a_small_array_that_borrows_when_it_must():
    lent = memory().lent
    small = with_record(10)
    assert (small.shape, small.dtype) == ((WORDS,), np.int64)
    assert memory().lent == lent
    big = with_record(1_000_000)
    assert memory().lent >= lent + 8_000_000
    assert top_sum(big) == 1e12
    del big
    assert memory().lent == lent
    assert top_sum(small) == 100


def test_arrays_own_nothing_and_the_arena_dies_with_its_last_reference(alive):
    @jit(cache=False)
    def program(n):
        arena = new_arena()
        s = 0.0
        for k in range(n):
            a = real_slots(arena, (100,))
            a[:] = k
            b = own(arena, a)
            hold(arena, a)
            s += b[0] + take_real(arena, 1)[1]
        return s

    program(1)
    before = alive()
    assert program(1000) == 999_000
    assert alive() == before


def test_mark_and_release(rt):
    new_arena, real_slots, take_real = rt.new_arena, rt.real_slots, rt.take_real
    mark, release, own, hold = rt.mark, rt.release, rt.own, rt.hold

    @rt.jit(cache=False)
    def program(trips, n):
        arena = new_arena()
        below = real_slots(arena, (3,))
        below[:] = 7.0
        hold(arena, below)
        s = 0.0
        for k in range(trips):
            m = mark(arena)
            for size in (5, n, 40, 2 * n):
                a = own(arena, real_slots(arena, (size,)))
                a[:] = k
                hold(arena, a)
                take_real(arena, 1)
            inner = mark(arena)
            b = real_slots(arena, (n,))
            b[:] = k
            hold(arena, b)
            s += np.sum(take_real(arena, 1)) / n
            release(arena, inner)
            release(arena, m)
        return s, np.sum(take_real(arena, 1))

    for n in (1, 100, 10_000, 300_000):
        assert program(20, n) == (190.0, 21.0)


def test_release_gives_the_memory_back():
    @jit(cache=False)
    def program(trips, n):
        arena = new_arena()
        for _ in range(trips):
            m = mark(arena)
            real_slots(arena, (n,))
            release(arena, m)
        return arena

    s2sad_runtime.release_memory()
    lent = memory().lent
    arena = program(50, 1_000_000)
    assert memory().lent == lent
    assert memory().kept <= 16_000_000
    del arena


def test_a_fork_sees_the_records_and_leaves_them(rt):
    new_arena, keep, fork, take_real = rt.new_arena, rt.keep, rt.fork, rt.take_real

    @rt.jit(cache=False)
    def program(n):
        arena = new_arena()
        keep(arena, np.full(n, 1.0))
        keep(arena, np.full(n, 2.0))
        one = fork(arena)
        two = fork(arena)
        a = take_real(one, 1)[0]
        keep(one, np.full(n, 30.0))
        keep(two, np.full(n, 40.0))
        keep(arena, np.full(n, 50.0))
        b = take_real(one, 1)[0] + take_real(one, 1)[0]
        c = take_real(two, 1)[0] + take_real(two, 1)[0] + take_real(two, 1)[0]
        d = take_real(arena, 1)[0] + take_real(arena, 1)[0] + take_real(arena, 1)[0]
        return a, b, c, d

    for n in (2, 200_000):
        assert program(n) == (2.0, 31.0, 43.0, 53.0)


def test_a_fork_keeps_its_original_alive():
    lent = memory().lent
    arena = with_record(1_000_000)
    second = forked(forked(arena))
    del arena
    gc.collect()
    assert memory().lent > lent
    assert top_sum(second) == 1e12
    del second
    gc.collect()
    assert memory().lent == lent


def test_an_arena_that_goes_through_python_from_two_threads():
    """A pullback: its arena is Python's, each call works on a fork."""
    arena = with_record(1000)
    results = []

    def pullback():
        for _ in range(200):
            mine = forked(arena)
            put(mine, np.ones(5000))
            results.append(top_sum(mine) + top_sum(mine))

    threads = [threading.Thread(target=pullback) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [1_005_000.0] * 400
    assert top_sum(arena) == 1e6


def test_an_arena_per_iteration_of_prange():
    from numba import prange

    @jit(cache=False, parallel=True)
    def program(n):
        out = np.zeros(n)
        for i in prange(n):
            arena = new_arena()
            a = np.full(20_000, float(i))
            keep(arena, a)
            a[:] = 0
            restore(arena, a)
            out[i] = a[-1]
        return out

    np.testing.assert_array_equal(program(100), np.arange(100))


@pytest.mark.parametrize("n", [4, 4000])
def test_nested_calls_share_one_arena(n):
    @jit(inner=True)
    def leaf(a, arena):
        keep(arena, a)
        a *= 2.0

    @jit(cache=False)
    def program(a):
        arena = new_arena()
        for _ in range(5):
            leaf(a, arena)
        for _ in range(5):
            restore(arena, a)
        return a[0]

    assert program(np.ones(n)) == 1
