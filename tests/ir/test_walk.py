"""Walks and maps over IR."""

from __future__ import annotations

import pytest

from s2sad.ir.nodes import (
    Accumulate,
    Apply,
    Assign,
    Back,
    Const,
    Expr,
    For,
    If,
    Keep,
    Load,
    New,
    Pop,
    Push,
    Raise,
    Rebind,
    Region,
    Release,
    Stmt,
    Store,
    Turn,
    Update,
    Var,
)
from s2sad.ir.walk import (
    blocks,
    children,
    expressions,
    is_constant,
    leaves,
    loads,
    map_body,
    map_expr,
    map_expressions,
    names_in,
    nodes,
    reads,
    reads_in,
    rebuild,
    rename,
    statements,
    substitute,
    variables,
    with_blocks,
    writes,
    writes_in,
)

x, y, i, n = Var("x"), Var("y"), Var("i"), Var("n")
ONE = Const(1)


def add(a: Expr, b: Expr) -> Apply:
    return Apply("add", (a, b))


INNER = Load("k", (i,))
TREE = Apply("mul", (add(x, Load("a", (INNER, add(i, ONE)))), add(x, Const(2.0))))


def test_expressions_are_walked_in_order() -> None:
    assert variables(TREE) == ("x", "a", "k", "i")
    assert loads(TREE) == (Load("a", (INNER, add(i, ONE))), INNER)
    assert leaves(TREE) == (x, Load("a", (INNER, add(i, ONE))))
    assert [type(node).__name__ for node in nodes(add(x, ONE))] == ["Apply", "Var", "Const"]
    assert children(x) == children(ONE) == ()
    assert children(INNER) == (i,)
    assert is_constant(add(ONE, ONE))
    assert not is_constant(TREE)


def test_map_goes_bottom_up_and_shares_what_stays() -> None:
    seen: list[Expr] = []

    def note(e: Expr) -> Expr:
        seen.append(e)
        return e

    assert map_expr(note, TREE) is TREE
    assert seen[0] == x
    assert seen[-1] is TREE
    doubled = map_expr(lambda e: Const(2 * e.value) if isinstance(e, Const) else e, TREE)
    assert doubled == Apply("mul", (add(x, Load("a", (INNER, add(i, Const(2))))), add(x, Const(4.0))))
    assert rebuild(INNER, lambda e: n) == Load("k", (n,))
    assert rebuild(x, lambda e: n) is x


def test_substitution_is_simultaneous() -> None:
    assert substitute({"x": y, "y": x}, add(x, y)) == add(y, x)
    assert substitute({"i": add(i, ONE)}, INNER) == Load("k", (add(i, ONE),))
    assert substitute({"k": x}, INNER) == Load("x", (i,))
    with pytest.raises(TypeError, match="read by element"):
        substitute({"k": add(x, y)}, INNER)


# statement, what it reads, what it writes
CASES: list[tuple[Stmt, tuple[str, ...], tuple[str, ...]]] = [
    (Assign("x", add(x, y)), ("x", "y"), ("x",)),
    (Store("a", (i,), add(Load("b", (n,)), x)), ("i", "b", "n", "x"), ("a",)),
    (Update("a", add(Var("a"), x)), ("a", "x"), ("a",)),
    (Update("a", x), ("x",), ("a",)),
    (New("a", Apply("zeros", (n,))), ("n",), ("a",)),
    (Rebind(("a", "b"), ("b", "a")), ("b", "a"), ("a", "b")),
    (Release("a"), (), ()),
    (For("i", ONE, n, ONE, (Assign("x", y),)), ("n",), ("i",)),
    (If(x, (Assign("x", y),)), ("x",), ()),
    (Region((Assign("x", y),)), (), ()),
    (Raise("ValueError", (Const("no"), i)), ("i",), ()),
    (Keep("r", "a", "copy"), ("a",), ()),
    (Keep("r", "a", "hold"), ("a",), ()),
    (Back("r", "a"), (), ("a",)),
    (Push("stk", x), ("x",), ()),
    (Pop("stk", "x"), (), ("x",)),
    (Accumulate(Var("x_b"), y), ("x_b", "y"), ("x_b",)),
    (Accumulate(Load("a_b", (i,)), y), ("a_b", "i", "y"), ("a_b",)),
    (Turn((x, add(y, y)), ("r_b",)), ("x", "y"), ("r_b",)),
]


@pytest.mark.parametrize(("stmt", "read", "written"), CASES, ids=[type(s).__name__ for s, _, _ in CASES])
def test_reads_and_writes(stmt: Stmt, read: tuple[str, ...], written: tuple[str, ...]) -> None:
    assert reads(stmt) == read
    assert writes(stmt) == written


@pytest.mark.parametrize("stmt", [s for s, _, _ in CASES], ids=lambda s: type(s).__name__)
def test_renaming_reaches_every_name(stmt: Stmt) -> None:
    new = {name: f"{name}_2" for name in names_in((stmt,))}
    (renamed,) = rename(new, (stmt,))
    assert names_in((renamed,)) == tuple(new.values())
    assert rename({v: k for k, v in new.items()}, (renamed,)) == (stmt,)


@pytest.mark.parametrize("stmt", [s for s, _, _ in CASES], ids=lambda s: type(s).__name__)
def test_expressions_are_those_mapped(stmt: Stmt) -> None:
    mapped = map_expressions(lambda e: add(e, ONE), stmt)
    assert expressions(mapped) == tuple(add(e, ONE) for e in expressions(stmt))
    assert blocks(mapped) == blocks(stmt)
    assert with_blocks(stmt, blocks(stmt)) == stmt


BODY: tuple[Stmt, ...] = (
    Assign("x", ONE),
    For("i", Const(0), n, ONE, (If(x, (Assign("y", x),), (Release("a"),)), Region((Push("stk", x),)))),
)


def test_nested_bodies() -> None:
    names = [type(s).__name__ for s in statements(BODY)]
    assert names == ["Assign", "For", "If", "Assign", "Release", "Region", "Push"]
    assert reads_in(BODY) == ("n", "x")
    assert writes_in(BODY) == ("x", "i", "y")
    assert names_in(BODY) == ("x", "i", "n", "y", "a", "stk")


def test_bodies_are_mapped_bottom_up() -> None:
    def expand(stmt: Stmt) -> tuple[Stmt, ...]:
        match stmt:
            case Release():
                return ()
            case Region(body=body):
                return body
            case Assign():
                return (stmt, stmt)
        return (stmt,)

    assert map_body(expand, BODY) == (
        Assign("x", ONE),
        Assign("x", ONE),
        For("i", Const(0), n, ONE, (If(x, (Assign("y", x),) * 2, ()), Push("stk", x))),
    )
