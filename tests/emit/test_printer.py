"""The printer: text comes back as the same tree, within 100 columns, as one would write it."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2sad.emit.layout import Group, enclose, flat, layout
from s2sad.emit.printer import to_source

NAMES = st.sampled_from(["a", "b", "x_b", "u", "n", "a_name_of_some_length"])
BINARY = [ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult, ast.BitOr]
UNARY = [ast.USub, ast.Not, ast.UAdd, ast.Invert]
COMPARISONS = [ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq, ast.Is, ast.In, ast.NotIn]


def name(identifier: str) -> ast.expr:
    return ast.Name(identifier, ast.Load())


def load(cls: type[ast.AST], *fields: object) -> ast.AST:
    return cls(*fields, ast.Load())


CONSTANTS = st.one_of(
    st.integers(0, 10**6),
    st.floats(0.0, allow_nan=False),
    st.sampled_from([True, False, None, ...]),
    st.text(max_size=150),
).map(ast.Constant)


def extended(e: st.SearchStrategy[ast.expr]) -> st.SearchStrategy[ast.expr]:
    few = st.lists(e, max_size=4)
    bound = st.one_of(st.none(), e)
    piece = st.one_of(e, st.builds(ast.Slice, bound, bound, bound))
    pieces = st.lists(piece, min_size=1, max_size=3).map(lambda p: load(ast.Tuple, p))
    return st.one_of(
        st.builds(lambda a, op, b: ast.BinOp(a, op(), b), e, st.sampled_from(BINARY), e),
        st.builds(lambda op, a: ast.UnaryOp(op(), a), st.sampled_from(UNARY), e),
        st.builds(
            lambda op, v: ast.BoolOp(op(), v),
            st.sampled_from([ast.And, ast.Or]),
            st.lists(e, min_size=2, max_size=3),
        ),
        st.builds(
            lambda a, rest: ast.Compare(a, [op() for op, _ in rest], [b for _, b in rest]),
            e,
            st.lists(st.tuples(st.sampled_from(COMPARISONS), e), min_size=1, max_size=2),
        ),
        st.builds(ast.IfExp, e, e, e),
        st.builds(ast.Call, e, few, st.lists(st.builds(ast.keyword, NAMES, e), max_size=1)),
        st.builds(lambda a, i: load(ast.Subscript, a, i), e, st.one_of(piece, pieces)),
        st.builds(lambda a, n: load(ast.Attribute, a, n), e, NAMES),
        few.map(lambda v: load(ast.Tuple, v)),
        few.map(lambda v: load(ast.List, v)),
        st.builds(
            lambda v, i, t: ast.ListComp(v, [ast.comprehension(ast.Name("k", ast.Store()), i, t, 0)]),
            e,
            e,
            st.lists(e, max_size=1),
        ),
        st.builds(lambda v: ast.Lambda(ast.arguments([], [], None, [], [], None, []), v), e),
    )


EXPRESSIONS = st.recursive(st.one_of(NAMES.map(name), CONSTANTS), extended, max_leaves=40)


def assert_returns(tree: ast.Module, text: str) -> None:
    assert ast.dump(ast.parse(text)) == ast.dump(tree), text


@settings(max_examples=400, deadline=None)
@given(EXPRESSIONS, st.integers(0, 12))
def test_expressions_come_back(e: ast.expr, depth: int) -> None:
    body: list[ast.stmt] = [ast.Assign([ast.Name("y", ast.Store())], e), ast.Return(e)]
    body.append(ast.Expr(ast.Call(name("f"), [e], [])))
    for _ in range(depth):
        body = [ast.If(e if depth == 1 else name("c"), body, [])]
    tree = ast.fix_missing_locations(ast.Module(body, []))
    assert_returns(tree, to_source(tree))


@settings(max_examples=200, deadline=None)
@given(st.recursive(NAMES.map(name), extended, max_leaves=60))
def test_wrapped_lines_are_short(e: ast.expr) -> None:
    tree = ast.fix_missing_locations(ast.Module([ast.Assign([ast.Name("y", ast.Store())], e)], []))
    text = to_source(tree)
    assert_returns(tree, text)
    if not any(isinstance(node, (ast.Lambda, ast.comprehension)) for node in ast.walk(e)):
        assert all(len(line) <= 100 for line in text.splitlines() if len(line.strip()) > 40), text


@pytest.mark.parametrize(
    "line",
    [
        "z = x * x + np.sin(-x) ** 2",
        "A[i, 1:n, ...] = a - b - (c - d) / (2.0 * e**-1)",
        "u, un = un, u",
        "x_b += -(a + b) * c",
        "y = (a if p else b) + c",
        "y = a if p else b if q else c",
        "y = not (a or b) and c",
        "y = (-a) ** 2 + a ** (b + 1)",
        "(y,) = z",
        "y = x[0] ** 2",
        'raise ValueError("it\'s negative", i)',
        "y = (a < b) == (c < d)",
        "y = a[...] + a[:, None]",
        "y = (1).real + 1.0.real",
    ],
)
def test_as_one_would_write_it(line: str) -> None:
    text = to_source(ast.parse(line))
    assert text == line + "\n"


SOURCE = '''\
"""A module.

