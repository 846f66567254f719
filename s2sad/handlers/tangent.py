"""Forward mode: every statement with its tangent beside it; works on any IR, an adjoint included.

`y = phi(u, v)` gives `y_d = phi_u * u_d + phi_v * v_d` and itself; births, sharing, keeping and ends of arrays happen
to the tangent arrays alike. Nothing stands below a `yield`: a tangent never comes back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from s2sad.analyses.activity import active as active_names
from s2sad.handlers.base import Halves, Handler, back, forward
from s2sad.handlers.prepare import REDUCTIONS, taken_out
from s2sad.handlers.pullback import is_whole
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
    Pop,
    Push,
    Raise,
    Rebind,
    Region,
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
from s2sad.ir.walk import leaves, map_body, nodes, statements, substitute, variables
from s2sad.ops.build import add, mul
from s2sad.ops.pullback import partials

ZERO = Const(0.0)
CREATIONS = ("zeros", "ones", "empty", "zeros_like", "ones_like", "empty_like")


@dataclass(frozen=True, slots=True)
class Tangent:
    """The tangent of a function.

    function   params: the primal's, then one tangent per name in `tangents`; results: the primal's, then their tangents
               (a Turn and its seeds are doubled likewise)
    tangents   active parameter -> name of its tangent
    partners   every active name -> name of its tangent
    """

    function: Function
    tangents: dict[str, str]
    partners: dict[str, str]


def tangent(fn: Function, wrt: Iterable[str]) -> Tangent:
    """The tangent of `fn` for the real parameters (or seeds of its Turn) `wrt`."""
    return Dual(fn, tuple(wrt)).run()


class Dual(Handler):
    """One run of the tangent handler over one function."""

    def __init__(self, fn: Function, wrt: tuple[str, ...]) -> None:
        super().__init__()
        self.fn, self.wrt = fn, wrt = reductions_named(fn), wrt
        turns = [s for s in statements(fn.body) if isinstance(s, Turn)]
        seeds = [n for t in turns for n in t.seeds]
        ends = [n for e in (*fn.results, *(e for t in turns for e in t.results)) for n in variables(e)]
        outputs = [*ends, *(n for n in (*seeds, *fn.params) if fn.kinds[n].is_array)]
        self.active = active_names(fn.body, wrt, outputs, fn.kinds)
        self.kinds: dict[str, Kind] = dict(fn.kinds)
        namer = Namer([*self.kinds, *fn.constants])
        self.namer = namer
        records = {s.record for s in statements(fn.body) if isinstance(s, Keep | Back)}
        stacks = {s.stack for s in statements(fn.body) if isinstance(s, Push | Pop)}
        self.partner: dict[str, str] = {}
        for name in (*fn.kinds, *sorted(records | stacks)):
            if name in self.active and name not in self.partner:
                self.partner[name] = namer.fresh(f"{name}_d")
                if name in fn.kinds:
                    self.kinds[self.partner[name]] = fn.kinds[name]

    def run(self) -> Tangent:
        fn = self.fn
        for p in fn.params:
            if p in self.active and p not in self.wrt:  # becomes active later
                zero = Apply("zeros_like", (Var(p),))
                start = (
                    New(self.partner[p], zero) if self.kinds[p].is_array else Assign(self.partner[p], ZERO)
                )
                self.emit(start)
        body = self.split(fn.body)
        forward(body)
        back(body)
        tangents = {p: self.partner[p] for p in self.wrt if p in fn.params}
        function = replace(
            fn,
            params=(*fn.params, *tangents.values()),
            body=tuple(self.lines),
            results=(*fn.results, *(self.result(e) for e in fn.results)),
            kinds=self.kinds,
        )
        return Tangent(function, tangents, dict(self.partner))

    # ----- derivatives of expressions

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
            case Apply(op="copy" | "own", args=(inner,)):
                return self.d(inner, y)
        total: Expr = ZERO
        for leaf, partial in partials(expr, self.wanted, y).items():
            total = add(total, mul(partial, self.of(leaf)))
        return total

    def of(self, leaf: Expr) -> Expr:
        """The tangent of a leaf."""
        if isinstance(leaf, Load):
            return Load(self.partner[leaf.array], leaf.index)
        assert isinstance(leaf, Var)
        return Var(self.partner[leaf.name])

    def shaped(self, expr: Expr, y: Var | None = None) -> Expr:
        """The tangent of an array expression, in the expression's own shape."""
        value = self.d(expr, y)
        if self.arrays(expr) <= self.arrays(value):
            return value
        t = self.namer.fresh("t_d")
        self.kinds[t] = Kind("real", max((ndim(leaf, self.kinds) for leaf in self.arrays(expr)), default=1))
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

    # ----- one generator per node

    def Assign(self, s: Assign) -> Halves:
        if s.target in self.active:
            target, own = self.partner[s.target], s.target in variables(s.value)
            if own:
                self.emit(Assign(target, self.d(s.value), s.at), s)
            else:
                self.emit(s, Assign(target, self.d(s.value, Var(s.target)), s.at))
        else:
            self.emit(s)
        yield

    def Store(self, s: Store) -> Halves:
        if s.array in self.active:
            self.emit(Store(self.partner[s.array], s.index, self.d(s.value), s.at))
        self.emit(s)
        yield

    def Update(self, s: Update) -> Halves:
        if s.array in self.active:
            self.emit(Update(self.partner[s.array], self.d(s.value), s.at))
        self.emit(s)
        yield

    def New(self, s: New) -> Halves:
        self.emit(s)
        yield_ = s.target in self.active
        if yield_:
            self.emit(New(self.partner[s.target], self.birth(s.value, Var(s.target)), s.at))
        yield

    def birth(self, value: Expr, y: Var) -> Expr:
        """What a tangent array is made of, beside the array `y` made of `value`."""
        match value:
            case Apply(op="slots"):
                return value
            case Apply(op="grown", args=(Var() as grown,)):
                return Apply("grown", (self.of(grown),))
            case Apply(op="zeros" | "ones" | "empty" | "zeros_like" | "ones_like" | "empty_like"):
                return Apply("zeros_like", (y,))
            case Apply(op="full" | "full_like", args=args):
                fill = self.d(args[0 if value.op == "full" else 1])
                return Apply("zeros_like", (y,)) if fill == ZERO else Apply("full_like", (y, fill))
            case Apply(op="copy" | "own", args=(inner,)):
                born = self.birth(inner, y)
                return (
                    born
                    if born == Apply("zeros_like", (y,)) and value.op == "copy"
                    else Apply(value.op, (born,))
                )
            case Var() if not self.wanted(value):
                return Apply("zeros_like", (y,))
        if not any(map(self.wanted, nodes(value))):
            return Apply("zeros_like", (y,))
        return self.shaped(value, y)

    def View(self, s: View) -> Halves:
        self.emit(s)
        if s.target in self.active:
            self.emit(View(self.partner[s.target], self.partner[s.array], s.index, s.at))
        yield

    def Rebind(self, s: Rebind) -> Halves:
        self.emit(s)
        if s.targets[0] in self.active:
            pairs = [(self.partner[t], self.partner[n]) for t, n in zip(s.targets, s.sources, strict=True)]
            self.emit(Rebind(tuple(t for t, _ in pairs), tuple(n for _, n in pairs), s.at))
        yield

    def Release(self, s: Release) -> Halves:
        self.emit(s)
        if s.name in self.active:
            self.emit(Release(self.partner[s.name], s.at))
        yield

    def Keep(self, s: Keep) -> Halves:
        self.emit(s)
        if s.record in self.active:
            self.emit(replace(s, record=self.partner[s.record], name=self.partner[s.name]))
        yield

    def Back(self, s: Back) -> Halves:
        if s.record in self.active:
            self.emit(replace(s, record=self.partner[s.record], name=self.partner[s.name]))
        self.emit(s)
        yield

    def Push(self, s: Push) -> Halves:
        self.emit(s)
        if s.stack in self.active:
            self.emit(Push(self.partner[s.stack], self.d(s.value), s.at))
        yield

    def Pop(self, s: Pop) -> Halves:
        if s.stack in self.active:
            self.emit(Pop(self.partner[s.stack], self.partner[s.name], s.at))
        self.emit(s)
        yield

    def Accumulate(self, s: Accumulate) -> Halves:
        name = s.target.name if isinstance(s.target, Var) else s.target.array
        if name in self.active:
            whole = isinstance(s.target, Var) and self.kinds[name].is_array
            value = (
                self.shaped(s.value) if whole and any(map(self.wanted, nodes(s.value))) else self.d(s.value)
            )
            if value != ZERO:
                target = self.of(s.target)
                assert isinstance(target, Var | Load)
                self.emit(Accumulate(target, value, s.at))
        self.emit(s)
        yield

    def Turn(self, s: Turn) -> Halves:
        given = [n for n in s.seeds if n in self.active and (self.kinds[n].is_array or n in self.wrt)]
        results = (*s.results, *(self.result(e) for e in s.results))
        self.emit(Turn(results, (*s.seeds, *(self.partner[n] for n in given)), s.at))
        self.emit(
            *(Assign(self.partner[n], ZERO, s.at) for n in s.seeds if n in self.active and n not in given)
        )
        yield

    def nest(self, body: Iterable[Stmt]) -> tuple[Stmt, ...]:
        with self.block() as lines:
            halves = self.split(body)
            forward(halves)
            back(halves)
        return tuple(lines)

    def For(self, s: For) -> Halves:
        self.emit(replace(s, body=self.nest(s.body)))
        yield

    def While(self, s: While) -> Halves:
        self.emit(replace(s, body=self.nest(s.body)))
        yield

    def If(self, s: If) -> Halves:
        self.emit(replace(s, then=self.nest(s.then), orelse=self.nest(s.orelse)))
        yield

    def Region(self, s: Region) -> Halves:
        self.emit(replace(s, body=self.nest(s.body)))
        yield

    def Raise(self, s: Raise) -> Halves:
        self.emit(s)
        yield


