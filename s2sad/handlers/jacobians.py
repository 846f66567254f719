"""Calls whose derivatives are not read off a body: functions with rules, derivatives taken inside.

Each result is one statement of all elements of the arguments. Its partials are those of the function's tangent, which
is run once per element::

    y = norm(u)
    for k in range(u.size):
        e[k] = 1.0
        y_again, y_d = norm_d(u, e)
        u_p[k] = y_d
        e[k] = 0.0
    y_i = record_sum(tape, 0, u_i, u_p)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from s2sad.handlers.indices import Indices
from s2sad.handlers.linear import NONE, ONE
from s2sad.ir.nodes import (
    INT,
    Apply,
    Assign,
    Call,
    Const,
    Expr,
    For,
    Kind,
    New,
    Release,
    Slice,
    Store,
    Var,
    View,
)
from s2sad.ops.build import ZERO, mul

ONE_INDEX = Const(1)


class Jacobians(Indices):
    """Records such calls."""

    def by_tangents(self, s: Call) -> None:
        """The call, and a statement per element of its active results."""
        targets = [k for k, t in enumerate(s.targets) if t in self.active]
        args = [self.before(a, s) for a in s.args]
        self.emit(replace(s, joint=False))
        params = self.program.functions[s.function].params
        terms = []
        self.ends: list[Var] = []
        for k, arg in enumerate(s.args):
            if isinstance(arg, Var) and arg.name in self.active:
                tangent = self.program.tangent(s.function, (params[k],))
                rows = self.partials_for(replace(s, function=tangent, args=tuple(args)), args[k], targets)
                terms.append((Var(self.index[arg.name]), rows))
        numbers: dict[str, str] = {}
        for j, k in enumerate(targets):
            found = [(index, rows[j]) for index, rows in terms]
            if self.kinds[s.targets[k]].is_array:
                self.array_of(s.targets[k], found, s)
            else:
                numbers[s.targets[k]] = self.number_of(found, s)
        for target, made in numbers.items():  # (the index of a target may be that of an argument as well)
            if (self.position, target) not in self.life.first:
                self.emit(Call((), "free", (Var(self.tape), Var(self.index[target])), at=s.at))
            self.emit(Assign(self.index[target], Var(made), s.at))
        self.end(self.ends, s)

    def before(self, arg: Expr, s: Call) -> Expr:
        """An argument as it is before the call assigns to it."""
        if not isinstance(arg, Var) or arg.name not in s.targets:
            return arg
        held = self.declare(f"{arg.name}_0", self.kinds[arg.name])
        self.emit(Assign(held, arg, s.at))
        return Var(held)

    # ----- partials

    def partials_for(self, s: Call, arg: Expr, targets: Sequence[int]) -> list[Var]:
        """The partials of some results for an argument, from calls of the tangent.

        For an array they are an array, its element per column; of an array, a row per element.
        """
        assert isinstance(arg, Var)
        again = [self.declare(f"{t}_again", self.kinds[t]) for t in s.targets]
        made = [self.declare(f"{t}_d", self.kinds[t]) for t in s.targets]
        both = (*again, *made)
        if not self.kinds[arg.name].is_array:
            self.emit(replace(s, args=(*s.args, ONE), targets=both, writes=(), joint=False))
            wanted = [Var(made[k]) for k in targets]
            self.end([Var(n) for n in both if Var(n) not in wanted], s)
            self.ends += wanted
            return wanted
        size, unit = self.size(arg.name), self.declare(f"{arg.name}_e", self.kinds[arg.name])
        flat = unit if self.kinds[unit].ndim == 1 else self.declare("e", Kind("real", 1))
        self.emit(New(flat, Apply("zeros", (size,)), s.at))
        if flat != unit:
            self.emit(View(unit, flat, self.shape(arg.name), "reshape", s.at))
        rows = []
        for k in targets:
            target = s.targets[k]
            count = (self.size(target),) if self.kinds[target].is_array else ()
            rows.append(self.declare(f"{target}_p", Kind("real", 1 + len(count))))
            self.emit(New(rows[-1], Apply("zeros", (*count, size)), s.at))
        trip = self.declare("k", INT)
        with self.block() as body:
            self.emit(Store(flat, (Var(trip),), ONE, s.at))
            self.emit(replace(s, args=(*s.args, Var(unit)), targets=both, writes=(), joint=False))
            for row, k in zip(rows, targets, strict=True):
                if self.kinds[row].ndim == 1:
                    self.emit(Store(row, (Var(trip),), Var(made[k]), s.at))
                else:
                    column, *ends = self.flattened(made[k], s)
                    self.emit(Store(row, (Slice(), Var(trip)), column, s.at))
                    self.end(ends, s)
            self.end([Var(n) for n in reversed(both)], s)
            self.emit(Store(flat, (Var(trip),), ZERO, s.at))
        self.emit(For(trip, Const(0), size, Const(1), tuple(body), s.at))
        self.end([Var(n) for n in dict.fromkeys((unit, flat))], s)
        return [self.like(row, arg.name, s) for row in rows]

    def like(self, row: str, array: str, s: Call) -> Var:
        """Partials of a number, in the shape of the argument."""
        self.ends.insert(0, Var(row))
        if self.kinds[row].ndim > 1 or self.kinds[array].ndim == 1:
            return Var(row)
        shaped = self.declare(row, Kind("real", self.kinds[array].ndim))
        self.emit(View(shaped, row, self.shape(array), "reshape", s.at))
        self.ends.insert(0, Var(shaped))
        return Var(shaped)

    # ----- statements

    def number_of(self, terms: Sequence[tuple[Var, Var]], s: Call) -> str:
        """The index of a result that is a number, from the indices of arguments and the partials for them."""
        parts: list[str] = []
        pairs: list[Expr] = []
        for index, slope in terms:
            if self.kinds[index.name].is_array:
                parts.append(self.declare("t_i", INT))
                total = Apply("record_sum", (Var(self.tape), NONE, index, slope))
                self.emit(Assign(parts[-1], total, s.at))
                pairs += [Var(parts[-1]), ONE]
            else:
                pairs += [index, slope]
        if len(terms) == len(parts) == 1:
            return parts[0]
        made = self.declare("t_i", INT)
        self.emit(Assign(made, Apply("record", (Var(self.tape), NONE, *pairs)), s.at))
        if parts:
            self.emit(Call((), "free", (Var(self.tape), *map(Var, parts)), at=s.at))
        return made

    def array_of(self, target: str, terms: Sequence[tuple[Var, Var]], s: Call) -> None:
        """The indices of a result that is an array."""
        tape, parts, pairs, ends = Var(self.tape), list[Expr](), list[Expr](), list[Var]()
        for index, slope in terms:
            if not self.kinds[index.name].is_array:
                pairs += [index, slope]
                continue
            line, *more = self.flattened(index.name, s)
            none, zero = self.declare("n_i", Kind("int", 2)), self.declare("z", Kind("real", 1))
            part = product = self.declare("t_i", Kind("int", 1))
            self.emit(New(none, Apply("no_indices", (slope,)), s.at))
            self.emit(New(zero, Apply("zeros", (self.size(line.name),)), s.at))
            dot = Apply("record_dot21", (tape, slope, Var(none), Var(zero), line))
            self.emit(New(product, dot, s.at))
            if self.kinds[target].ndim > 1:
                part = self.declare("t_i", Kind("int", self.kinds[target].ndim))
                self.emit(View(part, product, self.shape(target), "reshape", s.at))
            parts.append(Var(product))
            pairs += [Var(part), ONE]
            ends += [*more, *(Var(n) for n in dict.fromkeys((none, zero, part, product)))]
        index_ = self.index[target]
        self.emit(New(index_, Apply("no_indices", (Var(target),)), s.at))
        self.emit(Call((), "record_all", (tape, Var(index_), *pairs), at=s.at))
        self.emit(*(Call((), "free_all", (tape, part), at=s.at) for part in parts))
        self.end(ends, s)

    # ----- arrays in one line

    def size(self, array: str) -> Expr:
        """The number of elements."""
        found: Expr = ONE_INDEX
        for length in self.shape(array):
            found = length if found == ONE_INDEX else mul(found, length)
        return found

    def shape(self, array: str) -> tuple[Expr, ...]:
        return tuple(Apply("shape", (Var(array), Const(k))) for k in range(self.kinds[array].ndim))

    def flattened(self, array: str, s: Call) -> list[Var]:
        """The elements of an array in one line; with what has to be ended then."""
        kind = self.kinds[array]
        if kind.ndim == 1:
            return [Var(array)]
        whole, line = self.declare("t", kind), self.declare("t", Kind(kind.base, 1))
        self.emit(New(whole, Apply("copy", (Var(array),)), s.at))
        self.emit(View(line, whole, (self.size(array),), "reshape", s.at))
        return [Var(line), Var(line), Var(whole)]

    def end(self, names: Sequence[Var], s: Call) -> None:
        """The end of arrays; numbers just end."""
        self.emit(*(Release(v.name, s.at) for v in names if self.kinds[v.name].is_array))
