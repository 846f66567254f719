"""The random programs find faults that are planted on purpose; without the fault the same programs are right.

To plant another one, change what the transformation reads (a row, a plan) for the time of a test.
"""

import random
from dataclasses import replace

import pytest
from judge import judge
from strategies import Choices, build

from s2sad.handlers.adjoint import Reverse
from s2sad.ops.pullback import slopes
from s2sad.ops.table import OPS


@pytest.fixture
def sign_error(monkeypatch):
    """The slope of the cosine has the wrong sign."""
    slopes.cache_clear()
    monkeypatch.setitem(OPS, "cos", replace(OPS["cos"], d=("sin(x)",)))
    yield
    slopes.cache_clear()


@pytest.fixture
def forgotten_restore(monkeypatch):
    """Overwritten values of arrays are neither kept nor put back."""
    as_it_is = Reverse.__init__

    def init(self, *args, **options):
        as_it_is(self, *args, **options)
        self.plan.logs.clear()
        self.plan.copies.clear()

    monkeypatch.setattr(Reverse, "__init__", init)


def first_wrong(most):
    """The first of the programs that is wrong; None if none is."""
    for number in range(most):
        program = build(Choices(random.Random(f"mutant:{number}").randint))
        if judge(program).kind == "wrong":
            return program
    return None


@pytest.mark.parametrize("mutant", ["sign_error", "forgotten_restore"])
def test_found(mutant, request):
    request.getfixturevalue(mutant)
    assert first_wrong(150) is not None


def test_right_without():
    assert first_wrong(20) is None
