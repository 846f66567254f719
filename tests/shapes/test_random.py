"""Random nests, with all passes and with each of them off, against derivatives that know no passes."""

import warnings

import pytest
from checks import Run
from judge import loaded, moderate
from shapes.stencils import stencil

from s2sad.shapes.passes import PASSES, RENEW
from s2sad.testing import leaves

EVERY = (*PASSES, RENEW)
OFF = {"all": EVERY, "none": (), **{f"no {p}": tuple(q for q in EVERY if q != p) for p in EVERY}}


def examine(seed, checks=("gradient",), jit=False, **options):
    """Run the checks on a random program; programs whose values are too large say nothing."""
    program = stencil(seed)
    with loaded(program.source) as module, warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        run = Run.of(module.f, program.arguments, jit=jit, cache=False, **options)
        if not all(moderate(x) for x in leaves(run.value)):
            return
        for check in checks:
            try:
                getattr(run, check)()
            except AssertionError as e:
                raise AssertionError(f"{program.source}\n# f{program.arguments}") from e


@pytest.mark.parametrize("number", range(40))
def test_all(number):
    examine(f"all:{number}")


@pytest.mark.parametrize("number", range(5))
@pytest.mark.parametrize("off", OFF)
def test_off(number, off):
    examine(f"off:{number}", passes=OFF[off])


@pytest.mark.parametrize("number", range(6))
def test_second_order(number):
    examine(f"second:{number}", ("second_order", "pullback_again"))


@pytest.mark.parametrize("number", range(2))
def test_compiled(number):
    examine(f"compiled:{number}", jit=True)
