"""The checker names what is not legal IR."""

import pytest

from s2sad.ir.interpret import run
from s2sad.ir.nodes import (
    INT,
    REAL,
    Accumulate,
    Apply,
    Assign,
    Const,
    For,
    Function,
    If,
    Kind,
    Leaf,
    Load,
    New,
    Param,
    Raise,
    Rebind,
    Release,
    Store,
    Update,
    Var,
    While,
)
from s2sad.ir.spec import REDUCES, check
from s2sad.ops import OPS

VECTOR = Kind("real", 1)
KINDS = {
    "x": REAL,
    "y": REAL,
    "n": INT,
    "i": INT,
    "u": VECTOR,
    "a": VECTOR,
    "b": VECTOR,
    "c": VECTOR,
    "K": VECTOR,
}
X, Y, U, TWO = Var("x"), Var("y"), Var("u"), Const(2)
NEW = Apply("zeros", (Var("n"),))


def function(*body, results=(X,)):
    signature = tuple(Param(p, Leaf(p)) for p in ("x", "n", "u"))
    return Function("f", ("x", "n", "u"), body, results, KINDS, signature, Leaf("r_0"), {"K": None})


def loop(*body):
    return For("i", Const(0), Var("n"), Const(1), body)


def test_legal():
    body = (
        New("a", NEW), New("b", Apply("mul", (U, X))),
        loop(
            Store("a", (Var("i"),), Load("b", (Var("i"),))), Rebind(("a", "b"), ("b", "a")), New("c", NEW),
            Release("a"), Rebind(("a",), ("c",)),
        ),
        If(Apply("lt", (X, TWO)), (Raise("ValueError"),), (Assign("y", X),)),
        Update("u", Apply("add", (U, Y))), Release("b"), Release("a"),
    )  # fmt: skip
    assert check(function(*body, results=(Y,))) == []


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ((Assign("x", Y),), "y is used where it may have no value"),
        ((Assign("z", X),), "z has no kind"),
        ((If(X, (Assign("y", X),)), Assign("x", Y)), "y is used where it may have no value"),
        ((loop(Assign("y", X)), Assign("x", Y)), "y is used where it may have no value"),
        ((While(X, (Assign("y", X),)), Assign("x", Y)), "y is used where it may have no value"),
        ((New("a", NEW),), "a is not released"),
        ((New("a", NEW), New("a", NEW), Release("a")), "a is bound anew before its release"),
        ((Release("a"),), "a is used where it may have no value"),
        ((Release("u"),), "u comes from outside and is released"),
        ((Rebind(("a",), ("u",)), Release("a")), "u comes from outside and is handed over"),
        ((New("a", NEW), Rebind(("u", "a"), ("a", "u")), Release("a")), "u, a: a name from outside is bound anew"),
        ((Store("K", (Const(0),), X),), "the constant K is written"),
        ((If(X, (New("a", NEW),)),), "a is bound on one of the arms of an if only"),
        ((loop(New("a", NEW)),), "a is bound on one of the trips of a loop only"),
        ((Raise("ValueError"),), "ValueError is raised without an if"),
        ((Accumulate(X, Y),), "Accumulate in a primal"),
        ((Assign("x", U),), "x is assigned, and an array is involved"),
        ((New("a", X), Release("a")), "a is born, and no array is involved"),
        ((Update("x", X),), "x is updated, and is no array"),
        ((If(Apply("lt", (U, X)), ()),), "an array is a condition"),
        ((Assign("x", Load("u", (TWO, TWO))),), "u is read with 2 subscripts"),
        ((Store("u", (), X),), "u is stored with 0 subscripts"),
        ((Assign("x", Apply("sum", (Apply("mul", (U, U)),))),), "sum of an expression"),
        ((New("a", Apply("add", (U, Apply("copy", (U,))))), Release("a")), "an array is made inside add"),
    ],
)  # fmt: skip
def test_faults(body, fault):
    assert fault in check(function(*body))


def test_derived_programs_are_checked_for_names_and_shapes():
    assert check(function(Accumulate(Y, X), Assign("x", Y)), "derived") == []


def test_while_is_run():
    body = (While(Apply("lt", (X, Const(9.0))), (Assign("x", Apply("mul", (X, X))),)),)
    assert run(function(*body), [2.0, 0, None]) == [16.0]


def test_what_makes_a_scalar_of_an_array_is_what_the_table_says():
    rows = [op for op in OPS.values() if not op.results]
    scalar = {op.key for op in rows if op.structural in ("sum", "amax", "shape", "pick")}
    scalar |= {op.key for op in rows if op.structural == "matrix" and op.ndim == 0}
    assert scalar - {"address_of", "places_of"} == {
        *REDUCES
    }  # (those two stand in recording functions alone)
