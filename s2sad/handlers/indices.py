"""Indices that pass from name to name: of shared arrays, of results, through calls."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from s2sad.handlers.linear import NONE
from s2sad.handlers.statements import Statements
from s2sad.ir.nodes import Apply, Bind, Call, Const, Expr, Function, If, Kind, Load, Release, Stmt, Store, Var


class Indices(Statements):
    """Knows whose indices are whose."""

    fn: Function
    program: Any
    uses: dict[str, str]  # array -> how many names it has, in an array of one number
    wholes: dict[str, str]  # where names look at parts: the indices of all of its elements
    views: set[str]
    local: set[str]
    handed: set[str]

    @property
    def real_results(self) -> tuple[int, ...]:
        """Positions of the results that have an index."""
        return tuple(k for k, e in enumerate(self.fn.results) if self.kind(e).is_real)

    def indices(self, name: str) -> tuple[str, ...]:
        """The indices of a scalar: two of a complex number."""
        more = self.imaginary.get(name)
        return (self.index[name],) if more is None else (self.index[name], more)

    def results_kept(self) -> list[Expr]:
        """The index of every real result. A local name hands its index over; a parameter's is shared."""
        self.handed: set[str] = set()
        ends: list[Expr] = []
        for k in self.real_results:
            ends.append(self.end_of(self.fn.results[k]))
        return ends

    def end_of(self, result: Expr) -> Expr:
        tape = Var(self.tape)
        match result:
            case Var(name=name) if name in self.index:
                if name in self.handed or name not in self.local:
                    copied = Apply(self.COPIED, (tape, Var(self.index[name])))
                    return copied if self.kinds[name].is_array else self.shared_index(name)
                self.handed.add(name)
                return Var(self.index[name])
            case _ if self.kind(result).is_array:
                return Apply("no_indices", (result,))
        return NONE

    def shared_index(self, name: str) -> Expr:
        """An index of its own for a copy of a scalar."""
        return Apply(self.COPY, (Var(self.tape), NONE, Var(self.index[name])))

    def share(self, target: str, source: str, s: Stmt) -> None:
        """One more name for an array of a class whose names may share arrays."""
        if target in self.uses:
            for table in (self.uses, self.wholes):
                if target in table:
                    self.emit(Bind(table[target], table[source], at=s.at))
            self.count(target, 1, s)

    def count(self, name: str, more: int, s: Stmt) -> None:
        uses = Load(self.uses[name], (Const(0),))
        self.emit(Store(uses.array, uses.index, Apply("add", (uses, Const(more))), s.at))

    def end_array(self, s: Release) -> None:
        """The last name of an array frees the indices of its elements."""
        every = self.wholes.get(s.name, self.index[s.name])
        freed = Call((), "free_all", (Var(self.tape), Var(every)), at=s.at)
        if s.name in self.uses:
            self.count(s.name, -1, s)
            if s.name not in self.views:
                last = Apply("eq", (Load(self.uses[s.name], (Const(0),)), Const(0)))
                self.emit(If(last, (freed,), (), s.at))
        elif s.name not in self.views:
            self.emit(freed)

    def call(self, s: Call) -> None:
        """The recording form of a callee; results that nobody differentiates give their indices back."""
        params = self.program.functions[s.function].params
        given = [
            (p, a)
            for p, a in zip(params, s.args, strict=True)
            if isinstance(a, Var) and a.name in self.active
        ]
        name, other = self.program.callee(s.function, tuple(p for p, _ in given))
        indices: list[str] = []
        unwanted: list[str] = []
        for k in other.real_results:
            target = s.targets[k]
            if target in self.index:
                index = self.index[target]
                if not self.kinds[target].is_array and (self.position, target) not in self.life.first:
                    self.emit(Call((), "free", (Var(self.tape), Var(index)), at=s.at))
            else:
                index = self.declare(f"{target}_i", Kind("int", self.kinds[target].ndim))
                unwanted.append(index)
            indices.append(index)
        args = (*s.args, *(Var(self.index[a.name]) for _, a in given), Var(self.tape))
        written = (*s.writes, *(self.index[a] for a in s.writes if a in self.index))
        self.emit(
            replace(s, function=name, args=args, targets=(*s.targets, *indices), writes=written, joint=False)
        )
        for index in unwanted:
            end = "free_all" if self.kinds[index].is_array else "free"
            self.emit(Call((), end, (Var(self.tape), Var(index)), at=s.at))
