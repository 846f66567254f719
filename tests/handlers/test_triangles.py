"""Random programs in place: what isn't kept wasn't needed."""

import warnings

import pytest
from checks import Run
from handlers.triangles import triangle
from judge import loaded, moderate

from s2sad.testing import leaves


def examine(seed, checks=("gradient",), jit=False, **options):
    """Run the checks on a random program; programs whose values are too large say nothing."""
    program = triangle(seed)
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


@pytest.mark.parametrize("number", range(60))
@pytest.mark.parametrize("passes", ["all", "none"])
def test_gradient(number, passes):
    examine(f"triangle:{number}", **({"passes": ()} if passes == "none" else {}))


@pytest.mark.parametrize("number", range(6))
def test_second_order(number):
    examine(f"second:{number}", ("second_order", "pullback_again"))


@pytest.mark.parametrize("number", range(2))
def test_compiled(number):
    examine(f"compiled:{number}", jit=True)