text
"""

import math
import numpy as np

G = 9.81


@jit(inner=True)
def f(x, y=2.0, *args, k, **kw):
    """Say "so" with a back\\\\slash."""
    for i in range(n - 1, -1, -1):
        if a:
            x = 1
        elif b:
            x = 2
        else:
            x = 3
    while x:
        x -= 1
    return x, y


def g():
    """First line.

    More "quoted"
    """
    return


RATE = 2.0
'''


def test_blank_lines_and_docstrings() -> None:
    assert to_source(ast.parse(SOURCE)) == SOURCE


def test_notes_trails_and_gaps() -> None:
    tree = ast.parse("if a:\n    x = 1\n    y = 2\nelif b:\n    x = 2\nelse:\n    x = 3\n")
    (outer,) = tree.body
    assert isinstance(outer, ast.If)
    outer.note, outer.trail = "choose", "here"  # type: ignore[attr-defined]
    outer.body[0].note = "line 3: x = 1\nand more"  # type: ignore[attr-defined]
    outer.body[1].gap = 1  # type: ignore[attr-defined]
    outer.orelse[0].note = "or else"  # type: ignore[attr-defined]
    outer.orelse[0].trail = "there"  # type: ignore[attr-defined]
    outer.orelse[0].orelse[0].trail = "t" * 92  # type: ignore[attr-defined]
    assert (
        to_source(tree)
        == f"""\
# choose
if a:  # here
    # line 3: x = 1
    # and more
    x = 1

    y = 2
# or else
elif b:  # there
    x = 2
else:
    # {"t" * 92}
    x = 3
"""
    )


def test_long_lines() -> None:
    line = "total_of_many_b[i, j] += " + " + ".join(f"weight_{k} * term_{k}" for k in range(8))
    long = f"def function_of_many({', '.join(f'argument_{k}' for k in range(9))}):\n    {line}\n"
    assert (
        to_source(ast.parse(long))
        == """\
def function_of_many(
    argument_0, argument_1, argument_2, argument_3, argument_4, argument_5, argument_6, argument_7,
    argument_8
):
    total_of_many_b[i, j] += (
        weight_0 * term_0 + weight_1 * term_1 + weight_2 * term_2 + weight_3 * term_3
        + weight_4 * term_4 + weight_5 * term_5 + weight_6 * term_6 + weight_7 * term_7
    )
"""
    )


def test_long_texts_and_tables() -> None:
    text = "a sentence that goes on for quite a while, longer than a line of the page is wide, until it ends"
    line = f"T = np.array({list(range(40))})\nraise ValueError({text!r}, i)\n"
    assert (
        to_source(ast.parse(line))
        == """\
T = np.array([
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
    26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39
])
raise ValueError(
    "a sentence that goes on for quite a while, longer than a "
        "line of the page is wide, until it ends",
    i
)
"""
    )
    assert_returns(ast.parse(line), to_source(ast.parse(line)))


def test_long_docstrings_and_comments_are_wrapped() -> None:
    tree = ast.parse(f'def f():\n    """{"word " * 40}"""\n    return 1\n')
    tree.body[0].body[1].note = "word " * 40  # type: ignore[attr-defined]
    text = to_source(tree)
    assert max(map(len, text.splitlines())) <= 100
    assert text.count("word") == 80


def test_layout_of_documents() -> None:
    chain = Group(("a", "+ b", "+ c"))
    assert flat(chain) == "a + b + c"
    assert layout(("y = ", chain), width=8) == "y = (\n    a\n    + b\n    + c\n)"
    assert layout(("f", enclose("(", chain, ")")), width=8) == "f(\n    a\n    + b\n    + c\n)"
    call = ("f", Group((chain, "d"), "(", ")", comma=True))
    assert layout(call, width=12) == "f(\n    a + b\n        + c,\n    d\n)"
