"""Recording entities: one index per array, one statement per Python statement.

`r = A @ x` gives itself, `r_i = new_entity(tape, r)` and `put_statement(tape, 8, (A_i, x_i, r_i), (), ())`: the site in the
program, the indices of what goes in and comes out, and nothing else. A store notes the elements that it overwrites:

    before = u[i]
    u[i] = u[i - 1] * c
    put_statement(tape, 9, (u_i,), (), (before, i, c))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from s2sad.analyses.activity import active as active_names
from s2sad.analyses.versions import distinct
from s2sad.handlers.base import Halves, Onward, back, forward
from s2sad.handlers.lifetimes import lifetimes
from s2sad.handlers.linear import NONE, refused
from s2sad.handlers.tape import Program, Recording
from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    INT,
    Apply,
    Assign,
    Bind,
    Call,
    Const,
    Expr,
    Function,
    Kind,
    Load,
    New,
    Rebind,
    Release,
    Slice,
    Stmt,
    Store,
    Update,
    Var,
    View,
)
from s2sad.ir.walk import map_expr, rebuild, statements, unique, variables, writes, writes_in
from s2sad.ops.kinds import kind_of
from s2sad.ops.table import OPS, several
from s2sad.plan.computes import Compute, Computes, Operands, parts_of

FIRST = 8  # sites before the program's own: the ends of arrays of 1, 2, ... axes


class Entities(Onward):
    """One run of the handler over one function."""

    def __init__(self, fn: Function, wrt: tuple[str, ...], program: Program, entry: bool = False) -> None:
        super().__init__()
        self.program, self.entry, self.wrt = program, entry, wrt
        self.kinds = dict(fn.kinds)
        self.namer = Namer([*self.kinds, *fn.constants])
        self.fn = fn = self.results_named(replace(fn, body=distinct(fn.body)))
        outputs = [
            *(n for e in fn.results for n in variables(e)),
            *(p for p in fn.params if self.kinds[p].is_array),
        ]
        self.active = active_names(fn.body, wrt, outputs, self.kinds)
        self.parts = parts_of(replace(fn, kinds=self.kinds), self.active)
        self.computes = Computes(fn, self.active, self.kinds)
        self.views: dict[str, View] = {}
        self.view_names = {s.target for s in statements(fn.body) if isinstance(s, View)}
        self.tape = self.namer.fresh("tape")
        with_index = [
            n
            for n in self.kinds
            if n in self.active and n not in self.parts.inner and n not in self.view_names
        ]
        self.legal(with_index)
        self.index = {n: self.declare(f"{n}_i", INT) for n in with_index}

    def legal(self, names: Iterable[str]) -> None:
        """Complex numbers stay within statements; arrays have eight axes at most."""
        found = frozenset(names)
        for stmt in statements(self.fn.body):
            for name in (*writes(stmt), *(self.fn.params if stmt is self.fn.body[0] else ())):
                if name in found and self.kinds[name].base == "complex":
                    raise refused("complex numbers as entities", stmt.at)
                if name in found and self.kinds[name].ndim > FIRST:
                    raise refused("arrays of more than eight axes as entities", stmt.at)

    # ----- small things

    def declare(self, wish: str, kind: Kind) -> str:
        name = self.namer.fresh(wish)
        self.kinds[name] = kind
        return name

    def is_array(self, name: str) -> bool:
        return self.kinds[name].is_array

    def call(self, function: str, *args: Expr) -> Apply:
        return Apply(function, (Var(self.tape), *args))

    def do(self, function: str, *args: Expr, at: Any) -> None:
        self.emit(Call((), function, (Var(self.tape), *args), at=at))

    @property
    def real_results(self) -> tuple[int, ...]:
        """Positions of the results that have an index."""
        return tuple(
            k for k, e in enumerate(self.fn.results) if kind_of(e, self.kinds).base == "real"
        )

    def results_named(self, fn: Function) -> Function:
        """`fn` with active results that are names of their own: no views, no expressions."""
        views = {s.target for s in statements(fn.body) if isinstance(s, View)}
        tail: list[Stmt] = []
        results: list[Expr] = []
        at = fn.end or fn.at
        for value in fn.results:
            kind = kind_of(value, fn.kinds)
            plain = isinstance(value, Const) or (isinstance(value, Var) and value.name not in views)
            if kind.base == "real" and not plain:
                name = self.declare("y", kind)
                copied = Apply("copy", (value,)) if isinstance(value, Load | Var) else value
                tail.append(New(name, copied, at) if kind.is_array else Assign(name, value, at))
                value = Var(name)
            results.append(value)
        k = len(fn.body)
        while k > 0 and isinstance(fn.body[k - 1], Release):
            k -= 1
        body = (*fn.body[:k], *tail, *fn.body[k:])
        return replace(fn, body=body, results=tuple(results), kinds=self.kinds)

    # ----- the whole

    def run(self) -> Recording:
        fn = self.fn
        scalars = [n for n in self.index if not self.is_array(n)]
        written = frozenset(writes_in(fn.body))
        own = [n for n in scalars if n not in fn.params or n in written]
        self.local = {n for n in self.index if n not in fn.params} | set(own)
        self.handed: set[str] = set()
        self.life = lifetimes(fn.body, own, {e.name for e in fn.results if isinstance(e, Var)} & set(own))
        if not self.entry:  # the caller has an index for what it passed, and keeps it
            for p in fn.params:
                if p in own:
                    self.emit(Assign(self.index[p], self.copy(p, NONE), fn.at))
        self.last = len(fn.body)
        while self.last > 0 and isinstance(fn.body[self.last - 1], Release):
            self.last -= 1
        with self.block() as ending:
            ends = [self.end_of(fn.results[k], fn.end or fn.at) for k in self.real_results]
        k = 0
        while k < self.last:
            k = self.outermost(fn.body, k)
        self.emit(*ending)
        while k < len(fn.body):
            k = self.outermost(fn.body, k)
        indices = {p: self.index[p] for p in self.wrt}
        function = replace(
            fn,
            params=(*fn.params, *indices.values(), self.tape),
            body=tuple(self.lines),
            results=(*fn.results, *ends),
            kinds=self.kinds,
        )
        return Recording(function, indices, frozenset(own) & frozenset(fn.params))

    def outermost(self, body: Sequence[Stmt], k: int) -> int:
        """One statement, or one part, of the outermost block, from position k; the position behind it."""
        part = self.parts.first.get(id(body[k]), (body[k],))
        self.position, self.places = k, range(k, k + len(part))
        opening = [n for p in self.places for n in self.life.opening.get(p, ()) if n not in self.fn.params]
        self.emit(*(Assign(self.index[n], NONE, body[k].at) for n in opening))
        self.emit(*self.nest(part))
        closing = [n for p in self.places for n in self.life.closing.get(p, ())]
        if closing:
            self.do("free", *(Var(self.index[n]) for n in closing), at=part[-1].at)
        return k + len(part)

    def split(self, body: Iterable[Stmt]) -> Halves:
        """Statements one by one; those that are one compute expression together."""
        for stmt in body:
            if id(stmt) in self.parts.first:
                self.part(self.parts.first[id(stmt)])
            elif id(stmt) not in self.parts.places:
                halves = self.handle(stmt)
                forward(halves, stmt)
                back(halves, stmt)
        yield

    def first_time(self, name: str) -> bool:
        return any((p, name) in self.life.first for p in self.places)

    # ----- results

    def end_of(self, result: Expr, at: Any) -> Expr:
        """The index of a result. A local name hands its index over; a parameter's is shared."""
        match result:
            case Var(name=name) if name in self.index and self.is_array(name):
                if name in self.handed or name not in self.local:
                    return self.call("share_entity", Const(self.kinds[name].ndim), Var(self.index[name]))
            case Var(name=name) if name in self.index:
                if name in self.handed or name not in self.local:
                    return self.copy(name, NONE)
            case Var(name=name) if self.is_array(name) and not self.entry:
                index = self.declare(f"{name}_i", INT)  # passive here, and not for the caller
                made = self.declare("y", self.kinds[name])
                compute, operands = self.computes.taken(
                    (New(made, Apply("copy", (result,)), at),), (made,), {}
                )
                self.born(compute, operands, [index], [result], at)
                return Var(index)
            case _:
                return NONE
        self.handed.add(name)
        return Var(self.index[name])

    def copy(self, name: str, old: Expr) -> Expr:
        """The index of a copy of a number, for a name that had index `old`."""
        made = self.declare("y", self.kinds[name])
        compute, _ = self.computes.taken((Assign(made, Var(name), self.fn.at),), (made,), {})
        return self.call("copy_number", self.site(compute), old, Var(self.index[name]), Var(name))

    # ----- compute expressions

    def site(self, compute: Compute) -> Const:
        """The number of a site."""
        sites: list[Compute] = self.program.sites
        if compute not in sites:
            sites.append(compute)
        return Const(sites.index(compute) + FIRST)

    def part(self, part: Sequence[Stmt]) -> None:
        """Statements that are one compute expression."""
        inside = [n for n in writes_in(part) if n in self.parts.inner]
        results = [n for n in writes_in(part) if n in self.index]
        last = part[-1]
        if isinstance(last, Store | Update) and last.array not in inside:
            self.stored(part, last, inside)
        else:
            self.made(part, results, inside)

    def made(self, part: Sequence[Stmt], results: Sequence[str], inside: Sequence[str] = ()) -> None:
        """Statements that bring forth arrays, or one number."""
        compute, operands = self.computes.taken(part, results, self.views, inside)
        operands = self.saved(part, operands)
        self.emit(*part)
        at = part[-1].at
        if compute.form == "born":
            self.born(compute, operands, [self.index[n] for n in results], [Var(n) for n in results], at)
            return
        (name,) = results
        index = self.index[name]
        old: Expr = NONE if self.first_time(name) else Var(index)
        if not compute.arrays and not compute.numbers:
            value: Expr = NONE if old == NONE else self.call("drop_index", old)
        else:
            value = self.call("put_number", self.site(compute), old, Var(name), *self.packed(compute, operands))
        self.emit(Assign(index, value, at))

    def born(
        self, compute: Compute, operands: Operands, indices: Sequence[str], arrays: Sequence[Expr], at: Any
    ) -> None:
        for index, array in zip(indices, arrays, strict=True):
            self.emit(Assign(index, self.call("new_entity", array), at))
        packed = self.packed(compute, operands, tuple(map(Var, indices)))
        self.do("put_statement", self.site(compute), *packed, at=at)

    def stored(self, part: Sequence[Stmt], last: Store | Update, inside: Sequence[str] = ()) -> None:
        """Statements the last of which stores; what it overwrites goes on the tape."""
        name = self.declare("value", Kind("real"))
        compute, operands = self.computes.taken(part, (name,), self.views, inside, alone=True)
        del self.kinds[name]  # (a name in the function of the compute expression alone)
        operands = self.saved(part, operands)
        self.emit(*part[:-1])
        place = Load(last.array, last.index) if isinstance(last, Store) else Var(last.array)
        kind = kind_of(place, self.kinds)
        before = self.declare("before", kind)
        if kind.is_array:
            self.emit(New(before, Apply("copy", (place,)), last.at))
        else:
            self.emit(Assign(before, place, last.at))
        self.emit(last)
        arrays, numbers, given = self.packed(compute, operands)
        assert isinstance(given, Apply)
        more = (*given.args, Var(before)) if kind.is_array else (Var(before), *given.args)
        self.do("put_statement", self.site(compute), arrays, numbers, Apply("pack", more), at=last.at)
        if kind.is_array:
            self.emit(Release(before, last.at))

    def saved(self, part: Sequence[Stmt], operands: Operands) -> Operands:
        """Operands as they are before statements that overwrite them."""
        changed = frozenset(writes_in(part))
        saved: dict[str, Expr] = {}

        def old(expr: Expr) -> Expr:
            match expr:
                case Var(name=name) if name in changed and not self.is_array(name):
                    if name not in saved:
                        saved[name] = Var(self.declare(f"{name}_0", self.kinds[name]))
                        self.emit(Assign(saved[name].name, expr, part[0].at))  # type: ignore[union-attr]
                    return saved[name]
            return expr

        numbers = {n: map_expr(old, e) for n, e in operands.numbers.items()}
        return Operands(operands.arrays, numbers, {n: map_expr(old, e) for n, e in operands.given.items()})

    def packed(self, compute: Compute, operands: Operands, more: Sequence[Expr] = ()) -> tuple[Expr, ...]:
        """Indices of arrays; (index, value) of numbers; what is given, numbers first."""
        arrays = tuple(Var(self.index[operands.arrays[n]]) for n in compute.arrays)
        pairs = [e for n in compute.numbers for e in (Var(self.index[n]), operands.numbers[n])]
        given = [operands.given[n] for n in given_in_order(compute)]
        return Apply("pack", (*arrays, *more)), Apply("pack", tuple(pairs)), Apply("pack", tuple(given))

    # ----- one generator per node

    def Assign(self, s: Assign) -> Halves:
        if s.target not in self.index:
            self.emit(s)
        elif isinstance(s.value, Var) and s.value.name in self.index:
            old: Expr = NONE if self.first_time(s.target) else Var(self.index[s.target])
            self.emit(s, Assign(self.index[s.target], self.copy(s.value.name, old), s.at))
        else:
            self.made((s,), (s.target,))
        yield

    def New(self, s: New) -> Halves:
        if s.target in self.index:
            self.made((s,), (s.target,))
        else:
            self.emit(s)
        yield

    def Store(self, s: Store | Update) -> Halves:
        if s.array in self.active:
            self.stored((s,), s)
        else:
            self.emit(s)
        yield

    Update = Store

    def View(self, s: View) -> Halves:
        self.emit(s)
        if s.target in self.active:
            other = self.views.get(s.target)
            if other is not None and other != s:
                raise refused("a name for several sections, by the way taken, as an entity", s.at)
            self.views[s.target] = replace(s, index=tuple(self.steady(e, s) for e in s.index))
        yield

    def steady(self, sub: Expr, s: View) -> Expr:
        """A subscript of a view, as it is now."""
        match sub:
            case Const():
                return sub
            case Slice():
                return rebuild(sub, lambda part: self.steady(part, s))
        name = self.declare(f"{s.target}_at", INT)
        self.emit(Assign(name, sub, s.at))
        return Var(name)

    def Bind(self, s: Bind) -> Halves:
        self.emit(s)
        if s.target in self.index:
            if s.source in self.view_names:
                raise refused("a second name for a section, as an entity", s.at)
            share = self.call("share_entity", Const(self.kinds[s.target].ndim), Var(self.index[s.source]))
            self.emit(Assign(self.index[s.target], share, s.at))
        yield

    def Rebind(self, s: Rebind) -> Halves:
        self.emit(s)
        pairs = [(t, n) for t, n in zip(s.targets, s.sources, strict=True) if t in self.active and t != n]
        for name in unique(n for pair in pairs for n in pair):
            if name not in self.index:
                raise refused("names of sections that are exchanged, as entities", s.at)
        held = {n: self.index[n] for _, n in pairs}
        for n in held:
            if len(pairs) > 1:
                held[n] = self.declare(f"{n}_i", INT)
                self.emit(Assign(held[n], Var(self.index[n]), s.at))
        self.emit(*(Assign(self.index[t], Var(held[n]), s.at) for t, n in pairs))
        yield

    def Release(self, s: Release) -> Halves:
        if s.name in self.index and not (s.name in self.handed and self.position >= self.last):
            self.do("end_entity", Var(self.index[s.name]), Var(s.name), at=s.at)
        self.emit(s)
        yield

    def Call(self, s: Call) -> Halves:
        if s.half:
            raise refused("derivatives inside the function", s.at)
        if several(s.function):
            self.factors(s)
        elif s.function not in OPS and any(n in self.active for n in (*s.targets, *s.writes)):
            self.function_called(s)
        else:
            self.emit(s)
        yield

    def factors(self, s: Call) -> None:
        """An operation with several results: its arrays are one statement, a number is one of its own."""
        self.emit(s)
        arrays = [t for t in s.targets if t in self.index and self.is_array(t)]
        if arrays:
            compute, operands = self.computes.taken((s,), arrays, self.views)
            self.born(compute, operands, [self.index[n] for n in arrays], [Var(n) for n in arrays], s.at)
        for name in s.targets:
            if name in self.index and name not in arrays:
                compute, operands = self.computes.taken((s,), (name,), self.views)
                old: Expr = NONE if self.first_time(name) else Var(self.index[name])
                packed = self.packed(compute, operands)
                put = self.call("put_number", self.site(compute), old, Var(name), *packed)
                self.emit(Assign(self.index[name], put, s.at))

    def function_called(self, s: Call) -> None:
        """The recording form of a callee; results that nobody differentiates give their indices back."""
        params = self.program.functions[s.function].params
        given = [
            (p, a.name)
            for p, a in zip(params, s.args, strict=True)
            if isinstance(a, Var) and a.name in self.active
        ]
        for _, name in given:
            if name not in self.index:
                raise refused("a section that is passed to a function, as an entity", s.at)
        name, other = self.program.callee(s.function, tuple(p for p, _ in given))
        indices: list[str] = []
        unwanted: list[tuple[str, str]] = []
        for k in other.real_results:
            target = s.targets[k]
            if target in self.index:
                index = self.index[target]
                if not self.is_array(target) and not self.first_time(target):
                    self.do("free", Var(index), at=s.at)
            else:
                index = self.declare(f"{target}_i", INT)
                unwanted.append((index, target))
            indices.append(index)
        args = (*s.args, *(Var(self.index[a]) for _, a in given), Var(self.tape))
        self.emit(replace(s, function=name, args=args, targets=(*s.targets, *indices), joint=False))
        for index, target in unwanted:
            if self.is_array(target):
                self.do("end_entity", Var(index), Var(target), at=s.at)
            else:
                self.do("free", Var(index), at=s.at)


def given_in_order(compute: Compute) -> tuple[str, ...]:
    """What is given, numbers first: the order on the tape."""
    kinds = compute.function.kinds
    numbers = tuple(n for n in compute.given if not kinds[n].is_array)
    return (*numbers, *(n for n in compute.given if n not in numbers))
