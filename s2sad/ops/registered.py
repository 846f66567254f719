"""Rows of functions that users register: called as they are, with a formula per argument.

A row has the key `registered NAME N`; it is made when it is asked for. Formulas may call rows, so derivatives of any
order follow. Where a rule is given in their place, nothing flows through the row: the rule stands around it.
"""

from __future__ import annotations

import ast

from s2sad.ops.row import Op
from s2sad.rules import RECORDS, Registered

INFINITE = ("/", "**", "log", "sqrt", "power", "reciprocal", "arcsin", "arccos", "cbrt")


def row_of(key: str) -> Op:
    """The row of a registered function."""
    own = RECORDS[key]
    call = f"{own.call}({', '.join('{' + p + '}' for p in own.params)})"
    if own.stub is not None:
        made = f"{call}.copy()" if own.ndim else call  # it may be one of its arguments
        refused = ("!its rule alone tells how it is differentiated",) * len(own.params)
        return Op(key, " ".join(own.params), y=made, cost="dear", names=(shown(own),), structural="matrix",
                  result="double", ndim=own.ndim, pull=refused, push=refused)  # fmt: skip
    slopes = tuple("unknown" if p is None else p for p in own.partials)
    steep = any(word in slope for slope in slopes for word in INFINITE)
    return Op(key, " ".join(own.params), y=call, d=slopes, cost="dear", names=(shown(own),), guarded=steep)


def shown(own: Registered) -> str:
    """The name for people."""
    return getattr(own.function, "__name__", own.call)


def names_in(formula: str) -> set[str]:
    """Names in a formula that are not called, nor modules."""
    tree = ast.parse(formula, mode="eval")
    inner = {id(n.func) for n in ast.walk(tree) if isinstance(n, ast.Call)}
    inner |= {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
    return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and id(n) not in inner}
