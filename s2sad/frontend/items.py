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
from dataclasses import replace
from typing import TypeAlias

from s2sad.analyses.entities import Classes, classes
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
from s2sad.ir.walk import Body, blocks, map_body, names_in, statements, unique

#: Spellings of copies, while a function is read: a fresh array becomes an item of a list; an array itself does, or an
#: item gets a name; items move to another place.
ITEM, SHARED, MOVED = "item", "shared", "moved"
MARKS = (ITEM, SHARED, MOVED)

Twins: TypeAlias = frozenset[frozenset[str]]
NONE: Twins = frozenset()


def settle_items(body: Body, results: Sequence[Expr]) -> Body:
    """`body` with rows of lists as views or copies, and without marks.

    Errors: AliasingError S080 where an array is written that stands in a list, or in several places of one.
    """
    if not any(map(_mark, statements(body))):
        return body
    same = classes(body)
    body = distinct(_rows_apart(body, results, same))
    _check(body, results, same)
    return map_body(lambda stmt: (_plain(stmt),), body)


# ----- rows ------------------------------------------------------------------------------------------------


def _rows_apart(body: Body, results: Sequence[Expr], same: Classes) -> Body:
    """`body` with copies for rows that are in use while their list moves or gets another item."""
    live = live_after(body, wanted(results))
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


def _check(body: Body, results: Sequence[Expr], same: Classes) -> None:
    """Refuse what is written while a twin of it is in use."""
    live = live_after(body, wanted(results))
    members: dict[str, set[str]] = {}
    for name in names_in(body):
        members.setdefault(same[name], set()).add(name)

    def block(stmts: Body, twins: Twins) -> Twins:
        for stmt in stmts:
            match stmt:
                case For(body=inner) | While(body=inner):
                    while (more := twins | block(inner, twins)) != twins:
                        twins = more
                case If() | Region():
                    twins = frozenset().union(*(block(inner, twins) for inner in blocks(stmt)))
                case _:
                    refuse(stmt, twins)
                    twins = after(stmt, twins)
        return twins

    def refuse(stmt: Stmt, twins: Twins) -> None:
        for name in () if _mark(stmt) else written(stmt):
            for pair in twins:
                used = (pair - {name} or pair) & live[id(stmt)]
                if name in pair and used:
                    other = pretty(min(used))
                    where = "several places" if other == pretty(name) else f"`{other}`, too"
                    raise AliasingError(
                        f"`{pretty(name)}` is written here, and what it holds stands in {where}",
                        code="S080", at=stmt.at, hint="put a copy into the list: `hist.append(u.copy())`",
                    )  # fmt: skip

    def after(stmt: Stmt, twins: Twins) -> Twins:
        match stmt:
            case View(target=target, array=source) | Bind(target=target, source=source):
                return _bound(twins, {target: source})
            case Rebind(targets=targets, sources=sources):
                return _bound(twins, dict(zip(targets, sources, strict=True)))
        twins = _bound(twins, dict.fromkeys(defines(stmt), ""))
        mark, source = _mark(stmt), _source(stmt)
        target = stmt.array if isinstance(stmt, Store) else stmt.target if isinstance(stmt, New) else ""
        if mark == MOVED and source != target:
            return twins | _bound(twins, {target: source})
        if mark == SHARED:
            held = members[same[source]] - ({target} if isinstance(stmt, New) else set())
            held = held.union(*(pair for pair in twins if pair & held))
            twins |= {frozenset((target, name)) for name in held}
        return twins

    block(body, NONE)


def _bound(twins: Twins, bound: dict[str, str]) -> Twins:
    """The twins after names have been bound to what others are bound to ("" where that is fresh), all at once."""

    def names(name: str) -> list[str]:
        kept = [] if name in bound else [name]
        return kept + [target for target, source in bound.items() if source == name]

    return frozenset(
        frozenset((one, other)) for pair in twins for one in names(min(pair)) for other in names(max(pair))
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
