"""The checking pool: it finds what it is for, and is silent over the whole corpus."""

import pytest
from checks import Run
from corpus import CASES

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
