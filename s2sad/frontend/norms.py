"""`np.linalg.norm` of all orders, and what goes with it: sums, largest values, singular values.

Where a norm has no slope (of a vector at the origin, of equal singular values) the conventions of its parts hold.
"""

from __future__ import annotations

import math
from typing import Any

import gast
import numpy as np

from s2sad.errors import KindError
from s2sad.frontend.making import ONE
from s2sad.frontend.subscripts import WHOLE
from s2sad.frontend.sums import Sums
from s2sad.frontend.values import Array, Fresh, Known, Scalar, Tuple, Value
from s2sad.ir.nodes import Apply, Const, Expr, Var

#: Function of NumPy -> (method below, nothing more to say).
NORMS: dict[Any, tuple[str, str]] = {np.linalg.norm: ("_norm", ""), np.linalg.cond: ("_condition_number", "")}


class Norms(Sums):
    """What norms give."""

    def _norm(self, node: gast.Call, _: str) -> Value:
        given = self.given(node, "x ord axis keepdims")
        base = self.array_at(node, self.expr(given["x"]))
        order = self._norm_order(node, given.get("ord"))
        keep = self.flag(given.get("keepdims"))
        axes = self._norm_axes(node, given.get("axis"), base.ndim)
        if axes is None and (
            order is None or (order == 2 and base.ndim == 1) or (order == "fro" and base.ndim == 2)
        ):
            value: Expr = Apply("norm", (Var(base.name),))
            return (
                Fresh(Apply("full", (value, *(ONE,) * base.ndim)), base.ndim, True) if keep else Scalar(value)
            )
        axes = tuple(range(base.ndim)) if axes is None else axes
        if len(axes) == 1:
            return self._of_vectors(node, base, order, axes[0], keep)
        if len(axes) == 2:
            return self._of_matrices(node, base, order, axes, keep)
        self.refuse(node, "a norm is of vectors or of matrices", "S064", error=KindError)

    def _norm_order(self, node: gast.Call, given: gast.AST | None) -> float | str | None:
        match None if given is None else self.expr(given):
            case None | Known(None):
                return None
            case Known(str() as text) if text in ("fro", "nuc"):
                return text
            case Scalar(Const(int() | float() as number)):
                return number
        self.refuse(node, "the order of a norm must be a constant", "S073")

    def _norm_axes(self, node: gast.Call, given: gast.AST | None, ndim: int) -> tuple[int, ...] | None:
        value = Known(None) if given is None else self.expr(given)
        items = value.items if isinstance(value, Tuple) else (value,)
        if value == Known(None):
            return None
        found = [v.expr.value for v in items if isinstance(v, Scalar) and isinstance(v.expr, Const)]
        if len(found) < len(items) or not all(type(k) is int and -ndim <= k < ndim for k in found):
            self.refuse(node, "an axis must be a constant, and the array must have it", "S073")
        return tuple(k % ndim for k in found)

    def _of_vectors(
        self, node: gast.AST, base: Array, order: float | str | None, axis: int, keep: bool
    ) -> Value:
        if order in (None, 2):
            squares = self._elementwise_of(node, "mul", base, base)
            return self.apply("root", [self._along(squares, "sum", axis, keep)], node)
        sizes = self._elementwise_of(node, "abs", base)
        if isinstance(order, str):
            self.refuse(node, f"`{order!r}` is a norm of matrices", "S064", error=KindError)
        if order in (math.inf, -math.inf):
            return self._along(sizes, "amax" if order == math.inf else "amin", axis, keep)
        if order == 0:
            some = self.apply("ne", [base, Scalar(Const(0.0))], node)
            counted = self.apply("where", [some, Scalar(Const(1.0)), Scalar(Const(0.0))], node)
            assert isinstance(counted, Fresh)
            return self._along(self.array(counted), "sum", axis, keep)
        if order == 1:
            return self._along(sizes, "sum", axis, keep)
        exponent = Scalar(Const(order))
        powers = self.apply("pow", [sizes, exponent], node)
        assert isinstance(powers, Fresh)
        total = self._along(self.array(powers), "sum", axis, keep)
        return self.apply("root_of_order", [total, Scalar(Const(float(order)))], node)

    def _of_matrices(
        self, node: gast.AST, base: Array, order: float | str | None, axes: tuple[int, ...], keep: bool
    ) -> Value:
        rows, columns = axes
        if order in (1, -1, math.inf, -math.inf):
            first, second = (rows, columns) if abs(order) == 1 else (columns, rows)
            sums = self._along(self._elementwise_of(node, "abs", base), "sum", first, True)
            assert isinstance(sums, Fresh)
            key = "amax" if order in (1, math.inf) else "amin"
            return self._dropped(self._along(self.array(sums), key, second, True), axes, keep)
        if order in (None, "fro"):
            squares = self._elementwise_of(node, "mul", base, base)
            sums = self._along(squares, "sum", rows, True)
            assert isinstance(sums, Fresh)
            total = self._dropped(self._along(self.array(sums), "sum", columns, True), axes, keep)
            return self.apply("root", [total], node)
        if order in (2, -2, "nuc") and base.ndim == 2:
            values = self.of_matrix(
                node, "singular_values", base if rows < columns else self._turned_over(base)
            )
            assert isinstance(values, Fresh)
            key = {2: "amax", -2: "amin", "nuc": "sum"}[order]
            value = self._along(self.array(values), key, None, False)
            assert isinstance(value, Scalar)
            return Fresh(Apply("full", (value.expr, ONE, ONE)), 2, True) if keep else value
        self.refuse(node, f"a norm of order {order!r} is not supported here", "S073")

    def _turned_over(self, base: Array) -> Array:
        turned = self.transposed(base)
        assert isinstance(turned, Array)
        return turned

    def _elementwise_of(self, node: gast.AST, op: str, *operands: Array) -> Array:
        made = self.apply(op, list(operands), node)
        assert isinstance(made, Fresh)
        return self.array(made)

    def _dropped(self, value: Value, axes: tuple[int, ...], keep: bool) -> Value:
        """An array without axes of length one."""
        assert isinstance(value, Array | Fresh)
        if keep:
            return value
        base = self.array(value)
        index = tuple(Const(0) if k in axes else WHOLE for k in range(base.ndim))
        return self.selected(base, index)

    def _condition_number(self, node: gast.Call, _: str) -> Value:
        given = self.given(node, "x p")
        if "p" in given and self._norm_order(node, given["p"]) not in (None, 2):
            self.refuse(node, "`np.linalg.cond` is supported in the norm of order 2", "S073")
        base = self.array_at(node, self.expr(given["x"]), 2)
        values = self.of_matrix(node, "singular_values", base)
        assert isinstance(values, Fresh)
        s = self.array(values)
        return self.apply("div", [self.selected(s, (Const(0),)), self.selected(s, (Const(-1),))], node)
