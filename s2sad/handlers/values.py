"""What the reverse sweep reads and how it names it: versions of scalars, places in slots, increments.

The base of the adjoint handler: everything it decides before it emits the first statement.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeGuard

from s2sad.analyses.activity import active as active_names
from s2sad.analyses.dependence import dependent
from s2sad.analyses.entities import classes, parts
from s2sad.analyses.layout import LAID, turned
from s2sad.analyses.versions import Block, Version, distinct, versions
from s2sad.errors import UnsupportedSyntaxError
from s2sad.handlers.base import Halves, Handler, back
from s2sad.handlers.prepare import matters, prepare
from s2sad.handlers.pullback import AFTER, STORED, Pullback, Term, arrays_read, fill, pullback, tells
from s2sad.handlers.regions import outlined
from s2sad.handlers.siblings import Siblings
from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    Accumulate,
    Apply,
    Assign,
    Base,
    Call,
    Expr,
    For,
    Function,
    If,
    Kind,
    Load,
    New,
    Release,
    Stmt,
    Store,
    Update,
    Var,
    View,
    While,
)
from s2sad.ir.walk import children, expressions, nodes, statements, substitute, unique, variables
from s2sad.ops import OPS, several
from s2sad.ops.kinds import kind_of
from s2sad.ops.pullback import PART
from s2sad.plan.indices import indexed
from s2sad.plan.later import Later
from s2sad.plan.rows import rows
from s2sad.plan.slots import Decision, Slot
from s2sad.plan.storage import Storage
from s2sad.source import Span

#: What asks for a shape alone.
SHAPED = ("shape", "zeros_like", "ones_like", "empty_like")


class Values(Handler):
    """One function prepared for its adjoint: what is active, what is needed, where it is kept, what it is called."""

    def __init__(
        self,
        fn: Function,
        wrt: tuple[str, ...],
        of: tuple[int, ...],
        program: Any,
        callee: bool = False,
        linear: bool = False,
    ) -> None:
        super().__init__()
        self.again, self.program, self.callee, self.linear = program.again, program, callee, linear
        fn = outlined(fn, program.callees)
        program.callees.update(fn.callees)
        ends = tuple(
            p for p in wrt if callee and fn.kinds[p].is_array
        )  # the caller sees what is written into them
        outputs = (*ends, *(n for k in of for n in variables(fn.results[k])))
        fn = prepare(fn, active_names(fn.body, wrt, outputs, fn.kinds), of)
        fn, self.index, self.indices = indexed(fn, active_names(fn.body, wrt, outputs, fn.kinds))
        self.wrt, self.of = wrt, of
        outputs = (*ends, *(n for k in of for n in variables(fn.results[k])))
        self.active = active_names(fn.body, wrt, outputs, fn.kinds)
        if linear:  # of a call of a tangent, the value is no function of the direction
            self.active &= dependent(fn.body, wrt, fn.kinds, program.callees)
        self.rows: dict[str, int] = {}
        self.store(fn)
        fn, found = (self.fn, {}) if program.mixed else rows(self.fn, self.plan.overwritten)
        if found:
            self.rows = found
            self.store(fn)
            self.plan.report += [row_of(s) for s in statements(self.fn.body) if made_of_rows(s, found)]
        for slot in self.plan.arrays:
            self.kinds[slot.array] = Kind(slot.base, max(1, len(slot.loops)))
        self.shadow = {
            n: self.declare(f"{n}_b", self.row(n).slope) for n in self.fn.kinds if n in self.active
        }
        self.mirror: dict[Version, str] = {}
        self.name_versions()
        self.path: Block = ()
        self.views: dict[str, View] = {}
        self.doubles = not program.mixed
        self._scratch: dict[Base, str] = {}
        self.turned = frozenset(
            n for n in turned(self.fn.body) if self.kinds[n].base in ("real", "single", "complex")
        )
        self.classes, self.parts = classes(self.fn.body), parts(self.fn.body)
        self.pool = next((n for n, k in self.kinds.items() if k.base == "pool"), "")
        self.places = self.declare("places", Kind("pool", 1)) if self.pool else ""

    def store(self, fn: Function) -> None:
        """Decide how the values are had that the reverse sweep of `fn` needs."""
        self.fn = fn = replace(fn, body=distinct(fn.body))
        self.kinds: dict[str, Kind] = dict(fn.kinds)
        self.namer = Namer([*self.kinds, *fn.constants])
        self.facts = versions(fn.body, fn.params, self.kinds)
        self.pullbacks: dict[int, Pullback] = {}
        self.later = Later(fn.body, self.facts, self.kinds)
        needs, reads = self.requirements()
        if self.linear:
            check_linear(self.fn, self.active, self.pullbacks.values())
        arrays = [p for p in fn.params if self.kinds[p].is_array] if self.callee else []
        plain = [id(s) for s in statements(fn.body) if isinstance(s, Call) and not self.reversed(s)]
        told = [key for key, pull in self.pullbacks.items() if tells(pull)]
        storage = Storage(
            fn, self.facts, needs, reads, self.active, self.namer, arrays, plain, self.rows,
            later=self.later, told=told,
        )  # fmt: skip
        self.plan = storage.plan

    def row(self, name: str) -> Kind:
        """The kind of a name's adjoint: of one row where the array has rows."""
        kind = self.kinds[name]
        return replace(kind, ndim=kind.ndim - self.rows[name]) if name in self.rows else kind

    def cell(self, array: str, index: tuple[Expr, ...], stmt: Stmt) -> Load:
        """The adjoint of an element, in names of the reverse sweep."""
        axes = self.rows.get(array, 0)
        return Load(self.shadow[array], tuple(self.value(e, stmt) for e in index[axes:]))

    def declare(self, stem: str, kind: Kind, mark: str = "") -> str:
        name = self.namer.fresh(stem, mark)
        self.kinds[name] = kind
        return name

    def reversed(self, s: Call) -> bool:
        """Does anything flow through a call that somebody wants?"""
        return any(name in self.active for name in (*s.targets, *s.writes))

    def owned(self, s: New) -> Expr:
        """The value of an array in the arena's memory, where it lies as the program's own would."""
        match s.value:
            case Apply("copy", (inner,), spell) if spell == LAID:
                return Apply("own_as", (inner,))
            case Apply("copy", (inner,)) if s.target not in self.turned:
                return Apply("own", (inner,))
            case Apply("empty", shape) if (
                s.target not in self.turned and self.doubles and self.kinds[s.target].base == "real"
            ):
                return Apply("slots", shape)
        return Apply("own_as" if s.target in self.turned else "own", (s.value,))

    def partly(self, name: str) -> bool:
        """Whether an array that others may look into has strides that matter."""
        return name in self.parts or (name in self.index and name in self.turned)

    # ----- what callers have to know

    @property
    def shadow_params(self) -> tuple[str, ...]:
        """Array parameters whose adjoints the reverse sweep takes, and adds to."""
        return tuple(p for p in self.fn.params if p in self.active and self.kinds[p].is_array)

    @property
    def seeded(self) -> tuple[int, ...]:
        """Results whose cotangents the reverse sweep takes."""
        return tuple(k for k in self.of if isinstance(e := self.fn.results[k], Var) and e.name in self.active)

    @property
    def scalar_params(self) -> tuple[str, ...]:
        """Scalar parameters whose adjoints the reverse sweep returns."""
        return tuple(p for p in self.wrt if not self.kinds[p].is_array)

    def alike(self, pull: Pullback, array: str) -> bool:
        """May an increment of a statement that writes `array` change the adjoint of what it writes?"""
        own = self.classes[array]
        arrays = (t.leaf.array if isinstance(t.leaf, Load) else t.leaf.name for t in pull.terms)
        return any(self.classes[a] == own for a in arrays)

    # ----- what the reverse sweep will read

    def requirements(self) -> tuple[dict[int, tuple[Expr, ...]], dict[int, tuple[str, ...]]]:
        """Per statement: the expressions that its reverse evaluates, and the arrays whose content they read."""
        needs: dict[int, tuple[Expr, ...]] = {}
        reads: dict[int, tuple[str, ...]] = {}
        siblings = Siblings(self.fn.body, self.facts)
        for stmt in statements(self.fn.body):
            exprs: tuple[Expr, ...] = ()
            match stmt:
                case Assign(target=name) if name in self.active:
                    pull = siblings.told(pullback(stmt, self.active, self.kinds), stmt)
                    self.pullbacks[id(stmt)] = pull
                    exprs = pull.expressions
                case New(target=name) if name in self.active:
                    self.pullbacks[id(stmt)] = pull = pullback(stmt, self.active, self.kinds)
                    exprs = pull.expressions
                case Store(array=array, index=index):
                    exprs = index
                    if array in self.active:
                        self.pullbacks[id(stmt)] = pull = self.of_store(stmt)
                        exprs += pull.expressions
                case Update(array=array) if array in self.active:
                    self.pullbacks[id(stmt)] = pull = pullback(stmt, self.active, self.kinds)
                    exprs = pull.expressions
                case Call(function=key) if several(key) and self.reversed(stmt):
                    self.pullbacks[id(stmt)] = pull = pullback(stmt, self.active, self.kinds)
                    exprs = pull.expressions
                case Call(args=args) if self.reversed(stmt):
                    exprs = args
                case Release(index=held) if held:
                    exprs = (Var(held),)
                case View(index=index):
                    exprs = index
                case For() | If() if matters(stmt, self.active, self.kinds):
                    exprs = expressions(stmt)
                case While(counter=counter) if counter:
                    exprs = (Var(counter + AFTER),)
            if exprs:
                needs[id(stmt)] = exprs
                reads[id(stmt)] = unique(a for e in exprs for a in arrays_read(e, self.kinds))
        return needs, reads

    def of_store(self, stmt: Store) -> Pullback:
        """The pullback of a store; by the value that it stores where that stays there, and saves keeping another."""
        plain = pullback(stmt, self.active, self.kinds)
        if self.kinds[stmt.array].base == "complex" or not isinstance(stmt.value, Apply):
            return plain
        told = pullback(stmt, self.active, self.kinds, STORED)
        if not tells(told):
            return plain
        used = {n for e in told.expressions for n in nodes(e)}
        spared = [n for e in plain.expressions for n in nodes(e) if n not in used]
        table = self.facts.before[id(stmt)]
        kept = [
            n
            for n in spared
            if (isinstance(n, Load) and n.array == stmt.array)
            or (isinstance(n, Var) and (v := table.get(n.name)) and v.birth not in ("param", "loopvar"))
        ]
        return told if kept and self.later.final(stmt) else plain

    # ----- names of values on the way back

    def name_versions(self) -> None:
        """A name for every version that the reverse sweep holds: the user's own for the first, then x_2, ..."""
        taken = {*self.fn.params, *(s.var for s in statements(self.fn.body) if isinstance(s, For))}
        taken |= {s.counter for s in statements(self.fn.body) if isinstance(s, While)}
        for v in sorted((*self.plan.slots, *self.plan.again), key=lambda v: v.number):
            if v.name in taken:
                self.mirror[v] = self.declare(v.name, self.kinds[v.name], "_")
            else:
                self.mirror[v] = v.name
                taken.add(v.name)

    def value(self, expr: Expr, stmt: Stmt, also: dict[str, Version] | None = None) -> Expr:
        """`expr`, read at `stmt` on the way forward, in names of the reverse sweep."""
        table = self.facts.before[id(stmt)]
        later = self.facts.after.get(id(stmt), {})
        names: dict[str, Expr] = {}
        for name in variables(expr):
            v = later.get(name[:-1]) if name.endswith(AFTER) else table.get(name)
            if v is not None:
                names[name] = Var(self.mirror.get(v, v.name))
        return substitute(names, expr)

    def place(self, slot: Slot, back: bool) -> Load:
        """The place in a slot for the running iteration, in names of the way forward or back."""
        if not back:
            return Load(slot.array, slot.index)
        if not slot.loops:
            return Load(slot.array, slot.index)
        return Load(
            slot.array, tuple(self.value(e, loop) for e, loop in zip(slot.index, slot.loops, strict=True))
        )

    def keep_born(self, born: Iterable[Version]) -> None:
        """Forward: keep versions just born."""
        for v in born:
            slot = self.plan.slots[v]
            at = v.stmt.at if v.stmt is not None else Span()
            self.emit(Store(slot.array, self.place(slot, back=False).index, Var(v.name), at))

    def values_of(self, block: Block) -> None:
        """Back: the values born in `block`, in order of birth, that are there before its arrays are: slots, indices."""
        for v in self.born(block):
            if v in self.plan.slots:
                self.emit(Assign(self.mirror[v], self.place(self.plan.slots[v], back=True), span_of(v)))
            elif v.name in self.indices and v.stmt is not None:
                self.emit(Assign(self.mirror[v], self.value(self.plan.again[v], v.stmt), span_of(v)))

    def born(self, block: Block) -> list[Version]:
        """The versions born in `block` that the reverse sweep holds, in order of birth."""
        every = (*self.plan.slots, *self.plan.again)
        return sorted((v for v in every if v.block == block), key=lambda v: v.number)

    def values_again(self, block: Block, body: Sequence[Stmt], views: Iterable[tuple[Stmt, Halves]]) -> None:
        """Back: the values born in `block`, in order of birth, that are formed again.

        Among them the `views` that end with the block: one may begin at such a value, or a value be read off it.
        """
        place = {id(s): k for k, s in enumerate(body)}
        waiting = sorted(views, key=lambda pair: place[id(pair[0])])
        for v in self.born(block):
            if v in self.plan.slots or v.name in self.indices or v.stmt is None:
                continue
            while waiting and place[id(waiting[0][0])] < place.get(id(v.stmt), -1):
                back(waiting.pop(0)[1])
            self.emit(Assign(self.mirror[v], self.value(self.plan.again[v], v.stmt), span_of(v)))
        for _, halves in waiting:
            back(halves)

    def add(self, pull: Pullback, seed: Expr, stmt: Stmt) -> None:
        """Emit the increments of a pullback."""
        for term in pull.terms:
            if term.of:
                seed = Var(self.shadow[term.of])
            value = self.in_parts(term, seed, stmt)
            leaf = term.leaf
            target: Var | Load = (
                Var(self.shadow[leaf.name])
                if isinstance(leaf, Var)
                else self.cell(leaf.array, leaf.index, stmt)
            )
            self.emit(Accumulate(target, value, stmt.at))

    def in_parts(self, term: Term, seed: Expr, stmt: Stmt) -> Expr:
        """The increment of a term, in names of the reverse sweep; its parts get names first."""
        names: dict[str, Expr] = {}
        for name, part in term.parts:
            value = substitute(names, fill(self.value(part, stmt), seed))
            kind = kind_of(value, self.kinds)
            names[name] = held = Var(self.declare(name.removeprefix(PART), kind))
            self.emit(New(held.name, value, stmt.at) if kind.is_array else Assign(held.name, value, stmt.at))
        return substitute(names, fill(self.value(term.increment, stmt), seed))

    def scratch(self, stem: str, base: Base) -> str:
        """A scalar for a moment: one name (of each kind) serves the whole function."""
        if base not in self._scratch:
            self._scratch[base] = self.declare(stem, Kind(base).slope)
        return self._scratch[base]


