"""Arrays in another shape, joined, or made by rule: views where NumPy gives views, else loops that fill."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from s2sad.errors import KindError
from s2sad.frontend.axes import Axes
from s2sad.frontend.making import ONE, ZERO, held, product, put, shown
from s2sad.frontend.subscripts import NEW_AXIS, WHOLE
from s2sad.frontend.values import Array, Fresh, Growing, Known, Scalar, Tuple, Value
from s2sad.ir.nodes import Apply, Assign, Const, Expr, Load, Slice, Var
from s2sad.ops.build import add

#: Function of NumPy -> method below.
SHAPES: dict[Any, str] = {
    np.transpose: "_transposed", np.moveaxis: "_moved", np.swapaxes: "_swapped", np.reshape: "_reshaped",
    np.ravel: "_raveled",
    np.flip: "_flipped", np.flipud: "_flipped_up", np.fliplr: "_flipped_left", np.expand_dims: "_expanded",
    np.concatenate: "_concatenated", np.hstack: "_hstacked", np.vstack: "_vstacked", np.stack: "_stacked",
    np.column_stack: "_columns", np.outer: "_outer", np.eye: "_eye", np.identity: "_identity",
    np.atleast_1d: "_at_least_1d", np.atleast_2d: "_at_least_2d", np.atleast_3d: "_at_least_3d",
    np.arange: "_arange",
}  # fmt: skip
#: Those that join a sequence of arrays.
JOINS = (np.concatenate, np.hstack, np.vstack, np.stack, np.column_stack)
STACKED = "all input arrays must have the same shape"
JOINED = "all the input array dimensions except for the concatenation axis must match exactly"


class Shapes(Axes):
    """Operations that move elements about."""

    def shaping(self, node: gast.Call, target: Any) -> Value:
        """The value of a call of one of SHAPES."""
        if target in JOINS and node.args:
            first = self.expr(node.args[0])
            if isinstance(first, Growing):
                return self._list_joined(node, target, first)
            args = [held(first, node.args[0]), *node.args[1:]]
            node = gast.copy_location(gast.Call(node.func, args, node.keywords), node)
        value: Value = getattr(self, SHAPES[target])(node)
        return value

    # ----- views ---------------------------------------------------------------------------------------------

    def transposed(self, base: Array | Fresh) -> Value:
        """`base.T`."""
        base = self.array(base)
        return base if base.ndim == 1 else self.seen_as(base, "T", base.ndim)

    def part(self, base: Array | Fresh, name: str) -> Value:
        """`base.real` or `base.imag`."""
        base = self.array(base)
        return self.seen_as(base, name, base.ndim)

    def _transposed(self, node: gast.Call) -> Value:
        args = list(node.args)
        if len(args) > 2:  # x.transpose(2, 0, 1)
            args[1:] = [gast.Tuple(elts=args[1:], ctx=gast.Load())]
        given = self.given(gast.Call(func=node.func, args=args, keywords=node.keywords), "a axes")
        base = self.array_at(node, self.expr(given["a"]))
        axes = self.expr(given["axes"]) if "axes" in given else Known(None)
        if not isinstance(axes, Tuple | Scalar):
            return self.transposed(base)
        items = axes.items if isinstance(axes, Tuple) else (axes,)
        numbers = [self.axis_at(node, value, base.ndim) for value in items]
        if sorted(numbers) != list(range(base.ndim)):
            self.refuse(node, "each axis is needed once", "S064", error=KindError)
        return self.turned(base, numbers)

    def turned(self, base: Array, order: Sequence[int]) -> Array:
        """`base` with its axes in another order."""
        if list(order) == list(range(base.ndim)):
            return base
        if list(order) == list(reversed(range(base.ndim))):
            return self.seen_as(base, "T", base.ndim)
        return self.seen_as(base, "T", base.ndim, [Const(k) for k in order])

    def _moved(self, node: gast.Call) -> Value:
        given = self.given(node, "a source destination")
        base = self.array_at(node, self.expr(given["a"]))
        ends: list[list[int]] = []
        for name in ("source", "destination"):
            value = self.expr(given[name])
            items = value.items if isinstance(value, Tuple) else (value,)
            ends.append([self.axis_at(node, item, base.ndim) for item in items])
        source, destination = ends
        if (
            len(set(source)) < len(source)
            or len(set(destination)) < len(source)
            or len(source) != len(destination)
        ):
            self.refuse(node, "each axis goes to a place of its own", "S064", error=KindError)
        order = [k for k in range(base.ndim) if k not in source]
        for place, axis in sorted(zip(destination, source, strict=True)):
            order.insert(place, axis)
        return self.turned(base, order)

    def _swapped(self, node: gast.Call) -> Value:
        given = self.given(node, "a axis1 axis2")
        base = self.array_at(node, self.expr(given["a"]))
        one, other = (self.axis_at(node, self.expr(given[name]), base.ndim) for name in ("axis1", "axis2"))
        order = list(range(base.ndim))
        order[one], order[other] = other, one
        return self.turned(base, order)

    def _reshaped(self, node: gast.Call) -> Value:
        args = list(node.args)
        if len(args) > 2:  # x.reshape(2, 3)
            args[1:] = [gast.Tuple(elts=args[1:], ctx=gast.Load())]
        given = self.given(gast.Call(func=node.func, args=args, keywords=node.keywords), "a shape")
        if "shape" not in given:
            self.refuse(node, "a shape is needed", "S073")
        base = self.array_at(node, self.expr(given["a"]))
        shape = self.expr(given["shape"])
        lengths = shape.items if isinstance(shape, Tuple) else (shape,)
        if not lengths:
            self.refuse(node, "an array without dimensions is not supported", "S064", error=KindError)
        return self.seen_as(base, "reshape", len(lengths), [self.whole_number(node, n) for n in lengths])

    def _raveled(self, node: gast.Call) -> Value:
        given = self.given(node, "a")
        return self.flat(self.array_at(node, self.expr(given["a"])))

    def flat(self, base: Array) -> Array:
        """`base.ravel()`."""
        return base if base.ndim == 1 else self.seen_as(base, "reshape", 1, (product(self.shape(base)),))

    def _flipped(self, node: gast.Call) -> Value:
        given = self.given(node, "m axis")
        base = self.array_at(node, self.expr(given["m"]))
        return self._turned(base, self.axis_of(given.get("axis"), base.ndim))

    def _flipped_up(self, node: gast.Call) -> Value:
        return self._turned(self.array_at(node, self.expr(self.given(node, "m")["m"])), 0)

    def _flipped_left(self, node: gast.Call) -> Value:
        base = self.array_at(node, self.expr(self.given(node, "m")["m"]))
        if base.ndim == 1:
            self.refuse(
                node, f"`{shown(node)}` needs an array of 2 dimensions or more", "S064", error=KindError
            )
        return self._turned(base, 1)

    def _turned(self, base: Array, axis: int | None) -> Value:
        """The elements along one axis, or along all, from the last to the first."""
        turn = Slice(None, None, Const(-1))
        return self.selected(base, tuple(turn if axis in (None, k) else WHOLE for k in range(base.ndim)))

    def _expanded(self, node: gast.Call) -> Value:
        given = self.given(node, "a axis")
        base = self.array_at(node, self.expr(given["a"]))
        axis = self.axis_of(given.get("axis"), base.ndim + 1, 0)
        return self.selected(base, put((WHOLE,) * base.ndim, axis or 0, NEW_AXIS))

    def _at_least_1d(self, node: gast.Call) -> Value:
        return self._at_least(node, 1)

    def _at_least_2d(self, node: gast.Call) -> Value:
        return self._at_least(node, 2)

    def _at_least_3d(self, node: gast.Call) -> Value:
        return self._at_least(node, 3)

    def _at_least(self, node: gast.Call, wanted: int) -> Value:
        if len(node.args) != 1 or node.keywords:
            self.refuse(node, f"`{shown(node)}` takes one array here", "S073")
        value = self.expr(node.args[0])
        if isinstance(value, Scalar):
            value = self.array_of(node, Tuple((value,)))
        base = self.array_at(node, value)
        if base.ndim >= wanted:
            return base
        axes = (NEW_AXIS, WHOLE, NEW_AXIS) if base.ndim == 1 else (WHOLE, WHOLE, NEW_AXIS)
        return self.selected(base, axes[:wanted])

    # ----- joined --------------------------------------------------------------------------------------------

    def _pieces(self, node: gast.Call, name: str) -> tuple[list[Array], dict[str, gast.AST]]:
        given = self.given(node, f"{name} axis")
        values = self.items(given[name])
        if not values:
            self.refuse(node, "there is nothing to join", "S064", error=KindError)
        return [self.array_at(node, value) for value in values], given

    def _concatenated(self, node: gast.Call) -> Value:
        pieces, given = self._pieces(node, "arrays")
        return self._joined(node, pieces, self.axis_of(given.get("axis"), pieces[0].ndim, 0))

    def _hstacked(self, node: gast.Call) -> Value:
        pieces, _ = self._pieces(node, "tup")
        return self._joined(node, pieces, 0 if pieces[0].ndim == 1 else 1)

    def _vstacked(self, node: gast.Call) -> Value:
        pieces, _ = self._pieces(node, "tup")
        if all(piece.ndim == 1 for piece in pieces):
            return self._stack(node, pieces, 0, JOINED)
        pieces = [self.array(Fresh(Load(p.name, (NEW_AXIS, WHOLE)), 2)) if p.ndim == 1 else p for p in pieces]
        return self._joined(node, pieces, 0)

    def _stacked(self, node: gast.Call) -> Value:
        pieces, given = self._pieces(node, "arrays")
        return self._stack(node, pieces, self.axis_of(given.get("axis"), pieces[0].ndim + 1, 0) or 0)

    def _columns(self, node: gast.Call) -> Value:
        pieces, _ = self._pieces(node, "tup")
        if all(piece.ndim == 1 for piece in pieces):
            return self._stack(node, pieces, 1, JOINED)
        pieces = [self.array(Fresh(Load(p.name, (WHOLE, NEW_AXIS)), 2)) if p.ndim == 1 else p for p in pieces]
        return self._joined(node, pieces, 1)

    def _joined(self, node: gast.AST, pieces: Sequence[Array], axis: int | None) -> Array:
        """One after the other along an axis."""
        if axis is None or len({piece.ndim for piece in pieces}) > 1:
            self.refuse(
                node, "arrays of one number of dimensions are needed, and an axis", "S064", error=KindError
            )
        self._fitting(pieces, axis, JOINED)
        ends: list[Expr] = [ZERO]
        for piece in pieces:
            length = self.shape(piece)[axis]
            end = self.temporary("end")
            self.emit(Assign(end, add(ends[-1], length), self.at))
            ends.append(Var(end))
        shape = list(self.shape(pieces[0]))
        shape[axis] = ends[-1]
        out = self.room(shape, *(Var(piece.name) for piece in pieces))
        for piece, start, stop in zip(pieces, ends, ends[1:], strict=False):
            part = Slice(start if start != ZERO else None, stop)
            self.fill(out, [part if k == axis else WHOLE for k in range(out.ndim)], Var(piece.name))
        return out

    def _stack(self, node: gast.AST, pieces: Sequence[Array], axis: int, text: str = STACKED) -> Array:
        """Beside one another along a new axis."""
        if len({piece.ndim for piece in pieces}) > 1:
            self.refuse(node, "arrays of one number of dimensions are needed", "S064", error=KindError)
        self._fitting(pieces, None, text)
        shape = put(self.shape(pieces[0]), axis, Const(len(pieces)))
        out = self.room(shape, *(Var(piece.name) for piece in pieces))
        for k, piece in enumerate(pieces):
            self.fill(out, put((WHOLE,) * piece.ndim, axis, Const(k)), Var(piece.name))
        return out

    def _fitting(self, pieces: Sequence[Array], but: int | None, text: str) -> None:
        """Raise where lengths differ."""
        first = self.shape(pieces[0])
        for piece in pieces[1:]:
            for k, length in enumerate(self.shape(piece)):
                if k != but:
                    self.unless((first[k], length), "ValueError", text)

    def _list_joined(self, node: gast.Call, target: Any, value: Growing) -> Value:
        """What joins a list that changes: its items are rows of one array."""
        rank = self.rank(value)
        given = self.given(node, "arrays axis" if target in (np.stack, np.concatenate) else "tup")
        rows = self.array_at(node, value)
        if target is np.stack or (rank == 1 and target in (np.vstack, np.column_stack)):
            new = self.axis_of(given.get("axis"), rank + 1, 1 if target is np.column_stack else 0) or 0
            order = [*range(1, new + 1), 0, *range(new + 1, rank + 1)]
            seen = self.turned(rows, order)
            return seen if seen == rows else Fresh(Apply("copy", (Var(seen.name),)), seen.ndim, True)
        if not rank and target is np.hstack:
            return rows
        beside = target in (np.hstack, np.column_stack) and rank > 1
        axis = self.axis_of(given.get("axis"), rank, int(beside)) if rank else None
        if axis is None:
            self.refuse(node, "arrays are needed here, and an axis", "S064", error=KindError)
        shape = list(self.shape(rows))
        count = shape.pop(0)
        shape[axis] = Apply("mul", (count, shape[axis]))
        if axis:
            turned = self.turned(rows, [*range(1, axis + 1), 0, *range(axis + 1, rank + 1)])
            rows = self.array(Fresh(Apply("copy", (Var(turned.name),)), turned.ndim, True))
        return self.seen_as(rows, "reshape", rank, shape)

    # ----- made by rule --------------------------------------------------------------------------------------

    def _outer(self, node: gast.Call) -> Value:
        given = self.given(node, "a b")
        values = self.operands([given["a"], given["b"]])
        a, b = (self.flat(self.array_at(node, value)) for value in values)
        column, row = self.selected(a, (WHOLE, NEW_AXIS)), self.selected(b, (NEW_AXIS, WHOLE))
        return self.apply("mul", [column, row], node)

    def _eye(self, node: gast.Call) -> Value:
        return self._ones_across(node, self.given(node, "N M"))

    def _identity(self, node: gast.Call) -> Value:
        return self._ones_across(node, self.given(node, "n"))

    def _ones_across(self, node: gast.Call, given: dict[str, gast.AST]) -> Value:
        lengths = [self.whole_number(node, self.expr(given[k])) for k in ("n", "N", "M") if k in given]
        n, m = lengths[0], lengths[-1]
        out = self.room((n, m), Const(0.0), zero=True)
        with self.counting(_smaller(n, m)) as k:
            self.fill(out, (k, k), Const(1.0))
        return out

    def _arange(self, node: gast.Call) -> Value:
        given = self.given(node, "start stop step" if len(node.args) > 1 else "stop")
        values = dict(zip(given, self.operands(given.values()), strict=True))
        bounds = [values.get("start", Scalar(ZERO)), values["stop"], values.get("step", Scalar(ONE))]
        numbers = [v.expr.value for v in bounds if isinstance(v, Scalar) and isinstance(v.expr, Const)]
        if any(isinstance(n, float) for n in numbers):
            if len(numbers) < 3:
                self.refuse(
                    node, "`np.arange` takes integers, or constants", "S073", "use `h * np.arange(n)`"
                )
            return self._evenly(node, np.arange(*numbers))
        start, stop, step = (self.whole_number(node, value) for value in bounds)
        trips = Apply("trips", (start, stop, step))
        out = self.room((trips,), ZERO)
        with self.counting(trips) as k:
            self.fill(out, (k,), add(start, k if step == ONE else Apply("mul", (k, step))))
        return out

    def _evenly(self, node: gast.AST, values: np.ndarray[Any, Any]) -> Value:
        """Real numbers at one distance, known now."""
        first, apart = (
            (float(v) for v in (values[0], values[1] - values[0])) if len(values) > 1 else (0.0, 0.0)
        )
        if len(values) < 2 or any(values != first + np.arange(len(values)) * apart):
            self.refuse(node, "these steps are not supported", "S073", "use `h * np.arange(n)`")
        out = self.room((Const(len(values)),), Const(0.0))
        with self.counting(Const(len(values))) as k:
            self.fill(out, (k,), add(Const(first), Apply("mul", (k, Const(apart)))))
        return out


def _smaller(n: Expr, m: Expr) -> Expr:
    return n if n == m else Apply("minimum", (n, m), "min")
