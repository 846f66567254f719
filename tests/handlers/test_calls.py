"""Calls by frames, from IR built here: recursion, joint calls, regions; both halves, tangents, tangents of halves."""

import numpy as np
import pytest

from s2sad import pipeline
from s2sad.derive import derive
from s2sad.drivers import File
from s2sad.emit.load import load
from s2sad.ir.nodes import (
    INT,
    REAL,
    Apply,
    Assign,
    Call,
    Const,
    For,
    Function,
    If,
    Kind,
    Leaf,
    Load,
    New,
    Node,
    Param,
    Region,
    Release,
    Store,
    Var,
)  # fmt: skip
from s2sad.ops.formula import parse
from s2sad.options import Options

ROW = Kind("real", 1)
X, Y, N = 0.6, 0.4, 3
A = np.array([0.3, 0.5, 0.2, 0.7])
DIRECTION = np.array([1.0, -0.5, 0.3, 0.2])


def power(x, y, n, a):
    a[n] = a[n] * y + x
    if n == 0:
        return y
    t = power(x * 0.9, y + x, n - 1, a)
    return x * t * a[n] + np.sin(x * y)


def twice(x, y, n, a0):
    a = a0.copy()
    s = 0.0
    for _ in range(2):
        q = power(x, y, n, a)
        s = s * q + q * a[1]
    return s


def recursive(joint: bool) -> Function:
    """`twice`, its calls split or joint."""
    element = Load("a", (Var("n"),))
    callee = Function(
        "power",
        ("x", "y", "n", "a"),
        (
            Store("a", (Var("n"),), parse("e * y + x", e=element)),
            If(
                Apply("eq", (Var("n"), Const(0))),
                (Assign("r", Var("y")),),
                (
                    Assign("x2", parse("x * 0.9")),
                    Assign("y2", parse("y + x")),
                    Assign("m", Apply("sub", (Var("n"), Const(1)))),
                    Call(("t",), "power", (Var("x2"), Var("y2"), Var("m"), Var("a")), ("a",)),
                    Assign("r", parse("x * t * e + sin(x * y)", e=element)),
                ),
            ),
        ),
        (Var("r"),),
        {"x": REAL, "y": REAL, "n": INT, "a": ROW, "r": REAL, "x2": REAL, "y2": REAL, "m": INT, "t": REAL},
        (),
        Leaf("r_0"),
    )
    body = (
        New("a", Apply("copy", (Var("a0"),))),
        Assign("s", Const(0.0)),
        For(
            "k", Const(0), Const(2), Const(1),
            (
                Call(("q",), "power", (Var("x"), Var("y"), Var("n"), Var("a")), ("a",), joint=joint),
                Assign("s", parse("s * q + q * e", e=Load("a", (Const(1),)))),
            ),
        ),
        Release("a"),
    )  # fmt: skip
    kinds = {"x": REAL, "y": REAL, "n": INT, "a0": ROW, "a": ROW, "s": REAL, "k": INT, "q": REAL}
    params = ("x", "y", "n", "a0")
    signature = tuple(Param(p, Leaf(p)) for p in params)
    return Function(
        "twice", params, body, (Var("s"),), kinds, signature, Leaf("r_0"), callees={"power": callee}
    )


def stepped(x, y, n, a0):
    a = a0.copy()
    s = 0.0
    for _ in range(3):
        w = np.sin(s + x)
        for i in range(n):
            a[i] = a[i] * w + y
            s = s + w * a[i] * a[i]
        s = s * x + a[1]
    return s


