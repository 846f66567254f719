"""Compute expressions: what a tape of entities puts down as one statement.

A Python statement is one, whatever operations it is made of: what comes into being on the way has no index, and is
formed again in the sweeps. It is taken out as a function of its operands::

    return np.linalg.solve(M, v2 - v1) + v1    ->    r = compute(M, v1, v2)      one statement, three operands

What it gives is born (an array), assigned (a number), or stored (some elements of an array, whose index stays).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    Apply,
    Assign,
    Bind,
    Call,
    Const,
    Expr,
    Function,
    If,
    Kind,
    Leaf,
    Load,
    New,
    Node,
    Rebind,
    Release,
    Slice,
    Stmt,
    Store,
    Update,
    Var,
    View,
)
from s2sad.ir.walk import (
    blocks,
    expressions,
    is_section,
    nodes,
    reads,
    rebuild,
    statements,
    variables,
    writes,
)
from s2sad.ops.kinds import kind_of
from s2sad.plan.values import Values
from s2sad.source import Span


@dataclass(frozen=True, slots=True)
class Held:
    """An operand with one index and several fields: how many it has; those that are read, by parameter."""

    size: int
    fields: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Compute:
    """A compute expression.

    function  operands -> results; its parameters are the arrays, the numbers, and what is given
    arrays    operands with an index each; numbers, and values of several: the same, which may be passive when it comes
              to it
    given     operands without a derivative: their values go on the tape
    form      what becomes of the results: they are made (numbers, and arrays that are born), or one is stored
    target    what is stored into, in terms of the arrays and of the views that stand before it
    gives     results that are the fields of one value
    """

    function: Function
    arrays: tuple[str, ...]
    numbers: tuple[str, ...]
    given: tuple[str, ...]
    form: Literal["made", "stored"]
    target: Var | Load | None = None
    views: tuple[View, ...] = ()
    at: Span = field(default_factory=Span, compare=False)
    values: tuple[Held, ...] = ()
    gives: tuple[tuple[str, ...], ...] = ()

    @property
    def results(self) -> tuple[str, ...]:
        """The names of its results."""
        return tuple(e.name for e in self.function.results if isinstance(e, Var))

    @property
    def lefts(self) -> tuple[str, ...]:
        """The results that get an index."""
        return self.results if self.form == "made" else ()

    def is_array(self, name: str) -> bool:
        """Is an operand, or a result, an array?"""
        return self.function.kinds[name].is_array

    @property
    def items(self) -> int:
        """How many indices it has on the tape."""
        fields = sum(len(v) - 1 for v in self.gives)
        return len(self.arrays) + len(self.numbers) + len(self.values) + len(self.lefts) - fields

    @property
    def axes(self) -> tuple[int, ...]:
        """Numbers of axes of the arrays that have to do with it."""
        names = (*self.arrays, *filter(self.is_array, self.lefts))
        return tuple(sorted({self.function.kinds[n].ndim for n in names}))

    @property
    def sizes(self) -> tuple[int, ...]:
        """Numbers of fields of the values that have to do with it."""
        return tuple(sorted({*(held.size for held in self.values), *map(len, self.gives)}))

    @property
    def active(self) -> tuple[str, ...]:
        """The operands with derivatives."""
        return (*self.arrays, *self.numbers, *(n for held in self.values for n, _ in held.fields))


@dataclass(frozen=True, slots=True)
class Operands:
    """Where the operands of a compute expression come from: name in its function -> name, or expression, here.

    late  what is given as it is after the statements
    names  of numbers, here, where they are others
    """

    arrays: Mapping[str, str]
    numbers: Mapping[str, Expr]
    given: Mapping[str, Expr]
    late: frozenset[str] = frozenset()
    names: Mapping[str, str] = field(default_factory=dict)


def bound_after(body: Iterable[Stmt]) -> tuple[str, ...]:
    """Names that statements bind, and don't let go again."""
    found: dict[str, None] = {}
    for stmt in body:
        match stmt:
            case New(target=name) | View(target=name) | Bind(target=name):
                found[name] = None
            case Call(targets=names):
                found |= dict.fromkeys(names)
            case Rebind(targets=targets, sources=sources):
                for name in sources:
                    found.pop(name, None)
                found |= dict.fromkeys(targets)
            case Release(name=name):
                found.pop(name, None)
            case If(then=then, orelse=orelse):
                other = bound_after(orelse)
                found |= dict.fromkeys(n for n in bound_after(then) if n in other)
    return tuple(found)


