"""IR to Python: the text as one would write it, and the same values when it runs."""

from __future__ import annotations

import ast
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2sad.emit.printer import to_source
from s2sad.emit.python import block, expression, function_def
from s2sad.emit.trees import literal
from s2sad.ir.nodes import (
    BOOL,
    INT,
    REAL,
    Accumulate,
    Apply,
    Assign,
    Back,
    Const,
    Expr,
    For,
    If,
    Keep,
    Kind,
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
from s2sad.ops.evaluate import evaluate
from s2sad.ops.kinds import kind_of
from s2sad.source import Source, Span

VECTOR, MATRIX, INTS = Kind("real", 1), Kind("real", 2), Kind("int", 1)
KINDS = {
    "x": REAL, "y": REAL, "z": REAL, "s": REAL, "n": INT, "m": INT, "i": INT, "j": INT, "p": BOOL, "q": BOOL,
    "a": VECTOR, "b": VECTOR, "u": VECTOR, "un": VECTOR, "A": MATRIX, "k": INTS, "a_b": VECTOR, "x_s": MATRIX,
    "stack_i": INT, "mask": Kind("bool", 1),
}  # fmt: skip

x, y, z, n, m, i, j, a, b, A, p, q = map(Var, ["x", "y", "z", "n", "m", "i", "j", "a", "b", "A", "p", "q"])


def op(key: str, *args: Expr | float | str, spell: str = "") -> Apply:
    return Apply(
        key, tuple(e if isinstance(e, Var | Const | Apply | Load) else Const(e) for e in args), spell
    )


def at(array: str, *index: Expr | int) -> Load:
    return Load(array, tuple(Const(e) if isinstance(e, int) else e for e in index))


def text(*body: Stmt, **options: bool) -> str:
    return to_source(ast.Module(block(body, KINDS, **options), []))


EXPRESSIONS: list[tuple[Expr, str]] = [
    (op("add", op("mul", x, y), op("mul", x, op("add", y, z))), "x * y + x * (y + z)"),
    (op("sub", x, op("sub", y, z)), "x - (y - z)"),
    (op("div", op("neg", x), op("pow", y, 2)), "-x / y**2"),
    (op("floordiv", i, op("mod", n, 2)), "i // (n % 2)"),
    (op("add", x, op("neg", y)), "x - y"),
    (op("add", x, op("mul", op("neg", y), z)), "x - y * z"),
    (op("sub", x, -2.0), "x + 2.0"),
    (op("mul", x, -2.0), "x * -2.0"),
    (op("sin", x), "np.sin(x)"),
    (op("sin", x, spell="math.sin"), "math.sin(x)"),
    (op("arctan2", x, y, spell="math.atan2"), "math.atan2(x, y)"),
    (op("abs", x, spell="abs"), "abs(x)"),
    (op("maximum", x, op("maximum", y, z, spell="max"), spell="max"), "max(x, max(y, z))"),
    (op("maximum", x, y), "np.maximum(x, y)"),
    (op("add", x, y, spell="np.add"), "np.add(x, y)"),
    (op("where", op("lt", x, 0.0), y, z), "y if x < 0.0 else z"),
    (op("mul", x, op("where", p, y, z, spell="np.where")), "x * (y if p else z)"),
    (op("where", op("lt", a, 0.0), a, 0.0), "np.where(a < 0.0, a, 0.0)"),
    (op("and", op("and", p, op("lt", x, y)), op("or", q, p)), "p and x < y and (q or p)"),
    (op("not", op("and", p, q)), "not (p and q)"),
    (op("eq", op("lt", x, y), p), "(x < y) == p"),
    (op("shape", A, 1), "A.shape[1]"),
    (op("shape", a, 0, spell="len"), "len(a)"),
    (op("zeros", n), "np.zeros(n)"),
    (op("zeros", n, op("add", m, 1)), "np.zeros((n, m + 1))"),
    (op("full", 2.5, n, m), "np.full((n, m), 2.5)"),
    (op("zeros_like", a), "np.zeros_like(a)"),
    (op("copy", a), "a.copy()"),
    (op("copy", op("mul", a, b)), "(a * b).copy()"),
    (op("own", a), "own(arena, a)"),
    (op("sum", op("mul", a, b)), "np.sum(a * b)"),
    (op("amax", a), "np.max(a)"),
    (op("int", x, spell="int"), "int(x)"),
    (at("A", i, op("add", j, 1)), "A[i, j + 1]"),
    (at("a", op("sub", i, 1)), "a[i - 1]"),
    (at("a", -1), "a[-1]"),
    (Const(math.inf), "np.inf"),
    (Const(-math.inf), "-np.inf"),
    (Const("it's"), '"it\'s"'),
    (op("trips", 0, n, 1), "len(range(n))"),
]


@pytest.mark.parametrize(("expr", "expected"), EXPRESSIONS, ids=[e for _, e in EXPRESSIONS])
def test_expressions(expr: Expr, expected: str) -> None:
    printed = to_source(expression(expr, KINDS)).strip()
    assert printed == expected
    compile(printed, "printed", "eval")


STATEMENTS: list[tuple[Stmt, str]] = [
    (Assign("x", op("mul", x, x)), "x *= x"),
    (Assign("s", op("add", Var("s"), op("neg", x))), "s -= x"),
    (Assign("s", op("add", x, Var("s"))), "s = x + s"),
    (Assign("n", op("floordiv", n, 2)), "n = n // 2"),
    (Store("a", (i,), op("add", at("a", i), x)), "a[i] += x"),
    (Store("a", (i,), op("add", at("a", j), x)), "a[i] = a[j] + x"),
    (Store("A", (i, j), Const(0.0)), "A[i, j] = 0.0"),
    (Update("a", op("mul", a, x)), "a *= x"),
    (Update("a", Const(0.0)), "a[...] = 0.0"),
    (New("a", op("zeros", n)), "a = np.zeros(n)"),
    (New("k", op("zeros", n)), "k = np.zeros(n, dtype=np.int64)"),
    (New("mask", op("zeros_like", a)), "mask = np.zeros_like(a, dtype=np.bool_)"),
    (New("u", op("own", op("mul", a, b))), "u = own(arena, a * b)"),
    (New("x_s", op("slots", n, m)), "x_s = real_slots(arena, (n, m))"),
    (New("k", op("slots", n)), "k = int_slots(arena, (n,))"),
    (New("mask", op("slots", n)), "mask = bit_slots(arena, (n,))"),
    (Rebind(("u", "un"), ("un", "u")), "u, un = un, u"),
    (Rebind(("u",), ("un",)), "u = un"),
    (Raise("ValueError", (Const("negative"), i)), 'raise ValueError("negative", i)'),
    (Raise("ValueError"), "raise ValueError"),
    (Keep("un", "un", "copy"), "keep(arena, un)"),
    (Keep("u", "u", "hold"), "hold(arena, u)"),
    (Back("un", "un", "copy"), "restore(arena, un)"),
    (Back("x_s", "x_s"), "x_s = take_real(arena, 2)"),
    (Back("k", "k"), "k = take_int(arena, 1)"),
    (Back("mask", "mask"), "mask = take_bit(arena, 1)"),
    (Push("stack", x), "push_real(stack, x)"),
    (Push("stack", op("lt", x, y)), "push_bit(stack, x < y)"),
    (Push("stack_i", Const(0)), "push_int(stack_i, 0)"),
    (Pop("stack", "i"), "i = pop_int(stack)"),
    (Accumulate(x, op("mul", y, z)), "x += y * z"),
    (Accumulate(x, op("div", op("neg", y), z)), "x -= y / z"),
    (Accumulate(x, op("mul", a, b)), "x += np.sum(a * b)"),
    (Accumulate(at("a_b", i), op("neg", y)), "a_b[i] -= y"),
    (Accumulate(Var("a_b"), op("mul", x, b)), "accumulate(a_b, x * b)"),
    (Release("a"), ""),
]


@pytest.mark.parametrize(("stmt", "expected"), STATEMENTS, ids=[e for _, e in STATEMENTS])
def test_statements(stmt: Stmt, expected: str) -> None:
    assert text(stmt).strip() == expected


def loop(*body: Stmt, start: Expr = Const(0), stop: Expr = n, step: Expr = Const(1)) -> For:
    return For("i", start, stop, step, body)


def test_loops_and_branches() -> None:
    body = (
        loop(Assign("x", y)),
        loop(Assign("x", y), start=Const(1), stop=op("sub", n, 1)),
        loop(start=op("sub", n, 1), stop=Const(-1), step=Const(-1)),
        If(op("lt", x, y), (Assign("x", y),), (If(p, (Assign("x", z),), (Release("a"),)),)),
        If(op("eq", i, j), (), (Assign("x", y),)),
        If(op("lt", x, y), (Release("a"),), (Assign("x", y),)),
        If(op("not", p), (), (Assign("x", y),)),
        If(p, (Release("a"),)),
        Region((Assign("y", x), Release("a"))),
    )
    assert (
        text(*body)
        == """\
for i in range(n):
    x = y
for i in range(1, n - 1):
    x = y
for i in range(n - 1, -1, -1):
    pass
if x < y:
    x = y
elif p:
    x = z
if i != j:
    x = y
if not x < y:
    x = y
if p:
    x = y
y = x
"""
    )


def test_a_turn_is_not_printed() -> None:
    with pytest.raises(ValueError, match="split there"):
        text(Turn((x,)))


USER = Source(
    "heat.py",
    "def f(u):\n    for i in range(n):\n        y = u[i] * u[i]\n        s += y\n" + "long " * 40,
    10,
)


def from_line(line: int) -> Span:
    return Span(USER, line, 0, line, 1)


def test_provenance_once_per_line() -> None:
    body = (
        For("i", Const(0), n, Const(1), (
            Accumulate(y, z, from_line(13)),
            Accumulate(x, y, from_line(12)),
            Release("a", from_line(14)),
            Accumulate(x, y, from_line(12)),
        ), from_line(11)),
        Assign("x", y, from_line(14)),
        Assign("x", y),
        Assign("x", y, from_line(99)),
    )  # fmt: skip
    assert (
        text(*body, provenance=True)
        == """\
for i in range(n):
    # line 13: s += y
    y += z
    # line 12: y = u[i] * u[i]
    x += y
    x += y
# line 14: long long long long long long long long long long long long long long ...
x = y
x = y
x = y
"""
    )
    assert "#" not in text(*body)


def f_rev() -> tuple[Stmt, ...]:
    """The reverse sweep of s = sum(sin(u[i]) * u[i-1]), written by hand."""
    left, right, s_b = at("u", op("sub", i, 1)), at("u", i), Var("s_b")
    left_b, right_b = at("u_b", op("sub", i, 1)), at("u_b", i)
    return (
        New("u_b", op("zeros_like", Var("u"))),
        For("i", op("sub", op("shape", Var("u"), 0, spell="len"), 1), Const(0), Const(-1), (
            Accumulate(right_b, op("mul", op("mul", op("cos", right), left), s_b), from_line(12)),
            Accumulate(left_b, op("mul", op("sin", right), s_b), from_line(12)),
        )),
        If(op("gt", op("abs", right_b), 1e3), (Raise("ValueError", (Const("too large"), i)),)),
    )  # fmt: skip


def run(tree: ast.FunctionDef, *args: Any, **names: Any) -> Any:
    found: dict[str, Any] = {"np": np, "math": math, "jit": lambda **_: lambda f: f, **names}
    exec(to_source(tree), found)
    return found[tree.name](*args)


def test_a_function() -> None:
    kinds = {**KINDS, "u_b": VECTOR, "s_b": REAL}
    tree = function_def(
        "f_rev",
        ["u", "s_b=1.0"],
        f_rev(),
        [Var("u_b")],
        kinds,
        ["jit(inner=True)"],
        "Adjoint of f.",
        provenance=True,
    )
    assert (
        to_source(tree)
        == '''\
@jit(inner=True)
def f_rev(u, s_b=1.0):
    """Adjoint of f."""
    u_b = np.zeros_like(u)
    for i in range(len(u) - 1, 0, -1):
        # line 12: y = u[i] * u[i]
        u_b[i] += np.cos(u[i]) * u[i - 1] * s_b
        u_b[i - 1] += np.sin(u[i]) * s_b
    if np.abs(u_b[i]) > 1000.0:
        raise ValueError("too large", i)
    return u_b
'''
    )
    u = np.linspace(0.3, 1.2, 7)
    step = 1e-30
    expected = [
        np.sum(np.sin(v := u + 1j * step * unit)[1:] * v[:-1]).imag / step for unit in np.eye(7)
    ]  # complex step
    assert np.allclose(run(tree, u), expected, rtol=1e-14)
    compile(ast.fix_missing_locations(ast.Module([tree], [])), "tree", "exec")


def test_results() -> None:
    def printed(*results: Expr) -> str:
        return to_source(function_def("f", ["x", "y"], (), results)).split("\n")[1].strip()

    assert printed() == "pass"
    assert printed(x) == "return x"
    assert printed(x, op("add", x, y)) == "return x, x + y"
    assert run(function_def("f", ["x", "y"], (), [y, x]), 1, 2) == (2, 1)


@pytest.mark.parametrize(
    "value", [0.1, -0.0, 1e-320, -5, True, None, "a\nb", (1.0, (2,)), math.inf, -math.inf, 10**20, 1e308 * 10]
)
def test_literals_give_back_the_same_bits(value: object) -> None:
    printed = to_source(literal(value)).strip()
    assert repr(eval(printed, {"np": np})) == repr(value)


def test_kinds_of_expressions() -> None:
    assert kind_of(op("mul", a, x), KINDS) == VECTOR
    assert kind_of(op("lt", A, a), KINDS) == Kind("bool", 2)
    assert kind_of(op("sum", a), KINDS) == REAL
    assert kind_of(at("k", i), KINDS) == INT
    assert kind_of(op("trips", 0, n, 1), KINDS) == INT


def larger(e: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    binary = st.sampled_from(["add", "sub", "mul", "div", "maximum", "arctan2", "hypot"])
    unary = st.sampled_from(["neg", "sin", "tanh", "abs", "square"])
    test = st.builds(op, st.sampled_from(["lt", "ge", "ne"]), e, e)
    return st.one_of(
        st.builds(op, binary, e, e),
        st.builds(op, unary, e),
        st.builds(lambda c, a, b: op("where", c, a, b), test, e, e),
    )


LEAVES: list[Expr] = [
    x,
    y,
    at("a", i),
    at("A", i, op("sub", i, 1)),
    Const(2.0),
    Const(-0.5),
    Const(3),
    Const(-0.0),
]
NAMES = {"x": 0.7, "y": -1.3, "i": 1, "a": np.array([0.2, -2.0]), "A": np.array([[1.5, 0.1], [-0.4, 2.2]])}


@settings(max_examples=150, deadline=None)
@given(st.recursive(st.sampled_from(LEAVES), larger, max_leaves=30), st.booleans())
def test_printed_expressions_have_the_value_of_the_interpreted(expr: Expr, arrays: bool) -> None:
    names = {**NAMES, "x": np.array([0.7, -0.0, 5.0])} if arrays else NAMES
    kinds = {**KINDS, "x": VECTOR} if arrays else KINDS
    result = "r" if kind_of(expr, kinds).ndim else "s"
    body = (New("r", expr) if result == "r" else Assign("s", expr),)
    printed = to_source(function_def("f", list(names), body, [Var(result)], kinds))
    assert max(map(len, printed.splitlines())) <= 100
    found: dict[str, Any] = {"np": np}
    exec(printed, found)
    with np.errstate(all="ignore"):
        try:
            expected = evaluate(expr, names)
        except ZeroDivisionError:
            return
        try:
            got = found["f"](**names)
        except (
            ZeroDivisionError
        ):  # Python's numbers raise where NumPy's, which the interpreter may hold, don't
            assert not np.all(np.isfinite(expected))
            return
    assert bits(got) == bits(expected)


def bits(value: object) -> bytes:
    """The bits of numbers, all NaNs taken as one."""
    array = np.asarray(value, dtype=float)
    return np.where(np.isnan(array), np.nan, array).tobytes()
