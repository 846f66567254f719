"""Stretches that are run again on the way back: `with checkpoint():`, loops of `checkpoint_range`.

Nothing leaves one in the middle. What comes out are numbers, arrays made inside, and what is written into arrays from
before; no view of an array from before, and no second name for one.
"""

from __future__ import annotations

from collections.abc import Iterable

from s2sad.analyses.versions import distinct
from s2sad.errors import AliasingError
from s2sad.frontend.flow import wanted
from s2sad.frontend.webs import pretty
from s2sad.ir.nodes import Bind, Expr, Region, Stmt, View
from s2sad.ir.walk import Body, blocks, names_in, statements, with_blocks


def check(body: Body, results: Iterable[Expr], params: Iterable[str]) -> None:
    """Refuse names that are bound in a region to memory there is, and known outside.

    Errors: AliasingError S084.
    """
    body = distinct(body)
    every = list(statements(body))
    for region in (s for s in every if isinstance(s, Region)):
        inner = list(statements(region.body))
        inside = {id(region), *map(id, inner)}
        outside = {*wanted(results), *params}
        outside.update(
            n for s in every if id(s) not in inside for n in names_in((with_blocks(s, _empty(s)),))
        )
        for name in (n for s in inner for n in _bound(s) if n in outside):
            raise AliasingError(
                f"`{pretty(name)}` gets memory of another array in a stretch that is run again, and is known outside",
                code="S084", at=region.at, hint="take a copy: `.copy()`",
            )  # fmt: skip


def _empty(stmt: Stmt) -> list[Body]:
    return [() for _ in blocks(stmt)]


def _bound(stmt: Stmt) -> tuple[str, ...]:
    """Array names that a statement binds to memory there is."""
    match stmt:
        case View(target=name) | Bind(target=name):
            return (name,)
    return ()
