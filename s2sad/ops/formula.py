"""Formulas as text, as they stand in rows: arithmetic, comparisons, and calls of other rows.

>>> from s2sad.ir.text import show
>>> show(parse("1.0 / (3.0 * y * np.exp(x))", y=Var("r")))
'1.0 / (3.0 * r * exp(x))'
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from s2sad.ir.nodes import Apply, Const, Expr, Var
from s2sad.ops.einsum import FAMILIES
from s2sad.ops.table import find_name


def parse(text: str, **names: Expr) -> Expr:
    """A formula as an expression, not simplified; `names` gives names a meaning, others are Vars.

    Functions are called by their key or as users spell them. ValueError for what has no meaning here.
    """
    return _read(ast.parse(text, mode="eval").body, names)


def _read(node: ast.expr, names: Mapping[str, Expr]) -> Expr:
    def read(*nodes: ast.expr) -> tuple[Expr, ...]:
        return tuple(_read(n, names) for n in nodes)

    match node:
        case ast.Constant(value):
            return Const(value)
        case ast.Name(name):
            return names.get(name, Var(name))
        case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as value)):
            return Const(-value)
        case ast.UnaryOp(op, x) if type(op) in _SYNTAX:
            return Apply(_SYNTAX[type(op)], read(x))
        case ast.BinOp(a, op, b) if type(op) in _SYNTAX:
            return Apply(_SYNTAX[type(op)], read(a, b))
        case ast.Compare(a, [op], [b]) if type(op) in _SYNTAX:
            return Apply(_SYNTAX[type(op)], read(a, b))
        case ast.Call(ast.Name(family), [ast.Constant(str(subscripts)), *args], []) if family in FAMILIES:
            return Apply(f"{family} {subscripts}", read(*args))
        case ast.Call(function, args, []):
            return Apply(_key(ast.unparse(function)), read(*args))
    raise ValueError(f"`{ast.unparse(node)}` has no meaning in a formula")


def _key(name: str) -> str:
    op = find_name(name)
    if op is None:
        raise ValueError(f"`{name}` isn't in the table of operations")
    return op.key


_SYNTAX: Mapping[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.USub: "neg",
    ast.UAdd: "pos",
    ast.Not: "not",
    ast.BitAnd: "logical_and",
    ast.BitOr: "logical_or",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.Eq: "eq",
    ast.NotEq: "ne",
}
