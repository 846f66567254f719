"""What an array held before is not copied back: the name is bound to the memory that was kept.

Before: `back un: un copy`        After: `back un: un bind`

That is right where the reverse sweep only reads the array and those it exchanges its memory with: then nobody can tell
one memory from another, and what was kept stays as it is for the next run of the sweep. All of them are the sweep's own.

>>> from s2sad.ir.names import Namer
>>> from s2sad.ir.nodes import Const, Kind, Load, Var
>>> from s2sad.ir.text import show_stmt
>>> read = Accumulate(Load("x_b", (Const(0),)), Load("u", (Const(0),)))
>>> body = (Back("u", "u", "bind"), For("t", Const(0), Var("n"), Const(1), (read, Back("u", "u", "copy"))))
>>> sweep = Sweep({"u": Kind("real", 1), "x_b": Kind("real", 1)}, Namer())
>>> show_stmt(rebound(body, Place(frozenset(), {}), sweep)[1].body[1])
'back u: u bind'
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from s2sad.analyses.entities import classes
from s2sad.ir.nodes import (
    Accumulate,
    Apply,
    Back,
    Bind,
    Call,
    For,
    Frame,
    Keep,
    New,
    Rebind,
    Region,
    Release,
    Stmt,
    Store,
    Turn,
    Update,
    View,
)
from s2sad.ir.walk import Body, map_body, name_of, statements, writes
from s2sad.shapes.sweep import Place, Sweep

OWN = ("own", "slots")


def rebound(body: Iterable[Stmt], place: Place, sweep: Sweep) -> Body:
    """`body` with arrays bound to what was kept of them."""
    body = tuple(body)
    stmts = tuple(statements(body))
    if place.around or any(isinstance(s, Frame | Region | Turn) for s in stmts):
        return body  # memory that ends before the sweep does
    same = classes(body)
    born = {n for s in body for n in births(s)}
    changed = {same[n] for s in stmts for n in touched(s)}
    changed |= {same[n] for s in stmts if isinstance(s, Rebind) for n in s.targets if n not in born}
    back = {s.name for s in stmts if isinstance(s, Back) and copied(s)}
    free = {n for n in back if n in born and same[n] not in changed and sweep.memory.get(n, n) == n}

    def each(stmt: Stmt) -> tuple[Stmt, ...]:
        return (
            (replace(stmt, how="bind"),)
            if isinstance(stmt, Back) and copied(stmt) and stmt.name in free
            else (stmt,)
        )

    return map_body(each, body)


def copied(stmt: Stmt) -> bool:
    """Is an array as a whole copied back?"""
    return isinstance(stmt, Back) and stmt.how == "copy" and not stmt.index


def births(stmt: Stmt) -> tuple[str, ...]:
    """The array that a statement binds to memory that is the sweep's own."""
    match stmt:
        case Back(how="bind", name=name):
            return (name,)
        case New(target=name, value=Apply(op=op)) if op in OWN:
            return (name,)
    return ()


def touched(stmt: Stmt) -> tuple[str, ...]:
    """The arrays that a statement does more with than read them, exchange them, or bind them to what was kept."""
    match stmt:
        case Store() | Update() | Call() | For():
            return writes(stmt)
        case Accumulate(target=target):
            return (name_of(target),)
        case New(target=name) if not births(stmt):
            return (name,)
        case View(target=name, array=other) | Bind(target=name, source=other):
            return (name, other)
        case Keep(name=name) | Release(name=name):
            return (name,)
        case Back(name=name) if not copied(stmt) and not births(stmt):
            return (name,)
    return ()
