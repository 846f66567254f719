"""Views that nobody names go.

Before: `view t = x[1:]` · `view t_b = x_b[1:]` · `t_b += w`          After: the same without `t`

The way back opens each view of the program for the adjoint's sake; many need only the view of the adjoint.

>>> from s2sad.ir.nodes import Accumulate, Const, Slice, Var
>>> part = (Slice(Const(1)),)
>>> body = (View("t", "x", part), View("t_b", "x_b", part), Accumulate(Var("t_b"), Var("w")))
>>> [s.target for s in unseen(body) if isinstance(s, View)]
['t_b']
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from s2sad.ir.nodes import Release, Stmt, View
from s2sad.ir.walk import Body, map_body, reads, statements, writes


def unseen(body: Iterable[Stmt], live: Collection[str] = ()) -> Body:
    """`body` without views that no other statement of it names, nor, being `live`, anything after it."""
    body = tuple(body)
    while gone := views(body) - {name for s in statements(body) for name in named(s)} - set(live):
        body = map_body(lambda s, gone=gone: _but(s, gone), body)  # type: ignore[misc]
    return body


def views(body: Iterable[Stmt]) -> set[str]:
    """The names that views give."""
    return {s.target for s in statements(body) if isinstance(s, View)}


def named(stmt: Stmt) -> tuple[str, ...]:
    """What a statement names itself, the target of a view apart."""
    if isinstance(stmt, View):
        return reads(stmt)
    return (stmt.name,) if isinstance(stmt, Release) else (*reads(stmt), *writes(stmt))


def _but(stmt: Stmt, gone: Collection[str]) -> Body:
    return () if isinstance(stmt, View) and stmt.target in gone else (stmt,)
