"""Arrays in lists: rows of the array behind the list, where nobody can tell them from the arrays themselves.

A list holds references. What `hist.append(u)` stores is a copy: right as long as neither is written while the other
is in use. A row that is read, `row = hist[k]`, is a view; where the list moves, or gets another item, while the row
is in use, it is a copy, too. Two places that hold one array of Python's are *twins*; writing into one of them is
refused while the other is in use::

    hist.append(u)          twins: hist and u
    u = u + f               none: `u` is another array
    u[0] = 1.0              refused where `hist` is used later

What is a copy by the program's own will (`hist.append(u.copy())`, `hist.append(u + v)`) has no twin.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import TypeAlias

from s2sad.analyses.entities import classes
from s2sad.analyses.versions import distinct
from s2sad.errors import AliasingError
from s2sad.frontend.flow import defines, live_after, wanted
from s2sad.frontend.views import written
from s2sad.frontend.webs import pretty
from s2sad.ir.nodes import (
    Apply,
    Bind,
    Expr,
    For,
    If,
    Load,
    New,
    Rebind,
    Region,
    Stmt,
    Store,
    Var,
    View,
    While,
)
from s2sad.ir.walk import Body, blocks, map_body, statements, unique

#: Spellings of copies, while a function is read: a fresh array becomes an item of a list; an array itself does, or an
#: item gets a name; items move to another place.
ITEM, SHARED, MOVED = "item", "shared", "moved"
MARKS = (ITEM, SHARED, MOVED)

Pairs: TypeAlias = frozenset[frozenset[str]]
NONE: Pairs = frozenset()


def settle_items(body: Body, results: Sequence[Expr], outer: frozenset[str]) -> Body:
    """`body` with rows of lists as views or copies, and without marks; `outer` names are the caller's arrays.

    Errors: AliasingError S080 where an array is written that stands in a list, or in several places of one.
    """
    if not any(map(_mark, statements(body))):
        return body
    body = distinct(_rows_apart(body, results))
    _check(body, results, outer)
    return map_body(lambda stmt: (_plain(stmt),), body)


# ----- rows ------------------------------------------------------------------------------------------------


def _rows_apart(body: Body, results: Sequence[Expr]) -> Body:
    """`body` with copies for rows that are in use while their list moves or gets another item."""
    live = live_after(body, wanted(results))
    same = classes(body)
    behind = _behind_lists(body)
    onward: dict[str, list[str]] = {}
    changes: dict[str, list[Stmt]] = {}
    for stmt in statements(body):
        match stmt:
            case View(target=target, array=source) | Bind(target=target, source=source):
                onward.setdefault(source, []).append(target)
            case Rebind(targets=targets, sources=sources):
                for target, source in zip(targets, sources, strict=True):
                    onward.setdefault(source, []).append(target)
        changed = {stmt.array} if isinstance(stmt, Store) and _mark(stmt) else behind & {*defines(stmt)}
        for name in changed:
            changes.setdefault(same[name], []).append(stmt)

    def settle(stmt: Stmt) -> Iterator[Stmt]:
        if isinstance(stmt, View) and stmt.array in behind:
            sharing = [stmt.target]
            for known in sharing:
                sharing += [n for n in onward.get(known, ()) if n not in sharing]
            if any(live[id(change)] & {*sharing} for change in changes.get(same[stmt.array], ())):
                seen = Apply("copy", (Load(stmt.array, stmt.index),), SHARED)
                yield New(stmt.target, seen, stmt.at)
                return
        yield stmt

    return map_body(settle, body)


def _behind_lists(body: Body) -> frozenset[str]:
    """The arrays behind lists of arrays."""
    found: list[str] = []
    for stmt in statements(body):
        match stmt:
            case Store(array=name) | New(target=name) if _mark(stmt) and name not in found:
                found.append(name)
    pairs = [
        pair
        for s in statements(body)
        if isinstance(s, Rebind)
        for pair in zip(s.targets, s.sources, strict=True)
    ]
    for known in found:
        found += unique(n for pair in pairs if known in pair for n in pair if n not in found)
    return frozenset(found)


# ----- twins -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known at a point: pairs of twins, and of names for one memory (a view and its array)."""

    twins: Pairs = NONE
    memory: Pairs = NONE

    def __or__(self, other: _Known) -> _Known:
        return _Known(self.twins | other.twins, self.memory | other.memory)

    def bound(self, sources: dict[str, str]) -> _Known:
        """After names have been bound to what others are bound to ("" where that is fresh), all at once."""
        alike = {frozenset(pair) for pair in sources.items() if pair[1] and pair[1] not in sources}
        return _Known(_renamed(self.twins, sources), _renamed(self.memory, sources) | alike)

    def places(self, name: str) -> frozenset[str]:
        """Where an array stands that `name` holds: names for its memory, and twins of these."""
        found = frozenset((name,)).union(*(pair for pair in self.memory if name in pair))
        return found.union(*(pair for pair in self.twins if pair & found))


