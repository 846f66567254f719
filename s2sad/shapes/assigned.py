"""Adjoints that get one value each are assigned: nothing has to be zeroed before.

Before: `for i in range(n): x_b[i] += w`, x_b zeroed by the caller        After: `for i in range(n): x_b[i] = w`

>>> from s2sad.ir.nodes import Const, Kind, Node
>>> from s2sad.ir.text import show_stmt
>>> add = Accumulate(Load("x_b", (Var("i"),)), Var("w"))
>>> loop = For("i", Const(0), Apply("shape", (Var("x"), Const(0))), Const(1), (add,))
>>> kinds = {"x": Kind("real", 1), "x_b": Kind("real", 1), "w": Kind("real"), "i": Kind("int")}
>>> fn, whole = assigned(Function("f", ("x", "w", "x_b"), (loop,), (), kinds, (), Node(())), {"x": "x_b"})
>>> print(show_stmt(fn.body[0]), whole)
for i in range(0, shape(x, 0), 1):
    x_b[i] = w {'x_b'}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from s2sad.ir.nodes import Accumulate, Apply, For, Function, Load, New, Stmt, Store, Var
from s2sad.ir.walk import map_body, names_in
from s2sad.shapes.clean import Lengths


def assigned(fn: Function, shadows: Mapping[str, str]) -> tuple[Function, set[str]]:
    """The one sweep of a function with such adjoints assigned, and the adjoint arrays that are, as a whole.

    shadows  parameter -> its adjoint array, of its shape
    """
    alike = tuple(New(shadow, Apply("zeros_like", (Var(param),))) for param, shadow in shadows.items())
    known = Lengths((*alike, *fn.body), fn.kinds)
    once: dict[int, str] = {}
    for shadow in shadows.values():
        touching = [s for s in fn.body if shadow in names_in((s,))]
        if len(touching) == 1 and isinstance(nest := touching[0], For):
            met = known.met(nest, shadow)
            if len(met) == 1 and isinstance(met[0], Accumulate):
                once[id(met[0])] = shadow

    def each(stmt: Stmt) -> tuple[Stmt, ...]:
        if id(stmt) in once and isinstance(stmt, Accumulate) and isinstance(stmt.target, Load):
            return (Store(stmt.target.array, stmt.target.index, stmt.value, stmt.at),)
        return (stmt,)

    return replace(fn, body=map_body(each, fn.body)), {*once.values()}
