"""Where the reverse sweep finds each value it needs: the first sound way, with its reason, as data.

Scalars, by version: *there* (a parameter, a loop variable) · *recompute* (cheap, its operands at hand, its loads
unchanged until the end of its block) · *count* (an integer counter, by its closed form) · *slot* (kept at birth, in
an array with one place per iteration of the enclosing loops).
Arrays, by overwriting statement, where an earlier reader is reversed later: *nothing* (no such reader) ·
*snapshot* (a nest overwrites the array as a whole: copied once before it) · *copy* (a whole-array statement) ·
*log* (the overwritten element goes to a slot).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from s2sad.analyses.entities import Classes, classes, roots
from s2sad.analyses.versions import Block, Version, Versions
from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    Apply,
    Assign,
    Base,
    Const,
    Expr,
    For,
    Function,
    If,
    Kind,
    Load,
    New,
    Rebind,
    Release,
    Stmt,
    Store,
    Update,
    Var,
    View,
    While,
)
from s2sad.ir.walk import blocks, expressions, is_section, nodes, statements, unique, variables
from s2sad.ops import OPS, dear
from s2sad.ops.build import add, mul, sub

SMALL = 16  # places that an array of unknown length begins with
CHEAP = 24  # operations that a value may cost to be formed again rather than kept


@dataclass(frozen=True, slots=True)
class Slot:
    """An array of kept values: its name, type, the loops that number its places, before which one it is made.

    outer is None where it is made at the start of the function (then `place` tells the one place of the value).
    """

    array: str
    base: Base
    loops: tuple[For | While, ...]
    outer: For | While | None
    place: int = 0

    @property
    def shape(self) -> tuple[Expr, ...]:
        """One extent per loop."""
        return tuple(extent(loop) for loop in self.loops)

    @property
    def index(self) -> tuple[Expr, ...]:
        """The place of the running iteration."""
        return tuple(number(loop) for loop in self.loops) if self.loops else (Const(self.place),)


@dataclass(frozen=True, slots=True)
class Decision:
    """One line of the storage report: which value, how it is had, why, and how many are kept."""

    line: int
    name: str
    how: str
    why: str
    shape: tuple[Expr, ...] = ()


@dataclass(slots=True)
class Plan:
    """The decisions. Keys are versions, and ids of statements (the body's statements are distinct objects)."""

    slots: dict[Version, Slot] = field(default_factory=dict)
    again: dict[Version, Expr] = field(default_factory=dict)  # formed again, in names of before its statement
    logs: dict[int, Slot] = field(default_factory=dict)
    copies: set[int] = field(default_factory=set)
    snapshots: dict[int, tuple[str, ...]] = field(default_factory=dict)
    held: frozenset[str] = frozenset()
    seen: frozenset[str] = frozenset()  # arrays that the reverse sweep names
    undone: frozenset[str] = frozenset()  # arrays whose overwriting the reverse sweep undoes
    scratch: dict[str, int] = field(default_factory=dict)  # arrays for values outside loops: name -> places
    report: list[Decision] = field(default_factory=list)

    @property
    def arrays(self) -> tuple[Slot, ...]:
        """One slot per array, in order of making."""
        return tuple({s.array: s for s in (*self.slots.values(), *self.logs.values())}.values())


def extent(loop: For | While) -> Expr:
    """How many places the iterations of a loop take; a loop that starts above 0 leaves the first ones empty.

    Of a While nobody knows: its arrays begin small and grow.
    """
    if isinstance(loop, While):
        return Const(SMALL)
    if loop.step == Const(1):
        return loop.stop if counts(loop) else sub(loop.stop, loop.start)
    if loop.step == Const(-1):
        return sub(loop.start, loop.stop)
    return Apply("trips", (loop.start, loop.stop, loop.step))


def number(loop: For | While) -> Expr:
    """The place of the running iteration."""
    if isinstance(loop, While):
        return Var(loop.counter)
    if loop.step == Const(1):
        return Var(loop.var) if counts(loop) else sub(Var(loop.var), loop.start)
    if loop.step == Const(-1):
        return sub(loop.start, Var(loop.var))
    return Apply("floordiv", (sub(Var(loop.var), loop.start), loop.step))


def counts(loop: For) -> bool:
    """Does the loop variable itself number the places: a small literal start?"""
    return isinstance(loop.start, Const) and 0 <= loop.start.value <= 4


class Storage:
    """Decides for one prepared function; `plan` is the result."""

    def __init__(
        self,
        fn: Function,
        facts: Versions,
        needs: Mapping[int, tuple[Expr, ...]],
        reads: Mapping[int, tuple[str, ...]],
        active: frozenset[str],
        namer: Namer,
    ) -> None:
        """needs: expressions that the reverse of a statement evaluates, by id; reads: arrays whose content they read."""
        self.fn, self.facts, self.needs, self.reads, self.active, self.namer = (
            fn,
            facts,
            needs,
            dict(reads),
            active,
            namer,
        )
        self.kinds = fn.kinds
        self.classes: Classes = classes(fn.body)
        self.roots: Classes = roots(fn.body)
        self.bodies: dict[Block, tuple[Stmt, ...]] = dict(nested(fn.body))
        self.by_id = {id(s): s for s in statements(fn.body)}
        self.plan = Plan()
        self.late: dict[
            Block, tuple[str, ...]
        ] = {}  # arrays that values formed again at the end of a block load
        self.wanted = frozenset(self.direct())
        self.scalars()
        self.arrays()
        self.hold()

    # ----- scalars

    def direct(self) -> Iterator[Version]:
        """Versions that some reverse statement reads."""
        for key, exprs in self.needs.items():
            table, later = self.facts.before[key], self.facts.after.get(key, {})
            for expr in exprs:
                for name in variables(expr):
                    if name.endswith("'"):
                        yield later[name[:-1]]
                    elif name in table:
                        yield table[name]

    def scalars(self) -> None:
        for version in sorted(self.wanted, key=lambda v: v.number):
            self.settle(version)

    def settle(self, v: Version) -> None:
        """Decide how the value `v` is had on the way back."""
        if v.birth in ("param", "loopvar") or v in self.plan.slots or v in self.plan.again:
            return
        if v.birth == "assign" and self.free(v):
            assert isinstance(v.stmt, Assign)
            self.plan.again[v] = v.stmt.value
            table = self.facts.before[id(v.stmt)]
            for name in variables(v.stmt.value):
                if name in table:
                    self.settle(table[name])
            self.late[v.block] = unique((*self.late.get(v.block, ()), *arrays_in(v.stmt.value, self.kinds)))
            self.note(v, "recompute", "cheap, its operands are at hand")
        elif (closed := self.closed(v)) is not None:
            self.plan.again[v] = closed
            self.settle(self.facts.before[id(v.stmt)][v.name])
            self.note(v, "count", "a counter: entry value and iterations tell it")
        else:
            self.plan.slots[v] = self.slot(v.name, v.block)
            self.note(v, "slot", "carried by the loop" if v.birth == "header" else "dear, or overwritten", v)

    def free(self, v: Version) -> bool:
        """Can `v` be had without keeping anything that isn't kept anyway?"""
        if v.birth in ("param", "loopvar"):
            return True
        if v.birth != "assign" or not isinstance(v.stmt, Assign):
            return v in self.wanted or self.closed(v) is not None
        value = v.stmt.value
        if not cheap(value) or not self.unchanged(value, v):
            return v in self.wanted and v in self.plan.slots
        table = self.facts.before[id(v.stmt)]
        return all(
            self.free(table[n]) or (table[n] in self.wanted and table[n] is not v)
            for n in variables(value)
            if n in table
        )

    def unchanged(self, value: Expr, v: Version) -> bool:
        """Do the arrays that `value` loads stay as they are until the end of the block in which `v` is born?"""
        loaded = {self.classes[a] for a in arrays_in(value, self.kinds)}
        loaded |= {self.classes[n.args[0].name] for n in nodes(value) if is_shape(n)}  # type: ignore[union-attr]
        if not loaded:
            return True
        body = self.bodies[v.block]
        k = next(i for i, s in enumerate(body) if s is v.stmt)
        return not any(self.classes[a] in loaded for s in statements(body[k + 1 :]) for a in touched(s))

    def closed(self, v: Version) -> Expr | None:
        """The closed form of an integer counter at the start of an iteration, in names of before its loop."""
        loop = v.stmt
        if (
            v.birth != "header"
            or self.kinds[v.name].base != "int"
            or not isinstance(loop, For)
            or loop.step != Const(1)
        ):
            return None
        steps = [s for s in statements(loop.body) if isinstance(s, Assign) and s.target == v.name]
        if len(steps) != 1 or not any(steps[0] is s for s in loop.body):
            return None
        match steps[0].value:
            case Apply(op="add", args=(Var(name=v.name), Const() as by)) if type(by.value) is int:
                rest = sub(Var(loop.var), loop.start) if loop.start != Const(0) else Var(loop.var)
                return add(Var(v.name), rest if by.value == 1 else mul(by, rest))
        return None

    def slot(self, name: str, block: Block, base: Base | None = None) -> Slot:
        """A slot with a place per iteration of the loops around `block`."""
        base = base or self.kinds[name].base
        loops = tuple(s for key, _ in block if isinstance(s := self.by_id[key], For | While))
        if not loops:
            array = {"real": "kept", "int": "kept_n", "bool": "kept_c"}[base]
            place = self.plan.scratch.get(array, 0)
            self.plan.scratch[array] = place + 1
            return Slot(array, base, (), None, place)
        k = len(loops) - 1
        while k > 0 and all(
            isinstance(inner, For) and self.outside(inner, loops[k - 1]) for inner in loops[k:]
        ):
            k -= 1
        return Slot(self.namer.fresh(f"{name}_s"), base, loops[k:], loops[k])

    def outside(self, inner: For, outer: For | While) -> bool:
        """Are the bounds of `inner` settled before `outer` begins?"""
        table = self.facts.before[id(inner)]
        for expr in expressions(inner):
            for name in variables(expr):
                if name in table and any(key == id(outer) for key, _ in table[name].block):
                    return False
                if (
                    name in self.kinds
                    and self.kinds[name].is_array
                    and any(
                        self.classes[name] == self.classes[t] for s in statements((outer,)) for t in bound(s)
                    )
                ):
                    return False
        return True

    def note(self, v: Version, how: str, why: str, kept: Version | None = None) -> None:
        at = v.stmt.at.line if v.stmt is not None else 0
        shape = self.plan.slots[kept].shape if kept is not None else ()
        self.plan.report.append(Decision(at, v.name, how, why, shape))

    # ----- arrays

    def arrays(self) -> None:
        self.pending: set[str] = set()
        self.done: set[int] = set()
        self.walk(self.fn.body, ())
        undone = [
            s.array
            for key in (*self.plan.logs, *self.plan.copies)
            if isinstance(s := self.by_id[key], Store | Update)
        ]
        undone += [a for names in self.plan.snapshots.values() for a in names]
        spoiled = {self.classes[a] for a in undone}
        self.plan.undone = frozenset(
            n for n, k in self.kinds.items() if k.is_array and self.classes[n] in spoiled
        )

    def walk(self, body: Iterable[Stmt], block: Block) -> None:
        """Follow `pending`: classes with an element that a statement reversed later reads as it was."""
        for stmt in body:
            reads = {self.classes[a] for a in self.reads.get(id(stmt), ())}
            match stmt:
                case Store(array=array) | Update(array=array):
                    if self.classes[array] in self.pending | reads:
                        self.overwrite(stmt, block)
                case For(body=inner) | While(body=inner):
                    within = (*block, (id(stmt), 0))
                    while True:
                        before = set(self.pending)
                        self.walk(inner, within)
                        if self.pending == before:
                            break
                case If(then=then, orelse=orelse):
                    self.walk(then, (*block, (id(stmt), 0)))
                    self.walk(orelse, (*block, (id(stmt), 1)))
            self.pending |= reads
        self.pending |= {self.classes[a] for a in self.late.get(block, ())}

    def overwrite(self, stmt: Store | Update, block: Block) -> None:
        """Keep what `stmt` overwrites."""
        if id(stmt) in self.done:
            return
        self.done.add(id(stmt))
        line = stmt.at.line
        if isinstance(stmt, Update) or is_section(stmt.index):
            self.plan.copies.add(id(stmt))
            self.plan.report.append(Decision(line, stmt.array, "copy", "overwritten at once, read before"))
            return
        loops = [s for key, _ in block if isinstance(s := self.by_id[key], For)]
        for loop in loops:
            if self.covering(loop, stmt.array):
                names = self.plan.snapshots.get(id(loop), ())
                if stmt.array not in names:
                    self.plan.snapshots[id(loop)] = (*names, stmt.array)
                    self.plan.report.append(
                        Decision(line, stmt.array, "snapshot", "the nest overwrites it as a whole")
                    )
                return
        self.plan.logs[id(stmt)] = slot = self.slot(
            stmt.array, block, "real" if self.kinds[stmt.array].base == "real" else "int"
        )
        self.plan.report.append(
            Decision(line, stmt.array, "log", "an overwritten element is read before", slot.shape)
        )

    def covering(self, nest: For, array: str) -> bool:
        """Does `nest` overwrite `array` as a whole, box-wise, and its reverse read nothing of it?"""
        inside = list(statements((nest,)))
        if any(self.classes[a] == self.classes[array] for s in inside for a in bound(s)):
            return False  # below, other names of the class are other entities
        root = self.roots[array]
        late = (names for b, names in self.late.items() if (id(nest), 0) in b)
        if any(
            self.roots[a] == root
            for names in (*(self.reads.get(id(s), ()) for s in inside), *late)
            for a in names
        ):
            return False
        loops = {s.var: s for s in inside if isinstance(s, For)}
        counters = {s.var for s in self.by_id.values() if isinstance(s, For)}
        for stmt in inside:
            if isinstance(stmt, Store | Update) and self.roots[stmt.array] == root:
                if not isinstance(stmt, Store) or stmt.array != array:
                    return False
                used = [shifted(e) for e in stmt.index]
                if None in used or len(set(used)) < len(used) or not set(used) <= set(loops):
                    return False
                bounds = [v for u in used if u for e in expressions(loops[u]) for v in variables(e)]
                if counters & set(bounds):
                    return False
        return True

    # ----- what has to be at hand

    def hold(self) -> None:
        """Local arrays that the reverse sweep has to see: active ones, and those whose content or shape it reads."""
        local = {self.classes[n] for s in statements(self.fn.body) for n in bound(s)}
        seen = {self.classes[a] for names in (*self.reads.values(), *self.late.values()) for a in names}
        exprs = [e for es in self.needs.values() for e in es] + list(self.plan.again.values())
        exprs += [e for slot in self.plan.arrays for e in (*slot.shape, *slot.index)]
        seen |= {self.classes[n] for e in exprs for n in variables(e) if n in self.kinds}
        seen |= {self.classes[n] for n in self.active if self.kinds[n].is_array}
        seen |= {self.classes[s.array] for key in self.plan.logs if isinstance(s := self.by_id[key], Store)}
        seen |= {
            self.classes[s.array]
            for key in self.plan.copies
            if isinstance(s := self.by_id[key], Store | Update)
        }
        arrays = [n for n, k in self.kinds.items() if k.is_array]
        self.plan.seen = frozenset(n for n in arrays if self.classes[n] in seen)
        self.plan.held = frozenset(
            n for n in arrays if self.classes[n] in seen & local and self.roots[n] == n
        )


def nested(body: tuple[Stmt, ...], block: Block = ()) -> Iterator[tuple[Block, tuple[Stmt, ...]]]:
    """Every body with its block."""
    yield block, body
    for stmt in body:
        for k, inner in enumerate(blocks(stmt)):
            yield from nested(inner, (*block, (id(stmt), k)))


def bound(stmt: Stmt) -> tuple[str, ...]:
    """Array names that a statement binds or ends."""
    match stmt:
        case New(target=name) | View(target=name) | Release(name=name):
            return (name,)
        case Rebind(targets=targets, sources=sources):
            return unique((*targets, *sources))
    return ()


def touched(stmt: Stmt) -> tuple[str, ...]:
    """Array names that a statement binds, or whose content it changes. The end of a scope changes nothing."""
    match stmt:
        case Store(array=name) | Update(array=name):
            return (name,)
        case Release():
            return ()
    return bound(stmt)


def cheap(value: Expr) -> bool:
    """Is forming `value` again cheaper than keeping it?"""
    ops = [n.op for n in nodes(value) if isinstance(n, Apply)]
    return (
        len(ops) <= CHEAP and not dear(value) and not any(OPS[op].structural in ("sum", "amax") for op in ops)
    )


def is_shape(node: Expr) -> bool:
    """Does `node` ask an array for its shape?"""
    return isinstance(node, Apply) and node.op == "shape" and isinstance(node.args[0], Var)


def arrays_in(expr: Expr, kinds: Mapping[str, Kind]) -> tuple[str, ...]:
    """Arrays whose elements `expr` loads."""
    return unique(n.array for n in nodes(expr) if isinstance(n, Load))


def shifted(expr: Expr) -> str | None:
    """The variable of a subscript `v`, `v + c` or `v - c`."""
    match expr:
        case Var(name=name):
            return name
        case Apply(op="add" | "sub", args=(Var(name=name), Const())):
            return name
    return None
