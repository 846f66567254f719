"""The checking pool finds what it is for; the corpus and random programs run with it in tests of their own."""

import numpy as np
import pytest

import s2sad
from s2sad_runtime import checked, plain


@pytest.fixture
def pools(monkeypatch):
    monkeypatch.setattr(plain, "Pool", checked.CheckedPool)
    monkeypatch.setattr(checked.CheckedPool, "made", [])
    return checked.CheckedPool.made


def test_it_finds_faults():
    pool = checked.CheckedPool()
    index = pool.new()
    pool.release(index)
    with pytest.raises(AssertionError, match="twice"):
        pool.release(index)
    with pytest.raises(AssertionError, match="after its end"):
        pool.share(index)


def test_places_of_parameters_alone(pools):
    """Where no other entity is met on the way back, what parameters are left with is no fault."""

    def f(x, u):
        w = u
        if x > 1.0:
            w = u.copy()
            w[0] = x
        u[1] = 2.0
        return np.sum(u)

    assert s2sad.grad(f, argnums=1, jit=False)(0.5, np.ones(3)).tolist() == [1.0, 0.0, 1.0]
    assert [places.dirty() for places in pools] == [[] for _ in pools]