def regions() -> Function:
    """`stepped`, its loop body a region with another one inside, written in place."""
    element = Load("a", (Var("i"),))
    inner = Region((Assign("s", parse("s + w * e * e", e=element)),))
    loop = For(
        "i", Const(0), Var("n"), Const(1), (Store("a", (Var("i"),), parse("e * w + y", e=element)), inner)
    )
    body = (
        New("a", Apply("copy", (Var("a0"),))),
        Assign("s", Const(0.0)),
        For(
            "k", Const(0), Const(3), Const(1),
            (
                Region((Assign("w", parse("sin(s + x)")), loop)),
                Assign("s", parse("s * x + e", e=Load("a", (Const(1),)))),
            ),
        ),
        Release("a"),
    )  # fmt: skip
    kinds = {"x": REAL, "y": REAL, "n": INT, "a0": ROW, "a": ROW, "s": REAL, "k": INT, "w": REAL, "i": INT}
    params = ("x", "y", "n", "a0")
    return Function(
        "stepped", params, body, (Var("s"),), kinds, tuple(Param(p, Leaf(p)) for p in params), Leaf("r_0")
    )


PROGRAMS = {
    "split": (twice, recursive(False)),
    "joint": (twice, recursive(True)),
    "regions": (stepped, regions()),
}


def complex_step(f, x, y, a):
    return f(x, y, N, a).imag / 1e-30


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("name", PROGRAMS)
def test_first_and_second_order(name, jit):
    f, fn = PROGRAMS[name]
    wrt = Node((Leaf("x"), Leaf("y"), Leaf("a0")))
    file = File(derive(fn, ("x", "y", "a0")), Options(jit=jit))
    file.gradient_driver("f_grad", wrt, value=True, aux=False)
    first = load(file.text(), "f_grad", jit=jit).f_grad
    value, (x_b, y_b, a_b) = first(X, Y, N, A)
    assert value == f(X, Y, N, A)
    eye = np.eye(4) * 1e-30j
    assert x_b == pytest.approx(complex_step(f, X + 1e-30j, Y, A.astype(complex)), rel=1e-13)
    assert y_b == pytest.approx(complex_step(f, X, Y + 1e-30j, A.astype(complex)), rel=1e-13)
    np.testing.assert_allclose(a_b, [complex_step(f, X, Y, A + e) for e in eye], rtol=1e-13)

    file = File(derive(fn, None, [("x", "a0")]), Options(jit=jit))
    _, tangent = getattr(load(file.text(), "f_d", jit=jit), f"{fn.name}_d")(X, Y, N, A, 1.0, DIRECTION)
    assert tangent == pytest.approx(x_b + a_b @ DIRECTION, rel=1e-13)

    file = File(derive(fn, ("x", "y", "a0"), [("x", "a0")]), Options(jit=jit))
    file.nested_driver("f_nested", wrt, value=False, aux=False)
    _, second = load(file.text(), "f_nested", jit=jit).f_nested(X, Y, N, A, 1.0, DIRECTION)
    h = 1e-5
    ahead, behind = (first(X + s * h, Y, N, A + s * h * DIRECTION)[1] for s in (1, -1))
    for got, one, other in zip(second, ahead, behind, strict=True):
        np.testing.assert_allclose(got, (np.asarray(one) - other) / (2 * h), rtol=1e-6, atol=1e-8)


def test_regions_are_functions_of_what_is_live():
    text = File(derive(regions(), ("x",)), Options(jit=False)).text()
    assert "def stepped_region(a, s, x, n, y):" in text
    assert "frame = mark(arena)" in text
    assert "release(arena, frame)" in text


def halved(a, b, n):
    x = np.linalg.solve(a, b)
    return np.sum(x) if n == 0 else np.sum(x) + halved(a, 0.5 * b, n - 1)


@pytest.mark.parametrize("mode", ["primal", "adjoint", "tangent"])
def test_what_is_called_plainly_is_printed_as_it_is(mode):
    """Factors are kept by derivatives alone."""
    kinds = (Kind("real", 2), Kind("real", 1), Kind("int"))
    text = pipeline.emit_text(halved, kinds, mode, (0, 1))
    plain = text[text.index("def halved_self(") :].split("\n\n\n")[0]
    assert "np.linalg.solve(a, b)" in plain
    assert "solve_by" not in plain
    assert ("solve_by" in text) == (mode != "primal")
