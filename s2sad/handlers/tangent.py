"""Forward mode: every statement with its tangent beside it; works on any IR, an adjoint included.

`y = phi(u, v)` gives `y_d = phi_u * u_d + phi_v * v_d` and itself; births, sharing, keeping and ends of arrays happen
to the tangent arrays alike. Nothing stands below a `yield`: a tangent never comes back.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from s2sad.analyses.activity import active as active_names
from s2sad.handlers.base import Halves, back, forward
from s2sad.handlers.doubles import Doubles, is_slots
from s2sad.handlers.reductions import reductions_named
from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    Accumulate,
    Apply,
    Assign,
    Back,
    Bind,
    Call,
    Const,
    Expr,
    Function,
    Keep,
    Kind,
    Load,
    New,
    Pop,
    Push,
    Rebind,
    Release,
    Store,
    Turn,
    Update,
    Var,
    View,
)
from s2sad.ir.walk import nodes, statements, variables
from s2sad.ops import several
from s2sad.ops.calm import calm

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


class Dual(Doubles):
    """One run of the tangent handler over one function."""

    def __init__(self, fn: Function, wrt: tuple[str, ...], program: Any) -> None:
        super().__init__()
        self.program = program
        self.layers = 1
        self.turned = False  # in the reverse sweep
        self.fn, self.wrt = fn, wrt = reductions_named(fn), wrt
        turns = [s for s in statements(fn.body) if isinstance(s, Turn)]
        seeds = [n for t in turns for n in t.seeds]
        ends = [n for e in (*fn.results, *(e for t in turns for e in t.results)) for n in variables(e)]
        outputs = [*ends, *(n for n in (*seeds, *fn.params) if fn.kinds[n].is_array)]
        found = active_names(fn.body, wrt, outputs, fn.kinds)
        self.active = frozenset(n for n in found if n not in fn.kinds or fn.kinds[n].base != "pool")
        self.kinds: dict[str, Kind] = dict(fn.kinds)
        namer = Namer([*self.kinds, *fn.constants])
        self.namer = namer
        records = {s.record for s in statements(fn.body) if isinstance(s, Keep | Back)}
        stacks = {s.stack for s in statements(fn.body) if isinstance(s, Push | Pop)}
        kept = {
            s.target
            for s in statements(fn.body)
            if isinstance(s, New) and is_slots(s.value) and fn.kinds[s.target].base == "single"
        }
        self.partner: dict[str, str] = {}
        for name in (*fn.kinds, *sorted(records | stacks)):
            if name in self.active and name not in self.partner:
                self.partner[name] = namer.fresh(f"{name}_d")
                if name in fn.kinds:
                    kind = fn.kinds[name]
                    self.kinds[self.partner[name]] = Kind("real", kind.ndim) if name in kept else kind.slope

    def run(self) -> Tangent:
        fn = self.fn
        late = [p for p in fn.params if p in self.active and p not in self.wrt]  # those become active later
        turned = any(isinstance(s, Turn) for s in fn.body)
        self.late = [self.partner[p] for p in late if self.kinds[p].is_array and turned]
        for p in late:
            zero = Apply("zeros_like", (Var(p),))
            if self.kinds[p].is_array:
                self.emit(New(self.partner[p], Apply("own", (zero,)) if turned else zero))
            else:
                self.emit(Assign(self.partner[p], ZERO))
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

    def d(self, expr: Expr, y: Var | None = None) -> Expr:
        """The tangent of an expression: by zero it divides without an error, as the reverse sweep is compiled to do."""
        slope = super().d(expr, y)
        return slope if self.turned else calm(slope, self.kinds)

    # ----- one generator per node

    def Assign(self, s: Assign) -> Halves:
        if s.target in self.active:
            target, own = self.partner[s.target], s.target in variables(s.value)
            if own:
                self.emit(Assign(target, self.d(s.value), s.at), s)
            else:
                self.emit(s)
                self.emit(Assign(target, self.d(s.value, Var(s.target)), s.at))
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
        match s.value:
            case Apply(op="new_places", args=(pool, Const(value=layers))):
                self.layers = (
                    layers  # adjoints of tangents have places of their own, behind those of the adjoints
                )
                s = replace(s, value=Apply("new_places", (pool, Const(2 * layers))))
        self.emit(s)
        yield_ = s.target in self.active
        if yield_:
            born = self.birth(s.value, Var(s.target))
            if isinstance(born, Var | Load):
                born = Apply("copy", (born,))
            self.emit(New(self.partner[s.target], born, s.at))
        yield

    def birth(self, value: Expr, y: Var) -> Expr:
        """What a tangent array is made of, beside the array `y` made of `value`."""
        match value:
            case Apply(op="slots"):
                return value
            case Apply(op="place" | "part" as op, args=(places, index, like, Const(value=layer), *pool)):
                return Apply(op, (places, index, like, Const(layer + self.layers), *pool))
            case Apply(op="grown", args=(Var() as grown,)):
                return Apply("grown", (self.of(grown),))
            case Apply(op="zeros" | "ones" | "empty" | "zeros_like" | "ones_like" | "empty_like"):
                return Apply("zeros_like", (y,))
            case Apply(op="full" | "full_like", args=args):
                fill = self.d(args[0 if value.op == "full" else 1])
                return Apply("zeros_like", (y,)) if fill == ZERO else Apply("full_like", (y, fill))
            case Apply(op="copy" | "own" | "own_as", args=(inner,)):
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
        return self.typed(self.shaped(value, y), self.kinds[y.name])

    def Bind(self, s: Bind) -> Halves:
        self.emit(s)
        if s.target in self.active:
            self.emit(replace(s, target=self.partner[s.target], source=self.partner[s.source]))
        yield

    def View(self, s: View) -> Halves:
        self.emit(s)
        if s.target in self.active:
            self.emit(replace(s, target=self.partner[s.target], array=self.partner[s.array]))
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
        given = self.seeds_given(s)
        results = (*s.results, *(self.result(e) for e in s.results))
        self.turned = True
        self.emit(*(Keep(name, name, "hold") for name in self.late))
        self.emit(replace(s, results=results, seeds=(*s.seeds, *(self.partner[n] for n in given))))
        self.emit(*(Back(name, name) for name in reversed(self.late)))
        self.emit(
            *(Assign(self.partner[n], ZERO, s.at) for n in s.seeds if n in self.active and n not in given)
        )
        yield

    def Call(self, s: Call) -> Halves:
        if s.function in ("place_at", "part_at"):
            places, index, array, layer, *like = s.args
            self.emit(s)
            if isinstance(array, Var) and isinstance(layer, Const) and array.name in self.active:
                behind = Const(layer.value + self.layers)
                self.emit(replace(s, args=(places, index, self.of(array), behind, *like)))
        elif s.half:
            self.half(s)
        elif several(s.function):
            self.several(s)
        elif not any(n in self.active for n in (*s.targets, *s.writes)):
            self.emit(s)
        else:
            params = self.program.functions[s.function].params
            given = [
                (p, a) for p, a in zip(params, s.args, strict=True) if isinstance(a, Var) and self.wanted(a)
            ]
            name = self.program.callee(s.function, tuple(p for p, _ in given))
            args = (*s.args, *(self.of(a) for _, a in given))
            self.emit(
                replace(
                    s, function=name, args=args, targets=self.doubled(s.targets), writes=self.both(s.writes)
                )
            )
        yield
