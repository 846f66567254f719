"""Names that share an entity or not, by the way taken: the refcounted pool of indices in the adjoint."""

import numpy as np
import pytest

from s2sad.derive import derive
from s2sad.drivers import File
from s2sad.emit.load import load
from s2sad.ir.nodes import (
    INT,
    REAL,
    Apply,
    Assign,
    Bind,
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
    Rebind,
    Release,
    Store,
    Var,
)  # fmt: skip
from s2sad.ops.formula import parse
from s2sad.options import Options

ROW = Kind("real", 1)
X, A, STEPS = np.array([0.3, 0.5, 0.2, 0.7]), 0.9, 5
DIRECTION = np.array([1.0, -0.5, 0.3, 0.2])


def relaxed(x, a, steps):
    u = x
    v = x.copy()
    s = 0.0
    for k in range(steps):
        for i in range(3):
            v[i] = u[i + 1] * a + v[i] * u[i]
        if k % 2 == 0:
            u = v
        else:
            w = u * a
            u, v = v, w
        s = s * a + u[0] * v[1]
    return s


def program() -> Function:
    def at(name, *index):
        return Load(name, index)

    i = Var("i")
    nest = For(
        "i", Const(0), Const(3), Const(1),
        (
            Store(
                "v", (i,),
                parse("p * a + q * r", p=at("u", Apply("add", (i, Const(1)))), q=at("v", i), r=at("u", i)),
            ),
        ),
    )  # fmt: skip
    body = (
        Bind("u", "x"),
        New("v", Apply("copy", (Var("x"),))),
        Assign("s", Const(0.0)),
        For(
            "k", Const(0), Var("steps"), Const(1),
            (
                nest,
                If(
                    Apply("eq", (Apply("mod", (Var("k"), Const(2))), Const(0))),
                    (Release("u"), Bind("u", "v")),
                    (
                        New("w", parse("u * a")),
                        Rebind(("u", "v"), ("v", "u")),
                        Release("v"),
                        Rebind(("v",), ("w",)),
                    ),
                ),
                Assign("s", parse("s * a + p * q", p=at("u", Const(0)), q=at("v", Const(1)))),
            ),
        ),
        Release("v"),
        Release("u"),
    )  # fmt: skip
    kinds = {"x": ROW, "a": REAL, "steps": INT, "u": ROW, "v": ROW, "w": ROW, "s": REAL, "k": INT, "i": INT}
    params = ("x", "a", "steps")
    return Function(
        "relaxed", params, body, (Var("s"),), kinds, tuple(Param(p, Leaf(p)) for p in params), Leaf("r_0")
    )


@pytest.mark.parametrize("jit", [False, True])
def test_first_and_second_order(jit):
    wrt = Node((Leaf("x"), Leaf("a")))
    file = File(derive(program(), ("x", "a")), Options(jit=jit))
    file.gradient_driver("f_grad", wrt, value=True, aux=False)
    first = load(file.text(), "f_grad", jit=jit).f_grad
    argument = X.copy()
    value, (x_b, a_b) = first(argument, A, STEPS)
    final = X.copy()
    assert value == relaxed(final, A, STEPS)
    np.testing.assert_array_equal(argument, final)
    eye = np.eye(4) * 1e-30j
    np.testing.assert_allclose(x_b, [relaxed(X + e, A, STEPS).imag / 1e-30 for e in eye], rtol=1e-13)
    assert a_b == pytest.approx(relaxed(X.astype(complex), A + 1e-30j, STEPS).imag / 1e-30, rel=1e-13)

    file = File(derive(program(), ("x", "a"), [("x", "a")]), Options(jit=jit))
    file.nested_driver("f_nested", wrt, value=False, aux=False)
    _, second = load(file.text(), "f_nested", jit=jit).f_nested(X.copy(), A, STEPS, DIRECTION.copy(), 1.0)
    h = 1e-5
    ahead, behind = (first(X + s * h * DIRECTION, A + s * h, STEPS)[1] for s in (1, -1))
    for got, one, other in zip(second, ahead, behind, strict=True):
        np.testing.assert_allclose(got, (np.asarray(one) - other) / (2 * h), rtol=1e-6, atol=1e-8)


def test_the_text_shows_the_indices():
    text = File(derive(program(), ("x",)), Options(jit=False)).text()
    assert "u_i = pool_share(pool, v_i)" in text
    assert "pool_release(pool, u_i)" in text
    assert "v_b = place(arena, places, " in text
