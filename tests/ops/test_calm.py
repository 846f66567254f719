"""Divisors that are never zero: what is taken for one is above zero, or nan, at every number that there is."""

import math

import numpy as np
import pytest

from s2sad.ops import parse
from s2sad.ops.calm import is_positive
from s2sad.ops.evaluate import evaluate

TINY, HUGE = 5e-324, 1.7976931348623157e308
PLACES = (
    0.0,
    -0.0,
    1.0,
    -1.0,
    TINY,
    -TINY,
    1e-200,
    -1e-200,
    HUGE,
    -HUGE,
    math.inf,
    -math.inf,
    math.nan,
    -745.2,
    0.3,
)

NEVER_ZERO = [
    "1.0 + x * x", "x ** 2 + 0.5", "1 + exp(x)", "1.0 + exp(-x) * abs(y)", "2.0 + abs(x) + y * y", "cosh(x)",
    "sqrt(1.0 + x * x)", "1.0 + sqrt(x)", "x ** 4 * y ** 2 + 1e-300", "3.0",
]  # fmt: skip
MAY_BE = [
    "x", "1.0 + x", "x * x", "exp(x)", "1.0 - x * x", "1.0 + x * y", "1.0 + x ** 3", "x * x + y * y", "0.0 + x * x",
    "(1.0 + x * x) * (1.0 + y * y)", "1.0 + x ** y", "-1.0 + x * x", "(1.0 + x * x) / (1.0 + y * y)",
]  # fmt: skip


@pytest.mark.parametrize("text", NEVER_ZERO)
def test_never_zero(text):
    assert is_positive(parse(text))
    with np.errstate(all="ignore"):
        for x in PLACES:
            for y in PLACES:
                value = evaluate(parse(text), {"x": np.float64(x), "y": np.float64(y)})
                assert value > 0.0 or math.isnan(value), (text, x, y)


@pytest.mark.parametrize("text", MAY_BE)
def test_may_be_zero(text):
    assert not is_positive(parse(text))
