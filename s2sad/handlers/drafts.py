"""Functions put together from calls: pullbacks and tangents of functions, by their sweeps or by their rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from s2sad.analyses.entities import classes
from s2sad.errors import UnsupportedSyntaxError
from s2sad.handlers.stretches import stored
from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    Apply,
    Call,
    Const,
    Expr,
    Frame,
    Function,
    If,
    Kind,
    Leaf,
    New,
    Node,
    Raise,
    Rule,
    Stmt,
    Var,
)
from s2sad.ir.walk import statements
from s2sad.ops.build import ZERO, add
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

    def sum(self, one: Expr, other: str) -> Expr:
        """The sum of two numbers, or of two arrays."""
        if not self.kinds[other].is_array:
            return add(one, Var(other))
        made = self.like(other, other)
        self.emit(New(made, add(one, Var(other)), self.fn.at))
        return Var(made)

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
    ahead, *halves = rule.calls
    new.emit(ahead)
    seeds = tuple(rule.given[k] for k in of)
    zeros = {g: new.zero(y) for g, y in zip(rule.given, rule.results, strict=True) if g not in seeds}
    made = dict(zip(rule.inputs, rule.made, strict=True))
    for half in halves:
        if any(made.get(p) in half.targets for p in wrt):
            args = (zeros.get(a.name, a) if isinstance(a, Var) else a for a in half.args)
            new.call(half, half.targets, args)
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


def transposed(name: str, fn: Function, wrt: Names, pulls: Iterable[tuple[Call, str]]) -> Function:
    """The tangent of a function by its rule: the second halves, each with its pullback; a pullback with a tangent."""
    assert fn.rule is not None
    rule, new = fn.rule, Draft(fn)
    made = dict(zip(rule.inputs, rule.made, strict=True))
    tangents = {p: new.like(p, f"{p}_t") for p in wrt}
    new.emit(rule.calls[0])
    zeros = [new.zero(y) for y in rule.results]
    zero = dict(zip(rule.given, zeros, strict=True))
    outcome: list[Expr] = []
    given = {t for back, _ in pulls for t in back.targets}
    for back, pull in pulls:
        args = [a for a in back.args if back.targets or not isinstance(a, Var) or a.name not in zero]
        args = [zero.get(a.name, a) if isinstance(a, Var) else a for a in args]
        again = tuple(new.like(t, f"{t}_again") for t in back.targets or rule.results)
        slopes = tuple(new.like(y, f"{y}_t") for y in rule.results)
        mine = (
            p
            for p in wrt
            if made.get(p) and (made[p] in back.targets if back.targets else made[p] not in given)
        )
        new.emit(Call((*again, *slopes), pull, (*args, *(Var(tangents[p]) for p in mine)), at=fn.at))
        outcome = (
            [new.sum(*pair) for pair in zip(outcome, slopes, strict=True)] if outcome else [*map(Var, slopes)]
        )
    outcome = outcome or zeros
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
