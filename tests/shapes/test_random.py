"""Random nests, with all passes and with each of them off, against derivatives that know no passes."""

import pytest
from judge import examine
from shapes.stencils import stencil

from s2sad.shapes.passes import PASSES, RENEW

EVERY = (*PASSES, RENEW)
OFF = {"all": EVERY, "none": (), **{f"no {p}": tuple(q for q in EVERY if q != p) for p in EVERY}}


@pytest.mark.parametrize("number", range(40))
def test_all(number):
    examine(stencil(f"all:{number}"))


@pytest.mark.parametrize("number", range(5))
@pytest.mark.parametrize("off", OFF)
def test_off(number, off):
    examine(stencil(f"off:{number}"), passes=OFF[off])


@pytest.mark.parametrize("number", range(6))
def test_second_order(number):
    examine(stencil(f"second:{number}"), ("second_order", "pullback_again"))


@pytest.mark.parametrize("number", range(2))
def test_compiled(number):
    examine(stencil(f"compiled:{number}"), jit=True)
