"""Goldens: how expressions read that s2sad writes itself. `w` is the adjoint of the result, `r` its name."""

import math

import pytest

from s2sad.ir.nodes import Apply, Const, Load, Var
from s2sad.ir.text import show
from s2sad.ops import add, div, mul, neg, parse, partials, pow_, sub, where_
from s2sad.ops.build import number
from s2sad.ops.evaluate import evaluate
from s2sad.ops.pullback import dear, guarded

w, x, y, i, n = map(Var, "wxyin")


@pytest.mark.parametrize(
    ("tree", "increments"),
    [
        ("x + y", {"x": "w", "y": "w"}),
        ("x - y", {"x": "w", "y": "-w"}),
        ("-x", {"x": "-w"}),
        ("x * y", {"x": "w * y", "y": "w * x"}),
        ("2 * x * y", {"x": "2.0 * w * y", "y": "2 * w * x"}),
        ("x * x", {"x": "2.0 * w * x"}),
        ("x * x * x", {"x": "3.0 * w * x * x"}),
        ("k * x + k * x", {"k": "2.0 * w * x", "x": "2.0 * w * k"}),
        ("x - x", {}),
        ("a / b", {"a": "w / b", "b": "-w * r / b"}),
        ("x / 3", {"x": "w / 3"}),
        ("x * x / 2", {"x": "w * x"}),
        ("0.5 * (x - y) ** 2", {"x": "w * (x - y)", "y": "w * (y - x)"}),
        ("x ** 2", {"x": "2.0 * w * x"}),
        ("x ** 3", {"x": "3.0 * w * x ** 2"}),
        ("x ** -1", {"x": "-w * x ** -2"}),
        ("x ** 0.5", {"x": "0.5 * w * x ** -0.5"}),
        ("x ** n", {"x": "w * n * x ** where(n == 0, 1, n - 1)", "n": "w * r * log(where(x == 0, 1.0, x))"}),
        ("sqrt(x)", {"x": "0.5 * w / r"}),
        ("exp(x)", {"x": "w * r"}),
        ("sin(x)", {"x": "w * cos(x)"}),
        ("cos(x)", {"x": "-w * sin(x)"}),
        ("exp(-x * x)", {"x": "-2.0 * w * r * x"}),
        ("sqrt(x * x + y * y)", {"x": "w * x / r", "y": "w * y / r"}),
        ("x * sqrt(x)", {"x": "1.5 * w * sqrt(x)"}),
        ("y / (x * sqrt(x))", {"x": "-1.5 * w * r / x", "y": "w / (x * sqrt(x))"}),
        ("tanh(k * x)", {"k": "w * (1.0 - r * r) * x", "x": "w * (1.0 - r * r) * k"}),
        ("sin(x) * y + b", {"x": "w * cos(x) * y", "y": "w * sin(x)", "b": "w"}),
        ("a * (u + u * v)", {"a": "w * (u + u * v)", "u": "w * a * (1.0 + v)", "v": "w * a * u"}),
        ("u - a * (u - v)", {"u": "w * (1.0 - a)", "a": "w * (v - u)", "v": "w * a"}),
        ("d * u * (u - v)", {"d": "w * u * (u - v)", "u": "w * (d * (u - v) + d * u)", "v": "-w * d * u"}),
        ("r0 * s * (1 - s)", {"r0": "w * s * (1 - s)", "s": "w * (r0 * (1.0 - s) - r0 * s)"}),
        ("maximum(x, 0.0)", {"x": "where(x > 0.0, w, where(x == 0.0, 0.5 * w, 0.0))"}),
        ("abs(x)", {"x": "w * sign(x)"}),
        ("where(x > 0.0, sqrt(x), 2.0 * x)", {"x": "w * where(x > 0.0, 0.5 / sqrt(x), 2.0)"}),
        ("where(c, x * x, 0.0)", {"x": "where(c, 2.0 * w * x, 0.0)"}),
        ("x % p", {"x": "w", "p": "-w * (x // p)"}),
        ("arctan2(a, b)", {"a": "w * b / (a * a + b * b)", "b": "-w * a / (a * a + b * b)"}),
        ("float(n) * x", {"n": "w * x", "x": "w * float(n)"}),
        ("floor(x) * x", {"x": "w * floor(x)"}),
    ],
)  # fmt: skip
def test_increments_read_like_hand_written_ones(tree, increments):
    found = partials(parse(tree), lambda leaf: True, y=Var("r"))
    assert {show(leaf): show(mul(w, p)) for leaf, p in found.items()} == increments


