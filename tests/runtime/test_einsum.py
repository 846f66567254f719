"""Sums over labels, compiled, against NumPy's."""

import numba
import numpy as np
import pytest

from s2sad_runtime import einsum, einsum_like, plain, tensordot_by


def draw(*shape):
    return np.random.default_rng(shape).uniform(-1.0, 1.0, shape)


SUMS = [
    ("nd,nm,md->", draw(3, 2), draw(3, 4), draw(4, 2)),
    ("ii->", draw(3, 3)),
    ("nd,nn->d", draw(3, 2), draw(3, 3)),
    ("ij,jk->ki", draw(2, 3), draw(3, 4)),
    ("ikj,lk->lij", draw(2, 3, 4), draw(5, 3)),
    ("bij,bjk->bik", draw(2, 3, 4), draw(2, 4, 3)),
    (",i->i", 2.0, draw(3)),
    ("ij->", draw(0, 3)),
]


@pytest.mark.parametrize("case", SUMS, ids=lambda case: case[0])
def test_sums(case):
    text, *operands = case
    got = numba.njit(_calling(einsum, text, len(operands)))(*operands)
    want = np.einsum(text, *operands)
    assert np.shape(got) == np.shape(want)
    assert np.allclose(got, want, rtol=1e-13, atol=1e-14)


def test_sums_in_the_shape_of_an_array():
    for text, like, *operands in (
        ("->ii", draw(3, 3), 2.0), ("i->ij", draw(3, 4), draw(3)), ("nd,d->nn", draw(3, 3), draw(3, 2), draw(2)),
    ):  # fmt: skip
        got = numba.njit(_calling(einsum_like, text, 1 + len(operands)))(like, *operands)
        assert np.allclose(got, plain.einsum_like(text, like, *operands), rtol=1e-13, atol=1e-14)


def test_tensordot():
    a, b = draw(2, 3, 4), draw(4, 3)
    got = numba.njit(_calling(tensordot_by, "abc,cb->a", 2))(a, b)
    assert np.allclose(got, np.tensordot(a, b, ((1, 2), (1, 0))), rtol=1e-13)


def test_lengths_that_differ():
    with pytest.raises(ValueError, match="differ in the length"):
        numba.njit(_calling(einsum, "i,i->", 2))(draw(2), draw(3))


def _calling(function, text, count):
    scope = {"function": function}
    names = ", ".join("abc"[:count])
    return eval(f"lambda {names}: function({text!r}, {names})", scope)
