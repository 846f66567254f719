"""Recording entities: one index per array, one statement per Python statement.

`r = A @ x` gives itself, `r_i = new_entity(tape, r)` and `put_statement(tape, 8, (A_i, x_i, r_i), (), ())`: the site in
the program, the indices of what goes in and comes out, and nothing else. A store notes what it overwrites:

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
from s2sad.handlers.base import Halves, back, forward
from s2sad.handlers.lifetimes import lifetimes
from s2sad.handlers.linear import NONE, refused
from s2sad.handlers.putting import Putting
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
    Stmt,
    Store,
    Update,
    Var,
    View,
)
from s2sad.ir.walk import statements, unique, variables, writes, writes_in
from s2sad.ops.kinds import kind_of
from s2sad.ops.table import OPS, several
from s2sad.plan.computes import Computes
from s2sad.plan.parts import parts_of
from s2sad.plan.values import Values, values_of


class Entities(Putting):
    """One run of the handler over one function."""

    def __init__(self, fn: Function, wrt: tuple[str, ...], program: Program, entry: bool = False) -> None:
        super().__init__()
        self.program, self.entry, self.wrt = program, entry, wrt
        self.kinds = dict(fn.kinds)
        self.namer = Namer([*self.kinds, *fn.constants])
        fn = self.results_named(replace(fn, body=distinct(fn.body)))
        outputs = [
            *(n for e in fn.results for n in variables(e)),
            *(p for p in fn.params if self.kinds[p].is_array),
        ]
        active = active_names(fn.body, wrt, outputs, self.kinds)
        torn: set[str] = set()
        while True:
            self.values = self.values_of(fn, active, torn)
            self.fn = self.results_apart(fn)
            copies = (e.name for e in self.fn.results if isinstance(e, Var) and e not in fn.results)
            self.active = active.union(self.values.of, copies)
            self.parts = parts_of(replace(self.fn, kinds=self.kinds), self.active, self.values)
            if not self.parts.torn:
                break
            torn |= self.parts.torn
        self.computes = Computes(self.fn, self.active, self.kinds, self.values)
        self.views: dict[str, View] = {}
        self.view_names = {s.target for s in statements(fn.body) if isinstance(s, View)}
        self.tape = self.namer.fresh("tape")
        with_index = [
            n
            for n in self.kinds
            if n in self.active and n not in self.parts.inner and n not in self.view_names
        ]
        self.legal(with_index)
        firsts = unique(map(self.values.first, with_index))
        own = {n: self.declare(f"{self.values.stem(n)}_i", INT) for n in firsts}
        self.index = {n: own[self.values.first(n)] for n in with_index}

    @property
    def real_results(self) -> tuple[int, ...]:
        """Positions of the results that have an index."""
        return tuple(k for k, e in enumerate(self.fn.results) if kind_of(e, self.kinds).is_real)

    def results_named(self, fn: Function) -> Function:
        """`fn` with active results that are names of their own: no views, no expressions."""
        views = {s.target for s in statements(fn.body) if isinstance(s, View)}
        tail: list[Stmt] = []
        results: list[Expr] = []
        at = fn.end or fn.at
        for value in fn.results:
            kind = kind_of(value, fn.kinds)
            plain = isinstance(value, Const) or (isinstance(value, Var) and value.name not in views)
            if kind.is_real and not plain:
                name = self.declare("y", kind)
                copied = Apply("copy", (value,)) if isinstance(value, Load | Var) else value
                tail.append(New(name, copied, at) if kind.is_array else Assign(name, value, at))
                value = Var(name)
            results.append(value)
        k = self.behind(fn.body)
        body = (*fn.body[:k], *tail, *fn.body[k:])
        return replace(fn, body=body, results=tuple(results), kinds=self.kinds)

    def values_of(self, fn: Function, active: frozenset[str], torn: set[str]) -> Values:
        """The values of several numbers, as far as something is active in them."""
        found = values_of(
            replace(fn, kinds=self.kinds), self.program.functions, self.program.whole, self.entry, torn
        )
        for fields in found.wholes(found.of):
            if not active.intersection(fields):
                found.without(fields)
        found.runs = {k: run for k, run in found.runs.items() if writes(run[0])[0] in found.of}
        found.copies = {
            k: source for k, source in found.copies.items() if k in found.runs and source[0] in found.of
        }
        return found

    def results_apart(self, fn: Function) -> Function:
        """`fn` with results that are a field of a value, and not one after the other all of them, as numbers."""
        self.together = {k: n for k in range(len(fn.results)) if (n := self.in_order(fn, k)) > 1}
        whole = {j for k, n in self.together.items() for j in range(k, k + n)}
        apart = [
            k
            for k, e in enumerate(fn.results)
            if isinstance(e, Var) and e.name in self.values.of and k not in whole
        ]
        if not apart:
            return fn
        results, at = list(fn.results), fn.end or fn.at
        for k in apart:
            results[k] = Var(self.declare("y", Kind("real")))
        tail = tuple(Assign(results[k].name, fn.results[k], at) for k in apart)  # type: ignore[union-attr]
        k = self.behind(fn.body)
        return replace(fn, body=(*fn.body[:k], *tail, *fn.body[k:]), results=tuple(results))

    def in_order(self, fn: Function, k: int) -> int:
        """How many results from place k are the fields of one value, in order; 0 where they aren't."""
        match fn.results[k]:
            case Var(name=name) if name in self.values.of and self.entry:
                fields = self.values.of[name]
                return len(fields) if fn.results[k : k + len(fields)] == tuple(map(Var, fields)) else 0
        return 0

    def behind(self, body: Sequence[Stmt]) -> int:
        """The place of the ends of names that stand last."""
        k = len(body)
        while k > 0 and isinstance(body[k - 1], Release):
            k -= 1
        return k

    # ----- the whole

    def run(self) -> Recording:
        fn = self.fn
        scalars = [n for n in self.index if not self.is_array(n)]
        written = frozenset(n for name in writes_in(fn.body) for n in self.values.of.get(name, (name,)))
        own = [n for n in scalars if n not in fn.params or n in written]
        self.local = {n for n in self.index if n not in fn.params} | set(own)
        self.handed: set[str] = set()
        kept = {e.name for e in fn.results if isinstance(e, Var)} & set(own)
        self.life = lifetimes(fn.body, own, kept, self.values.first)
        for p in fn.params:
            if p in own and p not in self.wrt:  # passive as it comes
                self.emit(Assign(self.index[p], NONE, fn.at))
            elif p in own and not self.entry:  # the caller has an index for what it passed, and keeps it
                self.emit(Assign(self.index[p], self.copy(p, NONE), fn.at))
        self.last = self.behind(fn.body)
        with self.block() as ending:
            ends = self.ends_of_results()
        k = 0
        while k < self.last:
            k = self.outermost(fn.body, k)
        self.emit(*ending)
        while k < len(fn.body):
            k = self.outermost(fn.body, k)
        indices = {p: self.index[p] for p in self.wrt}
        function = replace(
            fn,
            params=(*fn.params, *unique(indices.values()), self.tape),
            body=tuple(self.lines),
            results=(*fn.results, *ends),
            kinds=self.kinds,
        )
        values = tuple(v for v in self.values.wholes(indices) if len(v) > 1)
        return Recording(function, indices, frozenset(own) & frozenset(fn.params), (), values, self.together)

    def outermost(self, body: Sequence[Stmt], k: int) -> int:
        """One statement, or one part, of the outermost block, from position k; the position behind it."""
        part = self.parts.first.get(id(body[k]), (body[k],))
        self.position, self.places = k, range(k, k + len(part))
        opening = [n for p in self.places for n in self.life.opening.get(p, ()) if n not in self.fn.params]
        self.emit(*(Assign(self.index[n], NONE, body[k].at) for n in opening))
        self.emit(*self.nest(part))
        closing = [n for p in self.places for n in self.life.closing.get(p, ())]
        self.let_go(closing, part[-1].at)
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

    # ----- results

    def ends_of_results(self) -> list[Expr]:
        """The index of every real result; that of a value stands for its first field, and 0 for the others."""
        others = {j for k, n in self.together.items() for j in range(k + 1, k + n)}
        at = self.fn.end or self.fn.at
        return [NONE if k in others else self.end_of(self.fn.results[k], at) for k in self.real_results]

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

    # ----- one generator per node

    def Assign(self, s: Assign) -> Halves:
        if s.target not in self.index:
            self.emit(s)
        elif isinstance(s.value, Var) and s.value.name in self.index and s.value.name not in self.values.of:
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

    def Bind(self, s: Bind) -> Halves:
        self.emit(s)
        if s.target in self.index:
            if s.form or s.source in self.view_names:
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
        elif (
            s.function not in OPS
            and self.program.whole(s.function)
            and any(n in self.active for n in s.targets)
        ):
            self.operated(s)
        elif s.function not in OPS and any(n in self.active for n in (*s.targets, *s.writes)):
            self.function_called(s)
        else:
            self.emit(s)
        yield