class Computes:
    """Takes compute expressions out of a function."""

    def __init__(
        self, fn: Function, active: frozenset[str], kinds: Mapping[str, Kind], values: Values
    ) -> None:
        self.fn, self.active, self.kinds, self.values = fn, active, kinds, values

    def _held(self, names: Mapping[str, str]) -> tuple[tuple[str, ...], tuple[Held, ...]]:
        """Parameters (and what is passed) that are numbers; values whose fields the others are."""
        fields: dict[str, list[tuple[str, int]]] = {}
        for p, name in names.items():
            if name in self.values.of:
                place = self.values.of[name].index(name)
                fields.setdefault(self.values.first(name), []).append((p, place))
        values = tuple(Held(len(self.values.of[n]), tuple(found)) for n, found in fields.items())
        return tuple(p for p, n in names.items() if n not in self.values.of), values

    def _gives(self, results: Mapping[str, str]) -> tuple[tuple[str, ...], ...]:
        """Results (names here, names there) that are the fields of one value."""
        return tuple(
            tuple(results[n] for n in whole) for whole in self.values.wholes(results) if len(whole) > 1
        )

    def taken(
        self,
        part: Sequence[Stmt],
        results: Sequence[str],
        views: Mapping[str, View],
        inside: Iterable[str] = (),
        alone: bool = False,
    ) -> tuple[Compute, Operands]:
        """What statements do, as a function of their operands that gives these results.

        views  name of a view -> how it comes from its array, subscripts as they were then
        inside names that nobody else knows
        alone  the last statement stores: what its value is to be called is in `results`
        """
        made = _Taking(self, views, inside)
        last = part[-1]
        target: Var | Load | None = None
        if alone:
            assert isinstance(last, Store | Update)
            before = [made.statement(s, len(part) == 1) for s in part[:-1]]
            index = tuple(map(made.place, last.index)) if isinstance(last, Store) else ()
            value = made.expr(last.value) if len(part) == 1 else made.plain(last.value)
            target = Load(last.array, index) if index else Var(last.array)
            made.array(last.array)
            body = [*before, *self._value(results[0], target, value, last, made)]
        else:
            body = [made.statement(s, len(part) == 1) for s in part]
        chain = made.chain
        born = [n for n in bound_after(body) if made.array_kind(n)]
        ends = [Release(n, last.at) for n in (*reversed(born), *(v.target for v in reversed(chain)))]
        names = (*made.arrays, *made.numbers, *made.given)
        inside = {n for s in statements((*chain, *body)) for n in (*reads(s), *writes(s))}
        inside |= {*names, *results}
        kinds = {**{n: self.kinds[n] for n in inside if n in self.kinds}, **made.kinds}
        constants = {n: v for n, v in self.fn.constants.items() if n in inside}
        function = Function(
            self.fn.name, names, (*chain, *body, *ends), tuple(map(Var, results)), kinds, (),
            Node(tuple(Leaf(n) for n in results)), constants, at=last.at,
        )  # fmt: skip
        numbers, values = self._held({n: n for n in made.numbers})
        compute = Compute(
            function, tuple(made.arrays), numbers, tuple(made.given), "stored" if alone else "made", target,
            leading_to(target, chain), last.at, values, self._gives({n: n for n in results}),
        )  # fmt: skip
        return compute, Operands(made.arrays, made.numbers, made.given, frozenset(made.late))

    def called(
        self,
        s: Call,
        results: Sequence[str],
        functions: Mapping[str, Function],
        known: Container[str],
        views: Mapping[str, View],
    ) -> tuple[Compute, Operands]:
        """A call of one of `functions` as a function of its operands: one and the same for calls of one form.

        known  names of arrays with an index; where others are passed that are active it is taken as it stands
        """
        callee = functions[s.function]
        passed = dict(zip(callee.params, s.args, strict=True))
        active = {p: e for p, e in passed.items() if isinstance(e, Var) and e.name in self.active}
        arrays = {p: e.name for p, e in active.items() if callee.kinds[p].is_array}
        if not all(n in known for n in arrays.values()):
            return self.taken((s,), results, views)
        numbers = {p: e for p, e in active.items() if p not in arrays}
        given = {p: e for p, e in passed.items() if p not in active}
        namer = Namer([*callee.params, *callee.constants])
        new = {t: namer.fresh("y") for t in s.targets}
        params = (*arrays, *numbers, *given)
        kinds = {p: callee.kinds[p] for p in callee.params} | {y: self.kinds[t] for t, y in new.items()}
        call = Call(tuple(new.values()), s.function, tuple(map(Var, callee.params)), at=callee.at)
        ends = [Release(y, callee.at) for t, y in reversed(new.items()) if self.kinds[t].is_array]
        outs = tuple(new[t] for t in results)
        function = Function(
            s.function, params, (call, *ends), tuple(map(Var, outs)), kinds, (), Node(tuple(map(Leaf, outs))),
            at=callee.at,
        )  # fmt: skip
        names = {p: active[p].name for p in numbers}
        plain, values = self._held(names)
        compute = Compute(
            function, tuple(arrays), plain, tuple(given), "made", at=callee.at, values=values,
            gives=self._gives({t: new[t] for t in results}),
        )  # fmt: skip
        return compute, Operands(arrays, numbers, given, names=names)

    def _value(self, name: str, target: Var | Load, value: Expr, s: Stmt, made: _Taking) -> list[Stmt]:
        """What makes the value that is stored, of the shape of what it is stored into."""
        if isinstance(target, Load) and not is_section(target.index):
            made.kinds[name] = Kind("real")
            return [Assign(name, value, s.at)]
        if isinstance(target, Var):
            made.kinds[name] = self.kinds[target.name]
            return [New(name, Apply("empty_like", (target,)), s.at), Update(name, value, s.at)]
        made.kinds[name] = kind = kind_of(target, self.kinds)
        part = made.fresh("part", kind)
        return [
            View(part, target.array, target.index, at=s.at),
            New(name, Apply("empty_like", (Var(part),)), s.at),
            Update(name, value, s.at),
            Release(part, s.at),
        ]


