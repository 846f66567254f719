"""What may go into one loop over the elements of arrays.

A statement joins where it goes through the same shape, and where no array that the loop writes into is read or written
at another element. Numbers that it needs are formed before the loop. Extents that are to be the same, but may not be,
are kept together: the loop runs over the length that they have in common.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from s2sad.analyses.extents import UNIT, Axes
from s2sad.ir.nodes import (
    Apply,
    Assign,
    Const,
    Expr,
    Kind,
    Load,
    New,
    Release,
    Stmt,
    Store,
    Update,
    Var,
)
from s2sad.ir.walk import expressions, is_axis, is_section, name_of, nodes, rebuild, variables
from s2sad.ops import OPS
from s2sad.ops.kinds import kind_of
from s2sad.source import Span

if TYPE_CHECKING:
    from s2sad.tidy.fuse import _Fuse

Symbols = tuple[tuple[Expr, ...], ...]  # per axis, the extents that are to be the same; none where it is 1


class Refused(Exception):
    """Arrays that were taken for numbers are read elsewhere."""

    def __init__(self, names: Iterable[str]) -> None:
        super().__init__(names)
        self.names = tuple(names)


class Group:
    """Statements for one loop."""

    def __init__(self, of: _Fuse) -> None:
        self.of = of
        self.stmts: list[Stmt] = []
        self.leaves: list[Var | Load] = []  # arrays and sections that are there when the loop begins
        self.axes: list[list[Expr]] = []
        self.rank = 0
        self.fixed = False  # the shape is that of an array which is written into, or kept
        self.whole = True  # only whole arrays are read: they can be fitted
        self.born: dict[str, Symbols] = {}
        self.sums: dict[str, str] = {}  # an array -> the name of its sum
        self.reads: dict[str, set[tuple[str, tuple[Expr, ...]]]] = {}
        self.written: dict[str, tuple[str, tuple[Expr, ...]]] = {}
        self.scalars: set[str] = set()  # names read by the loop, or by what it needs formed before it
        self.before: list[Stmt] = []
        self.after: list[Stmt] = []
        self.used: dict[str, int] = {}  # arrays born here -> how often the loop reads them

    # ----- what joins

    def takes(self, stmt: Stmt) -> bool:
        """Does a statement join?"""
        match stmt:
            case New(target=target, value=value):
                kind = self.of.kinds[target]
                kept = target in self.of.stored
                if kind.base not in ("real", "bool") or (kind.base == "bool" and kept):
                    return False
                if kept and target in self.of.turned:
                    return False
                if not self.stmts and not computes(value):
                    return False
                if any(isinstance(s, Release) and s.name == target for s in self.after):
                    return False
                symbols = self.fits(value, None, kept)
                if symbols is None:
                    return False
                self.joins(stmt, value)
                self.born[target] = symbols
                self.used[target] = 0
                return True
            case Update(array=array, value=value):
                return self.writes(stmt, array, (), value)
            case Store(array=array, index=index, value=value) if is_section(index):
                return self.writes(stmt, array, index, value)
            case _ if not self.stmts:
                return False
            case Assign(target=target, value=Apply(op="sum", args=(Var(name=array),))):
                if self.adds(array, target, stmt.at):
                    return True
                return self.moves(stmt)
            case Assign():
                return self.moves(stmt)
            case Release(name=name, index=""):
                same = self.of.same
                met = {*self.scalars, *map(name_of, self.leaves)}
                used = name in self.born or any(same[n] == same[name] for n in met)
                (self.after if used else self.before).append(stmt)
                return True
        return False

    def writes(self, stmt: Stmt, array: str, index: tuple[Expr, ...], value: Expr) -> bool:
        target: Var | Load = Load(array, index) if index else Var(array)
        if self.of.kinds[array] != Kind("real", self.of.kinds[array].ndim) or array in self.born:
            return False
        if not self.stmts and not computes(value):
            return False
        place = (array, index)
        same = self.of.same[array]
        if self.written.get(same, place) != place or self.reads.get(same, set()) - {place}:
            return False
        if not all(self.steady(sub) for sub in index if not is_axis(sub)):
            return False
        own = {(name_of(n), n.index if isinstance(n, Load) else ()) for n in arrays(value, self.of.kinds)}
        if any(self.of.same[name] == same and (name, at) != place for name, at in own):
            return False
        if self.fits(value, target, True) is None:
            return False
        self.written[same] = place
        self.joins(stmt, value)
        return True

    def joins(self, stmt: Stmt, value: Expr) -> None:
        """Note what a statement reads."""
        self.stmts.append(stmt)
        if isinstance(stmt, Update | Store):
            self.leaves.append(Load(stmt.array, stmt.index) if isinstance(stmt, Store) else Var(stmt.array))
        self.leaves += [n for n in arrays(value, self.of.kinds) if name_of(n) not in self.born]
        for leaf in arrays(value, self.of.kinds):
            name = name_of(leaf)
            if name in self.born:
                self.used[name] += 1
            else:
                at = leaf.index if isinstance(leaf, Load) else ()
                self.reads.setdefault(self.of.same[name], set()).add((name, at))
        self.scalars.update(variables(value))
        self.scalars.update(n for e in expressions(stmt) for n in variables(e))

    def fits(self, value: Expr, target: Var | Load | None, kept: bool) -> Symbols | None:
        """The extents of what a statement computes, where it can join; the loop then goes through them."""
        of = self.of
        if not elementwise(value, of.kinds, self.born) or not self.apart(value):
            return None
        rank = kind_of(value, of.kinds).ndim if target is None else kind_of(target, of.kinds).ndim
        if rank == 0 or (self.rank and rank != self.rank):
            return None
        leaves = list(arrays(value, of.kinds))
        merged = self.together(leaves, rank) if target is None else self.onto(target, leaves)
        if merged is None:
            return None
        if not self.rank:
            if any(not each for each in merged):
                return None
            self.rank, self.axes, self.fixed = rank, merged, kept or target is not None
        else:
            for mine, other in zip(self.axes, merged, strict=True):
                more = [e for e in other if e not in mine]
                less = [e for e in mine if e not in other]
                if (more and (self.fixed or not self.whole)) or (less and (kept or not other)):
                    return None
                if (more or less) and (target is not None or any(isinstance(leaf, Load) for leaf in leaves)):
                    return None
            for mine, other in zip(self.axes, merged, strict=True):
                mine += [e for e in other if e not in mine]
            self.fixed |= kept
        self.whole &= not any(isinstance(leaf, Load) for leaf in leaves)
        return tuple(map(tuple, merged))

    def together(self, leaves: Iterable[Var | Load], rank: int) -> list[list[Expr]] | None:
        """Per axis, the extents that operands have together; a section can't be fitted, so it has to have them all."""
        merged: list[list[Expr]] = [[] for _ in range(rank)]
        sections: list[Symbols] = []
        for leaf in leaves:
            own = self.symbols(leaf)
            if own is None:
                return None
            for k, each in enumerate(reversed(own), 1):
                merged[-k] += [e for e in each if e not in merged[-k]]
            sections += [own] if isinstance(leaf, Load) else []
        for own in sections:
            if any(each and list(each) != merged[-k] for k, each in enumerate(reversed(own), 1)):
                return None
        return merged

    def onto(self, target: Var | Load, leaves: Iterable[Var | Load]) -> list[list[Expr]] | None:
        """Per axis, the extents of what is written into, where all operands have them or can be fitted."""
        own = self.symbols(target)
        if own is None:
            return None
        for leaf in leaves:
            other = self.symbols(leaf)
            if other is None:
                return None
            for goal, each in zip(reversed(own), reversed(other), strict=False):
                bound = isinstance(leaf, Load) or leaf.name in self.born or not goal
                if bound and any(e not in goal for e in each):
                    return None
        return [list(each) for each in own]

    def symbols(self, leaf: Var | Load) -> Symbols | None:
        """Per axis, the extents that an array has, or is to have; nothing for an axis of length one."""
        if isinstance(leaf, Var) and leaf.name in self.born:
            return self.born[leaf.name]
        if isinstance(leaf, Var) and leaf.name in self.of.made:
            return self.of.made[leaf.name]
        axes: Axes | None = self.of.extents.leaf(leaf)
        return None if axes is None else tuple(() if e == UNIT else (e,) for e in axes)

    def apart(self, value: Expr) -> bool:
        """Does an expression read nothing that the loop writes, but for the same element of an array?"""
        for leaf in arrays(value, self.of.kinds):
            name = name_of(leaf)
            at = leaf.index if isinstance(leaf, Load) else ()
            if isinstance(leaf, Load) and leaf.array in self.born:
                return False
            place = self.written.get(self.of.same[name])
            if place is not None and place != (name, at):
                return False
            if not all(self.steady(sub) for sub in at if not is_axis(sub)):
                return False
        return all(self.steady(e) for e in numbers(value, self.of.kinds))

    def steady(self, expr: Expr) -> bool:
        """Is a number the same before the loop as it is behind it?"""
        for node in nodes(expr):
            match node:
                case Var(name=name) if (
                    name in self.sums.values() or name in self.born or self.of.same[name] in self.written
                ):
                    return False
                case Load(array=array) if self.of.same[array] in self.written or array in self.born:
                    return False
        return True

    def moves(self, stmt: Assign) -> bool:
        """An assignment that can as well stand before the loop."""
        if stmt.target in self.scalars or stmt.target in self.sums.values() or not self.steady(stmt.value):
            return False
        if self.of.kinds[stmt.target].base != "int":
            return False
        self.before.append(stmt)
        self.of.named(stmt)
        return True

    def adds(self, array: str, target: str, at: Span) -> bool:
        """Does the sum of an array join?"""
        of = self.of
        if of.kinds[array] != Kind("real", self.rank) or target in self.scalars or array in of.turned:
            return False
        if array not in self.born or array in self.sums or not alike(self.born[array], self.axes):
            return False
        self.sums[array] = target
        self.used[array] += 1
        self.stmts.append(Assign(target, Apply("sum", (Var(array),)), at))
        self.fixed = True
        return True

    def can_keep(self, name: str) -> bool:
        """Can the loop fill an array that is born here: is its shape that of the loop for sure?"""
        sure = self.fixed and alike(self.born[name], self.axes)
        return sure and self.of.kinds[name].base != "bool" and name not in self.of.turned

    def reduced(self, expr: Expr, at: Span) -> Expr:
        """An expression behind the loop, with sums of arrays that the loop makes taken by it."""

        def of(node: Expr) -> Expr:
            match node:
                case Apply(op="sum", args=(Var(name=array),)):
                    if array in self.sums:
                        return node
                    total = self.of.scalar(f"sum_{array}")
                    if self.adds(array, total, at):
                        return Var(total)
                    return node
                case Apply():
                    return rebuild(node, of)
            return node

        return of(expr)


