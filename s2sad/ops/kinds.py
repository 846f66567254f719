"""The kind of an expression's value, from the kinds of names.

>>> from s2sad.ir.nodes import REAL, Apply, Const, Var
>>> str(kind_of(Apply("mul", (Const(1j), Var("x"))), {"x": REAL}))
'complex'
"""

from __future__ import annotations

from collections.abc import Mapping

from s2sad.ir.nodes import INT, REAL, Apply, Const, Expr, Kind, Load, Slice, Var
from s2sad.ops.table import result_kind

#: Values that are never read, by base.
NOTHING: Mapping[str, Expr] = {
    "real": Const(0.0), "single": Apply("float32", (Const(0.0),)), "int": Const(0), "bool": Const(False),
    "complex": Const(0j),
}  # fmt: skip


def kind_of(expr: Expr, kinds: Mapping[str, Kind]) -> Kind:
    """The kind of an expression's value; a name that `kinds` lacks counts as a real scalar."""
    match expr:
        case Var(name):
            return kinds.get(name, REAL)
        case Load(array, index):
            axes = sum(isinstance(sub, Slice) or sub == Const(None) for sub in index)
            return Kind(kinds.get(array, REAL).base, axes)
        case Slice():
            return INT
        case Const(value):
            if isinstance(value, str):
                return Kind("text")
            base = "bool" if isinstance(value, bool) else "int" if isinstance(value, int) else "real"
            return Kind("complex" if isinstance(value, complex) else base)  # type: ignore[arg-type]
        case Apply(op, args):
            return result_kind(op, [kind_of(arg, kinds) for arg in args])


def is_complex(expr: Expr, kinds: Mapping[str, Kind]) -> bool:
    """Is the value of an expression complex?"""
    return kind_of(expr, kinds).base == "complex"