def _check(body: Body, results: Sequence[Expr], outer: frozenset[str]) -> None:
    """Refuse what is written while a twin of it is in use; `outer` names always are."""
    live = live_after(body, wanted(results))

    def block(stmts: Body, known: _Known) -> _Known:
        for stmt in stmts:
            match stmt:
                case For(body=inner) | While(body=inner):
                    while (more := known | block(inner, known)) != known:
                        known = more
                case If() | Region():
                    known = reduce(or_, [block(inner, known) for inner in blocks(stmt)])
                case _:
                    refuse(stmt, known.twins)
                    known = after(stmt, known)
        return known

    def refuse(stmt: Stmt, twins: Pairs) -> None:
        for name in () if _mark(stmt) else written(stmt):
            in_use = live[id(stmt)] | outer
            sharing = (pair - {name} or pair for pair in twins if name in pair)
            if found := sorted(min(names & in_use) for names in sharing if names & in_use):
                other = pretty(found[0])
                where = "several places" if other == pretty(name) else f"`{other}`, too"
                raise AliasingError(
                    f"`{pretty(name)}` is written here, and what it holds stands in {where}",
                    code="S080", at=stmt.at, hint="put a copy into the list: `hist.append(u.copy())`",
                )  # fmt: skip

    def after(stmt: Stmt, known: _Known) -> _Known:
        match stmt:
            case View(target=target, array=source) | Bind(target=target, source=source):
                return known.bound({target: source})
            case Rebind(targets=targets, sources=sources):
                return known.bound(dict(zip(targets, sources, strict=True)))
        known = known.bound(dict.fromkeys(defines(stmt), ""))
        mark, source = _mark(stmt), _source(stmt)
        target = stmt.array if isinstance(stmt, Store) else stmt.target if isinstance(stmt, New) else ""
        if mark == MOVED and source != target:
            return replace(known, twins=known.twins | _renamed(known.twins, {target: source}))
        if mark == SHARED:
            more = {frozenset((target, place)) for place in known.places(source)}
            return replace(known, twins=known.twins | more)
        return known

    block(body, _Known())


def _renamed(pairs: Pairs, sources: dict[str, str]) -> Pairs:
    """Pairs of names after some have been bound to what others are bound to, or to something fresh."""

    def names(name: str) -> list[str]:
        kept = [] if name in sources else [name]
        return kept + [target for target, source in sources.items() if source == name]

    return frozenset(
        frozenset((one, other)) for pair in pairs for one in names(min(pair)) for other in names(max(pair))
    )


# ----- marks -----------------------------------------------------------------------------------------------


def _mark(stmt: Stmt) -> str:
    """The mark of a statement; "" where it has none."""
    match stmt:
        case Store(value=Apply("copy", _, spell)) | New(value=Apply("copy", _, spell)) if spell in MARKS:
            return spell
    return ""


def _source(stmt: Stmt) -> str:
    """The array that a marked statement copies."""
    match stmt:
        case Store(value=Apply(args=(Var(name),))) | New(value=Apply(args=(Var(name),))):
            return name
        case Store(value=Apply(args=(Load(name),))) | New(value=Apply(args=(Load(name),))):
            return name
    return ""


def _plain(stmt: Stmt) -> Stmt:
    """A statement without its mark."""
    match stmt:
        case Store(value=Apply(args=(inner,))) if _mark(stmt):
            return replace(stmt, value=inner)
        case New(value=Apply(args=args)) if _mark(stmt):
            return replace(stmt, value=Apply("copy", args))
    return stmt
