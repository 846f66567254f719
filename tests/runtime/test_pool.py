"""The pool: blocks come back to whoever asks next, from any thread, up to a cap."""

import os
import resource
import threading

import numpy as np
import pytest

from s2sad_runtime import jit, keep, memory, new_arena, real_slots, release_memory, restore
from s2sad_runtime.pool import STEP, give, keep_at_most, take
from s2sad_runtime.words import peek, poke

MB = 1 << 20


@pytest.fixture(autouse=True)
def _empty():
    release_memory()
    yield
    release_memory()


@jit(cache=False, nogil=True)
def take_and_give(nbytes):
    block = take(nbytes)
    for at in range(0, nbytes - 7, 4096):
        poke(block + at, at)
    give(block)
    return block


def test_blocks_are_reused():
    one = take_and_give(30 * MB)
    assert memory().kept == 30 * MB + STEP
    assert take_and_give(20 * MB) == one
    assert take_and_give(10 * MB) != one  # less than half: that would waste it
    assert memory().blocks == 2
    assert memory().lent == 0


def test_release_memory():
    take_and_give(5 * MB)
    take_and_give(50 * MB)
    assert release_memory() == 55 * MB + 2 * STEP
    assert memory()[:3] == (0, 0, 0)
    assert release_memory() == 0


def test_the_cap():
    cap = memory().cap
    try:
        keep_at_most(20 * MB)
        take_and_give(30 * MB)
        assert memory().kept == 0
        take_and_give(5 * MB)
        assert memory().kept == 5 * MB + STEP
    finally:
        keep_at_most(cap)


def test_a_full_table_returns_blocks_to_the_system():
    @jit(cache=False)
    def many(n):
        blocks = np.zeros(n, np.int64)
        for k in range(n):
            blocks[k] = take(2_000_000)
        for k in range(n):
            give(blocks[k])

    many(100)
    assert memory().blocks == 64
    assert memory().lent == 0
    before = memory().kept
    one = take_and_give(30 * MB)  # goes in for one of those
    assert memory()[:3] == (0, before + 30 * MB + STEP - before // 64, 64)
    assert take_and_give(30 * MB) == one
    take_and_give(200_000)  # the smallest doesn't
    assert memory()[:3] == (0, before + 30 * MB + STEP - before // 64, 64)


def test_small_blocks_are_counted_and_not_kept():
    @jit(cache=False)
    def small():
        block = take(1000)
        poke(block, 1)
        return block

    block = small()
    assert memory().lent == 1000
    jit(cache=False)(lambda block: give(block))(block)
    assert memory().lent == memory().kept == 0


def test_not_enough_memory():
    with pytest.raises(MemoryError):
        take_and_give(1 << 50)
    assert memory().lent == 0


def test_reuse_causes_no_page_faults():
    @jit(cache=False)
    def sweep(n):
        arena = new_arena()
        a = real_slots(arena, (n, 1000))
        for i in range(n):
            for j in range(1000):
                a[i, j] = i
        return a[n - 1, 999]

    sweep(4000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(3):
        sweep(4000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before < 100  # 7800 pages each


def test_no_block_is_handed_out_twice():
    @jit(cache=False, nogil=True)
    def hammer(seed, trips):
        wrong = 0
        for k in range(trips):
            one, two = take(2 * MB), take(3 * MB)
            poke(one, seed)
            poke(two, seed + 100)
            wrong += (peek(one) != seed) + (peek(two) != seed + 100) + (one == two)
            give(one)
            give(two)
        return wrong

    hammer(0, 1)
    results = []
    threads = [threading.Thread(target=lambda k=k: results.append(hammer(k, 5000))) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [0] * 6
    assert memory().lent == 0


@pytest.mark.filterwarnings("ignore:.*fork")  # JAX warns, where another test has loaded it
def test_a_forked_child_finds_the_lock_open():
    from s2sad_runtime import pool

    take_and_give(4 * MB)
    pool._state[0] = 1  # as if another thread held the lock at that moment
    try:
        child = os.fork()
        if child == 0:
            os._exit(0 if take_and_give(4 * MB) else 1)
    finally:
        pool._state[0] = 0
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_threads_with_arenas_at_once():
    @jit(cache=False, nogil=True)
    def program(seed, trips):
        a, wrong = np.full(150_000, seed), 0
        for _ in range(trips):
            arena = new_arena()
            keep(arena, a)
            a[:] = 0.0
            restore(arena, a)
            wrong += np.sum(a != seed)
        return wrong

    program(0.0, 1)
    results = []
    threads = [threading.Thread(target=lambda k=k: results.append(program(float(k), 100))) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [0] * 4