def leading_to(target: Var | Load | None, chain: Iterable[View]) -> tuple[View, ...]:
    """The views through which a target is seen, the first of the array itself first."""
    path: list[View] = []
    name = "" if target is None else variables(target)[0]
    for view in reversed(tuple(chain)):
        if view.target == name:
            path.insert(0, view)
            name = view.array
    return tuple(path)


class _Taking:
    """One compute expression being taken out: the operands that it turns out to have."""

    def __init__(self, of: Computes, views: Mapping[str, View], inside: Iterable[str]) -> None:
        self.of, self.views = of, views
        self.arrays: dict[str, str] = {}
        self.numbers: dict[str, Expr] = {}
        self.given: dict[str, Expr] = {}
        self.kinds: dict[str, Kind] = {}
        self.chain: list[View] = []
        self.bound = set(inside)
        self.late: dict[str, str] = {}  # a parameter -> what it is afterwards
        self.namer = Namer([*of.kinds, *of.fn.constants])
        self.named: dict[Expr, str] = {}

    def fresh(self, wish: str, kind: Kind) -> str:
        name = self.namer.fresh(wish)
        self.kinds[name] = kind
        return name

    def kind(self, expr: Expr) -> Kind:
        return kind_of(expr, self.of.kinds)

    def array_kind(self, name: str) -> bool:
        """Is a name that of an array?"""
        return (self.kinds.get(name) or self.of.kinds[name]).is_array

    # ----- names

    def array(self, name: str) -> None:
        """An array that is read."""
        if name in self.bound or name in self.of.fn.constants:
            return
        view = self.views.get(name)
        if view is not None:
            if all(v.target != name for v in self.chain):
                self.array(view.array)
                for part in view.index:
                    self.plain(part)
                self.chain.append(view)
        elif name in self.of.active:
            self.arrays[name] = name
        else:
            self.given[name] = Var(name)

    def number(self, name: str) -> None:
        if name in self.bound or name in self.of.fn.constants:
            return
        if name in self.of.active:
            self.numbers[name] = Var(name)
        else:
            self.given[name] = Var(name)

    def name(self, name: str) -> None:
        (self.array if self.of.kinds[name].is_array else self.number)(name)

    # ----- statements

    def statement(self, s: Stmt, alone: bool) -> Stmt:
        """A statement, its operands noted; where it stands alone, what is passive in it becomes one operand each."""
        if alone and isinstance(s, Assign | New):
            return replace(s, value=self.expr(s.value))
        self.note(s)
        return s

    def note(self, s: Stmt) -> None:
        """Note the operands of a statement; what it binds for sure is no operand later on."""
        for expr in expressions(s):
            self.plain(expr)
        match s:
            case View(array=name) | Bind(source=name):
                self.array(name)
            case Rebind(sources=names):
                for name in names:
                    self.array(name)
            case Store(array=name) | Update(array=name):
                self.array(name)
        known = set(self.bound)
        after: list[set[str]] = []
        for block in blocks(s):
            self.bound = {*known, *writes(s)}
            for inner in block:
                self.note(inner)
            after.append(self.bound)
        self.bound = set.intersection(*after) if isinstance(s, If) else {*known, *writes(s)}

    def plain(self, expr: Expr) -> Expr:
        """An expression as it is."""
        for node in nodes(expr):
            match node:
                case Var(name=name):
                    self.name(name)
                case Load(array=name):
                    self.array(name)
        return expr

    def expr(self, expr: Expr) -> Expr:
        """An expression over operands."""
        match expr:
            case Const():
                return expr
            case Var(name=name):
                self.name(name)
                return expr
            case Slice():
                return rebuild(expr, self.subscript)
            case Load(array=array, index=index) if array in self.of.active or array in self.of.fn.constants:
                self.array(array)
                return replace(expr, index=tuple(map(self.subscript, index)))
            case Load():
                return self.as_given(expr)
            case Apply(op=op) if op in ("shape", "text", "format"):
                return self.as_given(expr)
        active = any(n in self.of.active for n in variables(expr))
        if (
            not active
            and not self.kind(expr).is_array
            and self.kind(expr).base in ("real", "single", "int", "bool")
        ):
            return self.as_given(expr) if variables(expr) else expr
        return rebuild(expr, self.expr)

    def subscript(self, expr: Expr) -> Expr:
        """A subscript: of names, since these serve several."""
        match expr:
            case Apply(op=op) if op in ("add", "sub", "mul", "neg", "floordiv", "mod"):
                return rebuild(expr, self.subscript)
            case Slice():
                return rebuild(expr, self.subscript)
        return self.expr(expr)

    def place(self, expr: Expr) -> Expr:
        """A subscript of what is stored into: what the statements themselves work out is given as it is then."""
        match expr:
            case Var(name=name) if name in self.bound:
                if name not in self.late.values():
                    self.late[self.fresh(f"{name}_0", self.of.kinds[name])] = name
                made = next(k for k, n in self.late.items() if n == name)
                self.given[made] = expr
                return Var(made)
            case Apply() | Slice():
                return rebuild(expr, self.place)
        return self.subscript(expr)

    def as_given(self, expr: Expr) -> Var:
        """An operand for a part of an expression that is passive."""
        if expr not in self.named:
            self.named[expr] = name = self.fresh("c", self.kind(expr))
            self.given[name] = expr
        return Var(self.named[expr])
