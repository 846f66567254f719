"""Reductions inside larger expressions become statements of their own, for a tangent to be worked out leaf by leaf."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from s2sad.handlers.prepare import taken_out
from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    Accumulate,
    Assign,
    Const,
    Expr,
    Function,
    Kind,
    New,
    Release,
    Stmt,
    Store,
    Turn,
    Update,
)
from s2sad.ir.walk import map_body

ZERO = Const(0.0)


def reductions_named(fn: Function, bases: tuple[str, ...] = ("real", "single")) -> Function:
    """`fn` with every reduction that stands inside a larger expression as a statement of its own.

    With complex among the `bases`, parts of complex numbers as well.
    """
    kinds = dict(fn.kinds)
    namer = Namer([*kinds, *fn.constants])
    real = frozenset(n for n, k in kinds.items() if k.base in bases)

    def name(stem: str, kind: Kind) -> str:
        kinds[made := namer.fresh(stem)] = kind
        return made

    def out(expr: Expr, into: list[Stmt], stmt: Stmt, root: bool) -> Expr:
        return taken_out(expr, into, stmt, root, real, kinds, name, lambda _: False)

    def settle(stmt: Stmt) -> Iterator[Stmt]:
        before: list[Stmt] = []
        match stmt:
            case Assign():
                stmt = replace(stmt, value=out(stmt.value, before, stmt, True))
            case New() | Update() | Store() | Accumulate():
                stmt = replace(stmt, value=out(stmt.value, before, stmt, False))
        yield from before
        yield stmt

    body = list(map_body(settle, fn.body))
    if not any(isinstance(s, Turn) for s in body):
        k = len(body)
        while k > 0 and isinstance(body[k - 1], Release):
            k -= 1
        tail: list[Stmt] = []
        at = Assign("", ZERO, fn.at)
        fn = replace(fn, results=tuple(out(e, tail, at, False) for e in fn.results))
        body[k:k] = tail
    return replace(fn, body=tuple(body), kinds=kinds)
