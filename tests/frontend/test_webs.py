"""One name per web; names that the user chose stay wherever they can."""

from s2sad.frontend.webs import choose, split_webs
from s2sad.ir.nodes import (
    INT,
    REAL,
    Apply,
    Assign,
    Const,
    For,
    Function,
    If,
    Kind,
    Leaf,
    New,
    Param,
    Raise,
    Rebind,
    Release,
    Store,
    Var,
)
from s2sad.ir.text import show_function


def add(a, b):
    return Apply("add", (a, b))


def split(params, body, *results):
    names = {"i": INT, "a": Kind("real", 1), "b": Kind("real", 1)}
    kinds = {n: names.get(n, REAL) for n in (*params, "x", "y", "i", "a", "b")}
    fn = Function("f", params, body, results, kinds, tuple(Param(p, Leaf(p)) for p in params), Leaf("r_0"))
    return show_function(split_webs(fn)).splitlines()[1:]


X, Y, ONE = Var("x"), Var("y"), Const(1.0)


def test_straight_line():
    body = (Assign("y", X), Assign("x", Y), Assign("y", add(X, Y)))
    assert split(("x",), body, Y) == ["    y = x", "    x_2 = y", "    y_2 = x_2 + y", "    return y_2"]


def test_round_a_loop():
    body = (
        Assign("y", ONE),
        For("i", Const(0), Const(3), Const(1), (Assign("y", add(Y, X)), Assign("x", Y))),
        Assign("y", add(Y, ONE)),
    )
    assert split(("x",), body, Y) == [
        "    y = 1.0",
        "    for i in range(0, 3, 1):",
        "        y = y + x",
        "        x = y",
        "    y_2 = y + 1.0",
        "    return y_2",
    ]


def test_arms_meet():
    body = (If(Apply("gt", (X, ONE)), (Assign("y", ONE),), (Assign("y", X),)), Assign("x", Y))
    assert split(("x",), body, X)[-2:] == ["    x_2 = y", "    return x_2"]


def test_an_arm_that_raises_meets_nothing():
    body = (
        Assign("y", X),
        If(Apply("gt", (X, ONE)), (Assign("y", ONE), Raise("ValueError")), ()),
        Assign("x", Y),
    )
    assert "        y_2 = 1.0" in split(("x",), body, X)


def test_arrays_and_their_ends():
    new = Apply("zeros", (Const(3),))
    body = (New("a", new), Store("a", (Const(0),), X), Release("a"), New("a", new), Rebind(("b",), ("a",)))
    assert split(("x",), body, Var("b")) == [
        "    new a = zeros(3)",
        "    a[0] = x",
        "    release a",
        "    new a_2 = zeros(3)",
        "    rebind b = a_2",
        "    return b",
    ]


def test_who_chooses_first():
    names = choose(["t#t1", "x#3", "x#0~1", "x_2#0", "x#0", "range#0", "total#0", "p.0#0"], ["p#0", "x#0"])
    assert names == {
        "p#0": "p", "x#0": "x", "x_2#0": "x_2", "range#0": "range_2", "total#0": "total", "p.0#0": "p_0",
        "x#0~1": "x_3", "x#3": "x_4", "t#t1": "t",
    }  # fmt: skip
