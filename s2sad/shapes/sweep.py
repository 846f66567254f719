"""What the passes know of a sweep beside its statements, and how they go through its loops.

>>> from s2sad.ir.nodes import Const, Store
>>> inner = For("i", Const(0), Var("n"), Const(1), (Store("a", (Var("i"),), Const(0.0)),))
>>> seen: list[str] = []
>>> def visit(loop: For, place: Place) -> tuple[Stmt, ...]:
...     seen.append(loop.var)
...     return (loop,)
>>> body = over_loops((For("t", Const(0), Var("n"), Const(1), (inner,)),), Place(frozenset(), {}), visit)
>>> seen
['i', 't']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from s2sad.analyses.entities import Classes, classes
from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    INT,
    REAL,
    Apply,
    Assign,
    Bind,
    Call,
    For,
    Function,
    Kind,
    New,
    Node,
    Stmt,
    Turn,
    Var,
    View,
    While,
)
from s2sad.ir.walk import blocks, names_in, reads, rename, statements, with_blocks, writes, writes_in
from s2sad.shapes.liveness import before, exposed
from s2sad.shapes.subscripts import least

Body = tuple[Stmt, ...]


@dataclass
class Sweep:
    """A sweep's names.

    kinds      of every name, new ones added as they are made
    memory     array -> the class of arrays that it may overlap with
    functions  names of functions of the file
    helpers    functions that stretches of the sweep became
    frames     helper that is the frame of a gathered nest -> the nest's loops around what a cell gets by itself, which
               the frame does first; None for a helper that is called at more than one place
    constants  names that belong to the file, not to the sweep
    adjoints   names of adjoints, in the sweep as it was
    """

    kinds: dict[str, Kind]
    namer: Namer
    memory: Classes = field(default_factory=Classes)
    functions: Namer = field(default_factory=Namer)
    helpers: dict[str, Function] = field(default_factory=dict)
    frames: dict[str, For | None] = field(default_factory=dict)
    constants: frozenset[str] = frozenset()
    adjoints: frozenset[str] = frozenset()

    def fresh(self, stem: str, kind: Kind = REAL) -> str:
        """A new scalar."""
        name = self.namer.fresh(stem)
        self.kinds[name] = kind
        return name

    def counter(self, stem: str) -> str:
        """A new integer."""
        return self.fresh(stem, INT)

    def is_array(self, name: str) -> bool:
        """Is a name an array?"""
        return name in self.kinds and self.kinds[name].is_array

    def outlined(self, wish: str, body: Body, doc: str) -> Call:
        """A call of a function that has the body: what it adds to or stores into are arrays, it gives nothing.

        One that does the same with other names serves here, too.
        """
        own = {n for s in statements(body) for n in writes(s) if not self.is_array(n)}
        params = tuple(
            sorted(
                (n for n in names_in(body) if n not in own | self.constants),
                key=lambda n: not self.is_array(n),
            )
        )
        kinds = {n: self.kinds[n] for n in (*params, *sorted(own))}
        name = self.same(Function("", params, body, (), kinds, (), Node(()), doc=doc))
        if not name:
            name = self.functions.fresh(wish)
            while name in self.namer:
                name = self.functions.fresh(wish)
            self.namer.take(name)
            self.helpers[name] = Function(name, params, body, (), kinds, (), Node(()), doc=doc)
        written = tuple(n for n in writes_in(body) if self.is_array(n))
        return Call((), name, tuple(map(Var, params)), written)

    def same(self, fn: Function) -> str:
        """The name of a function that does the same with what it is given, whatever that is called; empty: none."""
        for name, other in self.helpers.items():
            if other.doc != fn.doc or len(other.params) != len(fn.params):
                continue
            names = dict(zip(other.params, fn.params, strict=True))
            kinds = {names.get(n, n): kind for n, kind in other.kinds.items()}
            if rename(names, other.body) == fn.body and kinds == fn.kinds:
                return name
        return ""


def sweep_of(fn: Function, functions: Namer) -> Sweep:
    """The knowledge of a function: views, shared bindings and places of a pool make their whole class one."""
    stmts = tuple(statements(fn.body))
    found = classes(fn.body)
    tangled = {s.target for s in stmts if isinstance(s, View | Bind)}
    placed = {s.target for s in stmts if isinstance(s, New) and is_place(s)}
    placed |= {a.name for s in stmts if isinstance(s, Call) and s.function in ("place_at", "part_at")
               for a in s.args if isinstance(a, Var)}  # fmt: skip
    together = {found[name] for name in tangled}
    pooled = {found[name] for name in placed}
    memory = Classes()
    for name in fn.kinds:
        if found[name] in pooled:
            memory[name] = min(pooled)
        elif found[name] in together:
            memory[name] = found[name]
    names = Namer([*fn.kinds, *fn.constants, *fn.callees, *fn.pairs])
    seeds = {n for s in fn.body if isinstance(s, Turn) for n in s.seeds}
    constants, adjoints = frozenset(fn.constants), fed_by(seeds, fn.body)
    return Sweep(dict(fn.kinds), names, memory, functions, constants=constants, adjoints=adjoints)


def fed_by(names: Iterable[str], body: Body) -> frozenset[str]:
    """Names, and those that statements give values made of theirs; what calls give isn't among them."""
    found = set(names)
    stmts = [s for s in statements(body) if not isinstance(s, Call)]
    count = -1
    while count < len(found):
        count = len(found)
        for s in stmts:
            if not found.isdisjoint(reads(s)):
                found |= {*writes(s)}
    return frozenset(found)


