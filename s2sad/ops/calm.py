"""Divisions that don't raise: by zero they give infinity or nan, as those of the elements of an array do.

Compiled and plain Python refuse `1.0 / 0.0`; NumPy's functions of the same meaning don't. For array statements that
became loops, and for slopes, which may be infinite where the value is not.

>>> from s2sad.ir.nodes import Const, Var
>>> calm(Apply("div", (Const(1.0), Var("x"))), {}).spell, calm(Apply("div", (Var("x"), Const(2.0))), {}).spell
('np.true_divide', '')

A divisor that is never 0 needs no such test, and then what stands behind it needs no jump:

>>> from s2sad.ops.build import add, mul
>>> raises_never(Apply("div", (Var("b"), add(Const(1.0), mul(Var("a"), Var("a"))))), {}).spell
'np.true_divide'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from s2sad.ir.nodes import REAL, Apply, Const, Expr, Kind
from s2sad.ir.walk import map_expr
from s2sad.ops.build import number
from s2sad.ops.kinds import kind_of

#: How operations that refuse a zero are spelled where they mustn't.
SPELLED = {"div": "np.true_divide", "mod": "np.mod", "floordiv": "np.floor_divide"}


def quiet(expr: Expr) -> Expr:
    """One operation on numbers, so that it doesn't raise."""
    if isinstance(expr, Apply) and expr.op in SPELLED and not expr.spell and not number(expr.args[1]):
        return replace(expr, spell=SPELLED[expr.op])
    return expr


def calm(expr: Expr, kinds: Mapping[str, Kind]) -> Expr:
    """An expression with every division of numbers in it made so; arrays' own don't raise."""
    return map_expr(lambda e: e if kind_of(e, kinds).is_array else quiet(e), expr)


def raises_never(expr: Expr, kinds: Mapping[str, Kind]) -> Expr:
    """An expression with the divisions by real numbers in it that are never 0 made so: they give what they gave."""

    def safe(e: Expr) -> Expr:
        settled = isinstance(e, Apply) and e.op == "div" and kind_of(e.args[1], kinds) == REAL
        return quiet(e) if settled and isinstance(e, Apply) and is_positive(e.args[1]) else e

    return map_expr(safe, expr)


def is_positive(expr: Expr) -> bool:
    """Is a real number above 0, or nan, whatever the names in it are?"""
    match expr:
        case Const(value):
            return isinstance(value, int | float) and value > 0
        case Apply(op="add", args=(a, b)):
            return (is_positive(a) and is_not_negative(b)) or (is_not_negative(a) and is_positive(b))
        case Apply(op="sqrt", args=(a,)):
            return is_positive(a)
        case Apply(op="cosh"):
            return True
    return False


def is_not_negative(expr: Expr) -> bool:
    """Is a real number 0 or above, or nan, whatever the names in it are?"""
    match expr:
        case Const(value):
            return isinstance(value, int | float) and value >= 0
        case Apply(op="exp" | "abs" | "sqrt" | "cosh"):
            return True
        case Apply(op="pow", args=(_, Const(int() as power))):
            return power % 2 == 0
        case Apply(op="mul", args=(a, b)) if a == b:
            return True
        case Apply(op="add" | "mul", args=args):
            return all(map(is_not_negative, args))
    return False
