"""Derivatives as functions that are called: what one is of, and its results.

A derivative is made when the kinds are known: a *tangent* of a function for some of its parameters, or a *pullback* of
some of its results. It is a function without a body; a rule says what it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from s2sad.errors import KindError
from s2sad.forms import Make
from s2sad.frontend.functions import Found, Kinds, Program, Reading
from s2sad.frontend.values import Array, Fresh, Known, Scalar, Tuple, Value
from s2sad.ir.nodes import REAL, Call, Expr, Function, Kind, Leaf, Node, Rule, Var
from s2sad.source import Span

How: TypeAlias = Literal["pullback", "tangent"]
#: What a result is made of: positions among the results of a call, in tuples; or what it is.
Form: TypeAlias = "int | tuple[Make, tuple[Form, ...]] | Known"


@dataclass(frozen=True, slots=True)
class Piece:
    """A function to be called: for which arguments, and what of its results is wanted.

    params  per parameter of what is derived: its value, and where its leaves are among the arguments
    form    the result
    """

    reading: Reading
    args: tuple[Expr, ...]
    params: tuple[tuple[Value, tuple[int, ...]], ...]
    form: Form


@dataclass(slots=True)
class Derived:
    """The reader of a derivative: of the function `base`, for parameters at positions `inputs`.

    `loose`: parameters that are not real are passed over.
    """

    program: Program
    base: Reading
    how: How
    inputs: tuple[int, ...]
    of: tuple[int, ...]
    loose: bool
    at: Span
    plan: Any = field(default=None)

    def _given(self, kinds: Kinds) -> int:
        return len(kinds) - (len(self.inputs) if self.how == "tangent" else len(self.of))

    def kinds_of_results(self, kinds: Kinds) -> Found:
        """Those of the function, and real numbers or arrays."""
        inner = self.program.found.setdefault(
            (self.base.key, kinds[: self._given(kinds)]), (None,) * self.base.count
        )
        if self.how == "tangent":
            return (*inner, *inner)
        return (*inner, *(Kind("real", kinds[k].ndim) for k in self.inputs))

    def made_for(self, kinds: Kinds) -> Function:
        """A function without a body: its rule says what it is."""
        count = self._given(kinds)
        params = tuple(f"x_{k}" for k in range(len(kinds)))
        known = dict(zip(params, kinds, strict=True))
        for k in self.inputs:
            if not kinds[k].is_real and not self.loose:
                raise KindError(
                    f"`{self.base.name}` can't be differentiated for {kinds[k]}", code="S060", at=self.at
                )
        found = self.kinds_of_results(kinds)
        results = tuple(f"y_{k}" for k in range(len(found)))
        known |= {name: REAL if kind is None else kind for name, kind in zip(results, found, strict=True)}
        n = self.base.count
        call = Call(results[:n], self.base.key, tuple(map(Var, params[:count])), at=self.at)
        inputs = tuple(params[k] for k in self.inputs)
        rule = Rule(self.how, (call,), inputs, params[count:], results[:n], results[n:], known, self.of)
        return Function(
            self.base.name, params, (), tuple(map(Var, results)), known, (), Node(tuple(map(Leaf, results))),
            rule=rule, at=self.at,
        )  # fmt: skip


# ----- forms ------------------------------------------------------------------------------------------------


def ndim_of(value: Value) -> int:
    """The number of dimensions; 0 of what is no array."""
    return value.ndim if isinstance(value, Array | Fresh) else 0


def formal_leaf(leaf: Value) -> Value:
    """What stands for a number, or for an array of some dimensions."""
    return Array("", leaf.ndim) if isinstance(leaf, Array | Fresh) else Scalar(Var(""))


def numbered(value: Value, first: int) -> tuple[Form, int]:
    """The form of results: their positions in order; and the next position."""
    match value:
        case Tuple(items, make):
            forms = []
            for item in items:
                form, first = numbered(item, first)
                forms.append(form)
            return (make, tuple(forms)), first
        case Known():
            return value, first + 1
    return first, first + 1


def shifted(form: Form, count: int) -> Form:
    """The same results, further on: their tangents."""
    if isinstance(form, int):
        return form + count
    if isinstance(form, tuple):
        return form[0], tuple(shifted(item, count) for item in form[1])
    return form


def positions_in(form: Form) -> Iterator[int]:
    """The positions of the results that a form is made of, in order."""
    if isinstance(form, int):
        yield form
    elif isinstance(form, tuple):
        for item in form[1]:
            yield from positions_in(item)


def matching(value: Value, places: Iterator[int], made: dict[int, int]) -> Form:
    """The form of the adjoint of an argument."""
    match value:
        case Tuple(items, make):
            return make, tuple(matching(item, places, made) for item in items)
        case Known():
            return Known(None)
    place = made.get(next(places))
    return Known(None) if place is None else place


def template(form: Form, results: Sequence[Value]) -> Value:
    """A form with results in it."""
    if isinstance(form, int):
        return results[form]
    if isinstance(form, tuple):
        return Tuple(tuple(template(item, results) for item in form[1]), form[0])
    return form