def is_place(s: New) -> bool:
    """Is an array born at a place of a pool, which another name may have as well?"""
    return isinstance(s.value, Apply) and s.value.op in ("place", "part")


@dataclass(frozen=True)
class Place:
    """Where a loop stands.

    live    scalars read after it
    floor   integers in sight -> a number that they are not below
    around  the loops around it, outermost first
    block   the statements that it stands among
    """

    live: frozenset[str]
    floor: Mapping[str, int]
    around: tuple[For, ...] = ()
    block: Body = ()

    def inside(self, loop: For) -> Place:
        """The place of what stands last in the body of a loop that stands here."""
        live = self.live | exposed(loop.body)
        return Place(live, self.floors(loop), (*self.around, loop), loop.body)

    def floors(self, loop: For) -> dict[str, int]:
        """What is known of integers in a loop."""
        low = lowest(loop, self.floor)
        floor = {n: k for n, k in self.floor.items() if n != loop.var}
        return floor if low is None else {**floor, loop.var: low}


def lowest(loop: For, floor: Mapping[str, int]) -> int | None:
    """The smallest value that the variable of a loop can be known not to fall below."""
    step = least(loop.step, {})
    if step is not None and step > 0:
        return least(loop.start, floor)
    low = least(loop.stop, floor)
    return None if low is None else low + 1


Visit = Callable[[For, Place], Iterable[Stmt]]


def over_loops(body: Iterable[Stmt], place: Place, visit: Visit) -> Body:
    """`body` with every For exchanged for what `visit` makes of it, inner ones first."""
    body = tuple(body)
    live = set(place.live)
    out: list[Stmt] = []
    for stmt in reversed(body):
        here = Place(frozenset(live), place.floor, place.around, body)
        if isinstance(stmt, For):
            inner = over_loops(stmt.body, here.inside(stmt), visit)
            new = tuple(visit(replace(stmt, body=inner), here))
        else:
            if isinstance(stmt, While):
                here = replace(here, live=here.live | exposed((stmt,)))
            new = (with_blocks(stmt, (over_loops(b, here, visit) for b in blocks(stmt))),)
        live = before((stmt,), live)
        out.extend(reversed(new))
    return tuple(reversed(out))


def over_nests(body: Iterable[Stmt], place: Place, visit: Callable[[For, Place], Body | None]) -> Body:
    """`body` with Fors exchanged for what `visit` makes of them, outer ones first; where it gives None, inner ones."""
    body = tuple(body)
    live = set(place.live)
    out: list[Stmt] = []
    for stmt in reversed(body):
        here = Place(frozenset(live), place.floor, place.around, body)
        new = visit(stmt, here) if isinstance(stmt, For) else None
        if new is None:
            match stmt:
                case For():
                    here = here.inside(stmt)
                case While():
                    here = replace(here, live=here.live | exposed((stmt,)))
            new = (with_blocks(stmt, [over_nests(b, here, visit) for b in blocks(stmt)]),)
        live = before((stmt,), live)
        out.extend(reversed(new))
    return tuple(reversed(out))


def floors(body: Iterable[Stmt], kinds: Mapping[str, Kind]) -> dict[str, int]:
    """Integers that are assigned once in a sweep, and can't be below a number: sizes, for the most part."""
    stmts = [s for s in statements(body) if isinstance(s, Assign) and kinds.get(s.target) == INT]
    count: dict[str, int] = {}
    for s in stmts:
        count[s.target] = count.get(s.target, 0) + 1
    found: dict[str, int] = {}
    for s in stmts:
        low = least(s.value, found)
        if count[s.target] == 1 and low is not None:
            found[s.target] = low
    return found
