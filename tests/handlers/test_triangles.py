"""Random programs in place: what isn't kept wasn't needed."""

import pytest
from handlers.triangles import triangle
from judge import examine


@pytest.mark.parametrize("number", range(60))
@pytest.mark.parametrize("passes", ["all", "none"])
def test_gradient(number, passes):
    examine(triangle(f"triangle:{number}"), **({"passes": ()} if passes == "none" else {}))


@pytest.mark.parametrize("number", range(6))
def test_second_order(number):
    examine(triangle(f"second:{number}"), ("second_order", "pullback_again"))


@pytest.mark.parametrize("number", range(2))
def test_compiled(number):
    examine(triangle(f"compiled:{number}"), jit=True)
