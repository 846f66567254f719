"""Whole programs: the adjoint, or the tangent, of a function together with those of all that it calls.

A function that is called has a pair of sweeps per active parameters and results (`Adjoints.pair`), a tangent per
active parameters (`Tangents.callee`), or both in one: its *pullback*, a function that runs both sweeps on an arena
of its own. With these three, functions with rules, and derivatives inside of functions, are calls as any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from s2sad.analyses.widths import mixed
from s2sad.errors import UnsupportedSyntaxError
from s2sad.handlers import paths
from s2sad.handlers.adjoint import Reverse
from s2sad.handlers.drafts import along, composed, pulled, transposed
from s2sad.handlers.regions import outlined
from s2sad.handlers.result import Adjoint
from s2sad.handlers.rules import Ruled
from s2sad.handlers.sweeps import Sweeps
from s2sad.handlers.tangent import Dual, Tangent
from s2sad.ir.names import Namer
from s2sad.ir.nodes import Call, Function, Rule, Turn, Var
from s2sad.ir.paths import is_path
from s2sad.ops.kinds import kind_of
from s2sad.plan.slots import Decision

Names: TypeAlias = tuple[str, ...]
Places: TypeAlias = tuple[int, ...]
Handler: TypeAlias = Reverse | Ruled | Sweeps


def adjoint(
    fn: Function, wrt: Iterable[str], of: Iterable[int] | None = None, again: bool = False
) -> Adjoint:
    """The adjoint of `fn` for the real parameters `wrt`, of its results at positions `of` (None: of all).

    With `again` the reverse sweep can be run any number of times: it leaves the arena's arrays as they are.
    """
    program = Adjoints(fn.callees, fn.pairs, again=again)
    program.mixed = mixed(fn)
    root = Reverse(fn, tuple(wrt), tuple(range(len(fn.results)) if of is None else of), program)
    made = root.run()
    pairs = program.finish()
    report = (*made.report, *program.report)
    function = replace(made.function, callees=dict(program.callees), pairs=pairs)
    return replace(made, function=function, report=report)


def tangent(fn: Function, wrt: Iterable[str]) -> Tangent:
    """The tangent of `fn` for the real parameters (or seeds of its Turn) `wrt`."""
    program = Tangents(fn.callees, fn.pairs, fn.name)
    made = Dual(fn, tuple(wrt), program).run()
    program.finish()
    function = replace(
        made.function,
        callees={**program.functions, **program.callees},
        pairs={**program.sweeps, **program.pairs},
    )
    return replace(made, function=function)


@dataclass
class Taken:
    """Names of functions, and functions that have a pair of their own name; shared by programs inside one another."""

    names: Namer
    paired: set[str] = field(default_factory=set)


class Adjoints:
    """The pairs of sweeps that the functions of a program need: one per function, active parameters and results.

    known  pairs that are there already
    """

    def __init__(
        self,
        callees: Mapping[str, Function],
        known: Mapping[str, Function],
        taken: Taken | None = None,
        again: bool = False,
    ) -> None:
        self.callees, self.again = without_regions(callees), again
        self.mixed = any(map(mixed, callees.values()))  # float32 among their numbers
        self.known = dict(known)
        self.taken = taken or Taken(Namer([*callees, *known]), set(known))
        self.made: dict[tuple[str, Names, Places, bool], tuple[str, Handler]] = {}
        self.pulled: dict[tuple[str, Names, Places, bool], str] = {}
        self.report: list[Decision] = []  # of loops under schedules
        self.pushed: dict[tuple[str, Names, Places, Places], str] = {}

    def pair(self, function: str, wrt: Names, of: Places, linear: bool = False) -> tuple[str, Handler]:
        """The name of a pair, and the handler that makes it (it may be under way: recursion).

        With `linear` the results have to be linear in the parameters `wrt`.
        """
        key = (function, wrt, of, linear)
        if key not in self.made:
            name = function if function not in self.taken.paired else self.taken.names.fresh(function, "_")
            self.taken.paired.add(name)
            self.taken.names.take(name)  # (that of a stretch, too, which came up on the way)
            fn = self.callees[function]
            self.made[key] = (name, self.handler(fn, wrt, of, linear))
        return self.made[key]

    def handler(self, fn: Function, wrt: Names, of: Places, linear: bool) -> Handler:
        """What makes the pair of a function."""
        if is_path(fn):
            if linear:
                raise UnsupportedSyntaxError("a rule with `odeint` in it can't be transposed", code="S078",
                                             at=fn.at, hint="give the way back as well: a rule by `vjp`")  # fmt: skip
            fn = paths.with_halves(fn, wrt, self)
        if fn.rule is not None:
            return Ruled(fn, wrt, of, self)
        if fn.steps is None:
            return Reverse(fn, wrt, of, self, callee=True, linear=linear)
        if linear:
            raise UnsupportedSyntaxError("a rule with `checkpoint_range` in it can't be transposed", code="S078",
                                         at=fn.at, hint="use `range`")  # fmt: skip
        return Sweeps(fn, wrt, of, self)

    def pullback(self, function: str, wrt: Names, of: Places, linear: bool = False) -> str:
        """The name of a function's pullback: parameters, cotangents of results `of` -> results, adjoints of `wrt`."""
        key = (function, wrt, of, linear)
        if key not in self.pulled:
            self.pulled[key] = name = self.taken.names.fresh(f"{function}_pull")
            fn = self.callees[function]
            if is_path(fn) and not linear:
                fn = paths.with_halves(fn, wrt, self)
            if fn.rule is not None and fn.rule.how == "vjp":
                self.callees[name] = composed(name, fn, wrt, of)
            else:
                self.callees[name] = pulled(name, fn, *self.pair(function, wrt, of, linear), wrt, of)
        return self.pulled[key]

    def pushed_pullback(self, function: str, wrt: Names, of: Places, along: Places) -> str:
        """The name of the tangent of a pullback along its parameters at some positions."""
        key = (function, wrt, of, along)
        if key not in self.pushed:
            inner = Adjoints(self.callees, self.known, self.taken)
            name = inner.pullback(function, wrt, of)
            outer = Tangents(inner.callees, inner.finish(), "", self.taken)
            outer.functions |= inner.callees
            params = inner.callees[name].params
            self.pushed[key] = outer.callee(name, tuple(params[k] for k in along))
            outer.finish()
            self.callees |= {**outer.functions, **outer.callees}
            self.known |= {**outer.sweeps, **outer.pairs}
        return self.pushed[key]

    def finish(self) -> dict[str, Function]:
        """Run every handler begun; those may begin others."""
        done: dict[str, Function] = {}
        while len(done) < len(self.made):
            for name, handler in list(self.made.values()):
                if name not in done:
                    found = handler.run()
                    done[name] = found.function
                    self.report += found.report if isinstance(handler, Sweeps) else ()
        return {**self.known, **done}


