"""Reverse mode: above each `yield` the forward sweep, which keeps what is needed; below it the reverse sweep.

The result is one function: the forward sweep, a `Turn`, the reverse sweep. Adjoints belong to names (`x_b`), values
to versions: wherever the reverse sweep reads a scalar it reads the version that the forward sweep saw, and arrays
are put back, element by element or as a whole, to what they were.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from s2sad.analyses.activity import active as active_names
from s2sad.analyses.versions import Block, Version, distinct, versions
from s2sad.handlers.base import Halves, Handler, back, forward
from s2sad.handlers.prepare import matters, prepare
from s2sad.handlers.pullback import AFTER, SEED, Pullback, arrays_read, fill, pullback, uses_of_seed
from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    REAL,
    Accumulate,
    Apply,
    Assign,
    Back,
    Const,
    Expr,
    For,
    Function,
    If,
    Keep,
    Kind,
    Load,
    New,
    Raise,
    Rebind,
    Release,
    Slice,
    Stmt,
    Store,
    Turn,
    Update,
    Var,
    View,
    While,
)
from s2sad.ir.walk import expressions, is_section, statements, substitute, unique, variables
from s2sad.ops.build import add, mul, neg, sub
from s2sad.plan.storage import Decision, Slot, Storage
from s2sad.source import Span

ZERO = Const(0.0)


@dataclass(frozen=True, slots=True)
class Adjoint:
    """The adjoint of a function.

    function   body with a Turn; params are the primal's; results are the adjoints of the active scalar parameters
    shadows    active array parameter -> name of its adjoint array, a parameter of the reverse sweep, added to
    seeds      per result: the name of its cotangent, a parameter of the reverse sweep; None where it has none
    gradients  active parameter -> name of its adjoint, in order
    reruns     does the reverse sweep form real values again (then it must be as strict as the forward sweep)
    report     the storage decisions
    """

    function: Function
    shadows: dict[str, str]
    seeds: tuple[str | None, ...]
    gradients: dict[str, str]
    reruns: bool
    report: tuple[Decision, ...]


def adjoint(
    fn: Function, wrt: Iterable[str], of: Iterable[int] | None = None, again: bool = False
) -> Adjoint:
    """The adjoint of `fn` for the real parameters `wrt`, of its results at positions `of` (None: of all).

    With `again` the reverse sweep can be run any number of times: it leaves the arena's arrays as they are.
    """
    of = range(len(fn.results)) if of is None else of
    return Reverse(fn, tuple(wrt), tuple(of), again).run()


class Reverse(Handler):
    """One run of the adjoint handler over one function."""

    def __init__(self, fn: Function, wrt: tuple[str, ...], of: tuple[int, ...], again: bool) -> None:
        super().__init__()
        self.again = again
        outputs = tuple(n for k in of for n in variables(fn.results[k]))
        fn = prepare(fn, active_names(fn.body, wrt, outputs, fn.kinds), of)
        self.fn = fn = replace(fn, body=distinct(fn.body))
        self.wrt, self.of = wrt, of
        outputs = tuple(n for k in of for n in variables(fn.results[k]))
        self.active = active_names(fn.body, wrt, outputs, fn.kinds)
        self.kinds: dict[str, Kind] = dict(fn.kinds)
        self.namer = Namer([*self.kinds, *fn.constants])
        self.facts = versions(fn.body, fn.params)
        self.pullbacks: dict[int, Pullback] = {}
        needs, reads = self.requirements()
        self.plan = Storage(fn, self.facts, needs, reads, self.active, self.namer).plan
        for slot in self.plan.arrays:
            self.kinds[slot.array] = Kind(slot.base, max(1, len(slot.loops)))
        self.shadow = {
            n: self.declare(f"{n}_b", self.kinds[n]) for n in self.kinds_in_order() if n in self.active
        }
        self.mirror: dict[Version, str] = {}
        self.name_versions()
        self.path: Block = ()
        self.views: dict[str, View] = {}

    def kinds_in_order(self) -> tuple[str, ...]:
        return tuple(self.fn.kinds)

    def declare(self, stem: str, kind: Kind, mark: str = "") -> str:
        name = self.namer.fresh(stem, mark)
        self.kinds[name] = kind
        return name

    # ----- what the reverse sweep will read

    def requirements(self) -> tuple[dict[int, tuple[Expr, ...]], dict[int, tuple[str, ...]]]:
        """Per statement: the expressions that its reverse evaluates, and the arrays whose content they read."""
        needs: dict[int, tuple[Expr, ...]] = {}
        reads: dict[int, tuple[str, ...]] = {}
        for stmt in statements(self.fn.body):
            exprs: tuple[Expr, ...] = ()
            match stmt:
                case Assign(target=name) | New(target=name) if name in self.active:
                    self.pullbacks[id(stmt)] = pull = pullback(stmt, self.active, self.kinds)
                    exprs = pull.expressions
                case Store(array=array, index=index):
                    exprs = index
                    if array in self.active:
                        self.pullbacks[id(stmt)] = pull = pullback(stmt, self.active, self.kinds)
                        exprs += pull.expressions
                case Update(array=array) if array in self.active:
                    self.pullbacks[id(stmt)] = pull = pullback(stmt, self.active, self.kinds)
                    exprs = pull.expressions
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

    # ----- the whole

    def run(self) -> Adjoint:
        fn, plan = self.fn, self.plan
        for array, places in plan.scratch.items():
            slot = next(s for s in plan.arrays if s.array == array)
            self.emit(New(array, Apply("slots", (Const(places),)), fn.at))
            self.kinds[array] = Kind(slot.base, 1)
        body = self.split(fn.body)
        forward(body)
        for array in plan.scratch:
            self.emit(Keep(array, array, "hold"))
        seeds: list[str | None] = []
        inits: list[Stmt] = []
        seeded: dict[str, Expr] = {}
        for k, result in enumerate(fn.results):
            if k not in self.of or not isinstance(result, Var) or result.name not in self.active:
                seeds.append(None)
                continue
            name, target = result.name, self.shadow[result.name]
            if name not in seeded and name not in fn.params and not self.kinds[name].is_array:
                seeds.append(target)
                seeded[name] = Var(target)
            else:
                seeds.append(cot := self.declare(f"{name}_seed", self.kinds[name]))
                inits.append(Accumulate(Var(target), Var(cot)))
        scalars = [n for n in self.shadow if not self.kinds[n].is_array and n not in seeded]
        shadows = {p: self.shadow[p] for p in fn.params if p in self.active and self.kinds[p].is_array}
        results = tuple(
            Apply("copy", (e,)) if isinstance(e, Var) and e.name in plan.held else e for e in fn.results
        )  # arena memory doesn't leave
        self.emit(Turn(results, (*shadows.values(), *(s for s in seeds if s is not None)), fn.at))
        finals = {p: self.declare(f"{p}_final", self.kinds[p]) for p in fn.params if p in plan.undone}
        self.emit(*(New(final, Apply("own", (Var(p),)), fn.at) for p, final in finals.items()))
        for array in reversed(list(plan.scratch)):
            self.emit(Back(array, array))
        self.opening = [Assign(self.shadow[n], ZERO) for n in scalars] + inits
        back(body)
        self.emit(*(Update(p, Var(final), fn.at) for p, final in finals.items()))
        gradients = {p: self.shadow[p] for p in self.wrt}
        function = replace(
            fn,
            body=tuple(self.lines),
            results=tuple(Var(g) for p, g in gradients.items() if not self.kinds[p].is_array),
            kinds=self.kinds,
        )
        reruns = any(
            self.kinds[v.name].base == "real" and isinstance(value, Apply) for v, value in plan.again.items()
        )
        return Adjoint(function, shadows, tuple(seeds), gradients, reruns, tuple(plan.report))

    def split(self, body: Iterable[Stmt]) -> Halves:
        """As in every handler; the way back through a block opens with its arrays and the values born in it."""
        path, body = self.path, tuple(body)
        begun: list[tuple[Stmt, Halves]] = []
        if path:
            self.keep_born(v for v in self.plan.slots if v.block == path and v.birth == "header")
        for stmt in body:
            halves = self.handle(stmt)
            self.path = path
            forward(halves, stmt)
            self.path = path
            begun.append((stmt, halves))
            if not isinstance(stmt, Release):
                self.keep_born(v for v in self.plan.slots if v.stmt is stmt and v.birth != "header")
        yield
        while begun and isinstance(begun[-1][0], Release):
            stmt, halves = begun.pop()
            back(halves, stmt)
        self.values_of(path)
        if not path:
            self.emit(*self.opening)
        for stmt, halves in reversed(begun):
            self.path = path
            back(halves, stmt)
        self.path = path

    def keep_born(self, born: Iterable[Version]) -> None:
        """Forward: keep versions just born."""
        for v in born:
            slot = self.plan.slots[v]
            at = v.stmt.at if v.stmt is not None else Span()
            self.emit(Store(slot.array, self.place(slot, back=False).index, Var(v.name), at))

    def values_of(self, block: Block) -> None:
        """Back: the values born in `block`, in order of birth, from their slots or formed again."""
        for v in sorted((*self.plan.slots, *self.plan.again), key=lambda v: v.number):
            if v.block != block:
                continue
            if v in self.plan.slots:
                value: Expr = self.place(self.plan.slots[v], back=True)
            else:
                assert v.stmt is not None
                value = self.value(self.plan.again[v], v.stmt)
            self.emit(Assign(self.mirror[v], value, v.stmt.at if v.stmt else Span()))

    # ----- one generator per node

    def Assign(self, s: Assign) -> Halves:
        self.emit(s)
        yield
        if s.target not in self.active:
            return
        target = Var(self.shadow[s.target])
        pull = self.pullbacks[id(s)]
        self.add(pull, target, s)
        if pull.own is None:
            self.emit(Assign(target.name, ZERO, s.at))
        elif pull.own != Const(1.0):
            self.emit(Assign(target.name, mul(target, self.value(pull.own, s)), s.at))

    def section(self, s: Store) -> Halves:
        """A store into a section of an array."""
        kept = id(s) in self.plan.copies
        if kept:
            self.emit(Keep(s.array, s.array, "copy", s.index, s.at))
        self.emit(s)
        yield
        index = tuple(self.value(e, s) for e in s.index)
        if kept:
            self.emit(Back(s.array, s.array, "copy", index, s.at))
        if s.array not in self.active:
            return
        part = Load(self.shadow[s.array], index)
        pull = self.pullbacks[id(s)]
        seed: Expr = part
        if pull.own != Const(1.0) or any(
            isinstance(t.leaf, Load) and t.leaf.array == s.array for t in pull.terms
        ):
            if pull.terms or pull.own is not None:
                seed = Var(self.declare("w", kind_of_section(s.index)))
                self.emit(New(seed.name, Apply("copy", (part,)), s.at))
            own = ZERO if pull.own is None else mul(seed, self.value(pull.own, s))
            if own != seed:
                self.emit(Store(part.array, index, own, s.at))
        self.add(pull, seed, s)

    def Store(self, s: Store) -> Halves:
        if is_section(s.index):
            yield from self.section(s)
            return
        log = self.plan.logs.get(id(s))
        if log is not None:
            self.emit(Store(log.array, self.place(log, back=False).index, Load(s.array, s.index), s.at))
        self.emit(s)
        yield
        index = tuple(self.value(e, s) for e in s.index)
        if log is not None:
            self.emit(Store(s.array, index, self.place(log, back=True), s.at))
        if s.array not in self.active:
            return
        cell = Load(self.shadow[s.array], index)
        pull = self.pullbacks[id(s)]
        seed: Expr = cell
        if pull.own != Const(1.0):
            own = ZERO if pull.own is None else self.value(pull.own, s)
            if pull.terms:
                seed = Var(self.scratch("w"))
                self.emit(Assign(seed.name, cell, s.at))
            self.emit(Store(cell.array, index, mul(seed, own) if own != ZERO else ZERO, s.at))
        elif uses_of_seed(pull) > 2 or any(
            isinstance(t.leaf, Load) and t.leaf.array == s.array for t in pull.terms
        ):
            seed = Var(self.scratch("w"))
            self.emit(Assign(seed.name, cell, s.at))
        self.add(pull, seed, s)

    def Update(self, s: Update) -> Halves:
        kept = id(s) in self.plan.copies
        if kept:
            self.emit(Keep(s.array, s.array, "copy", at=s.at))
        self.emit(s)
        yield
        if kept:
            self.emit(Back(s.array, s.array, "copy", at=s.at))
        if s.array not in self.active:
            return
        pull = self.pullbacks[id(s)]
        target = Var(self.shadow[s.array])
        seed: Expr = target
        if any(isinstance(t.leaf, Load) and t.leaf.array == s.array for t in pull.terms):
            seed = Var(self.declare("w", self.kinds[s.array]))
            self.emit(New(seed.name, Apply("copy", (target,)), s.at))
            own = ZERO if pull.own is None else self.value(pull.own, s)
            self.emit(Update(target.name, mul(seed, own) if own != ZERO else ZERO, s.at))
            self.add(pull, seed, s)
            return
        self.add(pull, seed, s)
        if pull.own is None:
            self.emit(Update(target.name, ZERO, s.at))
        elif pull.own != Const(1.0):
            self.emit(Update(target.name, mul(target, self.value(pull.own, s)), s.at))

    def New(self, s: New) -> Halves:
        if s.target in self.plan.held and not (isinstance(s.value, Apply) and s.value.op in ("own", "slots")):
            value = s.value.args[0] if isinstance(s.value, Apply) and s.value.op == "copy" else s.value
            self.emit(replace(s, value=Apply("own", (value,))))
        else:
            self.emit(s)
        yield
        if s.target in self.active:
            self.add(self.pullbacks[id(s)], Var(self.shadow[s.target]), s)

    def View(self, s: View) -> Halves:
        self.emit(s)
        self.views[s.target] = s
        yield

    def Rebind(self, s: Rebind) -> Halves:
        self.emit(s)
        yield
        names = {**{n: n for n in self.plan.held}}
        pairs = [(t, n) for t, n in zip(s.targets, s.sources, strict=True) if t != n]
        for table in (names, {n: b for n, b in self.shadow.items() if self.kinds[n].is_array}):
            moved = [(table[t], table[n]) for t, n in pairs if t in table and n in table]
            if moved:
                self.emit(Rebind(tuple(n for _, n in moved), tuple(t for t, _ in moved), s.at))

    def Release(self, s: Release) -> Halves:
        view = self.views.get(s.name)
        if view is not None:
            self.emit(s)
            yield
            index = tuple(self.value(e, view) for e in view.index)
            if s.name in self.plan.seen:
                self.emit(View(s.name, view.array, index, s.at))
            if s.name in self.active:
                self.emit(View(self.shadow[s.name], self.shadow[view.array], index, s.at))
            return
        held = s.name in self.plan.held
        if held:
            self.emit(Keep(s.name, s.name, "hold", at=s.at))
        self.emit(s)
        yield
        if held:
            self.emit(Back(s.name, s.name, "bind", at=s.at))
            if self.again and s.name in self.plan.undone:
                self.emit(New(s.name, Apply("own", (Var(s.name),)), s.at))
        if s.name in self.active:
            self.emit(New(self.shadow[s.name], Apply("zeros_like", (Var(s.name),)), s.at))

    def If(self, s: If) -> Halves:
        here = self.path
        arms, bodies = [], []
        for k, arm in enumerate((s.then, s.orelse)):
            self.path = (*here, (id(s), k))
            halves = self.split(arm)
            with self.block() as lines:
                forward(halves)
            arms.append(halves)
            bodies.append(tuple(lines))
        self.emit(replace(s, then=bodies[0], orelse=bodies[1]))
        yield
        bodies = []
        for k, halves in enumerate(arms):
            self.path = (*here, (id(s), k))
            with self.block() as lines:
                back(halves)
            bodies.append(tuple(lines))
        if any(bodies):
            self.emit(If(self.value(s.test, s), bodies[0], bodies[1], s.at))

    def For(self, s: For) -> Halves:
        here = self.path
        slots = [slot for slot in self.plan.arrays if slot.outer is s]
        copies = self.plan.snapshots.get(id(s), ())
        for slot in slots:
            self.emit(New(slot.array, Apply("slots", slot.shape), s.at))
        self.emit(*(Keep(a, a, "copy", at=s.at) for a in copies))
        self.path = (*here, (id(s), 0))
        body = self.split(s.body)
        with self.block() as lines:
            forward(body)
        self.emit(replace(s, body=tuple(lines)))
        self.emit(*(Keep(slot.array, slot.array, "hold", at=s.at) for slot in slots))
        yield
        self.emit(*(Back(slot.array, slot.array, "bind", at=s.at) for slot in reversed(slots)))
        self.path = (*here, (id(s), 0))
        with self.block() as lines:
            back(body)
        if lines:
            start, stop, step = (self.value(e, s) for e in (s.start, s.stop, s.step))
            self.emit(backwards(replace(s, start=start, stop=stop, step=step, body=tuple(lines))))
        self.emit(*(Back(a, a, "copy", at=s.at) for a in reversed(copies)))

    def While(self, s: While) -> Halves:
        here = self.path
        slots = [slot for slot in self.plan.arrays if slot.outer is s]
        for slot in slots:
            self.emit(New(slot.array, Apply("slots", slot.shape), s.at))
        self.path = (*here, (id(s), 0))
        body = self.split(s.body)
        with self.block() as lines:
            for slot in slots:
                full = Apply("eq", (Var(s.counter), Apply("shape", (Var(slot.array), Const(0)))))
                self.emit(If(full, (New(slot.array, Apply("grown", (Var(slot.array),)), s.at),), (), s.at))
            forward(body)
        self.emit(replace(s, body=tuple(lines)))
        self.emit(*(Keep(slot.array, slot.array, "hold", at=s.at) for slot in slots))
        yield
        self.emit(*(Back(slot.array, slot.array, "bind", at=s.at) for slot in reversed(slots)))
        self.path = (*here, (id(s), 0))
        with self.block() as lines:
            back(body)
        if lines:
            trips = self.value(Var(s.counter + AFTER), s)
            down = (sub(trips, Const(1)), Const(-1), Const(-1))
            self.emit(For(s.counter, *down, tuple(lines), s.at))

    def Raise(self, s: Raise) -> Halves:
        self.emit(s)
        yield

    # ----- pieces

    def add(self, pull: Pullback, seed: Expr, stmt: Stmt) -> None:
        """Emit the increments of a pullback."""
        for term in pull.terms:
            value = fill(self.value(term.increment, stmt), seed)
            leaf = term.leaf
            target: Var | Load = (
                Var(self.shadow[leaf.name])
                if isinstance(leaf, Var)
                else Load(self.shadow[leaf.array], tuple(self.value(e, stmt) for e in leaf.index))
            )
            self.emit(Accumulate(target, value, stmt.at))

    def scratch(self, stem: str) -> str:
        """A scalar for a moment: one name serves the whole function."""
        if not hasattr(self, "_scratch"):
            self._scratch = self.declare(stem, REAL)
        return self._scratch


def kind_of_section(index: tuple[Expr, ...]) -> Kind:
    """The kind of a real section."""
    return Kind("real", sum(isinstance(sub, Slice) or sub == Const(None) for sub in index))


def backwards(loop: For) -> For:
    """The same iterations, last first."""
    if loop.step == Const(1):
        return replace(loop, start=sub(loop.stop, Const(1)), stop=sub(loop.start, Const(1)), step=Const(-1))
    if loop.step == Const(-1):
        return replace(loop, start=add(loop.stop, Const(1)), stop=add(loop.start, Const(1)), step=Const(1))
    trips = Apply("trips", (loop.start, loop.stop, loop.step))
    last = add(loop.start, mul(sub(trips, Const(1)), loop.step))
    return replace(loop, start=last, stop=sub(loop.start, loop.step), step=neg(loop.step))


__all__ = ["SEED", "Adjoint", "adjoint"]
