"""Which arrays may lie in memory column by column: transposed views, and what is computed from them.

NumPy and Numba lay a computed array as its operands lie, and sum it up as it lies; so the last digit of a sum depends on
it, and copies that s2sad makes have to lie alike. (What a caller passes is taken to lie row by row.)

>>> from s2sad.ir.nodes import Apply, New, Var, View
>>> sorted(turned((View("b", "a", (), "T"), New("c", Apply("exp", (Var("b"),))), New("d", Apply("copy", (Var("b"),))))))
['b', 'c']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from s2sad.analyses.entities import shared
from s2sad.ir.nodes import Apply, Bind, Expr, Load, New, Rebind, Stmt, Var, View
from s2sad.ir.walk import is_axis, is_section, statements
from s2sad.ops import OPS

LAID = "np.positive"  # the spelling of copies that lie in memory as what they are of


def turned(body: Iterable[Stmt]) -> frozenset[str]:
    """Names of arrays of several axes that may not lie row by row."""
    every = tuple(statements(body))
    found: set[str] = set()
    size = -1
    while size < len(found):
        size = len(found)
        for stmt in every:
            match stmt:
                case View(target=target, form="T") | Bind(target=target, form="T"):
                    found.add(target)
                case View(target=target, array=array, index=index, form="section") if array in found:
                    found |= {target} if sum(map(is_axis, index)) > 1 else set()
                case Rebind() | Bind(form="" | "section"):
                    found |= {target for target, source in shared(stmt) if source in found}
                case New(target=target, value=value) if any(name in found for name in _lying(value)):
                    found.add(target)
    return frozenset(found)


def _lying(value: Expr) -> Iterator[str]:
    """Names of the operands that a computed array may lie like."""
    match value:
        case Var(name=name):
            yield name
        case Load(array=name, index=index) if is_section(index) and sum(map(is_axis, index)) > 1:
            yield name
        case Apply(op="copy", spell=""):
            pass
        case Apply(op=op, args=args) if (row := OPS.get(op)) and row.structural in ("", "like", "copy"):
            for arg in args:
                yield from _lying(arg)
