"""How a loop over the elements of arrays is written out.

A length that two arrays have together is `common(n, m)`; an array that may be shorter is seen through `fitted`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce

from s2sad.analyses.extents import UNIT, left_of, shape, trimmed
from s2sad.ir.nodes import (
    Apply,
    Assign,
    Const,
    Expr,
    For,
    Kind,
    Load,
    New,
    Release,
    Slice,
    Stmt,
    Store,
    Update,
    Var,
    View,
)
from s2sad.ir.walk import is_axis, is_section
from s2sad.ops import dear
from s2sad.ops.build import add, number, whole
from s2sad.ops.calm import quiet
from s2sad.ops.kinds import kind_of
from s2sad.source import Span
from s2sad.tidy.groups import Group, Refused


def length(group: Group, axis: int) -> Expr:
    """How many trips the loop over an axis has, by names and arrays that are there."""
    of, goal = group.of, frozenset(group.axes[axis])
    if goal in of.commons:
        return Var(of.commons[goal])
    if len(goal) == 1:
        (sure,) = goal
        if sure in of.lengths:
            return Var(of.lengths[sure])
        if isinstance(sure, Var | Const):
            return sure
    found: dict[frozenset[Expr], Expr] = {}
    for leaf in group.leaves:
        symbols = group.symbols(leaf)
        assert symbols is not None
        k = axis - group.rank + len(symbols)
        if k >= 0 and symbols[k]:
            found.setdefault(frozenset(symbols[k]), extent(leaf, k))
    if goal in found:
        return found[goal]
    parts = [e for own, e in found.items() if not any(own < other for other in found)]
    return reduce(lambda a, b: Apply("common", (a, b)), parts)


def loop(group: Group) -> Iterator[Stmt]:
    """What stands for the statements of a group."""
    of, at = group.of, group.stmts[0].at
    born = [s.target for s in group.stmts if isinstance(s, New)]
    kept = {name for name in born if of.uses[name] != group.used[name]}
    refused = [name for name in born if name in kept - of.stored and not group.can_keep(name)]
    if refused:
        raise Refused(refused)
    yield from group.before
    lengths: list[Expr] = []
    for axis, extents in enumerate(group.axes):
        trips = length(group, axis)
        if isinstance(trips, Apply) and trips.op == "common":
            n = of.commons[frozenset(extents)] = of.scalar("n", "int")
            yield Assign(n, trips, at)
            trips = Var(n)
        lengths.append(trips)
    counters = [of.scalar(wish, "int") for wish in "ijkl"[: group.rank]]
    here = tuple(map(Var, counters))
    before: list[Stmt] = []
    inner: list[Stmt] = []
    element = _Element(group, here, lengths, inner)
    for stmt in group.stmts:
        match stmt:
            case New(target=target, value=value) if target not in kept:
                inner.append(Assign(target, element.of(value, stmt.at, root=True), stmt.at))
            case New(target=target, value=value):
                room = (Apply("maximum", (e, Const(0)), "max") if cut(e) else e for e in lengths)
                before.append(New(target, Apply("empty", tuple(room)), stmt.at))
                if len(of.extents.births[target]) == 1 and target not in of.extents.members:
                    of.made[target] = group.born[target]
                inner.append(Store(target, here, element.of(value, stmt.at), stmt.at))
            case Update(array=array, value=value):
                inner.append(Store(array, here, element.of(value, stmt.at), stmt.at))
            case Store(array=array, index=index, value=value):
                place = element.places(array, index, stmt.at)
                inner.append(Store(array, place, element.of(value, stmt.at), stmt.at))
            case Assign(target=target, value=Apply(args=(array_,))):
                before.append(Assign(target, Const(0.0), stmt.at))
                inner.append(
                    Assign(target, Apply("add", (Var(target), element.of(array_, stmt.at))), stmt.at)
                )
    for name in born:
        if name not in kept:
            of.kinds[name] = Kind(of.kinds[name].base)
    yield from (*element.numbers, *element.fits, *before)
    body = tuple(inner)
    for counter, trips in zip(reversed(counters), reversed(lengths), strict=True):
        body = (For(counter, Const(0), trips, Const(1), body, at),)
    yield from body
    yield from (s for s in group.after if isinstance(s, Release) and (s.name in kept or s.name not in born))


class _Element:
    """Array expressions at one element; what has to be formed for them before the loop, and before in it."""

    def __init__(self, group: Group, here: tuple[Var, ...], lengths: list[Expr], inner: list[Stmt]) -> None:
        self.group = group
        self.here = here
        self.lengths = lengths
        self.inner = inner
        self.fits: list[Stmt] = []
        self.numbers: list[Stmt] = []
        self.kinds = dict(group.of.kinds)
        self.outside: dict[Expr, str] = {}

    def of(self, expr: Expr, at: Span, root: bool = False) -> Expr:
        """The value of an array expression at the element where the loop is; what is dear in it has a name."""
        group = self.group
        match expr:
            case Var(name=name) if name in group.born and group.of.uses[name] == group.used[name]:
                return expr
            case Var(name=name) if self.kinds[name].is_array:
                return self.whole(name, at)
            case Load(array=array, index=index) if is_section(index):
                return Load(array, self.places(array, index, at))
            case Apply(op="copy", args=(arg,)):
                return self.of(arg, at)
            case Apply(args=args) if (kind := kind_of(expr, self.kinds)).is_array:
                made = replace(expr, args=tuple(self.of(arg, at) for arg in args))
                if root or not dear(replace(made, args=tuple(map(plain, made.args)))):
                    return quiet(made)
                name = group.of.scalar("t", kind.base)
                self.inner.append(Assign(name, quiet(made), at))
                return Var(name)
            case Load() | Apply() if number(expr) is None:
                return self.once(expr, at)
        return expr

    def once(self, expr: Expr, at: Span) -> Var:
        """A number that is the same for every element."""
        if expr not in self.outside:
            kind = kind_of(expr, self.kinds)
            name = self.outside[expr] = self.group.of.scalar("t", kind.base)
            self.numbers.append(Assign(name, expr, at))
        return Var(self.outside[expr])

    def whole(self, name: str, at: Span) -> Load:
        """An array at the element, through what fits the shape of the loop."""
        group = self.group
        symbols = group.symbols(Var(name))
        assert symbols is not None
        first = group.rank - len(symbols)
        goal = group.axes[first:]
        index = tuple(
            Const(0) if not own and other != [UNIT] else i
            for own, other, i in zip(symbols, goal, self.here[first:], strict=True)
        )
        loose = any(own and set(own) != set(other) for own, other in zip(symbols, goal, strict=True))
        if name in group.born or not loose:
            return Load(name, index)
        shape = tuple(n if own else UNIT for own, n in zip(symbols, self.lengths[first:], strict=True))
        seen = group.of.fits.get((name, shape))
        if seen is None:
            seen = group.of.fits[name, shape] = group.of.names.fresh(f"{name}_fit")
            group.of.kinds[seen] = self.kinds[name]
            self.fits.append(View(seen, name, shape, "fit", at))
        return Load(seen, index)

    def places(self, array: str, index: tuple[Expr, ...], at: Span) -> tuple[Expr, ...]:
        """The subscripts of a section's element."""
        axes = sum(map(is_axis, index))
        here = list(self.here[self.group.rank - axes :])
        extents = self.group.of.extents.leaf(Load(array, index))
        assert extents is not None
        made: list[Expr] = []
        k = -1
        for part in index:
            k += is_axis(part)
            if isinstance(part, Slice):
                ends = trimmed(part)
                assert ends is not None
                unit = extents[k] == UNIT and self.group.axes[self.group.rank - axes + k] != [UNIT]
                i: Expr = Const(0) if unit else here[k]
                made.append(whole(add(i, Const(ends[0]))) if ends[0] else i)
            elif part != Const(None):
                made.append(part if isinstance(part, Var | Const) else self.once(part, at))
        return tuple(made)


def plain(arg: Expr) -> Expr:
    """Numbers as they are, other operands as names."""
    return arg if isinstance(arg, Const) else Var("")


def extent(leaf: Var | Load, axis: int) -> Expr:
    """The length of an axis of an array or of a section with plain bounds."""
    if isinstance(leaf, Var):
        return shape(leaf.name, axis)
    places = [k for k, sub_ in enumerate(leaf.index) if is_axis(sub_)]
    part = leaf.index[places[axis]]
    own = sum(sub_ != Const(None) for sub_ in leaf.index[: places[axis]])
    assert isinstance(part, Slice)
    length = left_of(shape(leaf.array, own), part)
    assert length is not None
    return length


def cut(extent: Expr) -> bool:
    """May an extent come out negative: one of a section that is longer than the array?"""
    return isinstance(extent, Apply) and extent.op in ("add", "sub")