def without_regions(functions: Mapping[str, Function]) -> dict[str, Function]:
    """The functions with their regions as functions among them."""
    done = dict(functions)
    waiting = list(done)
    for name in waiting:
        done[name] = fn = outlined(done[name], done)
        new = {n: f for n, f in fn.callees.items() if n not in done}
        done |= new
        waiting += new
    return done


class Tangents:
    """The tangents that the functions of a program need: of callees per active parameters, of pairs one each."""

    def __init__(
        self,
        callees: Mapping[str, Function],
        pairs: Mapping[str, Function],
        name: str,
        taken: Taken | None = None,
    ) -> None:
        self.functions, self.sweeps = dict(callees), dict(pairs)
        self.taken = taken or Taken(Namer([*callees, *pairs, name]), set(pairs))
        self.made: dict[tuple[str, Names], tuple[str, Dual | None]] = {}
        self.paired: dict[str, tuple[str, Dual]] = {}
        self.callees: dict[str, Function] = {}
        self.pairs: dict[str, Function] = {}

    def callee(self, function: str, wrt: Names) -> str:
        """The name of a callee's tangent (it may be under way: recursion)."""
        if (function, wrt) not in self.made:
            fn = self.functions[function]
            if fn.rule is not None and fn.rule.how == "jvp" and fn.rule.inputs == wrt:
                return fn.rule.calls[0].function
            name = self.taken.names.fresh(f"{function}_d")
            self.made[function, wrt] = name, None
            if is_path(fn):
                self.callees[name] = paths.tangent(name, fn, wrt, self)
            elif fn.rule is not None and fn.rule.how == "jvp":
                self.callees[name] = along(name, fn, wrt)
            elif fn.rule is not None and fn.rule.how == "vjp":
                self.callees[name] = self.transposed(name, fn, wrt)
            else:
                self.made[function, wrt] = name, Dual(fn, wrt, self)
        return self.made[function, wrt][0]

    def transposed(self, name: str, fn: Function, wrt: Names) -> Function:
        """The tangent of a function of which the pullback is given: the pullback transposed."""
        assert fn.rule is not None
        inner = Adjoints(self.functions, self.sweeps, self.taken)
        made = dict(zip(fn.rule.inputs, fn.rule.made, strict=True))
        pulls: list[tuple[Call, str]] = []
        for back in fn.rule.calls[1:]:
            function = inner.callees[back.function]
            asked = [m for p in wrt if (m := made.get(p)) in back.targets]
            place = {a.name: q for a, q in zip(back.args, function.params, strict=True) if isinstance(a, Var)}
            if not asked:
                continue
            if function.rule is not None and function.rule.how == "pullback":  # its transpose is a tangent
                body = function.rule.calls[0].function
                inputs = dict(zip(back.targets[len(fn.rule.results) :], function.rule.inputs, strict=True))
                pulls.append((replace(back, targets=()), self.callee(body, tuple(inputs[m] for m in asked))))
                continue
            cotangents = tuple(place[g] for g in fn.rule.given)
            of = tuple(map(back.targets.index, asked))
            pulls.append((back, inner.pullback(back.function, cotangents, of, linear=True)))
        self.sweeps |= inner.finish()
        self.functions |= inner.callees
        return transposed(name, fn, wrt, pulls)

    def pair(self, function: str) -> tuple[str, Dual]:
        """The same of a pair of sweeps, for all its real parameters and seeds."""
        if function not in self.paired:
            fn = self.sweeps[function]
            turn = next(s for s in fn.body if isinstance(s, Turn))
            wrt = tuple(
                n for n in (*fn.params, *turn.seeds) if fn.kinds[n].is_real or fn.kinds[n].base == "complex"
            )
            self.paired[function] = (self.taken.names.fresh(f"{function}_d"), Dual(fn, wrt, self))
        return self.paired[function]

    def finish(self) -> None:
        """Run every handler begun; those may begin others."""
        while len(self.callees) + len(self.pairs) < len(self.made) + len(self.paired):
            for (function, wrt), (name, handler) in list(self.made.items()):
                if name not in self.callees and handler is not None:
                    made = handler.run()
                    rule = tangent_rule(self.functions[function], wrt, made)
                    self.callees[name] = replace(made.function, name=name, rule=rule)
            for name, sweeps in list(self.paired.values()):
                if name not in self.pairs:
                    self.pairs[name] = sweeps.run().function


def tangent_rule(fn: Function, wrt: Names, made: Tangent) -> Rule | None:
    """The rule of a tangent: that of a function with a rule can't be differentiated by its body."""
    if fn.rule is None:
        return None
    namer = Namer(made.function.kinds)
    kinds = dict(made.function.kinds)
    results = tuple(namer.fresh("y") for _ in fn.results)
    kinds |= {y: kind_of(e, fn.kinds) for y, e in zip(results, fn.results, strict=True)}
    call = Call(results, fn.name, tuple(map(Var, fn.params)))
    given = tuple(made.tangents[p] for p in wrt)
    return Rule("tangent", (call,), wrt, given, results, tuple(f"{y}_d" for y in results), kinds)
