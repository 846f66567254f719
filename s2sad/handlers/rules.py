"""Functions with rules: their pairs of sweeps, tangents and pullbacks, put together from calls.

A rule is part of a derivative. Of the rest one is the other transposed: the tangent of a rule is linear in the
tangents, so its adjoint with respect to them is the pullback; and the adjoint of a pullback is the tangent.

The second derivative is symmetric. So the adjoint of a pullback, and of a tangent, is a tangent of a pullback, as in
the normal form of whole programs (`derive`), and nothing runs a reverse sweep backwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from s2sad.analyses.entities import classes
from s2sad.errors import UnsupportedSyntaxError
from s2sad.handlers.result import Adjoint
from s2sad.handlers.stretches import stored
from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    Accumulate,
    Apply,
    Assign,
    Back,
    Call,
    Const,
    Expr,
    Frame,
    Function,
    If,
    Keep,
    Kind,
    Leaf,
    Load,
    New,
    Node,
    Raise,
    Rule,
    Stmt,
    Store,
    Turn,
    Var,
)
from s2sad.ir.walk import statements
from s2sad.ops.build import ZERO
from s2sad.ops.kinds import kind_of

Names = tuple[str, ...]
Places = tuple[int, ...]
SHAPE = "a rule gives an adjoint of another shape than the argument has"


class Draft:
    """A function being put together: statements, and names with their kinds."""

    def __init__(self, fn: Function) -> None:
        self.fn = fn
        self.kinds: dict[str, Kind] = {p: fn.kinds[p] for p in fn.params}
        if fn.rule is not None:
            self.kinds |= fn.rule.kinds
        self.namer = Namer([*self.kinds, *fn.kinds])
        self.lines: list[Stmt] = []

    def emit(self, *stmts: Stmt) -> None:
        self.lines.extend(stmts)

    def name(self, stem: str, kind: Kind) -> str:
        """A fresh name."""
        name = self.namer.fresh(stem)
        self.kinds[name] = kind
        return name

    def like(self, name: str, stem: str) -> str:
        """A fresh name for something of the kind of `name`."""
        return self.name(stem, self.kinds[name])

    def results(self) -> Names:
        """Fresh names for the results of the function."""
        return tuple(self.name("y", kind_of(e, self.fn.kinds)) for e in self.fn.results)

    def zero(self, like: str) -> Expr:
        """Zero, of the shape of `like`."""
        if not self.kinds[like].is_array:
            return ZERO
        zero = self.like(like, "zero")
        self.emit(New(zero, Apply("zeros_like", (Var(like),)), self.fn.at))
        return Var(zero)

    def call(self, call: Call, targets: Iterable[str], args: Iterable[Expr]) -> None:
        """Call the function that a rule calls, with other names."""
        self.emit(replace(call, targets=tuple(targets), args=tuple(args), at=self.fn.at))

    def function(self, name: str, params: Names, results: Iterable[Expr], doc: str) -> Function:
        results = tuple(results)
        returns = Node(tuple(Leaf(f"r_{k}") for k in range(len(results))))
        return Function(
            name, params, tuple(self.lines), results, self.kinds, (), returns, doc=doc, at=self.fn.at
        )


# ----- pullbacks ---------------------------------------------------------------------------------------------


def pulled(name: str, fn: Function, pair: str, handler: Any, wrt: Names, of: Places) -> Function:
    """The pullback of a function as both its sweeps, on an arena of its own."""
    if written := written_params(fn):
        raise UnsupportedSyntaxError(
            f"`{fn.name}` is differentiated inside of a function, and writes into its argument `{written[0]}`",
            code="S076", at=fn.at,
        )  # fmt: skip
    new = Draft(fn)
    results = new.results()
    cotangents = tuple(new.like(results[k], f"{results[k]}_seed") for k in of)
    made = {p: new.like(p, f"{p}_b") for p in wrt}
    new.emit(*(New(made[p], Apply("zeros_like", (Var(p),)), fn.at) for p in handler.shadow_params))
    args = tuple(map(Var, fn.params))
    shadows = tuple(made[p] for p in handler.shadow_params)
    seeds = (*shadows, *(cotangents[of.index(k)] for k in handler.seeded))
    numbers = tuple(made[p] for p in handler.scalar_params)
    ahead = Call(results, pair, args, half="fwd", at=fn.at)
    back = Call(numbers, pair, (*args, *map(Var, seeds)), shadows, "rev", at=fn.at)
    new.emit(Frame((ahead, back), own=True, at=fn.at))
    outcome = tuple(made[p] for p in wrt)
    doc = f"`{fn.name}` and its pullback."
    function = new.function(name, (*fn.params, *cotangents), map(Var, (*results, *outcome)), doc)
    call = Call(results, fn.name, args)
    return replace(function, rule=Rule("pullback", (call,), wrt, cotangents, results, outcome, new.kinds, of))


def composed(name: str, fn: Function, wrt: Names, of: Places) -> Function:
    """The pullback of a function by its rule: both halves one after the other."""
    assert fn.rule is not None
    rule, new = fn.rule, Draft(fn)
    ahead, back = rule.calls
    new.emit(ahead)
    seeds = tuple(rule.given[k] for k in of)
    zeros = {g: new.zero(y) for g, y in zip(rule.given, rule.results, strict=True) if g not in seeds}
    new.call(back, back.targets, (zeros.get(a.name, a) if isinstance(a, Var) else a for a in back.args))
    made = dict(zip(rule.inputs, rule.made, strict=True))
    new.emit(*shapes_of_made(rule, wrt, new.kinds))
    outcome = [Var(made[p]) if made.get(p) else new.zero(p) for p in wrt]
    doc = f"`{fn.name}` and its pullback, by its rule."
    results = (*map(Var, rule.results), *outcome)
    return new.function(name, (*fn.params, *seeds), results, doc)


def written_params(fn: Function) -> Names:
    """Parameters that a function writes into."""
    same = classes(fn.body)
    written = {same[name] for s in statements(fn.body) for name in stored(s)}
    return tuple(p for p in fn.params if same[p] in written)


# ----- tangents ----------------------------------------------------------------------------------------------


def along(name: str, fn: Function, wrt: Names) -> Function:
    """The tangent of a function by its rule, for some of its parameters; the others have no tangent."""
    assert fn.rule is not None
    rule, new = fn.rule, Draft(fn)
    (call,) = rule.calls
    tangents = {p: new.like(p, f"{p}_t") for p in wrt}
    args = [Var(tangents[p]) if p in tangents else new.zero(p) for p in rule.inputs]
    new.call(call, call.targets, (*call.args[: len(fn.params)], *args))
    doc = f"`{fn.name}` and its tangent, by its rule."
    results = map(Var, (*rule.results, *rule.made))
    return new.function(name, (*fn.params, *tangents.values()), results, doc)


def transposed(name: str, fn: Function, wrt: Names, pull: str) -> Function:
    """The tangent of a function by the pullback `pull` of the pullback that its rule gives."""
    assert fn.rule is not None
    rule, new = fn.rule, Draft(fn)
    ahead, back = rule.calls
    made = dict(zip(rule.inputs, rule.made, strict=True))
    tangents = {p: new.like(p, f"{p}_t") for p in wrt}
    new.emit(ahead)
    zeros = [new.zero(y) for y in rule.results]
    outcome: list[Expr] = zeros
    if pull:
        kept = back.args[: len(back.args) - len(rule.given)]
        again = tuple(new.like(t, f"{t}_again") for t in back.targets)
        slopes = tuple(new.like(y, f"{y}_t") for y in rule.results)
        directions = [Var(tangents[p]) for p in wrt if made.get(p)]
        new.emit(Call((*again, *slopes), pull, (*kept, *zeros, *directions), at=fn.at))
        outcome = [Var(s) for s in slopes]
    doc = f"`{fn.name}` and its tangent: the pullback of its rule, transposed."
    results = (*map(Var, rule.results), *outcome)
    function = new.function(name, (*fn.params, *tangents.values()), results, doc)
    call = Call(rule.results, fn.name, tuple(map(Var, fn.params)))
    slopes = tuple(f"{y}_d" for y in rule.results)
    return replace(
        function,
        rule=Rule("tangent", (call,), wrt, tuple(tangents.values()), rule.results, slopes, new.kinds),
    )


# ----- pairs -------------------------------------------------------------------------------------------------


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
        """The first half forward; what it gives is kept; the second half on the way back."""
        rule, new, at = self.rule, self.new, self.fn.at
        ahead, back = rule.calls
        kept = [t for t in ahead.targets if t not in rule.results or Var(t) in back.args]
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
        new.call(back, back.targets, (taken.get(a.name, a) if isinstance(a, Var) else a for a in back.args))
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


def shapes_of_made(rule: Rule, wrt: Names, kinds: Mapping[str, Kind]) -> tuple[Stmt, ...]:
    """Checks that adjoints have the shapes of the arguments."""
    pairs = [(p, m) for p, m in zip(rule.inputs, rule.made, strict=True) if m and p in wrt]
    return tuple(check for p, m in pairs for check in same_shape(p, m, kinds))


def same_shape(one: str, other: str, kinds: Mapping[str, Kind], message: str = SHAPE) -> tuple[Stmt, ...]:
    """Raise where two arrays differ in shape."""
    tests = [
        Apply("ne", (Apply("shape", (Var(one), Const(k))), Apply("shape", (Var(other), Const(k)))))
        for k in range(kinds[one].ndim)
    ]
    if not tests:
        return ()
    test: Expr = tests[0]
    for more in tests[1:]:
        test = Apply("or", (test, more))
    return (If(test, (Raise("ValueError", (Const(message),)),)),)
