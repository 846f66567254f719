"""Reductions and running sums along an axis, and means: loops over the other axes, as NumPy goes through them.

A sum along the last axis is `np.sum` of each section; along another one, sections are added one after the other:
so NumPy does it, and the values are its own to the last bit.
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from s2sad.frontend.gather import Gathers
from s2sad.frontend.making import ONE, ZERO, along, product, put
from s2sad.frontend.subscripts import NEW_AXIS, WHOLE
from s2sad.frontend.values import Array, Fresh, Scalar, Value
from s2sad.ir.nodes import Apply, Const, Expr, Load, Slice, Update, Var
from s2sad.ops.build import sub

#: Function of NumPy -> (method below, key of the operation on elements).
ALONG: dict[Any, tuple[str, str]] = {
    np.sum: ("_reduced", "sum"), np.max: ("_reduced", "amax"), np.min: ("_reduced", "amin"),
    np.median: ("_reduced", "median"),
    np.mean: ("_mean", ""), np.average: ("_mean", ""), np.var: ("_variance", ""), np.std: ("_variance", "sqrt"),
    np.cumsum: ("_running", "add"), np.cumprod: ("_running", "mul"), np.diff: ("_differences", ""),
}  # fmt: skip
_SPELL = {"sum": "np.sum", "amax": "np.max", "amin": "np.min", "median": "np.median"}
_FROM_SECOND, _TO_LAST = Slice(ONE), Slice(None, Const(-1))


class Axes(Gathers):
    """Operations that go along an axis."""

    def along_axis(self, node: gast.Call, target: Any) -> Value:
        """The value of a call of one of ALONG."""
        method, key = ALONG[target]
        value: Value = getattr(self, method)(node, key)
        return value

    def _reduced(self, node: gast.Call, key: str) -> Value:
        given = self.given(node, "a axis keepdims")
        base = self.array_at(node, self.expr(given["a"]))
        return self._along(
            base, key, self.axis_of(given.get("axis"), base.ndim), self.flag(given.get("keepdims"))
        )

    def _along(self, base: Array, key: str, axis: int | None, keep: bool) -> Value:
        """A reduction along one axis, or over all elements."""
        shape, ndim = self.shape(base), base.ndim
        if axis is None or (ndim == 1 and not keep):
            value: Expr = Apply(key, (Var(base.name),), _SPELL[key])
            return Fresh(Apply("full", (value, *(ONE,) * ndim)), ndim, True) if keep else Scalar(value)
        rest = [length for k, length in enumerate(shape) if k != axis]
        if not rest:
            return self._along(base, key, None, keep)
        sample = Apply(key, (Var(base.name),))
        if key == "sum" and axis < ndim - 1:
            out = self.room(rest, sample, zero=True)
            with self.counting(shape[axis]) as k:
                part = Load(base.name, along(ndim, axis, k))
                self.emit(Update(out.name, Apply("add", (Var(out.name), part)), self.at))
        else:
            out = self.room(rest, sample)
            with self.counters(rest) as index:
                line = self.view(base, put(index, axis, WHOLE))
                assert isinstance(line, Array)
                self.fill(out, index, Apply(key, (Var(line.name),), _SPELL[key]))
        if not keep:
            return out
        return Fresh(Load(out.name, put((WHOLE,) * (ndim - 1), axis, NEW_AXIS)), ndim)

    def _mean(self, node: gast.Call, key: str) -> Value:
        given = self.given(node, "a axis keepdims")
        base = self.array_at(node, self.expr(given["a"]))
        axis, keep = self.axis_of(given.get("axis"), base.ndim), self.flag(given.get("keepdims"))
        return self._mean_of(node, base, axis, keep)

    def _mean_of(self, node: gast.AST, base: Array, axis: int | None, keep: bool, less: Expr = ZERO) -> Value:
        """The sum divided by the number of what was added (`less` some, at the least 0, as NumPy has it)."""
        total = self._along(base, "sum", axis, keep)
        shape = self.shape(base)
        count = product(shape) if axis is None else shape[axis]
        if less != ZERO:
            count = Apply("maximum", (sub(count, less), ZERO), "max")
        return self.apply("div", [total, Scalar(count)], node)

    def _variance(self, node: gast.Call, key: str) -> Value:
        given = self.given(node, "a axis ddof keepdims")
        base = self.array_at(node, self.expr(given["a"]))
        axis, keep = self.axis_of(given.get("axis"), base.ndim), self.flag(given.get("keepdims"))
        less = self.whole_number(node, self.expr(given["ddof"])) if "ddof" in given else ZERO
        mean = self.held(self._mean_of(node, base, axis, axis is not None))
        apart = self.apply("sub", [base, mean], node)
        assert isinstance(apart, Fresh)
        apart = self.array(apart)
        square = self.apply("mul", [apart, apart], node)
        assert isinstance(square, Fresh)
        value = self._mean_of(node, self.array(square), axis, keep, less)
        return self.apply(key, [value], node, "np.sqrt") if key else value

    def _running(self, node: gast.Call, key: str) -> Value:
        given = self.given(node, "a axis")
        base = self.array_at(node, self.expr(given["a"]))
        axis = self.axis_of(given.get("axis"), base.ndim)
        if axis is None and base.ndim > 1:
            base = self.seen_as(base, "reshape", 1, (product(self.shape(base)),))
        axis, shape = axis or 0, self.shape(base)
        out = self.room(shape, Apply("sum", (Var(base.name),)))
        self.emit(Update(out.name, Var(base.name), self.at))
        with self.counting(shape[axis], ONE) as k:
            here, before = (Load(out.name, along(base.ndim, axis, i)) for i in (k, sub(k, ONE)))
            self.fill(out, here.index, Apply(key, (here, before)))
        return out

    def _differences(self, node: gast.Call, key: str) -> Value:
        given = self.given(node, "a n axis")
        base = self.array_at(node, self.expr(given["a"]))
        order = self.expr(given["n"]) if "n" in given else Scalar(ONE)
        if order != Scalar(ONE):
            self.refuse(node, "`np.diff` is supported once", "S073", "call it again on the result")
        axis = self.axis_of(given.get("axis"), base.ndim, base.ndim - 1)
        assert axis is not None
        later, earlier = (
            self.selected(base, along(base.ndim, axis, part)) for part in (_FROM_SECOND, _TO_LAST)
        )
        return self.apply("sub", [later, earlier], node)
