"""Solutions of initial value problems: the right-hand side is a function that is called, so is the solution.

The library makes a right-hand side of what the user gives; it is read apart, for a vector, a time and the arguments,
and what it takes from around is among its arguments then. What solves it is a function as well, of a body and a rule
(`ir.paths`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import gast

from s2sad.errors import KindError
from s2sad.frontend.derivatives import Derivatives
from s2sad.frontend.functions import Found, Kinds, Passed, Program, Reading
from s2sad.frontend.pieces import held_by
from s2sad.frontend.reader import described
from s2sad.frontend.ruleforms import copied
from s2sad.frontend.values import Array, Closure, Fresh, Known, Scalar, Value
from s2sad.ir.nodes import REAL, Const, Function, Var
from s2sad.ir.paths import OPTIONS, path
from s2sad.source import Span


@dataclass(slots=True)
class Path:
    """The reader of a solution whose right-hand side is `rate`."""

    program: Program
    rate: Reading
    at: Span
    plan: Any = field(default=None)

    def _inner(self, kinds: Kinds) -> Kinds:
        return (kinds[0], REAL, *kinds[2 : len(kinds) - len(OPTIONS)])

    def kinds_of_results(self, kinds: Kinds) -> Found:
        """A matrix of reals; the right-hand side is asked for what it gives."""
        self.program.found.setdefault((self.rate.key, self._inner(kinds)), (None,))
        return (replace(REAL, ndim=2),)

    def made_for(self, kinds: Kinds) -> Function:
        """The function that solves; its right-hand side is still to be linked."""
        assert self.rate.reader is not None
        inner = self.rate.reader.made_for(self._inner(kinds))
        rest = {p: inner.kinds[p] for p in inner.params[2:]}
        return path(f"{self.rate.name}_path", self.rate.key, rest, self.at)


class Solutions(Derivatives):
    """Reads what `odeint` is written out as."""

    def _solution(self, node: gast.Call, _: str) -> Value:
        """`solution(rate, func, y0, t, args, rtol, atol, hmax, mxstep)`."""
        rate, func, y0, t, args, *options = self.operands(node.args)
        y0, t = self._line(node, y0, "start is"), self._line(node, t, "times are")
        for option, name in zip(options, OPTIONS, strict=True):
            if not isinstance(option, Scalar):
                self.refuse(
                    node, f"`{name}=` of `odeint` is supported as a number, not {described(option)}", "S073"
                )
        given = (y0, Scalar(Const(0.0)), args)
        piece = self._derivable(node, rate, [held_by(v, node) for v in given], [], copied)
        reading = piece.reading
        reading.name = _name(func)
        if not isinstance(reading.returns, Array) or reading.returns.ndim != 1:
            self.refuse(node, f"`{reading.name}` gives the slope of y: an array of one dimension", "S064",
                        error=KindError)  # fmt: skip
        if reading.written:
            self.refuse(node, f"`{reading.name}` is solved by `odeint`, and writes into its argument", "S076")
        passed = Passed(self.kinds)
        passed.args = [Var(y0.name), Var(t.name), *piece.args[2:]]
        passed.args += [self.scalar_of(self.spill(option), node) for option in options]
        return self._emitted(self._path(node, reading, passed), passed, False)

    def _line(self, node: gast.AST, value: Value, what: str) -> Array:
        if not isinstance(value, Array | Fresh) or value.ndim != 1:
            self.refuse(node, f"the {what} an array of one dimension, not {described(value)}", "S064",
                        error=KindError)  # fmt: skip
        return self.array(value)

    def _path(self, node: gast.AST, rate: Reading, passed: Passed) -> Reading:
        key = ("path", rate.key)
        if (found := self.program.readings.get(key)) is not None:
            return found
        made = Reading(
            self._fresh_key(), f"{rate.name}_path", node, self.span(node), None, returns=Array("", 2)
        )
        made.arrays, made.written, made.formal = (True,), frozenset(), passed.formal
        made.reader = Path(self.program, rate, self.span(node))
        return self.program.add(key, made)


def _name(func: Value) -> str:
    """What the right-hand side is called."""
    name = func.node.name if isinstance(func, Closure) else ""
    if isinstance(func, Known):
        name = getattr(func.value, "__name__", "")
    return name if name.isidentifier() and name != "lambda" else "rate"
