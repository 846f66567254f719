"""Array helpers: sums through broadcasting against NumPy, and memory that overlaps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from s2sad_runtime import accumulate as compiled_accumulate
from s2sad_runtime import distinct as compiled_distinct
from s2sad_runtime import jit, plain


@jit(cache=False)
def accumulate(x_b, inc):
    compiled_accumulate(x_b, inc)


@jit(cache=False)
def distinct(a, b):
    compiled_distinct(a, b)


def expected(x_b, inc):
    """By the definition: every element of the broadcast increment is added where it came from."""
    out = x_b.astype(float, order="C")
    place = np.arange(x_b.size).reshape(x_b.shape)
    places, values = np.broadcast_arrays(place, inc)
    np.add.at(out.reshape(-1), places.reshape(-1), values.reshape(-1))
    return out


SHAPES = [
    ((3,), (3,)), ((3,), (4, 3)), ((1, 3), (4, 3)), ((4, 1), (3,)), ((2, 3), ()), ((1, 1), (5, 4, 3)),
    ((), (3,)), ((4, 1, 3), (5, 1)), ((1,), (0,)), ((3,), (1,)), ((0,), (1,)),
]  # fmt: skip


@pytest.mark.parametrize(("shape", "inc_shape"), SHAPES)
@pytest.mark.parametrize("order", "CF")
def test_accumulate(shape, inc_shape, order):
    x_b = np.asarray(np.arange(np.prod(shape)).reshape(shape) + 0.5, order=order)
    inc = np.asarray(np.arange(np.prod(inc_shape)).reshape(inc_shape) * 0.25 + 1)
    wanted = expected(x_b, inc)
    for function in (accumulate, plain.accumulate):
        got = x_b.copy(order=order)
        function(got, inc)
        np.testing.assert_allclose(got, wanted, rtol=1e-14)


@given(st.data())
def test_accumulate_any_shapes(data):
    shapes = data.draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=2, min_dims=1, max_side=3))
    x_b, inc = (np.arange(np.prod(s)).reshape(s) + 0.5 for s in shapes.input_shapes)
    wanted = expected(x_b, inc)
    for function in (accumulate, plain.accumulate):
        got = x_b.copy()
        function(got, inc)
        np.testing.assert_allclose(got, wanted, rtol=1e-14)


def test_accumulate_a_scalar():
    for function in (accumulate, plain.accumulate):
        x_b = np.ones((2, 3))
        function(x_b, 2.0)
        function(x_b[:, ::2], 1)
        np.testing.assert_array_equal(x_b, [[4, 3, 4], [4, 3, 4]])


def test_accumulate_into_itself():
    for function in (accumulate, plain.accumulate):
        x_b = np.arange(6.0).reshape(2, 3)
        function(x_b, x_b)
        np.testing.assert_array_equal(x_b, 2 * np.arange(6.0).reshape(2, 3))


def test_accumulate_of_shapes_that_do_not_fit():
    for function in (accumulate, plain.accumulate):
        with pytest.raises(ValueError):
            function(np.ones(3), np.ones(4))


def test_total(rt):
    total = rt.total

    @rt.jit(cache=False)
    def program(inc):
        return total(inc)

    assert program(np.arange(12.0).reshape(3, 4)[:, ::2]) == 30
    assert program(np.ones(0)) == 0
    assert program(2.5) == 2.5
    assert program(3) == 3


def test_zeros_of(rt):
    zeros_of = rt.zeros_of

    @rt.jit(cache=False)
    def program(x):
        return zeros_of(x)

    for x in (np.ones((2, 3), np.float32).T, np.ones(4)[::2]):
        made = program(x)
        assert (made.shape, made.dtype) == (x.shape, x.dtype)
        assert made.flags.c_contiguous
        assert not made.any()


BASE = np.arange(24.0).reshape(4, 6)
APART = [
    (BASE, np.ones(3)), (BASE[:2], BASE[2:]), (BASE[:0], BASE), (BASE[1], BASE[0]),
    (BASE[0, 1::-1], BASE[0, 2:]),
]  # fmt: skip
SHARED = [(BASE, BASE), (BASE, BASE[1]), (BASE[::-1], BASE[3]), (BASE[1], BASE[1, ::-1]), (BASE.T, BASE[2])]


@pytest.mark.parametrize(("a", "b"), APART)
def test_distinct(a, b):
    for function in (distinct, plain.distinct):
        function(a, b)
        function(b, a)


@pytest.mark.parametrize(("a", "b"), SHARED)
def test_not_distinct(a, b):
    for function in (distinct, plain.distinct):
        for pair in ((a, b), (b, a)):
            with pytest.raises(ValueError, match="share memory"):
                function(*pair)
