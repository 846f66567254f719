"""Elements that are not written again: no store that runs later meets them.

Before: `for j in range(n):` · `for k in range(j): s -= a[j, k] * a[j, k]` · `a[j, j] = sqrt(s)`, with a log of `a[j, j]`
After:  without: what stands left of column `j` is read, and only columns from `j` on are written then

The times at which two statements run differ first in one of the loops around both, or not at all. In each of these cases
some subscript has to tell the two elements apart. What is known of loop variables are differences: a bound that is
`v + c`, a branch that compares, and which of two trips comes first; a shortest path through them says what follows.

>>> from s2sad.analyses.versions import versions
>>> from s2sad.ir.nodes import REAL
>>> j, k = Var("j"), Var("k")
>>> read = Assign("s", Load("a", (j, k)))
>>> store = Store("a", (j, j), Const(0.0))
>>> body = (For("j", Const(0), Var("n"), Const(1), (For("k", Const(0), j, Const(1), (read,)), store)),)
>>> kinds = {"a": Kind("real", 2), "n": INT, "s": REAL}
>>> order = Later(body, versions(body, ("a", "n"), kinds), kinds)
>>> order.meets(read, (j, k), store)
False
>>> order.meets(read, (j, j), store)
True
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from s2sad.analyses.entities import classes
from s2sad.analyses.versions import Block, Versions
from s2sad.ir.nodes import (
    INT,
    Apply,
    Assign,
    Const,
    Expr,
    For,
    If,
    Kind,
    Load,
    New,
    Release,
    Slice,
    Stmt,
    Store,
    Var,
    While,
)
from s2sad.ir.walk import children, is_section, statements, variables
from s2sad.plan.elements import parts
from s2sad.plan.scalars import bound, touched

#: A number at a time: that of a version, and the side it belongs to ("": the same on both); None: zero.
Number: TypeAlias = tuple[int, str] | None
#: A number and what is added to it.
Sum: TypeAlias = tuple[Number, int]
#: (x, y, c): x - y is at most c.
Fact: TypeAlias = tuple[Number, Number, int]

#: Comparisons and their opposites.
NOT = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
EARLY, LATE = "early", "late"


class Distances:
    """How much one number may be above another: shortest paths through what is known."""

    def __init__(self, facts: Iterable[Fact], unlike: Iterable[Fact]) -> None:
        self.far: dict[tuple[Number, Number], int] = {}
        for fact in facts:
            self._add(*fact)
        self._close()
        for x, y, c in unlike:  # where it is at most what it is not, it is less
            if self.most(x, y) == c or self.most(y, x) == -c:
                self._add(x, y, c - 1) if self.most(x, y) == c else self._add(y, x, -c - 1)
                self._close()

    def most(self, x: Number, y: Number) -> float:
        """What x - y is at most."""
        return self.far.get((x, y), 0 if x == y else math.inf)

    def differ(self, one: Sum, other: Sum) -> bool:
        """Are two subscripts never the same, and neither counts from the end of its axis?"""
        (x, a), (y, b) = one, other
        upright = self.most(None, x) <= a and self.most(None, y) <= b
        return upright and (self.most(x, y) < b - a or self.most(y, x) < a - b)

    def _add(self, x: Number, y: Number, most: int) -> None:
        self.far[x, y] = min(self.far.get((x, y), most), most)

    def _close(self) -> None:
        every = dict.fromkeys(n for pair in self.far for n in pair)
        for via in every:
            to = [(x, c) for (x, y), c in self.far.items() if y == via]
            onward = [(y, c) for (x, y), c in self.far.items() if x == via]
            for x, c in to:
                for y, d in onward:
                    self._add(x, y, c + d)


class Later:
    """Knows of one body, whose statements are distinct, which stores meet which elements later."""

    def __init__(self, body: Iterable[Stmt], facts: Versions, kinds: Mapping[str, Kind]) -> None:
        self.facts, self.kinds = facts, kinds
        self.by_id = {id(s): s for s in statements(body)}
        self.order = {key: k for k, key in enumerate(self.by_id)}
        self.classes = classes(self.by_id.values())
        self._known: dict[tuple[Block, Block, int], Distances] = {}
        self._alone: dict[str, tuple[bool, New | None]] = {}

    def meets(
        self, stmt: Stmt, index: Sequence[Expr], store: Store, born: New | None = None, *, during: bool = True
    ) -> bool:
        """May a run of `store` after (or `during`) a run of `stmt` write the element that has that index there?

        born  where the array is made, if it isn't a parameter: in another run of this, it is another array
        """
        around = self.around(born) if born else []
        common = [a for a, b in zip(self.around(stmt), self.around(store), strict=False) if a is b]
        first = sum(any(a is b for b in around) for a in common)
        cases = list(range(first, len(common)))
        if during if stmt is store else self._before(stmt, store):
            cases.append(len(common))
        return any(self._same(stmt, index, store, common, k) for k in cases)

    def final(self, store: Stmt) -> bool:
        """Does an element keep the value that a store gives it, for as long as there is the array?"""
        if not isinstance(store, Store) or is_section(store.index):
            return False
        known, born = self.alone(store.array)
        writing = [s for s in self.by_id.values() if store.array in touched(s) and s is not born]
        return known and all(
            isinstance(s, Store)
            and not is_section(s.index)
            and not self.meets(store, store.index, s, born, during=False)
            for s in writing
        )

    def alone(self, array: str) -> tuple[bool, New | None]:
        """Is there no other name for an array, and is it a parameter, or made by one statement? The latter beside it."""
        if array not in self._alone:
            self._alone[array] = self._births(array)
        return self._alone[array]

    def _births(self, array: str) -> tuple[bool, New | None]:
        births = [s for s in self.by_id.values() if array in bound(s) and not isinstance(s, Release)]
        others = (n for n, group in self.classes.items() if group == self.classes[array] and n != array)
        born = births[0] if len(births) == 1 else None
        made = born if isinstance(born, New) else None
        return not any(others) and (not births or made is not None), made

    def around(self, stmt: Stmt) -> list[For | While]:
        """The loops around a statement, outermost first."""
        return [s for key, _ in self.facts.block[id(stmt)] if isinstance(s := self.by_id[key], For | While)]

    def _before(self, stmt: Stmt, other: Stmt) -> bool:
        """May one statement run before the other in the same trip of all loops around both?"""
        ways = [(*self.facts.block[id(s)], (id(s), 0)) for s in (stmt, other)]
        fork = next(((a, b) for a, b in zip(*ways, strict=False) if a != b), None)
        exclusive = fork is not None and fork[0][0] == fork[1][0]  # two arms of one branch
        return not exclusive and self.order[id(stmt)] < self.order[id(other)]

    def _same(
        self, stmt: Stmt, index: Sequence[Expr], store: Store, common: list[For | While], level: int
    ) -> bool:
        """May the elements be one where the trips of the first `level` loops are the same, and not those of the next?"""
        same = {id(loop) for loop in common[:level]}
        known = self._distances(stmt, store, common, level)
        return not any(
            known.differ(one, other)
            for one, other in zip(
                (self._sum(e, stmt, EARLY, same) for e in index),
                (self._sum(e, store, LATE, same) for e in store.index),
                strict=True,
            )
            if one and other
        )

    def _distances(self, stmt: Stmt, store: Store, common: list[For | While], level: int) -> Distances:
        """What is known of numbers when the two statements run, which is up to the blocks they stand in."""
        key = (self.facts.block[id(stmt)], self.facts.block[id(store)], level)
        if key not in self._known:
            same = {id(loop) for loop in common[:level]}
            facts = [] if level == len(common) else list(self._trips(common[level]))
            unlike: list[Fact] = []
            for s, side in ((stmt, EARLY), (store, LATE)):
                facts += [*self._bounds(s, side, same), *self._tests(s, side, same)]
                unlike += self._unlike(s, side, same)
            self._known[key] = Distances(facts, unlike)
        return self._known[key]

    def _sum(self, expr: Expr, stmt: Stmt, side: str, same: set[int]) -> Sum | None:
        """A subscript or bound as a number and a constant, as it stands at a statement."""
        found = parts(expr)
        if found is None:
            return None
        name, more = found
        if name is None:
            return None, more
        version = self.facts.before[id(stmt)].get(name)
        if version is None:
            return None
        if version.birth == "assign" and isinstance(version.stmt, Assign):
            inner = self._sum(version.stmt.value, version.stmt, side, same)
            if inner is not None:
                return inner[0], inner[1] + more
        loops = {key for key, _ in version.block if isinstance(self.by_id[key], For | While)}
        return (version.number, "" if loops <= same else side), more

    def _bounds(self, stmt: Stmt, side: str, same: set[int]) -> Iterator[Fact]:
        """Between which numbers the variables of the loops around a statement are."""
        for loop in self.around(stmt):
            if not isinstance(loop, For) or not isinstance(loop.step, Const) or not loop.step.value:
                continue
            var = self._variable(loop, side, same)
            up = loop.step.value > 0
            start, stop = (self._sum(e, loop, side, same) for e in (loop.start, loop.stop))
            low, high = (start, stop) if up else (stop, start)
            if low is not None:
                yield low[0], var, -low[1] - (0 if up else 1)
            if high is not None:
                yield var, high[0], high[1] - (1 if up else 0)

    def _compared(self, stmt: Stmt, side: str, same: set[int]) -> Iterator[tuple[str, Sum, Sum]]:
        """The comparisons of integers that hold where a statement runs, by the branches around it."""
        for key, arm in self.facts.block[id(stmt)]:
            branch = self.by_id[key]
            if isinstance(branch, If) and isinstance(branch.test, Apply) and branch.test.op in NOT:
                names = {n for e in branch.test.args for n in variables(e)}
                one, other = (self._sum(e, branch, side, same) for e in branch.test.args)
                if one and other and all(n in self.kinds and self.kinds[n] == INT for n in names):
                    yield branch.test.op if arm == 0 else NOT[branch.test.op], one, other

    def _tests(self, stmt: Stmt, side: str, same: set[int]) -> Iterator[Fact]:
        """What branches say of numbers: which is below the other."""
        for op, (x, a), (y, b) in self._compared(stmt, side, same):
            if op in ("lt", "le", "eq"):
                yield x, y, b - a - (op == "lt")
            if op in ("gt", "ge", "eq"):
                yield y, x, a - b - (op == "gt")

    def _unlike(self, stmt: Stmt, side: str, same: set[int]) -> Iterator[Fact]:
        """What branches say of numbers: x - y is not c."""
        return ((x, y, b - a) for op, (x, a), (y, b) in self._compared(stmt, side, same) if op == "ne")

    def _trips(self, loop: For | While) -> Iterator[Fact]:
        """That the one trip of a loop comes after the other."""
        if isinstance(loop, For) and isinstance(loop.step, Const) and loop.step.value and not loop.threads:
            early, late = (self._variable(loop, side, set()) for side in (EARLY, LATE))
            step = loop.step.value
            yield (early, late, -step) if step > 0 else (late, early, step)

    def _variable(self, loop: For, side: str, same: set[int]) -> Number:
        version = next(
            v
            for v in self.facts.start[(*self.facts.block[id(loop)], (id(loop), 0))].values()
            if v.birth == "loopvar" and v.stmt is loop
        )
        return version.number, "" if id(loop) in same else side


def elements_read(expr: Expr, array: str) -> Iterator[Load | None]:
    """The elements of an array that `expr` reads; None where it reads several at once. Its shape is none of them."""
    match expr:
        case Apply(op="shape" | "zeros_like" | "ones_like" | "empty_like"):
            return
        case Load(array=name, index=index) if name == array:
            yield None if is_section(index) else expr
        case Var(name=name) if name == array:
            yield None
    if isinstance(expr, Apply | Load | Slice):
        for part in children(expr):
            yield from elements_read(part, array)