def alike(one: Iterable[Iterable[Expr]], other: Iterable[Iterable[Expr]]) -> bool:
    """Are extents the same, axis by axis?"""
    return [set(e) for e in one] == [set(e) for e in other]


def computes(value: Expr) -> bool:
    """Is there an operation in it, other than a copy?"""
    return isinstance(value, Apply) and value.op != "copy"


def elementwise(expr: Expr, kinds: dict[str, Kind], born: Iterable[str]) -> bool:
    """Is an expression made of operations on the elements of real arrays?"""
    kind = kind_of(expr, kinds)
    if kind.base not in ("real", "bool", "int"):
        return False
    match expr:
        case Var(name=name):
            return not kind.is_array or kind.base == "real" or name in born
        case Load(index=index):
            return not kind.is_array or (kind.base == "real" and is_section(index))
        case Const():
            return True
        case Apply(op="copy", args=(Load() as part,)):
            return elementwise(part, kinds, born)
        case Apply(op=op, args=args) if op in OPS:
            if not kind.is_array:
                return True
            return OPS[op].structural == "" and all(elementwise(arg, kinds, born) for arg in args)
    return False


def arrays(expr: Expr, kinds: dict[str, Kind]) -> Iterator[Var | Load]:
    """The arrays and sections that an elementwise expression reads."""
    if not kind_of(expr, kinds).is_array:
        return
    match expr:
        case Var() | Load():
            yield expr
        case Apply(args=args):
            for arg in args:
                yield from arrays(arg, kinds)


def numbers(expr: Expr, kinds: dict[str, Kind]) -> Iterator[Expr]:
    """The largest parts of an elementwise expression that are numbers."""
    if not kind_of(expr, kinds).is_array:
        yield expr
    elif isinstance(expr, Apply):
        for arg in expr.args:
            yield from numbers(arg, kinds)


def sums(expr: Expr) -> bool:
    """Is there the sum of a named array in it?"""
    return any(isinstance(n, Apply) and n.op == "sum" and isinstance(n.args[0], Var) for n in nodes(expr))