def ndim(leaf: Expr, kinds: Mapping[str, Kind]) -> int:
    """The number of dimensions of an array leaf."""
    return kinds[leaf.name].ndim if isinstance(leaf, Var) else kind_of_section(leaf).ndim


def kind_of_section(leaf: Expr) -> Kind:
    """The kind of a real section."""
    assert isinstance(leaf, Load)
    return Kind("real", sum(isinstance(sub, Slice) or sub == Const(None) for sub in leaf.index))


def reductions_named(fn: Function) -> Function:
    """`fn` with every reduction that stands inside a larger expression as a statement of its own."""
    kinds = dict(fn.kinds)
    namer = Namer([*kinds, *fn.constants])
    real = frozenset(n for n, k in kinds.items() if k.base == "real")

    def name(stem: str, kind: Kind) -> str:
        kinds[made := namer.fresh(stem)] = kind
        return made

    def out(expr: Expr, into: list[Stmt], stmt: Stmt, root: bool) -> Expr:
        return taken_out(expr, into, stmt, root, real, kinds, name, lambda _: False)

    def settle(stmt: Stmt) -> Iterator[Stmt]:
        before: list[Stmt] = []
        match stmt:
            case Assign():
                stmt = replace(stmt, value=out(stmt.value, before, stmt, True))
            case New() | Update() | Store() | Accumulate():
                stmt = replace(stmt, value=out(stmt.value, before, stmt, False))
        yield from before
        yield stmt

    body = list(map_body(settle, fn.body))
    if not any(isinstance(s, Turn) for s in body):
        k = len(body)
        while k > 0 and isinstance(body[k - 1], Release):
            k -= 1
        tail: list[Stmt] = []
        at = Assign("", ZERO, fn.at)
        fn = replace(fn, results=tuple(out(e, tail, at, False) for e in fn.results))
        body[k:k] = tail
    return replace(fn, body=tuple(body), kinds=kinds)


__all__ = ["REAL", "Tangent", "tangent"]
