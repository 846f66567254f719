"""Arrays of results: the user's own, over memory that goes back to the pool with them."""

import threading

import numpy as np
import pytest
from numba import njit

import s2sad_runtime
from s2sad_runtime import plain


@njit
def zeros(x):
    return s2sad_runtime.zeros_of(x)


@njit
def room(x):
    return s2sad_runtime.room_of(x)


@njit
def pooled(x):
    return s2sad_runtime.pooled_zeros(x)


BIG = [
    np.ones((300, 1000)), np.ones((2000, 500)).T, np.ones((1 << 18), np.float32), np.ones((400, 400), complex),
    np.ones((3, 90_000, 2))[:, ::2],
]  # fmt: skip
SMALL = [np.ones((3, 4)), np.ones((0, 5)), np.array(2.0), np.ones((2, 0), np.float32)]


@pytest.mark.parametrize("make", [zeros, plain.zeros_of], ids=["compiled", "plain"])
@pytest.mark.parametrize("x", [*BIG, *SMALL], ids=lambda x: f"{x.dtype}{x.shape}")
def test_zeros(make, x):
    for _ in range(3):  # memory that was written before, too
        made = make(x)
        assert made.shape == x.shape
        assert made.dtype == x.dtype
        assert made.flags.c_contiguous
        assert made.flags.writeable
        assert not made.any()
        made[...] = 7


@pytest.mark.parametrize("make", [room, plain.room_of], ids=["compiled", "plain"])
@pytest.mark.parametrize("x", [*BIG, *SMALL], ids=lambda x: f"{x.dtype}{x.shape}")
def test_room(make, x):
    made = make(x)
    made[...] = 7
    assert (made == 7).all()
    assert (made.shape, made.dtype, made.flags.c_contiguous) == (x.shape, x.dtype, True)


@pytest.mark.parametrize("x", [*BIG, *SMALL], ids=lambda x: f"{x.dtype}{x.shape}")
def test_pooled_zeros_lie_as_their_model_does(x):
    for make in (pooled, plain.pooled_zeros, pooled):
        made = make(x)
        assert (made.shape, made.dtype) == (x.shape, x.dtype)
        assert made.flags.f_contiguous or not x.flags.f_contiguous
        assert not made.any()
        made[...] = 7


def test_a_view_keeps_the_memory():
    kept = [zeros(BIG[0])[k::7] for k in range(5)]
    for k, view in enumerate(kept):
        view[...] = k
    assert all((view == k).all() for k, view in enumerate(kept))


def test_memory_goes_back_on_any_thread():
    before = s2sad_runtime.memory().lent
    made = [zeros(BIG[0]) for _ in range(3)]
    assert s2sad_runtime.memory().lent > before
    thread = threading.Thread(target=made.clear)
    thread.start()
    thread.join()
    assert s2sad_runtime.memory().lent == before


def test_memory_is_used_again():
    s2sad_runtime.release_memory()
    made = zeros(BIG[0])
    first = made.__array_interface__["data"][0]
    del made
    assert zeros(BIG[0]).__array_interface__["data"][0] == first
