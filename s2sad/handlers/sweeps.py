"""The two sweeps of a loop of `checkpoint_range`: snapshots on the way forward, steps run again on the way back.

Forward, the last step is run storing, since it is reversed first; of a loop that may be left in the middle nobody
knows which is the last. The state before a step is in a *place*: one of arrays made for all snapshots. The plan, a
few integers, tells when to fill which (`snapshot_at`) and where to go on from (`resume_at`)::

    for k in range(n - 1):                         for k in range(n - 2, -1, -1):
        place = snapshot_at(plan, k)                   place, start = resume_at(plan, k)
        if place >= 0:                                 get_state(u_s, place, u)
            put_state(u_s, place, u)                   for j in range(start, k):
        step(u, k)                                         ... as on the left ...
    step_fwd(u, n - 1)                                 step_fwd(u, k)
                                                       step_rev(u, k, u_b)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from s2sad.analyses.activity import active as active_names
from s2sad.handlers.base import Handler
from s2sad.handlers.result import Adjoint
from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    INT,
    REAL,
    Accumulate,
    Apply,
    Assign,
    Back,
    Call,
    Const,
    Expr,
    For,
    Frame,
    Function,
    If,
    Keep,
    Kind,
    Load,
    New,
    Rebind,
    Release,
    Stmt,
    Store,
    Turn,
    Var,
)
from s2sad.ir.walk import Body, map_body, map_expressions, substitute, unique, variables
from s2sad.ops.build import ZERO, add, sub
from s2sad.plan.slots import Decision

PLANS = {"revolve": "revolve_plan", "disk": "revolve_plan", "uniform": "uniform_plan", "online": "online_plan",
         "rows": "given_plan"}  # fmt: skip
FIRST, ONE = Const(0), Const(1)


class Sweeps(Handler):
    """Makes the pair of one such function."""

    def __init__(self, fn: Function, wrt: tuple[str, ...], of: tuple[int, ...], program: Any) -> None:
        super().__init__()
        assert fn.steps is not None
        self.fn, self.wrt, self.of, self.program, self.steps = fn, wrt, of, program, fn.steps
        loop = self.steps.loop
        self.counted = isinstance(loop, For)
        self.trip = loop.var if isinstance(loop, For) else loop.counter
        self.kinds: dict[str, Kind] = dict(fn.kinds)
        self.namer = Namer([*self.kinds, *fn.constants])
        ends = tuple(p for p in wrt if self.kinds[p].is_array)
        outputs = (*ends, *(n for k in of for n in variables(fn.results[k])))
        self.active = active_names(fn.body, wrt, outputs, fn.kinds)
        self.begins = {name: start for name, start, _ in self.steps.own}
        (first, *_) = self.steps.calls
        read = unique(n for a in first.args for n in variables(a))
        self.numbers = tuple(n for n in read if n in first.targets)  # of the state
        written = unique(a for c in self.steps.calls for a in c.writes)
        self.arrays = unique((*(a for a in written if a not in self.begins), *self.begins))
        used = unique((*fn.params, *self.begins, *first.targets))
        self.shadow = {n: self.declare(f"{n}_b", self.kinds[n].slope) for n in used if n in self.active}
        self.slots = {n: self.declare(f"{n}_s", self.slot_kind(n)) for n in (*self.arrays, *self.numbers)}
        self.plan = self.declare("states", Kind("int", 1))
        self.place, self.count = self.declare("place_k", INT), self.declare("count", INT)
        self.pairs: dict[str, tuple[str, Any]] = {}

    def declare(self, stem: str, kind: Kind) -> str:
        self.kinds[name := self.namer.fresh(stem)] = kind
        return name

    def slot_kind(self, name: str) -> Kind:
        """The kind of the array with a place per snapshot."""
        kind = self.kinds[name]
        base = kind.base if kind.is_real or kind.base in ("int", "bool", "complex") else "real"
        return Kind(base, kind.ndim + 1)

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

    # ----- the function

    def run(self) -> Adjoint:
        fn, at = self.fn, self.fn.at
        own = [(name, start) for name, start in self.begins.items()]
        self.emit(*(New(name, Apply("copy", (Var(start),)), at) for name, start in own))
        self.make_places()
        self.forward()
        kept = (*self.slots.values(), self.plan)
        self.emit(*(Keep(name, name, "hold", at=at) for name in kept))
        self.emit(*(Release(name, at) for name, _ in reversed(own)))
        names = {k: fn.results[k].name for k in self.seeded}  # type: ignore[union-attr]
        seeds = {k: self.declare(f"{n}_seed", self.kinds[n].slope) for k, n in names.items()}
        shadows = {p: self.shadow[p] for p in self.shadow_params}
        self.emit(Turn(fn.results, (*shadows.values(), *seeds.values()), False, at))
        self.emit(*(Back(name, name, at=at) for name in reversed(kept)))
        if self.program.again:
            self.emit(*(New(name, Apply("own", (Var(name),)), at) for name in kept))
        for name, shadow in self.shadow.items():
            if not self.kinds[name].is_array:
                self.emit(Assign(shadow, ZERO, at))
            elif name in self.begins:
                self.emit(New(shadow, Apply("zeros_like", (Var(self.begins[name]),)), at))
        self.emit(*(Accumulate(Var(self.shadow[names[k]]), Var(seed), at) for k, seed in seeds.items()))
        self.backward()
        for name, start in own:
            if name in self.active and start in self.active:
                self.emit(Accumulate(Var(self.shadow[start]), Var(self.shadow[name]), at))
        results = tuple(Var(self.shadow[p]) for p in self.scalar_params)
        function = replace(fn, body=tuple(self.lines), results=results, kinds=self.kinds, steps=None)
        gradients = {p: self.shadow[p] for p in self.wrt}
        return Adjoint(
            function,
            shadows,
            tuple(seeds.get(k) for k in range(len(fn.results))),
            gradients,
            False,
            self.report(),
        )

    def make_places(self) -> None:
        """The plan, and an array with a place per snapshot for everything of the state; one more for the last step."""
        at, how = self.fn.at, self.steps.schedule
        given = Var(self.steps.given)
        self.emit(New(self.plan, Apply(PLANS[how], (Var(self.steps.trips), given)), at))
        self.emit(Assign(self.count, Apply("places_of", (Var(self.plan),)), at))
        for name, slots in self.slots.items():
            like = self.begins.get(name, name)
            shape = tuple(Apply("shape", (Var(like), Const(k))) for k in range(self.kinds[name].ndim))
            extra = (self.counted and name not in self.arrays) or name in self.begins
            places = add(Var(self.count), ONE) if extra else Var(self.count)
            made = "disk_slots" if how == "disk" and self.kinds[name].base == "real" and shape else "slots"
            self.emit(New(slots, Apply(made, (places, *shape)), at))

    def report(self) -> tuple[Decision, ...]:
        """What the snapshots take."""
        line, places, how = self.fn.at.line, self.steps.places, self.steps.schedule
        if places == FIRST:
            return ()
        why = f"the state of a loop, kept as `{how}` says"
        rows = []
        for name in (*self.arrays, *self.numbers):
            shape = tuple(Apply("shape", (Var(name), Const(k))) for k in range(self.kinds[name].ndim))
            rows.append(Decision(line, name, "snapshots", why, (places, *shape)))
        return tuple(rows)

    # ----- forward

    def forward(self) -> None:
        loop, at = self.steps.loop, self.fn.at
        if isinstance(loop, For):
            last = sub(loop.stop, ONE)
            self.emit(For(self.trip, FIRST, last, ONE, (*self.snapshot(), *loop.body), at))
            storing = with_values(self.storing(), {self.trip: last})
            numbers = (Store(self.slots[n], (Var(self.count),), Var(n), at) for n in self.numbers)
            body = (*numbers, *storing)
            self.emit(If(Apply("gt", (loop.stop, FIRST)), body, (), at))
            return
        body = loop.body
        self.emit(Assign(self.trip, FIRST, at), replace(loop, body=(*self.snapshot(), *body), counter=""))
        self.ran = self.declare("ran", Kind("int", 1))
        self.emit(New(self.ran, Apply("slots", (ONE,)), at), Store(self.ran, (FIRST,), Var(self.trip), at))
        self.slots[self.ran] = self.ran  # kept with the others

    def snapshot(self) -> Body:
        """Before a step: keep the state where the plan says so."""
        at = self.fn.at
        asked = Call((self.place,), "snapshot_at", (Var(self.plan), Var(self.trip)), (self.plan,), at=at)
        return (asked, If(Apply("ge", (Var(self.place), FIRST)), self.saved(Var(self.place)), (), at))

    def saved(self, place: Expr) -> Body:
        """The state goes to a place."""
        at = self.fn.at
        put = tuple(Keep(self.slots[n], n, "place", (place,), at) for n in self.arrays)
        return (*put, *(Store(self.slots[n], (place,), Var(n), at) for n in self.numbers))

    def restored(self, place: Expr) -> Body:
        """The state comes from a place."""
        at = self.fn.at
        out: list[Stmt] = []
        for name in self.arrays:
            if place == Var(self.count) and name not in self.begins:
                continue  # it is as the last step left it
            if name in self.begins:
                out.append(New(name, Apply("empty_like", (Var(self.begins[name]),)), at))
            out.append(Back(self.slots[name], name, "place", (place,), at))
        return (*out, *(Assign(n, Load(self.slots[n], (place,)), at) for n in self.numbers))

    def taken(self, calls: Iterable[Body]) -> Body:
        """The call that it is the turn of."""
        *others, body = calls
        turns = len(others) + 1
        for k in reversed(range(len(others))):
            turn = Apply("eq", (Apply("mod", (Var(self.trip), Const(turns))), Const(k)))
            body = (If(turn, others[k], body, self.fn.at),)
        return body

    def storing(self) -> Body:
        """The last step, storing. Arrays that end with it are kept as it leaves them: it may write into them."""
        at = self.fn.at
        rebound = (s for s in self.steps.loop.body if isinstance(s, Release | Rebind))
        calls = ((replace(c, function=self.pair(c)[0], half="fwd", joint=False),) for c in self.steps.calls)
        left = (Keep(self.slots[n], n, "place", (Var(self.count),), at) for n in self.begins)
        return (*self.taken(calls), *left, *rebound)

    def pair(self, call: Call) -> tuple[str, Any]:
        """The pair of sweeps that a call of the step needs."""
        params = self.program.callees[call.function].params
        positions = tuple(k for k, t in enumerate(call.targets) if t in self.active)
        wrt = tuple(
            p for p, a in zip(params, call.args, strict=True) if isinstance(a, Var) and a.name in self.active
        )
        pair: tuple[str, Any] = self.program.pair(call.function, wrt, positions)
        return pair

    # ----- back

    def backward(self) -> None:
        loop, at = self.steps.loop, self.fn.at
        if isinstance(loop, For):
            last = sub(loop.stop, ONE)
            body = with_values((*self.restored(Var(self.count)), *self.reversed()), {self.trip: last})
            self.emit(Assign(self.count, Apply("places_of", (Var(self.plan),)), at))
            self.emit(If(Apply("gt", (loop.stop, FIRST)), body, (), at))
            first: Expr = sub(loop.stop, Const(2))
        else:
            first = sub(Load(self.ran, (FIRST,)), ONE)
        inner = self.declare("j", INT)
        start = self.declare("start", INT)
        resumed = Call(
            (self.place, start), "resume_at", (Var(self.plan), Var(self.trip)), (self.plan,), at=at
        )
        trip_body = tuple(s for s in loop.body if not isinstance(s, Assign))
        way = with_values((*self.snapshot(), *trip_body), {self.trip: Var(inner)})
        on = For(inner, Var(start), Var(self.trip), ONE, way, at)
        again = self.storing_again()
        frame = Frame((*again, *self.reversed()), at)
        trip = (resumed, *self.restored(Var(self.place)), on, frame)
        self.emit(For(self.trip, first, Const(-1), Const(-1), trip, at))

    def storing_again(self) -> Body:
        """A step, storing, on the way back: its results go to names of their own."""
        names = {t: self.declare(f"{t}_again", self.kinds[t]) for t in self.steps.calls[0].targets}
        calls = (
            (replace(c, targets=tuple(names.values()), function=self.pair(c)[0], half="fwd", joint=False),)
            for c in self.steps.calls
        )
        return self.taken(calls)

    def reversed(self) -> Body:
        """A step backwards, from the adjoints of the state after it to those of the state before."""
        at = self.fn.at
        out: list[Stmt] = []
        shadow = dict(self.shadow)
        fresh: dict[str, str] = {}
        for name in self.begins:
            if name in self.active:
                fresh[name] = made = self.declare(f"{name}_b", self.kinds[name])
                out.append(New(made, Apply("zeros_like", (Var(name),)), at))
        results = {t: n for n, _, t in self.steps.own}
        calls = [self.reversed_call(c, shadow, fresh, results) for c in self.steps.calls]
        out += self.taken(calls)
        for name, made in fresh.items():
            out += (Release(self.shadow[name], at), Rebind((self.shadow[name],), (made,), at))
        return tuple(out)

    def reversed_call(
        self, call: Call, shadow: dict[str, str], fresh: dict[str, str], results: dict[str, str]
    ) -> Body:
        at = self.fn.at
        name, other = self.pair(call)
        params = self.program.callees[call.function].params
        passed = dict(zip(params, call.args, strict=True))

        def shadow_of(param: str) -> Var:
            array = passed[param]
            assert isinstance(array, Var)
            return Var(fresh.get(array.name, shadow.get(array.name, "")))

        shadows = [shadow_of(p) for p in other.shadow_params]
        targets = [call.targets[k] for k in other.seeded]
        cotangents = [Var(shadow[results.get(t, t)]) for t in targets]
        grads = {p: self.declare("g", REAL) for p in other.scalar_params}
        written = unique((*(a for a in call.writes), *(s.name for s in shadows)))
        args = (*call.args, *shadows, *cotangents)
        out: list[Stmt] = [Call(tuple(grads.values()), name, args, written, "rev", at=at)]
        out += (
            Assign(shadow[t], ZERO, at) for t in call.targets if t in shadow and not self.kinds[t].is_array
        )
        for param, grad in grads.items():
            source = passed[param]
            assert isinstance(source, Var)
            out.append(Accumulate(Var(shadow[source.name]), Var(grad), at))
        return tuple(out)


def with_values(body: Body, values: dict[str, Expr]) -> Body:
    """`body` with expressions for names of numbers that it only reads."""
    return map_body(lambda s: (map_expressions(lambda e: substitute(values, e), s),), body)
