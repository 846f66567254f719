"""Expressions of the IR as Python trees, by the templates of the table, or as the user spelled them.

>>> from s2sad.emit.printer import to_source
>>> e = Apply("sub", (Var("a"), Apply("neg", (Apply("sin", (Var("x"),), "math.sin"),))))
>>> print(to_source(ast.Module([ast.Expr(Expressions({}).expr(e))], [])), end="")
a + math.sin(x)
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from s2sad.emit import trees
from s2sad.ir.nodes import Apply, Const, Expr, Kind, Load, Raise, Slice, Var
from s2sad.ops.kinds import kind_of
from s2sad.ops.table import OPS

Kinds = Mapping[str, Kind]
_WORD_OPS: Mapping[str, ast.boolop] = {"and": ast.And(), "or": ast.Or()}
OPPOSITE = {"add": "sub", "sub": "add", "eq": "ne", "ne": "eq"}


@dataclass
class Expressions:
    """Writes expressions; `kinds` tells arrays from numbers."""

    kinds: Kinds

    def expr(self, expr: Expr) -> ast.expr:
        match expr:
            case Var(name):
                return trees.name(name)
            case Const(value):
                return trees.literal(value)
            case Load(array, index):
                return self._element(array, index, ast.Load())
            case Slice(start, stop, step):
                return ast.Slice(*(None if part is None else self.expr(part) for part in (start, stop, step)))
            case Apply():
                return self._apply(expr)

    def _exception(self, stmt: Raise) -> ast.expr:
        return trees.call(stmt.name, *map(self.expr, stmt.args)) if stmt.args else trees.code(stmt.name)

    def _element(self, array: str, index: tuple[Expr, ...], ctx: ast.expr_context) -> ast.Subscript:
        return ast.Subscript(trees.name(array), trees.pack([self.expr(e) for e in shortened(index)]), ctx)

    def _view(self, array: str, index: tuple[Expr, ...], form: str) -> ast.expr:
        match form:
            case "T" if index:
                return trees.call("np.transpose", trees.name(array), self._shape(index))
            case "T" | "real" | "imag":
                return ast.Attribute(trees.name(array), form, ast.Load())
            case "reshape":
                return trees.call(f"{array}.reshape", self._shape(index))
            case "rows":
                return trees.call(f"np.ascontiguousarray({array}).reshape", self._shape(index))
            case "fit" | "room":
                return trees.call(
                    {"fit": "fitted", "room": "room_for"}[form], trees.name(array), self._shape(index)
                )
        return self._element(array, index, ast.Load())

    def _part(self, name: str, index: tuple[Expr, ...]) -> ast.expr:
        return self._element(name, index, ast.Load()) if index else trees.name(name)

    def _apply(self, expr: Apply) -> ast.expr:
        match expr:
            case Apply("trips", (start, stop, step)):
                return trees.call("len", self._range(start, stop, step))
            case Apply("slots", shape):
                return trees.call("real_slots", trees.name("arena"), self._shape(shape))
            case Apply("full", (Apply("float32", (Const(0.0 | 1.0 as fill),)), *shape)):
                made = trees.call("np.ones" if fill else "np.zeros", self._shape(tuple(shape)))
                return trees.with_dtype(made, "single")
            case Apply("and" | "or" as op, _, ""):
                return ast.BoolOp(_WORD_OPS[op], [self.expr(e) for e in flattened(op, expr)])
            case Apply("add" | "sub" as op, (a, b), "") if (minus := without_minus(b)) is not None:
                return self._apply(Apply(OPPOSITE[op], (a, minus)))
            case Apply("text", parts):
                return ast.JoinedStr([self._said(part) for part in parts])
            case Apply("shape", (x, _), "len"):
                return trees.call("len", self.expr(x))
            case Apply("odeint" | "odeint_or_raise" as solver, (Const(str() as rate), *rest)):
                return trees.call(solver, trees.name(rate), *map(self.expr, rest))
        row = OPS[expr.op]
        args = [self.expr(arg) for arg in expr.args]
        if expr.op in ("pack", "items"):
            return ast.Tuple(args, ast.Load())
        if row.structural == "tape":
            return trees.call(expr.op, *args)
        if expr.spell and (row.structural in ("", "matrix") or expr.op == "copy") and not row.scalar:
            return trees.call(expr.spell, *args)
        fixed = len(row.fixed)
        operands = dict(zip(row.fixed, args[:fixed], strict=True))
        if row.rest:
            operands[row.rest] = trees.pack(args[fixed:])
        scalar = row.scalar and all(kind_of(arg, self.kinds).ndim == 0 for arg in expr.args)
        return trees.filled(row.scalar if scalar else row.y, operands)

    def _said(self, part: Expr) -> ast.expr:
        """A piece of formatted text."""
        match part:
            case Const(str() as text):
                return ast.Constant(text)
            case Apply("format", (value, Const(how))):
                made = trees.code("f" + repr(f"{{_{how}}}"))
                assert isinstance(made, ast.JoinedStr)
                (piece,) = made.values
                assert isinstance(piece, ast.FormattedValue)
                piece.value = self.expr(value)
                return piece
        return ast.FormattedValue(self.expr(part), -1)

    def _shape(self, shape: tuple[Expr, ...]) -> ast.Tuple:
        return ast.Tuple([self.expr(e) for e in shape], ast.Load())

    def _range(self, start: Expr, stop: Expr, step: Expr, word: str = "range") -> ast.expr:
        args = [start, stop, step]
        if step == Const(1):
            args = [stop] if start == Const(0) else [start, stop]
        return trees.call(word, *map(self.expr, args))

    def _opposite(self, test: Expr) -> ast.expr:
        match test:
            case Apply("not", (inner,)):
                return self.expr(inner)
            case Apply("eq" | "ne" as op, args, ""):
                return self.expr(Apply(OPPOSITE[op], args))
        return ast.UnaryOp(ast.Not(), self.expr(test))


def shortened(index: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """A subscript without the whole axes at its end: `x[i]` for `x[i, :]`, which Numba knows to be contiguous."""
    while len(index) > 1 and index[-1] == Slice() and Const(None) not in index:
        index = index[:-1]
    return index


def flattened(op: str, expr: Expr) -> list[Expr]:
    """Operands of nested `and`s (or `or`s) in a row; the order of evaluation stays."""
    if isinstance(expr, Apply) and expr.op == op and not expr.spell:
        return [e for arg in expr.args for e in flattened(op, arg)]
    return [expr]


def without_minus(expr: Expr) -> Expr | None:
    """`e` where `expr` is `-e`, or a product or quotient that begins so; the same to the last bit."""
    match expr:
        case Apply("neg", (inner,), ""):
            return inner
        case Const(float() | int() as value) if value < 0:
            return Const(-value)
        case Apply("mul" | "div" as op, (first, other), "") if (rest := without_minus(first)) is not None:
            return Apply(op, (rest, other))
    return None