def test_stencil():
    def u(k):
        return Load("u", (add(i, Const(k)),))

    tree = add(u(0), mul(Var("c"), add(sub(u(-1), mul(Const(2.0), u(0))), u(1))))
    assert show(tree) == "u[i] + c * (u[i - 1] - 2.0 * u[i] + u[i + 1])"
    found = partials(tree, lambda leaf: isinstance(leaf, Load))
    assert {show(leaf): show(mul(w, p)) for leaf, p in found.items()} == {
        "u[i]": "w * (1.0 - 2.0 * c)",
        "u[i - 1]": "w * c",
        "u[i + 1]": "w * c",
    }


def test_subscripts_are_not_operands():
    tree = mul(Load("a", (n,)), n)
    assert {show(k): show(p) for k, p in partials(tree, lambda leaf: True).items()} == {
        "a[n]": "n",
        "n": "a[n]",
    }


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (add(Const(0.0), x), "x"),
        (add(Const(1), Const(2)), "3"),
        (sub(sub(n, Const(1)), Const(1)), "n - 2"),
        (sub(add(n, Const(1)), Const(1)), "n"),
        (sub(Const(0), x), "-x"),
        (sub(x, neg(y)), "x + y"),
        (add(x, neg(mul(w, y))), "x - w * y"),
        (add(neg(x), y), "y - x"),
        (neg(sub(x, y)), "y - x"),
        (neg(neg(x)), "x"),
        (neg(add(x, y)), "-x - y"),
        (mul(x, neg(sub(x, y))), "x * (y - x)"),
        (mul(Const(2), mul(Const(0.5), x)), "x"),
        (mul(Const(-1.0), x), "-x"),
        (mul(x, Const(-2.0)), "-2.0 * x"),
        (mul(Const(0.0), Apply("log", (x,))), "0.0"),
        (mul(Const(2), i), "2 * i"),
        (mul(w, div(x, y)), "w * x / y"),
        (div(div(x, y), w), "x / y / w"),
        (div(Const(1.0), Const(3.0)), "1.0 / 3.0"),
        (div(x, Const(1.0)), "x"),
        (pow_(x, Const(1)), "x"),
        (pow_(x, Const(0)), "1.0"),
        (where_(Const(True), x, y), "x"),
        (where_(w, x, x), "x"),
        (mul(w, where_(y, Const(0.0), x)), "where(y, 0.0, w * x)"),
        (div(where_(y, x, Const(0.0)), w), "where(y, x / w, 0.0)"),
        (neg(where_(y, x, Const(0.0))), "where(y, -x, 0.0)"),
        (add(where_(y, x, Const(0.0)), where_(y, Const(0.0), w)), "where(y, x, w)"),
        (add(where_(y, x, Const(0.0)), w), "where(y, x, 0.0) + w"),
    ],
)
def test_constructors(made, text):
    assert show(made) == text


def test_constant_expressions():
    assert number(parse("1 / 4 - -2")) == 2.25
    assert number(parse("1 / 0")) is None
    assert number(x) is number(Const(True)) is number(Const(math.inf)) is None


def test_folding_keeps_infinities_and_flags():
    assert mul(Const(math.inf), x) == Apply("mul", (Const(math.inf), x))
    assert add(Const(True), x) == Apply("add", (Const(True), x))


@pytest.mark.parametrize("text", ["sin(x)", "x ** 2.5", "x ** 9", "1.0 + 2.0 * exp(x) * y", "erf(x)"])
def test_dear(text):
    assert dear(parse(text))


@pytest.mark.parametrize("text", ["x", "x * y / 2.0", "sqrt(x)", "x ** 2", "where(x > y, x, y)"])
def test_cheap(text):
    assert not dear(parse(text))


@pytest.mark.parametrize(
    "text", ["sqrt(x)", "x / y", "x ** 0.5", "x ** n", "x ** -1", "2.0 * log(x) + 1.0", "x / 0"]
)
def test_guarded(text):
    assert guarded(parse(text))


@pytest.mark.parametrize("text", ["x", "x / 2", "x ** 2", "x ** 1.5", "x ** 0", "exp(x)", "abs(x)"])
def test_not_guarded(text):
    assert not guarded(parse(text))


def test_third_order():
    p, seen = parse("exp(k * x) / x"), []
    for _ in range(3):
        p = partials(p, lambda leaf: leaf == x)[x]
        seen.append(float(evaluate(p, {"x": 1.3, "k": 0.7})))
    e, a, k = math.exp(0.7 * 1.3), 1.3, 0.7
    assert seen == pytest.approx(
        [
            e * (k / a - 1 / a**2),
            e * (k**2 / a - 2 * k / a**2 + 2 / a**3),
            e * (k**3 / a - 3 * k**2 / a**2 + 6 * k / a**3 - 6 / a**4),
        ],
        rel=1e-13,
    )
