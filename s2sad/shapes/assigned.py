"""Adjoints that get one value each are assigned: nothing has to be zeroed before, but what the loop doesn't reach.

Before: `for i in range(n): x_b[i] += w`, x_b zeroed by the caller
After:  `for i in range(n): x_b[i] = w`, behind `x_b[n:] = 0.0` where x_b may be longer

The array may be seen in the shape that it has together with others: where that is another one than its own, it is zeroed
before the shares of its elements are added up.

>>> from s2sad.ir.nodes import Const, Kind, Node
>>> from s2sad.ir.text import show_stmt
>>> add = Accumulate(Load("x_b", (Var("i"),)), Var("w"))
>>> loop = For("i", Const(0), Apply("shape", (Var("y"), Const(0))), Const(1), (add,))
>>> kinds = {n: Kind("real", 1) for n in ("x", "x_b", "y")} | {"w": Kind("real"), "i": Kind("int")}
>>> fn, whole = assigned(Function("f", ("x", "y", "w", "x_b"), (loop,), (), kinds, (), Node(())), {"x": "x_b"})
>>> for stmt in fn.body: print(show_stmt(stmt))
x_b[shape(y, 0):] = 0.0
for i in range(0, shape(y, 0), 1):
    x_b[i] = w
>>> whole
{'x_b'}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from s2sad.ir.nodes import (
    Accumulate,
    Apply,
    Const,
    Expr,
    For,
    Function,
    If,
    Load,
    New,
    Slice,
    Stmt,
    Store,
    Var,
    View,
)
from s2sad.ir.walk import map_body, names_in
from s2sad.ops.build import ZERO
from s2sad.shapes.clean import Lengths
from s2sad.shapes.subscripts import integral, least


def assigned(fn: Function, shadows: Mapping[str, str]) -> tuple[Function, set[str]]:
    """The one sweep of a function with such adjoints assigned, and the adjoint arrays that are, as a whole.

    shadows  parameter -> its adjoint array, of its shape
    """
    alike = tuple(New(shadow, Apply("zeros_like", (Var(param),))) for param, shadow in shadows.items())
    rooms = {s.target: s for s in fn.body if isinstance(s, View) and s.form == "room"}
    shaped = tuple(New(name, Apply("zeros", view.index)) for name, view in rooms.items())
    known = Lengths((*alike, *shaped, *(s for s in fn.body if s not in rooms.values())), fn.kinds)
    changes: list[Change] = []
    whole: set[str] = set()
    for shadow in shadows.values():
        touching = [s for s in fn.body if shadow in names_in((s,))]
        change = filled(shadow, touching, known) or seen(shadow, touching, rooms, fn, known)
        if change is not None:
            changes.append(change)
            whole.add(shadow)
    body = fn.body
    for change in changes:
        body = tuple(s for stmt in body for s in change.made(stmt))
    return replace(fn, body=body), whole


@dataclass(frozen=True)
class Change:
    """An addition that becomes an assignment; what is zeroed before its nest; a branch, and what is zeroed in it."""

    add: Accumulate
    before: tuple[Stmt, ...] = ()
    branch: If | None = None
    within: tuple[Stmt, ...] = ()

    def made(self, stmt: Stmt) -> tuple[Stmt, ...]:
        """What a statement of the sweep becomes."""
        if stmt is self.branch:
            assert isinstance(stmt, If)
            return (replace(stmt, then=(*self.within, *stmt.then)),)
        (new,) = map_body(self.stored, (stmt,))
        return (stmt,) if new == stmt else (*self.before, new)

    def stored(self, stmt: Stmt) -> tuple[Stmt, ...]:
        target = self.add.target
        assert isinstance(target, Load)
        return (Store(target.array, target.index, self.add.value, self.add.at) if stmt == self.add else stmt,)


def filled(array: str, touching: list[Stmt], known: Lengths) -> Change | None:
    """Of an array that one nest alone adds to, once: the addition, and the end that the nest doesn't reach."""
    if len(touching) != 1 or not isinstance(nest := touching[0], For):
        return None
    met, rest = known.met(nest, array), tuple[Stmt, ...]()
    if not met and (stop := reach(nest)) is not None:
        met = known.met(replace(nest, stop=known.length(array, 0)), array)
        rest = (Store(array, (Slice(stop), *all_of(array, known)[1:]), ZERO, nest.at),)
    if len(met) != 1 or not isinstance(add := met[0], Accumulate) or not isinstance(add.target, Load):
        return None
    return Change(add, rest)


def reach(nest: For) -> Expr | None:
    """How far a nest goes along the first axis, from its start on; None: it isn't known to be a number of elements."""
    if nest.start != Const(0) or nest.step != Const(1) or not integral(nest.stop):
        return None
    low = least(nest.stop, {})
    return nest.stop if low is not None and low >= 0 else None


def seen(
    array: str, touching: list[Stmt], rooms: Mapping[str, View], fn: Function, known: Lengths
) -> Change | None:
    """The same of an array that is seen in another shape, and gets what was added up there if that isn't its own."""
    if len(touching) != 2 or not isinstance(view := touching[0], View) or view not in rooms.values():
        return None
    last, met = touching[1], [s for s in fn.body if view.target in names_in((s,))]
    if len(met) != 3 or met[0] is not view or met[2] is not last or not isinstance(last, If):
        return None
    change = filled(view.target, met[1:2], known)
    if (
        change is None
        or change.before
        or last.orelse
        or last.then != (Accumulate(Var(array), Var(view.target)),)
    ):
        return None
    return replace(change, branch=last, within=(Store(array, all_of(array, known), ZERO, last.at),))


def all_of(array: str, known: Lengths) -> tuple[Expr, ...]:
    """The subscripts of a whole array."""
    return tuple(Slice() for _ in range(known.kinds[array].ndim))
