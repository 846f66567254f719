"""The short textual form: precedence, every statement, a whole function."""

import pytest

from s2sad.ir.nodes import (
    REAL,
    Accumulate,
    Apply,
    Assign,
    Back,
    Const,
    For,
    Function,
    If,
    Keep,
    Kind,
    Leaf,
    Load,
    New,
    Pop,
    Push,
    Raise,
    Rebind,
    Region,
    Release,
    Store,
    Turn,
    Update,
    Var,
)
from s2sad.ir.text import show, show_function, show_stmt
from s2sad.ops import parse

x, i = Var("x"), Var("i")


@pytest.mark.parametrize(
    "text",
    [
        "a - (b - c)", "a - b - c", "a / (b * c)", "-x ** 2", "(-x) ** 2", "x ** -n", "x ** (-2)",
        "2.0 ** x ** y", "(x ** y) ** z", "-(a + b) * c", "(a < b) & (c <= d)", "(a < b) == (c < d)",
        "not (a < b)", "where(a > b, a, -b)", "a * (b % c) // d",
    ],
)  # fmt: skip
def test_parentheses_stand_where_they_are_needed(text):
    tree = parse(text)
    assert parse(show(tree)) == tree
    assert show(tree) in (text, text.replace("(-2)", "-2"), text.replace("not (a < b)", "not a < b"))


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        (Assign("y", Apply("sin", (x,), "math.sin")), "y = math.sin(x)"),
        (Store("a", (i, Const(0)), x), "a[i, 0] = x"),
        (Update("a", x), "a[...] = x"),
        (New("a", Apply("zeros", (i,))), "new a = zeros(i)"),
        (Rebind(("u", "v"), ("v", "u")), "rebind u, v = v, u"),
        (Release("a"), "release a"),
        (Raise("ValueError", (Const("no"),)), "raise ValueError('no')"),
        (Keep("k", "a", "copy"), "keep k: a copy"),
        (Back("k", "a", "bind"), "back k: a bind"),
        (Push("s", x), "push s: x"),
        (Pop("s", "x"), "pop s: x"),
        (Accumulate(Load("a", (i,)), x), "a[i] += x"),
        (Turn((x,), ("y_b",)), "turn x <- y_b"),
        (Region((Release("a"),)), "region:\n    release a"),
        (
            For("i", Const(0), Var("n"), Const(1), (If(parse("x > 0"), (Release("a"),), (Assign("x", i),)),)),
            "for i in range(0, n, 1):\n    if x > 0:\n        release a\n    else:\n        x = i",
        ),
    ],
)
def test_statements(statement, text):
    assert show_stmt(statement) == text


def test_function():
    fn = Function(
        "f", ("x", "a"), (Assign("y", x),), (Var("y"),), {"x": REAL, "a": Kind("real", 2)}, (), Leaf("r_0")
    )
    assert show_function(fn) == "def f(x: real, a: real[:, :]):\n    y = x\n    return y"
