"""Reverse mode: above each `yield` the forward sweep, which keeps what is needed; below it the reverse sweep.

The result is one function: the forward sweep, a `Turn`, the reverse sweep. Adjoints belong to names (`x_b`), values
to versions: wherever the reverse sweep reads a scalar it reads the version that the forward sweep saw, and arrays
are put back, element by element or as a whole, to what they were.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce

from s2sad.errors import AliasingError
from s2sad.handlers.base import Halves, back, forward
from s2sad.handlers.callbacks import Calls
from s2sad.handlers.pullback import AFTER, NONE, SEED, STORED, filled, tells, uses_of_seed
from s2sad.handlers.result import Adjoint
from s2sad.ir.nodes import (
    Accumulate,
    Apply,
    Assign,
    Back,
    Base,
    Bind,
    Call,
    Const,
    Expr,
    For,
    If,
    Keep,
    Kind,
    Load,
    New,
    Print,
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
from s2sad.ir.walk import is_section
from s2sad.ops import several
from s2sad.ops.build import ZERO, mul, sub
from s2sad.plan.scalars import tail
from s2sad.shapes.upwards import backwards


class Reverse(Calls):
    """One run of the adjoint handler over one function."""

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
            if k not in self.seeded or not isinstance(result, Var):
                seeds.append(None)
                continue
            name, target = result.name, self.shadow[result.name]
            if name not in seeded and name not in fn.params and not self.kinds[name].is_array:
                seeds.append(target)
                seeded[name] = Var(target)
            else:
                seeds.append(cot := self.declare(f"{name}_seed", self.kinds[name].slope))
                inits.append(Accumulate(Var(target), Var(cot)))
        scalars = [n for n in self.shadow if not self.kinds[n].is_array and n not in seeded]
        shadows = {p: self.shadow[p] for p in self.shadow_params}
        results = tuple(
            Apply("copy", (e,)) if isinstance(e, Var) and e.name in plan.held else e for e in fn.results
        )  # arena memory doesn't leave
        reruns = any(
            self.kinds[v.name].is_real and isinstance(value, Apply) for v, value in plan.again.items()
        )
        self.emit(Turn(results, (*shadows.values(), *(s for s in seeds if s is not None)), reruns, fn.at))
        spoiled = [] if self.callee else [p for p in fn.params if p in plan.undone]
        finals = {p: self.declare(f"{p}_final", self.kinds[p]) for p in spoiled}
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
            results=tuple(Var(self.shadow[p]) for p in self.scalar_params),
            kinds=self.kinds,
        )
        once = any(n in plan.undone for n in self.index)
        return Adjoint(function, shadows, tuple(seeds), gradients, once, tuple(plan.report))

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
        self.values_of(path)
        views: list[tuple[Stmt, Halves]] = []
        while len(begun) > tail(body, self.active):
            stmt, halves = begun.pop()
            if isinstance(stmt, Release) and stmt.name in self.views:
                views.append((self.views[stmt.name], halves))
            else:
                back(halves, stmt)
        self.values_again(path, body, views)
        if not path:
            self.emit(*self.opening)
        for stmt, halves in reversed(begun):
            self.path = path
            back(halves, stmt)
        self.path = path

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
        if pull.own != Const(1.0) or self.alike(pull, s.array):
            if pull.terms or pull.own is not None:
                seed = Var(self.declare("w", kind_of_section(s.index, self.kinds[s.array].base)))
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
        pull = self.pullbacks.get(id(s), NONE)
        if tells(pull):
            stored: Expr = Load(s.array, s.index)
            if log is not None:
                stored = Var(self.declare("y", Kind(self.kinds[s.array].base).slope))
                self.emit(Assign(stored.name, Load(s.array, index), s.at))
            pull = filled(pull, stored, STORED)
        if log is not None:
            self.emit(Store(s.array, index, self.place(log, back=True), s.at))
        if s.array not in self.active:
            return
        cell = self.cell(s.array, s.index, s)
        seed: Expr = cell
        if pull.own != Const(1.0):
            own = ZERO if pull.own is None else self.value(pull.own, s)
            if pull.terms:
                seed = Var(self.scratch("w", self.kinds[s.array].base))
                self.emit(Assign(seed.name, cell, s.at))
            self.emit(Store(cell.array, cell.index, mul(seed, own) if own != ZERO else ZERO, s.at))
        elif uses_of_seed(pull) > 2 or self.alike(pull, s.array):
            seed = Var(self.scratch("w", self.kinds[s.array].base))
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
        if self.alike(pull, s.array):
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
        made = s.value.op if isinstance(s.value, Apply) else ""
        if s.target in self.plan.held and made not in ("own", "slots", "new_pool", "new_parts"):
            self.emit(replace(s, value=self.owned(s)))
        else:
            self.emit(s)
        yield
        if s.target in self.active:
            self.add(self.pullbacks[id(s)], Var(self.shadow[s.target]), s)
            if s.target in self.index:  # the place was clean when this entity's index was taken, and is again
                self.emit(Update(self.shadow[s.target], ZERO, s.at))

    def View(self, s: View) -> Halves:
        self.emit(s)
        self.views[s.target] = s
        yield
        if s.form == "fit" and s.target in self.active:
            mine, other = self.shadow[s.array], self.shadow[s.target]
            parts = [
                Apply("ne", (Apply("shape", (Var(mine), Const(k))), Apply("shape", (Var(other), Const(k)))))
                for k in range(self.kinds[s.array].ndim)
            ]
            longer = reduce(lambda a, b: Apply("or", (a, b)), parts)
            self.emit(If(longer, (Accumulate(Var(mine), Var(other), s.at),), (), s.at))

    def Bind(self, s: Bind) -> Halves:
        self.emit(s)
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
            if view.form in ("reshape", "rows") and self.callee and view.array in self.fn.params:
                raise AliasingError(
                    f"`{s.name}` is another shape of an argument, whose memory may have gaps",
                    code="S081",
                    at=view.at,
                )
            again = replace(view, index=tuple(self.value(e, view) for e in view.index), at=s.at)
            if s.name in self.plan.seen:
                self.emit(again)
            if s.name in self.active:
                names = {"target": self.shadow[s.name], "array": self.shadow[view.array]}
                form = {"fit": "room", "rows": "reshape"}.get(view.form, view.form)
                self.emit(replace(again, **names, form=form))  # type: ignore[arg-type]
            return
        held = s.name in self.plan.held
        if held:
            self.emit(Keep(s.name, s.name, "part" if self.partly(s.name) else "hold", at=s.at))
        self.emit(s)
        if s.index:
            end = "part_end" if self.parts else "pool_release"
            self.emit(Call((), end, (Var(self.pool), Var(s.index)), at=s.at))
        yield
        if held:
            self.emit(Back(s.name, s.name, "part" if self.partly(s.name) else "bind", at=s.at))
            if self.again and s.name in self.plan.undone and s.name not in self.index:
                self.emit(New(s.name, Apply("own", (Var(s.name),)), s.at))
        if s.index:
            index = self.value(Var(s.index), s)
            where = (Var(self.places), index, Var(s.name), Const(0))
            place = Apply("part", (*where, Var(self.pool))) if self.parts else Apply("place", where)
            self.emit(New(self.shadow[s.name], place, s.at))
        elif s.name == self.pool:
            self.emit(New(self.places, Apply("new_places", (Var(self.pool), Const(1))), s.at))
            for k, p in enumerate(
                (p for p in self.fn.params if p in self.index), 1
            ):  # they took the first indices
                where = (Var(self.places), Const(k), Var(self.shadow[p]), Const(0))
                like = (Var(p),) if self.parts else ()
                self.emit(Call((), "part_at" if self.parts else "place_at", (*where, *like), at=s.at))
        elif s.name in self.rows and s.name in self.active:
            axes = range(self.rows[s.name], self.kinds[s.name].ndim)
            shape = tuple(Apply("shape", (Var(s.name), Const(k))) for k in axes)
            self.emit(New(self.shadow[s.name], Apply("zeros", shape), s.at))
        elif s.name in self.active:
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
            if slots:  # they have begun alike, and grow together
                full = Apply("eq", (Var(s.counter), Apply("shape", (Var(slots[0].array), Const(0)))))
                more = tuple(New(x.array, Apply("grown", (Var(x.array),)), s.at) for x in slots)
                self.emit(If(full, more, (), s.at))
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

    def Call(self, s: Call) -> Halves:
        """Split: the callee's forward sweep here, its reverse sweep there; joint: both on the way back.

        An operation of the table is taken back by its row.
        """
        live = self.reversed(s)
        kept = s.writes if (s.joint and live) or id(s) in self.plan.copies else ()
        self.emit(*(Keep(a, a, "copy", at=s.at) for a in kept))
        if live and not s.joint and not several(s.function):
            positions = tuple(k for k, t in enumerate(s.targets) if t in self.active)
            params = self.program.callees[s.function].params
            wrt = tuple(
                p for p, a in zip(params, s.args, strict=True) if isinstance(a, Var) and a.name in self.active
            )
            pair, other = self.program.pair(s.function, wrt, positions, self.linear)
            self.emit(replace(s, function=pair, half="fwd"))
        else:
            self.emit(s)
        arrays = [t for t in s.targets if t in self.plan.held]
        self.emit(*(New(t, Apply("own", (Var(t),)), s.at) for t in arrays))
        yield
        self.emit(*(Back(a, a, "copy", at=s.at) for a in reversed(kept)))
        if not live:
            return
        if several(s.function):
            self.add(self.pullbacks[id(s)], ZERO, s)
            scalars = (t for t in s.targets if t in self.active and not self.kinds[t].is_array)
            self.emit(*(Assign(self.shadow[t], ZERO, s.at) for t in scalars))
        elif s.joint:
            self.joint(s)
        else:
            self.call_back(s, pair, other, {p: self.value(a, s) for p, a in zip(params, s.args, strict=True)})
        self.emit(*(Update(self.shadow[t], ZERO, s.at) for t in s.targets if t in self.index))

    def Print(self, s: Print) -> Halves:
        self.emit(s)
        yield

    def Raise(self, s: Raise) -> Halves:
        self.emit(s)
        yield


def kind_of_section(index: tuple[Expr, ...], base: Base) -> Kind:
    """The kind of a section."""
    return Kind(base, sum(isinstance(sub, Slice) or sub == Const(None) for sub in index))


__all__ = ["SEED", "Adjoint", "Reverse"]
