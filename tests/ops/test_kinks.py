"""Where there is no derivative, or only a limit: the convention, by closed form."""

import math

import numpy as np
import pytest

from s2sad.ir.nodes import Const, Var
from s2sad.ops import mul, parse, partials
from s2sad.ops.evaluate import evaluate


def slopes(text, **env):
    """The slopes of a formula by each of its names, at a point."""
    gradient = partials(parse(text), lambda leaf: True)
    with np.errstate(all="ignore"):
        return {leaf.name: float(evaluate(p, env)) for leaf, p in gradient.items()}


@pytest.mark.parametrize(
    ("text", "point", "expected"),
    [
        ("abs(x)", {"x": 0.0}, {"x": 0.0}),
        ("abs(x)", {"x": -2.0}, {"x": -1.0}),
        ("maximum(a, b)", {"a": 1.0, "b": 1.0}, {"a": 0.5, "b": 0.5}),
        ("minimum(a, b)", {"a": 1.0, "b": 1.0}, {"a": 0.5, "b": 0.5}),
        ("fmax(a, b)", {"a": 1.0, "b": 1.0}, {"a": 0.5, "b": 0.5}),
        ("fmin(a, b)", {"a": 1.0, "b": 1.0}, {"a": 0.5, "b": 0.5}),
        ("fmax(a, b)", {"a": 1.0, "b": math.nan}, {"a": 1.0, "b": 0.0}),
        ("fmin(a, b)", {"a": math.nan, "b": 1.0}, {"a": 0.0, "b": 1.0}),
        ("maximum(x, 0.0)", {"x": 0.0}, {"x": 0.5}),
        ("clip(x, lo, hi)", {"x": 1.0, "lo": 1.0, "hi": 2.0}, {"x": 0.5, "lo": 0.5, "hi": 0.0}),
        ("clip(x, lo, hi)", {"x": 2.0, "lo": 1.0, "hi": 2.0}, {"x": 0.5, "lo": 0.0, "hi": 0.5}),
        ("clip(x, lo, hi)", {"x": 1.5, "lo": 1.0, "hi": 2.0}, {"x": 1.0, "lo": 0.0, "hi": 0.0}),
        ("clip(x, lo, hi)", {"x": 0.0, "lo": 1.0, "hi": 2.0}, {"x": 0.0, "lo": 1.0, "hi": 0.0}),
        ("clip(x, lo, hi)", {"x": 3.0, "lo": 1.0, "hi": 2.0}, {"x": 0.0, "lo": 0.0, "hi": 1.0}),
        ("x ** 0", {"x": 0.0}, {}),
        ("x ** 1", {"x": 0.0}, {"x": 1.0}),
        ("x ** 2", {"x": 0.0}, {"x": 0.0}),
        ("x ** n", {"x": 0.0, "n": 0}, {"x": 0.0, "n": 0.0}),
        ("x ** n", {"x": 0.0, "n": 0.0}, {"x": 0.0, "n": 0.0}),
        ("x ** n", {"x": 0.0, "n": 2.5}, {"x": 0.0, "n": 0.0}),
        ("x ** n", {"x": 0.0, "n": 1}, {"x": 1.0, "n": 0.0}),
        ("x ** n", {"x": np.array(-2.0), "n": 3}, {"x": 12.0, "n": math.nan}),
        ("math_pow(x, n)", {"x": 0.0, "n": 0.0}, {"x": 0.0, "n": 0.0}),
        ("2.0 ** x", {"x": 3.0}, {"x": 8.0 * math.log(2.0)}),
        ("heaviside(x, h)", {"x": 0.0, "h": 0.3}, {"h": 1.0}),
        ("x % y", {"x": -7.5, "y": 2.0}, {"x": 1.0, "y": 4.0}),
        ("fmod(x, y)", {"x": -7.5, "y": 2.0}, {"x": 1.0, "y": 3.0}),
        ("x // y", {"x": -7.5, "y": 2.0}, {}),
        ("sign(x)", {"x": 2.0}, {}),
        ("copysign(a, b)", {"a": -2.0, "b": -1.0}, {"a": 1.0}),
        ("where(x > 0.0, x, -x)", {"x": 0.0}, {"x": -1.0}),
    ],
)
def test_convention(text, point, expected):
    found = slopes(text, **point)
    assert found == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize(
    "text",
    [
        "where(x > 0.0, sqrt(x), 0.0)",
        "where(x > 0.0, log(x), 3.0 * x - 3.0 * x)",
        "2.0 * where(x > 0.0, sqrt(x), 0.0) * k",
        "exp(where(x > 0.0, sqrt(x), 0.0))",
        "where(x > 0.0, 1.0 / x, 0.0) + k * x - k * x",
        "where(x > 0.0, where(x > 1.0, sqrt(x), log(x)), 0.0) / 3.0",
        "-where(x > 0.0, x ** 0.5, 0.0)",
        "where(x <= 0.0, 0.0, x ** -1.0 - 1.0 / x)",
        "maximum(sqrt(x), 1.0)",
    ],
)
def test_a_singular_arm_that_is_not_taken_adds_nothing(text):
    gradient = partials(parse(text), lambda leaf: leaf == Var("x"))
    for seed in (Const(2.0), Const(0.0), Var("w")):
        p = mul(seed, gradient[Var("x")])
        with np.errstate(all="ignore"):
            env = {"x": np.float64(0.0), "k": 1.0, "w": np.float64(3.0)}
            assert float(evaluate(p, env)) == 0.0
