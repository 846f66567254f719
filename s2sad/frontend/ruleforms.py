"""The functions of a rule: in which form they get their arguments, and what they have to give.

What they give is checked where they are read, and told with their line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import gast

from s2sad.errors import UnsupportedSyntaxError
from s2sad.frontend.reader import described
from s2sad.frontend.values import Array, Fresh, Known, Scalar, Tuple, Value, leaves_of
from s2sad.ir.nodes import REAL, Apply, Const, Expr, If, Kind, Raise, Stmt, Var

OTHER_SHAPE = "a rule gives a tangent of another shape than the value has"


@dataclass(frozen=True, slots=True)
class Form:
    """An argument, or a result, by its form: leaves with tangents (True), without (False), and tuples."""

    leaf: bool | None
    items: tuple[Form, ...] = ()

    @property
    def leaves(self) -> tuple[bool, ...]:
        """Per leaf that is passed, whether it has a tangent."""
        if self.leaf is not None:
            return (self.leaf,)
        return tuple(flag for item in self.items for flag in item.leaves)


def refuse(reader: Any, node: gast.AST, message: str, code: str, hint: str = "") -> NoReturn:
    """Refuse a rule at its place."""
    raise UnsupportedSyntaxError(message, code=code, at=reader.span(node), hint=hint)


def copied(reader: Any, value: Value, node: gast.AST) -> Value:
    """The results of a function with a rule: an array that it was given is given back as a copy."""
    match value:
        case Tuple(items, make):
            return Tuple(tuple(copied(reader, item, node) for item in items), make)
        case Array(name, ndim) if name in reader.param_kinds or name in reader.constants:
            return Fresh(Apply("copy", (Var(name),)), ndim, True)
    return value


def with_tangent(reader: Any, value: Value, node: gast.AST) -> Value:
    """The results of the rule of a `custom_jvp`: the value and its tangent, of one shape."""
    if not isinstance(value, Tuple) or len(value.items) != 2:
        refuse(reader, node, "a rule gives the value and its tangent", "S077")
    one, other = (tuple(leaves_of(copied(reader, item, node))) for item in value.items)
    if not alike(one, other):
        refuse(reader, node, "the tangent has another structure than the value", "S077")
    held = [reader.array(v) if isinstance(v, Fresh | Array) else v for v in (*one, *other)]
    for y, t in zip(held[: len(one)], held[len(one) :], strict=True):
        if isinstance(y, Array) and isinstance(t, Array):
            reader.emit(*_same_shape(y.name, t.name, y.ndim, reader.at))
    return Tuple(tuple(held))


def kept(reader: Any, value: Value, node: gast.AST) -> Value:
    """The results of the first half of a `custom_vjp`: the value, and what is kept; parameters are not kept twice."""
    if not isinstance(value, Tuple) or len(value.items) != 2:
        refuse(reader, node, "the forward half of a rule gives the value and what is kept", "S077")
    result, residuals = copied(reader, value.items[0], node), value.items[1]
    params = list(reader.param_kinds)
    out: list[Value] = []

    def leaf(item: Value) -> Any:
        match item:
            case Tuple(items, make):
                return ("tuple", make, tuple(map(leaf, items)))
            case Array(name, ndim) if name in params:
                return ("param", params.index(name), ndim)
            case Scalar():
                out.append(item)
                return ("kept", len(out) - 1, 0)
            case Array(ndim=ndim) | Fresh(ndim=ndim):
                name = reader.array(item).name
                out.append(Fresh(Apply("copy", (Var(name),)), ndim, True))
                kind = reader.kinds.get(name, REAL)
                return ("kept", len(out) - 1, Kind(kind.base, ndim))
            case Known():
                return ("known", item)
        refuse(
            reader,
            node,
            f"{described(item)} can't be kept",
            "S077",
            "keep numbers, arrays and tuples of them",
        )

    reader.plan = leaf(residuals)
    return Tuple((result, Tuple(tuple(out))))


@dataclass(frozen=True, slots=True)
class Increments:
    """The results of the second half of a `custom_vjp` for arguments of some forms: an adjoint per leaf."""

    forms: tuple[Form, ...]
    ndims: tuple[int, ...]

    def __call__(self, reader: Any, value: Value, node: gast.AST) -> Value:
        """Those that are not None."""
        if not isinstance(value, Tuple) or len(value.items) != len(self.forms):
            refuse(reader, node, f"the backward half of a rule gives a tuple of {len(self.forms)}, one adjoint (or None)"
                          " per argument", "S077")  # fmt: skip
        found: list[Value | None] = []
        for form, item in zip(self.forms, value.items, strict=True):
            self._matched(reader, form, item, node, found)
        out: list[Value] = []
        places: list[int | None] = []
        for made, ndim in zip(found, self.ndims, strict=True):
            places.append(None if made is None else len(out))
            if made is not None:
                if (made.ndim if isinstance(made, Array | Fresh) else 0) != ndim:
                    refuse(
                        reader,
                        node,
                        f"an adjoint is {described(made)}, its argument has {ndim} dimensions",
                        "S077",
                    )
                out.append(copied(reader, made, node))
        reader.plan = tuple(places)
        return Tuple(tuple(out))

    def _matched(
        self, reader: Any, form: Form, item: Value, node: gast.AST, found: list[Value | None]
    ) -> None:
        if item == Known(None) or form.leaf is False:
            found += [None] * len(form.leaves)
        elif form.leaf is None:
            if not isinstance(item, Tuple) or len(item.items) != len(form.items):
                refuse(reader, node, "an adjoint has another structure than its argument", "S077")
            for inner, part in zip(form.items, item.items, strict=True):
                self._matched(reader, inner, part, node, found)
        elif not isinstance(item, Scalar | Array | Fresh):
            refuse(reader, node, f"an adjoint is a number or an array, not {described(item)}", "S077")
        else:
            found.append(item)


@dataclass(frozen=True, slots=True)
class Increment:
    """The result of the adjoint of one parameter of an operation."""

    form: Form
    ndims: tuple[int, ...]

    def __call__(self, reader: Any, value: Value, node: gast.AST) -> Value:
        """The adjoints of its leaves, as far as there are any."""
        return Increments((self.form,), self.ndims)(reader, Tuple((value,)), node)


def alike(one: Sequence[Value], other: Sequence[Value]) -> bool:
    """Whether leaves match: numbers with numbers, arrays with arrays of as many dimensions."""
    return [dims(v) for v in one] == [dims(v) for v in other]


def dims(value: Value) -> int:
    """The number of dimensions of a leaf; -1 of what is neither number nor array."""
    return value.ndim if isinstance(value, Array | Fresh) else 0 if isinstance(value, Scalar) else -1


def form_of(value: Value, kinds: Any) -> Form:
    """The form of an argument; `kinds` gives those of its leaves in order."""
    match value:
        case Tuple(items):
            return Form(None, tuple(form_of(item, kinds) for item in items))
        case Known():
            return Form(None)
    kind = next(kinds)
    return Form(kind.is_real or not kind.is_array)


def formal(value: Value) -> Value:
    """A value that stands for all of its form."""
    match value:
        case Tuple(items, make):
            return Tuple(tuple(map(formal, items)), make)
        case Scalar():
            return Scalar(Var(""))
        case Array(ndim=ndim) | Fresh(ndim=ndim):
            return Array("", ndim)
    return value


def tangent_of(form: Form, value: Value) -> Value:
    """The form of a tangent: as the value's, None where it has none."""
    match value:
        case Tuple(items, make):
            return Tuple(tuple(tangent_of(f, v) for f, v in zip(form.items, items, strict=True)), make)
        case Scalar() | Array() | Fresh() if form.leaf:
            return formal(value)
    return Known(None)


def outline(value: Value) -> Any:
    """The form of a value, to compare with others."""
    match value:
        case Tuple(items, make):
            return ("tuple", make, tuple(map(outline, items)))
        case Known(known):
            return ("known", id(known))
    return dims(value)


def _same_shape(one: str, other: str, ndim: int, at: Any) -> tuple[Stmt, ...]:
    """Raise where two arrays differ in shape."""
    test: Expr | None = None
    for k in range(ndim):
        more = Apply("ne", (Apply("shape", (Var(one), Const(k))), Apply("shape", (Var(other), Const(k)))))
        test = more if test is None else Apply("or", (test, more))
    return () if test is None else (If(test, (Raise("ValueError", (Const(OTHER_SHAPE),), at),), (), at),)
