"""The checking pool: it finds what it is for, and is silent over the whole corpus."""

import numpy as np
import pytest
from checks import Run
from corpus import CASES

import s2sad
from s2sad_runtime import checked, plain

POOLED = [c for c in CASES if not c.refused]


@pytest.fixture
def pools(monkeypatch):
    monkeypatch.setattr(plain, "Pool", checked.CheckedPool)
    monkeypatch.setattr(checked.CheckedPool, "made", [])
    return checked.CheckedPool.made


@pytest.mark.parametrize("case", POOLED, ids=lambda c: f"{c.f.__module__}.{c.f.__name__}")
def test_silent(case, pools):
    run = Run.of(case.f, case.arguments, case.expected, jit=False, rounded=case.rounded)
    run.gradient()
    if case.order > 1:
        run.second_order()
    assert [places.dirty() for places in pools] == [[] for _ in pools]


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
