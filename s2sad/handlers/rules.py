"""Functions with rules: their pairs of sweeps, tangents and pullbacks, put together from calls.

A rule is part of a derivative. Of the rest one is the other transposed: the tangent of a rule is linear in the
tangents, so its adjoint with respect to them is the pullback; and the adjoint of a pullback is the tangent.

The second derivative is symmetric. So the adjoint of a pullback, and of a tangent, is a tangent of a pullback, as in
the normal form of whole programs (`derive`), and nothing runs a reverse sweep backwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from s2sad.analyses.activity import active
from s2sad.errors import UnsupportedSyntaxError
from s2sad.handlers.drafts import Draft, Names, Places, shapes_of_made
from s2sad.handlers.result import Adjoint
from s2sad.ir.nodes import (
    Accumulate,
    Apply,
    Assign,
    Back,
    Call,
    Const,
    Expr,
    Function,
    Keep,
    Kind,
    Load,
    New,
    Store,
    Turn,
    Var,
)
from s2sad.ir.walk import statements, variables
from s2sad.ops.build import ZERO


class Ruled:
    """The pair of a function with a rule; for callers what `Reverse` is."""

    def __init__(self, fn: Function, wrt: Names, of: Places, program: Any) -> None:
        assert fn.rule is not None
        self.fn, self.rule, self.wrt, self.seeded, self.program = fn, fn.rule, wrt, of, program
        self.kinds = fn.kinds

    @property
    def shadow_params(self) -> Names:
        """Array parameters whose adjoints the reverse sweep takes, and adds to."""
        return tuple(p for p in self.fn.params if p in self.wrt and self.fn.kinds[p].is_array)

    @property
    def scalar_params(self) -> Names:
        """Scalar parameters whose adjoints the reverse sweep returns."""
        return tuple(p for p in self.wrt if not self.fn.kinds[p].is_array)

    def run(self) -> Adjoint:
        """The function, called (its rule's first half, where it has two), a Turn, the adjoints by the rule."""
        fn, rule, new = self.fn, self.rule, Draft(self.fn)
        self.new = new
        self.shadows = {p: new.like(p, f"{p}_b") for p in self.shadow_params}
        results = rule.results if rule.how == "vjp" else new.results()
        seeds = {k: new.like(results[k], f"{results[k]}_seed") for k in self.seeded}
        self.results, self.seeds = results, seeds
        turn = Turn(tuple(map(Var, results)), (*self.shadows.values(), *seeds.values()), at=fn.at)
        if rule.how == "vjp":
            made = self.by_halves(turn)
        else:
            new.emit(Call(results, fn.name, tuple(map(Var, fn.params)), at=fn.at), turn)
            made = {"jvp": self.by_tangent, "pullback": self.of_pullback, "tangent": self.of_tangent}[
                rule.how
            ]()
        for p, shadow in self.shadows.items():
            if p in made:
                new.emit(Accumulate(Var(shadow), made[p], fn.at))
        numbers = (made.get(p, ZERO) for p in self.scalar_params)
        function = new.function(fn.name, fn.params, numbers, "")
        gradients = {p: self.shadows.get(p, p) for p in self.wrt}
        return Adjoint(function, self.shadows, tuple(seeds.values()), gradients, False, ())

    def by_tangent(self) -> Mapping[str, Expr]:
        """The pullback of the tangent with respect to the tangents, at zero."""
        fn, rule, new = self.fn, self.rule, self.new
        (call,) = rule.calls
        jvp = self.program.callees[call.function]
        tangents = jvp.params[len(fn.params) :]
        through(self.program.callees, call.function, tangents, fn.name, set())
        wanted = [k for k, p in enumerate(rule.inputs) if p in self.wrt]
        of = tuple(len(self.results) + k for k in self.seeded)
        pull = self.program.pullback(call.function, tuple(tangents[k] for k in wanted), of, linear=True)
        zeros = [new.zero(p) for p in rule.inputs]
        made = {rule.inputs[k]: new.like(rule.given[k], f"{rule.inputs[k]}_g") for k in wanted}
        again = tuple(new.like(r, f"{r}_again") for r in (*rule.results, *rule.made))
        args = (*call.args[: len(fn.params)], *zeros, *map(Var, self.seeds.values()))
        new.emit(Call((*again, *made.values()), pull, args, at=fn.at))
        return {p: Var(g) for p, g in made.items()}

    def by_halves(self, turn: Turn) -> Mapping[str, Expr]:
        """The first half forward; what it gives is kept; on the way back the others, as far as they are wanted."""
        rule, new, at = self.rule, self.new, self.fn.at
        ahead, *halves = rule.calls
        wanted = {m for p, m in zip(rule.inputs, rule.made, strict=True) if p in self.wrt}
        halves = [h for h in halves if wanted.intersection(h.targets)]
        read = {a.name for h in halves for a in h.args if isinstance(a, Var)}
        kept = [t for t in ahead.targets if (t not in rule.results or t in read)]
        new.emit(ahead)
        zeros = {
            rule.given[k]: new.like(y, f"{y}_zero")
            for k, y in enumerate(rule.results)
            if k not in self.seeded
        }
        for k, y in enumerate(rule.results):
            if rule.given[k] in zeros and new.kinds[y].is_array:
                new.emit(New(zeros[rule.given[k]], Apply("zeros_like", (Var(y),)), at))
        held = [(t, new.like(t, f"{t}_kept")) for t in kept]
        held += [(z, z) for z in zeros.values() if new.kinds[z].is_array]
        for name, record in held:
            self.hold(name, record)
        new.emit(turn)
        for name, record in reversed(held):
            self.back(name, record)
        taken: dict[str, Expr] = {t: Var(r) for t, r in held if t in kept}
        for k, g in enumerate(rule.given):
            z = zeros.get(g, "")
            taken[g] = Var(self.seeds[k]) if not z else Var(z) if new.kinds[z].is_array else ZERO
        for half in halves:
            args = (taken.get(a.name, a) if isinstance(a, Var) else a for a in half.args)
            new.call(half, half.targets, args)
        new.emit(*shapes_of_made(rule, self.wrt, new.kinds))
        return {p: Var(m) for p, m in zip(rule.inputs, rule.made, strict=True) if m and p in self.wrt}

    def hold(self, name: str, record: str) -> None:
        """Put a number or an array on the arena."""
        new, at, kind = self.new, self.fn.at, self.new.kinds[name]
        if kind.is_array:
            new.emit(New(record, Apply("own", (Var(name),)), at), Keep(record, record, "hold", at=at))
            return
        slot = new.name(f"{name}_s", Kind(kind.base, 1))
        new.emit(New(slot, Apply("slots", (Const(1),)), at), Store(slot, (Const(0),), Var(name), at))
        new.emit(Keep(slot, slot, "hold", at=at))
        self.slots = {**getattr(self, "slots", {}), record: slot}

    def back(self, name: str, record: str) -> None:
        """Take it off again."""
        new, at = self.new, self.fn.at
        if new.kinds[name].is_array:
            new.emit(Back(record, record, "bind", at=at))
            return
        slot = self.slots[record]
        new.emit(Back(slot, slot, "bind", at=at), Assign(record, Load(slot, (Const(0),)), at))

    def of_pullback(self) -> Mapping[str, Expr]:
        """Of the pullback of a function: the tangent of the full pullback, in the direction of the cotangents."""
        rule, (call,) = self.rule, self.rule.calls
        inner = call.args
        wrt = tuple(a.name for a in inner if isinstance(a, Var) and a.name in (*rule.inputs, *self.wrt))
        count = len(rule.results)
        onto = {p: self.seeds.get(count + k) for k, p in enumerate(rule.inputs)}
        direction = {p: Var(s) for p, s in onto.items() if s is not None}
        extra = [k for k in self.seeds if k < count and k not in rule.of]
        cotangents: dict[int, Expr] = dict(zip(rule.of, map(Var, rule.given), strict=True))
        for k in extra:
            cotangents[k] = self.new.zero(self.seeds[k])
        named = {k: g for g, k in zip(rule.given, rule.of, strict=True)}
        places = tuple(sorted(cotangents))
        tangents = {k: Var(self.seeds[k]) for k in places if k in self.seeds}
        adjoints, slopes = self.second(
            call, wrt, places, [cotangents[k] for k in places], direction, tangents
        )
        made: dict[str, Expr] = {p: adjoints[p] for p in wrt if p in self.wrt}
        made |= {named[k]: slopes[k] for k in places if k in named and named[k] in self.wrt}
        return made

    def of_tangent(self) -> Mapping[str, Expr]:
        """Of the tangent of a function: the tangent of its pullback, at the tangents' cotangents."""
        rule, (call,) = self.rule, self.rule.calls
        count = len(rule.results)
        wrt = tuple(a.name for a in call.args if isinstance(a, Var) and a.name in (*rule.inputs, *self.wrt))
        places = tuple(sorted({k % count for k in self.seeded}))
        cotangents = [
            Var(self.seeds[count + k]) if count + k in self.seeds else self.new.zero(self.seeds[k])
            for k in places
        ]
        direction = {p: Var(t) for p, t in zip(rule.inputs, rule.given, strict=True)}
        tangents = {k: Var(self.seeds[k]) for k in places if k in self.seeds}
        adjoints, _ = self.second(call, wrt, places, cotangents, direction, tangents)
        made: dict[str, Expr] = {p: adjoints[p] for p in wrt if p in self.wrt}
        made |= {t: self.first[p] for p, t in zip(rule.inputs, rule.given, strict=True) if t in self.wrt}
        return made

    def second(
        self,
        call: Call,
        wrt: Names,
        of: Places,
        cotangents: Sequence[Expr],
        direction: Mapping[str, Expr],
        tangents: Mapping[int, Expr],
    ) -> tuple[dict[str, Expr], dict[int, Expr]]:
        """The tangent of the pullback of the function called: tangents of adjoints, tangents of results.

        The adjoints themselves are left in `first`.
        """
        new = self.new
        inner = [a.name for a in call.args if isinstance(a, Var)]
        along = [k for k, p in enumerate(inner) if p in direction]
        along += [len(inner) + j for j, k in enumerate(of) if k in tangents]
        name = self.program.pushed_pullback(call.function, self.formal(call, wrt), of, tuple(along))
        given = [
            *(direction[p] for p in inner if p in direction),
            *(tangents[k] for k in of if k in tangents),
        ]
        ys = [new.like(y, f"{y}_again") for y in self.rule.results]
        gs = [new.like(p, f"{p}_g") for p in wrt]
        y_ds = [new.like(y, f"{y}_again_d") for y in self.rule.results]
        g_ds = [new.like(p, f"{p}_g_d") for p in wrt]
        args = (*call.args, *cotangents, *given)
        new.emit(Call((*ys, *gs, *y_ds, *g_ds), name, args, at=self.fn.at))
        self.first = {p: Var(g) for p, g in zip(wrt, gs, strict=True)}
        return {p: Var(g) for p, g in zip(wrt, g_ds, strict=True)}, {k: Var(y_ds[k]) for k in of}

    def formal(self, call: Call, names: Names) -> Names:
        """The names that the function called has for its parameters."""
        params = self.program.callees[call.function].params
        place = {a.name: p for a, p in zip(call.args, params, strict=True) if isinstance(a, Var)}
        return tuple(place[n] for n in names)


def through(
    functions: Mapping[str, Function], name: str, tangents: Names, target: str, seen: set[str]
) -> None:
    """Refuse a rule whose tangents go through the function itself: to transpose it, it would have to be there already."""
    fn = functions[name]
    seen.add(name)
    outputs = [*(n for e in fn.results for n in variables(e)), *tangents]
    found = active(fn.body, tangents, outputs, fn.kinds)
    for s in statements(fn.body):
        if not isinstance(s, Call) or s.function not in functions or not found & {*s.targets, *s.writes}:
            continue
        inner = functions[s.function]
        passed = [isinstance(a, Var) and a.name in found for a in s.args]
        if any(passed) and s.function == target:
            raise UnsupportedSyntaxError(
                f"the rule of `{target}` takes its tangents through `{target}`, and can't be transposed", code="S078",
                at=s.at, hint="give the way back as well: a rule by `vjp`",
            )  # fmt: skip
        if any(passed) and s.function not in seen and inner.rule is None:
            through(
                functions,
                s.function,
                tuple(p for p, on in zip(inner.params, passed, strict=True) if on),
                target,
                seen,
            )