def check_linear(fn: Function, active: frozenset[str], pulls: Iterable[Pullback]) -> None:
    """Refuse a rule that isn't linear in what it is to be linear in: the active names."""
    tests = (e for s in statements(fn.body) if isinstance(s, For | While | If) for e in expressions(s))
    slopes = (e for pull in pulls for e in pull.expressions)
    read = {n.removesuffix(AFTER) for e in (*slopes, *tests) for n in contents(e)}
    read |= {n for s in statements(fn.body) for e in expressions(s) for n in abrupt(e)}
    if found := sorted(read & active):
        raise UnsupportedSyntaxError(
            f"the rule `{fn.name}` is not linear in its tangents (cotangents): see `{found[0]}`",
            code="S078", at=fn.at,
        )  # fmt: skip


def abrupt(expr: Expr) -> Iterator[str]:
    """Names of which `expr` reads the value, and through which nothing flows: comparisons, roundings, signs."""
    if isinstance(expr, Apply) and expr.op not in SHAPED:
        for k, arg in enumerate(expr.args):
            yield from abrupt(arg) if OPS[expr.op].flows(k) else contents(arg)


def contents(expr: Expr) -> Iterator[str]:
    """Names whose values `expr` reads; asking for a shape reads nothing."""
    if isinstance(expr, Apply) and expr.op in SHAPED:
        return
    if isinstance(expr, Var | Load):
        yield expr.name if isinstance(expr, Var) else expr.array
    for child in children(expr):
        yield from contents(child)


def span_of(v: Version) -> Span:
    """Where a version is born."""
    return v.stmt.at if v.stmt is not None else Span()


def made_of_rows(s: Stmt, rows: Container[str]) -> TypeGuard[New]:
    """Is an array with rows born here?"""
    return isinstance(s, New) and s.target in rows


def row_of(s: New) -> Decision:
    """The line of the storage report for an array with rows."""
    shape = s.value.args if isinstance(s.value, Apply) else ()
    return Decision(s.at.line, s.target, "row", "every iteration fills it anew", shape)
