"""Tangents of expressions and of calls of halves: what the tangent handler builds its statements from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from s2sad.handlers.base import Onward
from s2sad.handlers.prepare import REDUCTIONS, apart
from s2sad.handlers.pullback import is_whole
from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    Apply,
    Assign,
    Call,
    Const,
    Expr,
    Kind,
    Load,
    New,
    Slice,
    Turn,
    Update,
    Var,
)
from s2sad.ir.walk import leaves, map_expr, nodes, substitute
from s2sad.ops import OPS
from s2sad.ops.build import add, div, mul
from s2sad.ops.complexes import PARTS
from s2sad.ops.kinds import kind_of
from s2sad.ops.pullback import PART, partial, partials, push_rule

ZERO = Const(0.0)


class Doubles(Onward):
    """Knows the partner of every active name."""

    active: frozenset[str]
    partner: dict[str, str]
    kinds: dict[str, Kind]
    namer: Namer
    wrt: tuple[str, ...]
    program: Any

    def wanted(self, leaf: Expr) -> bool:
        return (
            leaf.name if isinstance(leaf, Var) else leaf.array if isinstance(leaf, Load) else ""
        ) in self.active

    def d(self, expr: Expr, y: Var | None = None) -> Expr:
        """The tangent of a scalar or elementwise expression."""
        match expr:
            case Apply(op="sum", args=(inner,)):
                if isinstance(inner, Var):
                    return Apply("sum", (self.of(inner),)) if self.wanted(inner) else ZERO
                return Apply("sum", (self.shaped(inner),)) if any(map(self.wanted, nodes(inner))) else ZERO
            case Apply(op=op, args=(Var() as array,)) if op in REDUCTIONS:
                if not self.wanted(array):
                    return ZERO
                (slope,) = partials(expr, self.wanted, y).values()
                return Apply("sum", (mul(slope, self.of(array)),))
            case Apply(op="copy" | "own" | "own_as", args=(inner,)):
                return self.d(inner, y)
        if any(apart(node, self.kinds) or is_matrix(node) for node in nodes(expr)):
            return self.through(expr, y)
        total: Expr = ZERO
        for leaf, slope in partials(expr, self.wanted, y).items():
            total = add(total, mul(slope, self.of(leaf)))
        return total

    def through(self, expr: Expr, y: Expr | None = None) -> Expr:
        """The tangent of an expression with parts of complex numbers or matrix operations in it, by operands."""
        match expr:
            case Var() | Load():
                return self.of(expr) if self.wanted(expr) else ZERO
            case Apply(op=op, args=args):
                if not any(self.wanted(leaf) for leaf in leaves(expr)):
                    return ZERO
                inner = [self.through(arg) for arg in args]
                if is_matrix(expr):
                    given = {**dict(zip(OPS[op].fixed, args, strict=True)), "y": expr if y is None else y}
                    return self.pushed(op, given, inner)
                if op == "sum":
                    return Apply("sum", (inner[0],)) if inner[0] != ZERO else ZERO
                if op in PARTS:
                    return Apply(op, (inner[0],)) if inner[0] != ZERO else ZERO
                if apart(expr, self.kinds):
                    along = Apply("real", (mul(Apply("conj", (args[0],)), inner[0]),))
                    return Apply("where", (Apply("eq", (expr, ZERO)), ZERO, div(along, expr)))
                total: Expr = ZERO
                for k, tangent in enumerate(inner):
                    total = add(total, mul(partial(expr, k), tangent)) if tangent != ZERO else total
                return total
        return ZERO

    def pushed(self, key: str, given: Mapping[str, Expr], tangents: Sequence[Expr], result: int = 0) -> Expr:
        """What the tangents of its operands give a result of a matrix operation; parts of the rules get names."""
        total: Expr = ZERO
        for k, tangent in enumerate(tangents):
            if tangent != ZERO and (rule := push_rule(key, k, result)):
                operand = given.get(OPS[key].fixed[k], tangent) if k < len(OPS[key].fixed) else tangent
                values = {**given, "d": self.typed(tangent, kind_of(operand, self.kinds))}
                for name, part in rule.parts:
                    values[name] = self.named(put(values, part), name.removeprefix(PART))
                total = add(total, put(values, rule.value))
        return total

    def typed(self, tangent: Expr, kind: Kind) -> Expr:
        """The tangent of an array, in the array's own type: what it is made of may be wider, or narrower."""
        if not kind.is_array or kind_of(tangent, self.kinds).base == kind.base:
            return tangent
        if kind.base == "complex":
            return Apply("add", (tangent, Const(0j)))
        if not kind.is_real:
            return tangent
        return Apply("float32" if kind.base == "single" else "float64", (tangent,))

    def named(self, value: Expr, wish: str) -> Var:
        """An expression under a name of its own."""
        name, kind = self.namer.fresh(wish), kind_of(value, self.kinds)
        self.kinds[name] = kind
        self.emit(New(name, value) if kind.is_array else Assign(name, value))
        return Var(name)

    def several(self, s: Call) -> None:
        """An operation with several results: the tangent of each that is active, beside it."""
        row = OPS[s.function]
        given = dict(zip((*row.fixed, *row.results), (*s.args, *map(Var, s.targets)), strict=True))
        tangents = [self.of(arg) if self.wanted(arg) else ZERO for arg in s.args]
        self.emit(s)
        for j, target in enumerate(s.targets):
            if target in self.active:
                value = self.pushed(s.function, given, tangents, j)
                if self.kinds[target].is_array:
                    made = value if value != ZERO else Apply("zeros_like", (Var(target),))
                    self.emit(New(self.partner[target], made, s.at))
                else:
                    self.emit(Assign(self.partner[target], value, s.at))

    def of(self, leaf: Expr) -> Expr:
        """The tangent of a leaf."""
        if isinstance(leaf, Load):
            return Load(self.partner[leaf.array], leaf.index)
        assert isinstance(leaf, Var)
        return Var(self.partner[leaf.name])

    def shaped(self, expr: Expr, y: Var | None = None) -> Expr:
        """The tangent of an array expression, in the expression's own shape."""
        value = self.d(expr, y)
        if is_matrix(expr) and value != ZERO:
            return value
        if self.arrays(expr) <= self.arrays(value):
            return value
        t = self.namer.fresh("t_d")
        most = max((ndim(leaf, self.kinds) for leaf in self.arrays(expr)), default=1)
        self.kinds[t] = Kind(kind_of(expr, self.kinds).base if y is None else self.kinds[y.name].base, most)
        self.emit(New(t, Apply("zeros_like", (y if y is not None else expr,))))
        self.emit(Update(t, value))
        return Var(t)

    def arrays(self, expr: Expr) -> set[Expr]:
        """The array leaves of an expression, tangents counted as what they are tangents of."""
        primal: dict[str, Expr] = {p: Var(n) for n, p in self.partner.items()}
        return {substitute(primal, leaf) for leaf in leaves(expr) if is_whole(leaf, self.kinds)}

    def result(self, expr: Expr) -> Expr:
        """The tangent of a result; zero where it doesn't depend on the inputs."""
        match expr:
            case Apply(op="copy", args=(Var(name=name) as array,)):
                return (
                    Apply("copy", (self.of(array),)) if name in self.active else Apply("zeros_like", (array,))
                )
            case Var(name=name) if self.kinds[name].is_array and name not in self.active:
                return Apply("zeros_like", (expr,))
        return self.d(expr)

    def half(self, s: Call) -> None:
        """A half of a pair: every real argument has a tangent, zero where it is not active."""
        name, other = self.program.pair(s.function)
        fn = self.program.sweeps[s.function]
        turn = next(t for t in fn.body if isinstance(t, Turn))
        args, seeds = list(s.args[: len(fn.params)]), list(s.args[len(fn.params) :])
        args += [
            self.tangent_of(a)
            for p, a in zip(fn.params, s.args, strict=False)
            if fn.kinds[p].is_real or fn.kinds[p].base == "complex"
        ]
        if s.half == "rev":
            given = other.seeds_given(turn)
            seeds += [self.tangent_of(a) for n, a in zip(turn.seeds, tuple(seeds), strict=True) if n in given]
        self.emit(
            replace(
                s,
                function=name,
                args=(*args, *seeds),
                targets=self.doubled(s.targets),
                writes=self.both(s.writes),
            )
        )

    def tangent_of(self, arg: Expr) -> Expr:
        """The tangent of an argument; zero where it is not active."""
        if self.wanted(arg):
            return self.of(arg)
        if not (isinstance(arg, Var) and self.kinds[arg.name].is_array):
            return self.d(arg)
        t = self.namer.fresh("zero")
        self.kinds[t] = self.kinds[arg.name]
        self.emit(New(t, Apply("zeros_like", (arg,))))
        return Var(t)

    def doubled(self, targets: tuple[str, ...]) -> tuple[str, ...]:
        """Targets and their tangents; a tangent that nobody wants goes to a name of its own."""
        unwanted = [t for t in targets if t not in self.partner]
        for t in unwanted:
            self.partner[t] = self.namer.fresh(f"{t}_d")
            self.kinds[self.partner[t]] = self.kinds[t].slope
        return (*targets, *(self.partner[t] for t in targets))

    def both(self, arrays: tuple[str, ...]) -> tuple[str, ...]:
        return (*arrays, *(self.partner[a] for a in arrays if a in self.active))

    def seeds_given(self, turn: Turn) -> list[str]:
        """Seeds of a Turn that come with a tangent."""
        return [n for n in turn.seeds if n in self.active and (self.kinds[n].is_array or n in self.wrt)]


def is_slots(expr: Expr) -> bool:
    """Does an expression make an array for values that are kept?"""
    return isinstance(expr, Apply) and expr.op in ("slots", "disk_slots")


def is_matrix(expr: Expr) -> bool:
    """Is an expression a product or factorisation of matrices?"""
    return isinstance(expr, Apply) and OPS[expr.op].structural == "matrix"


def put(values: Mapping[str, Expr], formula: Expr) -> Expr:
    """A formula with expressions for its names."""
    return map_expr(lambda node: values.get(node.name, node) if isinstance(node, Var) else node, formula)


def ndim(leaf: Expr, kinds: Mapping[str, Kind]) -> int:
    """The number of dimensions of an array leaf."""
    return kinds[leaf.name].ndim if isinstance(leaf, Var) else kind_of_section(leaf).ndim


def kind_of_section(leaf: Expr) -> Kind:
    """The kind of a real section."""
    assert isinstance(leaf, Load)
    return Kind("real", sum(isinstance(sub, Slice) or sub == Const(None) for sub in leaf.index))
