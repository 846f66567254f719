"""Divisions that don't raise: by zero they give infinity or nan, as those of the elements of an array do.

Compiled and plain Python refuse `1.0 / 0.0`; NumPy's functions of the same meaning don't. For array statements that
became loops, and for slopes, which may be infinite where the value is not.

>>> from s2sad.ir.nodes import Const, Var
>>> calm(Apply("div", (Const(1.0), Var("x"))), {}).spell, calm(Apply("div", (Var("x"), Const(2.0))), {}).spell
('np.true_divide', '')
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from s2sad.ir.nodes import Apply, Expr, Kind
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
