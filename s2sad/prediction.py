"""What a gradient will keep, told before it is run: its two sweeps are followed with sizes in place of arrays.

Loops whose trips are alike are followed once, and multiplied; what depends on values gives a least and a most.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from s2sad.amounts import ANY, EMPTY, NONE, ONE, Amount, Loop, Tally
from s2sad.arguments import leaf_values
from s2sad.derive import Derived
from s2sad.ir.nodes import (
    Apply,
    Assign,
    Bind,
    Call,
    Const,
    Expr,
    For,
    Frame,
    Function,
    If,
    Keep,
    Load,
    New,
    Raise,
    Rebind,
    Stmt,
    Store,
    Turn,
    Update,
    Var,
    View,
    While,
)
from s2sad.ir.walk import Body, statements
from s2sad.schedules import Given, Schedule
from s2sad.sizes import ITEMSIZE, Env, Sized, joined, number, sized, viewed
from s2sad_runtime import plans

BUDGET = 200_000  # statements that are followed one by one
PLANS = ("revolve_plan", "uniform_plan", "online_plan", "given_plan")
DEEP = 60  # calls within calls that are followed


@dataclass(frozen=True, slots=True)
class Prediction:
    """One gradient: the bytes kept by line (0: no line in particular), in all, the most at once; loops.

    loops   loops of `checkpoint_range`, and how often each is run and reversed
    """

    lines: Mapping[int, Amount]
    kept: Amount
    peak: Amount
    loops: Mapping[Loop, Amount]

    @property
    def steps(self) -> Amount:
        """Steps of these loops that are run plain."""
        return sum((count * loop.steps for loop, count in self.loops.items()), NONE)


def predicted(derived: Derived, args: Sequence[Any]) -> Prediction:
    """What a gradient will keep for these arguments; it is not run."""
    walk = _Walk(derived)
    fn = derived.function
    ahead = walk.ahead(fn, fn.name, walk.start(args))
    tally = ahead.then(walk.back(fn, fn.name))
    lines = {line: amount for line, amount in sorted(ahead.lines.items()) if amount.high}
    return Prediction(lines, ahead.kept, tally.peak, tally.loops)


def homes(fn: Function) -> dict[str, int]:
    """The line that each array which a forward sweep keeps belongs to: where it is filled, else where it is made."""
    made: dict[str, int] = {}
    filled: dict[str, int] = {}
    for s in statements(ahead_of(fn)):
        match s:
            case New(target=name):
                made.setdefault(name, s.at.line)
            case Store(array=name) | Keep(record=name, how="place"):
                filled.setdefault(name, s.at.line)
    own = {s.target for s in statements(ahead_of(fn)) if isinstance(s, New) and is_slots(s)}
    return {name: filled.get(name, line) if name in own else line for name, line in made.items()}


def is_slots(s: New) -> bool:
    """Is it an array with places for what is kept?"""
    return isinstance(s.value, Apply) and s.value.op in ("slots", "disk_slots")


def ahead_of(fn: Function) -> Body:
    """The forward sweep of a function with a Turn; else its body."""
    at = next((k for k, s in enumerate(fn.body) if isinstance(s, Turn)), len(fn.body))
    return fn.body[:at]


@dataclass(slots=True)
class _Place:
    """Where a walk is: the function, the lines of its arrays, the loop that is being made."""

    fn: Function
    homes: Mapping[str, int]
    loop: Loop | None = None
    plan: str = ""  # the array with its plan


class _Walk:
    """Follows the sweeps of one derivative."""

    def __init__(self, derived: Derived) -> None:
        self.primal = derived.primal
        self.callees = {**derived.primal.callees, **derived.function.callees}
        self.pairs = {**derived.primal.pairs, **derived.function.pairs}
        self.left: dict[str, Env] = {}  # what is known at the end of the forward sweep of a pair
        self.active: list[str] = []
        self.reversing: list[str] = []
        self.budget = BUDGET
        self.framed = {
            n for n, f in self.callees.items() if any(isinstance(s, Frame | Call) for s in statements(f.body))
        }
        self.lines = {  # on which anything is kept in a call
            homes(f).get(s.name, s.at.line) if s.how == "hold" else s.at.line
            for f in self.pairs.values()
            for s in statements(f.body)
            if isinstance(s, Keep)
        }
        self.place = _Place(derived.function, {})
        users = (self.primal, *self.primal.callees.values())
        written = [
            f.kinds[s.array] for f in users for s in statements(f.body) if isinstance(s, Store | Update)
        ]
        self.fixed = all(kind.base != "int" for kind in written)  # arrays of integers stay as they are

    def start(self, args: Sequence[Any]) -> Env:
        """What is known of arguments and constants."""
        given = {**self.primal.constants, **leaf_values(self.primal, args)}
        return {name: self.known(value) for name, value in given.items()}

    def known(self, value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return Sized(value.shape, value if self.fixed and value.dtype.kind in "iu" else None)
        return value.item() if isinstance(value, np.generic) else value

    # ----- sweeps

    def ahead(self, fn: Function, name: str, env: Env) -> Tally:
        """A forward sweep; what is known at its end is remembered for the reverse sweep."""
        env.update((n, self.known(v)) for n, v in fn.constants.items() if n not in env)
        outer, self.place = self.place, _Place(fn, homes(fn))
        tally = self.body(ahead_of(fn), env)
        self.place = outer
        self.left[name] = joined(self.left[name], env) if name in self.left else dict(env)
        return tally

    def back(self, fn: Function, name: str) -> Tally:
        """A reverse sweep: what it puts on the arena is given back."""
        if name in self.reversing:  # how deep isn't known
            frames = any(isinstance(s, Frame | Keep) for s in statements(fn.body[len(ahead_of(fn)) :]))
            steps = any(callee.steps for callee in self.callees.values())
            loops = {Loop(fn.at.line, "in a recursion", None): ONE} if frames and steps else {}
            return Tally({}, ANY, loops) if frames else EMPTY
        self.reversing.append(name)
        outer, self.place = self.place, _Place(fn, {})
        tally = self.body(fn.body[len(ahead_of(fn)) + 1 :], dict(self.left.get(name, {})))
        self.place = outer
        self.reversing.pop()
        return tally.given_back()

    def body(self, body: Iterable[Stmt], env: Env) -> Tally:
        tally = EMPTY
        for stmt in body:
            self.budget -= 1
            found = self.statement(stmt, env)
            tally = tally if found is EMPTY else found if tally is EMPTY else tally.then(found)
        return tally

    def statement(self, s: Stmt, env: Env) -> Tally:
        kinds = self.place.fn.kinds
        match s:
            case Assign(target=name, value=value):
                env[name] = number(value, env)
            case New(target=name, value=Apply(op=op, args=given)) if op in PLANS:
                env[name] = self.planned(s, given, env)
            case New(target=name, value=value):
                forget(name, env)
                env[name] = array = sized(value, env, kinds)
                self.snapshots(s, array)
            case Store(array=name, index=index, value=value):
                forget(name, env, index)
                if all(isinstance(i, Const) for i in index):
                    env[(name, *(i.value for i in index if isinstance(i, Const)))] = number(value, env)
            case Update(array=name):
                forget(name, env)
            case View(target=name, array=array, index=index, form=form):
                env[name] = viewed(sized(Var(array), env, kinds), index, form, env)
            case Bind(target=name, source=array, index=index, form=form):
                found = sized(Var(array), env, kinds)
                env[name] = viewed(found, index, form, env) if form else found
            case Rebind(targets=targets, sources=sources):
                env.update(zip(targets, [env.get(n) for n in sources], strict=True))
            case Keep():
                return self.keep(s, env)
            case If(test=test, then=then, orelse=orelse):
                return self.branch(test, then, orelse, env)
            case For():
                return self.loop(s, env)
            case While():
                return self.while_loop(s, env)
            case Frame(body=body, own=own):
                tally = self.body(body, env).given_back()
                return apart(tally) if own else tally
            case Call():
                return self.call(s, env)
        return EMPTY

    # ----- the arena

    def keep(self, s: Keep, env: Env) -> Tally:
        kind = self.place.fn.kinds[s.name]
        if s.how == "place" or kind.base == "pool" or not kind.is_array:
            return EMPTY
        array = sized(
            Load(s.name, s.index) if s.index and s.how != "renew" else Var(s.name), env, self.place.fn.kinds
        )
        size = None if array.size is None else array.size * ITEMSIZE.get(kind.base, 8)
        taken = ANY if size is None else Amount(size, size)
        line = self.place.homes.get(s.name, s.at.line) if s.how == "hold" else s.at.line
        loop = self.place.loop
        return Tally({line: taken}, taken, {loop: ONE} if loop and s.record == self.place.plan else {})

    def planned(self, s: New, args: tuple[Expr, ...], env: Env) -> Sized:
        """A plan of snapshots."""
        n, given = (number(a, env) for a in args)
        steps = self.callees[self.place.fn.name].steps
        assert steps is not None
        plan: Schedule | Given | None = None
        rows = 0
        if steps.schedule == "rows":
            array = sized(args[1], env, self.place.fn.kinds)
            if array.content is not None:
                plan, rows = Given.of(array.content), len(array.content)
        elif n is not None and given is not None:
            plan = Schedule(steps.schedule, max(n, 0), given)  # type: ignore[arg-type]
        places = plan.places if plan is not None else None
        self.place.plan = s.target
        left = isinstance(steps.loop, While)
        self.place.loop = Loop(s.at.line, steps.schedule, plan, places, 0, left)
        words = plans.size_of(places, rows) if places is not None else None
        return Sized((words,), places=places)

    def snapshots(self, s: New, made: Sized) -> None:
        """An array with a place per snapshot."""
        loop = self.place.loop
        if loop is not None and loop.bytes is not None and is_slots(s):
            kind = self.place.fn.kinds[s.target]
            size = made.size
            more = None if size is None else size * ITEMSIZE.get(kind.base, 8)
            self.place.loop = replace(loop, bytes=None if more is None else loop.bytes + more)

    # ----- ways

    def branch(self, test: Expr, then: Body, orelse: Body, env: Env) -> Tally:
        decided = number(test, env)
        if decided is not None:
            return self.body(then if decided else orelse, env)
        one, other = dict(env), dict(env)
        found = self.body(then, one), self.body(orelse, other)
        ends = [bool(body) and isinstance(body[-1], Raise) for body in (then, orelse)]
        env.clear()
        if any(ends):
            env.update(other if ends[0] else one)
            return found[1] if ends[0] else found[0]
        env.update(joined(one, other))
        return found[0].either(found[1])

    def loop(self, s: For, env: Env) -> Tally:
        bounds = [number(e, env) for e in (s.start, s.stop, s.step)]
        known = all(type(b) is int for b in bounds) and bounds[2] != 0
        trips = range(*bounds) if known else None
        if trips is not None and not trips:
            return EMPTY
        size = sum(1 for _ in statements(s.body))
        small = trips is not None and len(trips) * size <= min(1000, self.budget)
        if not small:
            before = dict(env)
            tally = self.settled(s.body, env, s.var)
            if trips is None:
                return tally.times(ANY)
            if tally.exact or len(trips) * size > self.budget:
                env[s.var] = trips[-1]
                return tally.times(Amount(len(trips), len(trips)))
            env.clear()
            env.update(before)
        tally = EMPTY
        for env[s.var] in trips or ():
            found = self.body(s.body, env)
            tally = tally if found is EMPTY else tally.then(found)
        return tally

    def while_loop(self, s: While, env: Env) -> Tally:
        tally = EMPTY
        while (more := number(s.test, env)) is not None and self.budget > 0:
            if not more:
                return tally
            tally = tally.then(self.body(s.body, env))
        return tally.then(self.settled(s.body, env).times(ANY))

    def settled(self, body: Body, env: Env, var: str = "") -> Tally:
        """One trip, whichever it is; `env` is left with what is known behind any number of them."""
        while True:
            state = {**env, var: None}
            tally = self.body(body, state)
            both = joined(env, state)
            same = len(both) == len(env) and all(both[k] is env[k] for k in env)
            if same:
                return tally
            env.clear()
            env.update(both)

    def call(self, s: Call, env: Env) -> Tally:
        for name in s.writes:
            forget(name, env)
        fn = (self.pairs if s.half else self.callees).get(s.function)
        kinds = self.place.fn.kinds
        idle = not s.half and not s.targets and s.function not in self.framed
        if fn is None or s.half == "rev" or idle:
            env.update(dict.fromkeys(s.targets))
            return self.back(fn, s.function) if fn is not None and s.half == "rev" else EMPTY
        given: Env = {}
        for param, arg in zip(fn.params, s.args, strict=False):
            given[param] = sized(arg, env, kinds) if fn.kinds[param].is_array else number(arg, env)
        again = s.function in self.active and None in given.values()
        if again or self.budget <= 0 or len(self.active) > DEEP:
            env.update(dict.fromkeys(s.targets))
            return Tally(dict.fromkeys(self.lines, ANY), ANY) if s.half else EMPTY
        self.active.append(s.function)
        if s.half:
            tally = self.ahead(fn, s.function, given)
        else:
            outer, self.place = self.place, _Place(fn, {})
            tally = replace(apart(self.body(fn.body, given)), loops={})
            self.place = outer
        self.active.pop()
        turn = next((t for t in fn.body if isinstance(t, Turn)), None)
        for target, result in zip(s.targets, turn.results if turn else fn.results, strict=True):
            made = sized(result, given, fn.kinds) if kinds[target].is_array else number(result, given)
            env[target] = made
        return tally


def apart(tally: Tally) -> Tally:
    """What lies on an arena of its own is gone at its end; it comes on top of what there is."""
    return replace(tally.given_back(), peak=Amount(0, tally.peak.high))


def forget(array: str, env: Env, index: tuple[Expr, ...] = ()) -> None:
    """Numbers in an array are not known any longer; all of them, unless one place is named."""
    if index and all(isinstance(i, Const) for i in index):
        return
    for key in [k for k in env if isinstance(k, tuple) and k[0] == array]:
        del env[key]
