"""Which statements are one compute expression: those of one Python statement that leave one result.

In `r = solve(M, v2 - v1) + v1` the front end has named `v2 - v1` and the solution; nobody else knows these names, so
the three statements belong together. Statements that leave several results are taken one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from s2sad.ir.nodes import (
    Assign,
    Bind,
    Call,
    For,
    Function,
    If,
    New,
    Rebind,
    Release,
    Stmt,
    Store,
    Update,
    View,
    While,
)
from s2sad.ir.walk import Body, blocks, reads, statements, unique, variables, writes
from s2sad.ops.table import several
from s2sad.plan.values import Values
from s2sad.source import Span

SIMPLE = (Assign, Store, Update, New, View, Rebind, Bind, Release, For, While, If, Call)


@dataclass
class Parts:
    """The statements of a function that are one compute expression: by the first of them; names that none leaves.

    places  a statement -> the first of its part
    torn    fields of values that are assigned in several parts
    """

    first: dict[int, Body] = field(default_factory=dict)
    inner: frozenset[str] = frozenset()
    places: dict[int, int] = field(default_factory=dict)
    torn: set[str] = field(default_factory=set)


def parts_of(fn: Function, active: frozenset[str], values: Values) -> Parts:
    """The compute expressions of more than one statement; the statements of `fn` are distinct objects.

    Statements that assign the fields of a value are one, too; a copy of a value is one by itself.
    """
    known = _Reach(fn, values)
    found = Parts()
    inner: set[str] = set()

    def one(part: Body) -> None:
        found.first[id(part[0])] = part
        found.places.update({id(s): id(part[0]) for s in part})

    def walk(body: Body) -> None:
        k = 0
        while k < len(body):
            if id(body[k]) in values.copies:
                one(values.runs[id(body[k])])
                k += len(values.runs[id(body[k])])
                continue
            end = k
            while end < len(body) and id(body[end]) not in found.places and known.joins(body[k], body[end]):
                end += 1
            while end > k and isinstance(body[end - 1], Release):
                end -= 1
            if end - k > 1:
                for part in known.connected(body[k:end]):
                    if len(part) > 1 and known.fits(part, active):
                        one(part)
                        inner.update(known.kept_inside(part))
            for stmt in body[k : max(end, k + 1)]:
                run = values.runs.get(id(stmt), ())
                if run and not any(id(s) in found.places for s in run):
                    one(run)
                if id(stmt) not in found.places:
                    for block in blocks(stmt):
                        walk(block)
            k = max(end, k + 1)

    walk(fn.body)
    found.inner = frozenset(inner)
    within = {id(s): k for k, part in found.first.items() for s in statements(part)}
    for run in values.runs.values():
        if len({within.get(id(s)) for s in run}) > 1 or id(run[0]) not in within:
            found.torn.update(values.of[writes(run[0])[0]])
    return found


class _Reach:
    """Knows where the names of a function are used."""

    def __init__(self, fn: Function, values: Values) -> None:
        self.fn, self.values = fn, values
        self.used: dict[str, int] = {}
        for stmt in statements(fn.body):
            self._count(stmt, self.used)
        for expr in fn.results:
            for name in variables(expr):
                self.used[name] = self.used.get(name, 0) + 1

    def _count(self, stmt: Stmt, into: dict[str, int]) -> None:
        if not isinstance(stmt, Release):
            for name in (*reads(stmt), *writes(stmt)):
                into[name] = into.get(name, 0) + 1

    def kept_inside(self, part: Iterable[Stmt]) -> frozenset[str]:
        """Names that occur in these statements and nowhere else (but for their end)."""
        count: dict[str, int] = {}
        for stmt in statements(part):
            self._count(stmt, count)
        found = {n for n, k in count.items() if self.used[n] == k and n not in self.fn.params}
        return frozenset(n for n in found if found.issuperset(self.values.of.get(n, ())))

    def joins(self, first: Stmt, stmt: Stmt) -> bool:
        """May a statement be part of the Python statement that another one begins?"""
        at = first.at
        if at.source is None or header(at) or id(stmt) in self.values.copies:
            return False
        if not isinstance(stmt, SIMPLE) or (isinstance(stmt, Call) and not several(stmt.function)):
            return False
        return all(
            not s.at or (s.at.source is at.source and at.line <= s.at.line <= at.end_line)
            for s in statements((stmt,))
        ) and all(isinstance(s, SIMPLE) for s in statements((stmt,)))

    def connected(self, body: Body) -> Iterator[Body]:
        """Runs of statements that names tie together which nobody else knows."""
        inside = self.kept_inside(body)
        last: dict[str, int] = {}
        for k, stmt in enumerate(body):
            for s in statements((stmt,)):
                last |= dict.fromkeys((n for n in (*reads(s), *writes(s), *_ended(s)) if n in inside), k)
        start, reach = 0, 0
        for k, stmt in enumerate(body):
            names = [n for s in statements((stmt,)) for n in (*reads(s), *writes(s), *_ended(s))]
            reach = max(reach, k, *(last[n] for n in names if n in last))
            if reach == k:
                yield body[start : k + 1]
                start = k + 1

    def fits(self, part: Body, active: frozenset[str]) -> bool:
        """Do these statements leave one result with a derivative, and else touch what they made alone?"""
        inside = self.kept_inside(part)
        born = {n for s in statements(part) for n in writes(s) if isinstance(s, New | Call)}
        last = stores(part, inside)
        left = [n for n in unique(n for s in statements(part) for n in writes(s)) if n not in inside]
        results = [n for n in left if n in active]
        local = {*inside, *born}
        for stmt in statements(part):
            match stmt:
                case Store(array=name) | Update(array=name) if name not in local and stmt is not last:
                    return False
                case Rebind() | Bind() if not {*writes(stmt), *reads(stmt)} <= inside:
                    return False
                case View(target=name) | Release(name=name) if name not in inside:
                    return False
        if any(self.fn.kinds[n].base == "complex" for n in results):
            return False
        top = {s.target for s in part if isinstance(s, New)} | {
            t for s in part if isinstance(s, Call) for t in s.targets
        }
        arrays = [n for n in results if self.fn.kinds[n].is_array]
        if last is not None:
            return results == [last.array]
        return len(self.values.wholes(results)) == 1 and all(n in top for n in arrays)


def stores(part: Sequence[Stmt], inside: Iterable[str]) -> Store | Update | None:
    """The last of the statements where it stores into an array that they didn't make."""
    last = part[-1]
    made = {*inside, *(n for s in statements(part) for n in writes(s) if isinstance(s, New | Call))}
    return last if isinstance(last, Store | Update) and last.array not in made else None


def _ended(stmt: Stmt) -> tuple[str, ...]:
    return (stmt.name,) if isinstance(stmt, Release) else ()


def header(at: Span) -> bool:
    """Does a compound statement stand there: a loop, a branch?"""
    if at.source is None:
        return False
    text = at.source.line(at.line)[at.column :].split(None, 1)
    return bool(text) and text[0].rstrip(":(") in ("for", "while", "if", "elif", "else", "with", "def", "try")
