"""Calls on the way back: the reverse sweep of a callee, or both its sweeps where the call is joint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from s2sad.handlers.values import Values
from s2sad.ir.nodes import (
    Accumulate,
    Assign,
    Call,
    Expr,
    Frame,
    Var,
)
from s2sad.ops import ZERO


class Calls(Values):
    """Emits the reverse of calls."""

    def joint(self, s: Call) -> None:
        """Run the callee again, storing, and take it backwards, in a frame of its own."""
        positions = tuple(k for k, t in enumerate(s.targets) if t in self.active)
        params = self.program.callees[s.function].params
        wrt = tuple(
            p for p, a in zip(params, s.args, strict=True) if isinstance(a, Var) and a.name in self.active
        )
        pair, other = self.program.pair(s.function, wrt, positions, self.linear)
        values = {p: self.value(a, s) for p, a in zip(params, s.args, strict=True)}
        again = tuple(self.declare(f"{t}_again", self.kinds[t]) for t in s.targets)
        with self.block() as lines:
            self.emit(
                replace(s, targets=again, function=pair, args=tuple(values.values()), half="fwd", joint=False)
            )
            self.call_back(s, pair, other, values)
        self.emit(Frame(tuple(lines), s.at))

    def call_back(self, s: Call, pair: str, other: Values, values: Mapping[str, Expr]) -> None:
        """Call the reverse sweep of a pair: adjoints of arrays are added to, those of scalars come back."""
        passed = dict(zip(values, s.args, strict=True))

        def shadow_of(param: str) -> Expr:
            array = passed[param]
            assert isinstance(array, Var)
            return Var(self.shadow[array.name])

        shadows = [shadow_of(p) for p in other.shadow_params]
        cotangents = [Var(self.shadow[s.targets[k]]) for k in other.seeded]
        names = [self.declare("g", other.kinds[p].slope) for p in other.scalar_params]
        args = (*values.values(), *shadows, *cotangents)
        arrays = [e.name for e in values.values() if isinstance(e, Var) and e.name in s.writes]  # put back
        arrays += [e.name for e in shadows if isinstance(e, Var)]
        written = tuple(n for n in arrays if self.kinds[n].is_array)
        self.emit(Call(tuple(names), pair, args, written, "rev", at=s.at))
        for target in s.targets:
            if target in self.active and not self.kinds[target].is_array:
                self.emit(Assign(self.shadow[target], ZERO, s.at))
        for param, name in zip(other.scalar_params, names, strict=True):
            source = passed[param]
            assert isinstance(source, Var)
            self.emit(Accumulate(Var(self.shadow[source.name]), Var(name), s.at))
