"""Compute expressions on a tape of entities: what is put down for one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from s2sad.handlers.base import Onward
from s2sad.handlers.lifetimes import Lifetimes
from s2sad.handlers.linear import NONE, refused
from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    INT,
    Apply,
    Assign,
    Call,
    Const,
    Expr,
    Function,
    Kind,
    Load,
    New,
    Release,
    Slice,
    Stmt,
    Store,
    Update,
    Var,
    View,
)
from s2sad.ir.walk import map_expr, rebuild, statements, writes, writes_in
from s2sad.ops.kinds import kind_of
from s2sad.plan.computes import Compute, Computes, Operands
from s2sad.plan.parts import Parts, stores
from s2sad.plan.values import Values

FIRST = 8  # sites before the program's own: the ends of arrays of 1, 2, ... axes


class Putting(Onward):
    """Knows the index of every array and number, and puts compute expressions down."""

    program: Any
    fn: Function
    kinds: dict[str, Kind]
    namer: Namer
    tape: str
    index: dict[str, str]
    active: frozenset[str]
    parts: Parts
    computes: Computes
    values: Values
    views: dict[str, View]
    life: Lifetimes
    places: range

    def legal(self, names: Iterable[str]) -> None:
        """Complex numbers stay within statements; arrays have eight axes at most."""
        found = frozenset(names)
        for stmt in statements(self.fn.body):
            for name in (*writes(stmt), *(self.fn.params if stmt is self.fn.body[0] else ())):
                if name in found and self.kinds[name].base == "complex":
                    raise refused("complex numbers as entities", stmt.at)
                if name in found and self.kinds[name].ndim > FIRST:
                    raise refused("arrays of more than eight axes as entities", stmt.at)

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

    def first_time(self, name: str) -> bool:
        """Has a name no index yet? (Parameters that are a value have the one that they come with.)"""
        first = self.values.first(name)
        if first in self.values.of and first in self.fn.params:
            return False
        return any((p, first) in self.life.first for p in self.places)

    def let_go(self, names: Iterable[str], at: Any) -> None:
        """Names end: numbers together, values one by one."""
        names = tuple(names)
        numbers = [n for n in names if n not in self.values.of]
        if numbers:
            self.do("free", *(Var(self.index[n]) for n in numbers), at=at)
        for n in names:
            if n in self.values.of:
                self.do("free_value", Const(len(self.values.of[n])), Var(self.index[n]), at=at)

    # ----- sites

    def site(self, compute: Compute) -> Const:
        """The number of a site."""
        sites: list[Compute] = self.program.sites
        if compute not in sites:
            sites.append(compute)
        return Const(sites.index(compute) + FIRST)

    def copy(self, name: str, old: Expr) -> Expr:
        """The index of a copy of a number, or of the value that it is a field of, for a name that had index `old`."""
        fields = self.values.of.get(name, (name,))
        made = tuple(self.declare("y", self.kinds[n]) for n in fields)
        copies = tuple(Assign(y, Var(n), self.fn.at) for y, n in zip(made, fields, strict=True))
        if len(fields) == 1:
            compute, _ = self.computes.taken(copies, made, {})
            return self.call("copy_number", self.site(compute), old, Var(self.index[name]), Var(name))
        self.values.of |= dict.fromkeys(made, made)
        compute, _ = self.computes.taken(copies, made, {})
        value = Apply("pack", tuple(map(Var, fields)))
        return self.call("copy_value", self.site(compute), old, Var(self.index[name]), value)

    # ----- compute expressions

    def part(self, part: Sequence[Stmt]) -> None:
        """Statements that are one compute expression."""
        if id(part[0]) in self.values.copies:
            self.copied(part)
            return
        inside = [n for n in writes_in(part) if n in self.parts.inner]
        results = [n for n in writes_in(part) if n in self.index]
        if last := stores(part, inside):
            self.stored(part, last, inside)
        else:
            self.made(part, results, inside)

    def copied(self, part: Sequence[Stmt]) -> None:
        """Statements that copy a value, field by field: it is one copy."""
        target, source = writes(part[0])[0], self.values.copies[id(part[0])][0]
        old: Expr = NONE if self.first_time(target) else Var(self.index[target])
        self.emit(*part, Assign(self.index[target], self.copy(source, old), part[-1].at))

    def made(self, part: Sequence[Stmt], results: Sequence[str], inside: Sequence[str] = ()) -> None:
        """Statements that bring forth arrays, or one number or value."""
        results = self.values.of.get(results[0], results)
        compute, operands = self.computes.taken(part, results, self.views, inside)
        operands = self.saved(part, operands)
        self.emit(*part)
        at = part[-1].at
        if self.is_array(results[0]):
            self.born(compute, operands, [self.index[n] for n in results], [Var(n) for n in results], at)
            return
        index = self.index[results[0]]
        old: Expr = NONE if self.first_time(results[0]) else Var(index)
        if not compute.active and old == NONE:
            value: Expr = NONE
        elif not compute.active and len(results) == 1:
            value = self.call("drop_index", old)
        elif not compute.active:
            value = self.call("drop_value", Const(len(results)), old)
        else:
            value = self.put(compute, operands, old, results)
        self.emit(Assign(index, value, at))

    def put(
        self,
        compute: Compute,
        operands: Operands,
        old: Expr,
        fields: Sequence[str],
        more: Sequence[Expr] = (),
    ) -> Expr:
        """The index of a number, or of a value of several, that a statement gives."""
        packed, names = self.packed(compute, operands, more), tuple(map(Var, fields))
        if len(names) == 1:
            return self.call("put_number", self.site(compute), old, *names, *packed)
        return self.call("put_value", self.site(compute), old, Apply("pack", names), *packed)

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
        given = {n: e if n in operands.late else map_expr(old, e) for n, e in operands.given.items()}
        return replace(operands, numbers=numbers, given=given)

    def packed(self, compute: Compute, operands: Operands, more: Sequence[Expr] = ()) -> tuple[Expr, ...]:
        """Indices of arrays; (index, value) of numbers; what is given, numbers first."""
        arrays = tuple(Var(self.index[operands.arrays[n]]) for n in compute.arrays)
        here = {n: self.index[operands.names.get(n, n)] for n in compute.numbers}
        pairs = [e for n, i in here.items() for e in (Var(i), operands.numbers[n])]
        for held in compute.values:
            first = held.fields[0][0]
            fields = tuple(operands.numbers[p] for p, _ in held.fields)
            pairs += [Var(self.index[operands.names.get(first, first)]), Apply("pack", fields)]
        given = [self.put_down(operands.given[n], compute.function.kinds[n]) for n in given_in_order(compute)]
        return Apply("pack", (*arrays, *more)), Apply("pack", tuple(pairs)), Apply("pack", tuple(given))

    def put_down(self, expr: Expr, kind: Kind) -> Expr:
        """What is given, as numbers: whole ones by their bits, which float64 may not hold as numbers."""
        if kind.base != "int":
            return expr
        return Apply("ints_bits" if kind.is_array else "int_bits", (expr,))

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

    # ----- calls

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
                self.emit(Assign(self.index[name], self.put(compute, operands, old, (name,)), s.at))

    def operated(self, s: Call) -> None:
        """A call that is one statement, whatever it gives: an operation, a function with a rule, a derivative inside."""
        results = [t for t in s.targets if t in self.index]
        compute, operands = self.computes.called(s, results, self.program.functions, self.index, self.views)
        operands = self.saved((s,), operands)
        self.emit(s)
        arrays = [t for t in results if self.is_array(t)]
        numbers = self.values.wholes(t for t in results if t not in arrays)
        for t in arrays:
            self.emit(Assign(self.index[t], self.call("new_entity", Var(t)), s.at))
        born = tuple(Var(self.index[t]) for t in arrays)
        olds = [NONE if self.first_time(v[0]) else Var(self.index[v[0]]) for v in numbers]
        if len(numbers) == 1:
            put = self.put(compute, operands, olds[0], numbers[0], born)
            self.emit(Assign(self.index[numbers[0][0]], put, s.at))
            return
        packed = self.packed(compute, operands, born)
        if not numbers:
            self.do("put_statement", self.site(compute), *packed, at=s.at)
            return
        parts = [Apply("pack", tuple(olds)), Apply("pack", tuple(Var(n) for v in numbers for n in v))]
        several = any(len(v) > 1 for v in numbers)
        if several:
            parts.insert(0, Apply("pack", tuple(Const(len(v)) for v in numbers)))
        args = (Var(self.tape), self.site(compute), *parts, *packed)
        targets = tuple(self.index[v[0]] for v in numbers)
        self.emit(Call(targets, "put_values" if several else "put_numbers", args, at=s.at))

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
