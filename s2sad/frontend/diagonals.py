"""Diagonals: taken out of an array, laid into one, summed."""

from __future__ import annotations

import string
from typing import Any

import gast
import numpy as np

from s2sad.errors import KindError
from s2sad.frontend.norms import Norms
from s2sad.frontend.subscripts import WHOLE
from s2sad.frontend.values import Array, Fresh, Scalar, Value
from s2sad.ir.nodes import Apply, Const, Expr, Load, Slice, Var
from s2sad.ops.build import add, neg, sub

#: Function of NumPy -> (method below, nothing more to say).
DIAGONALS: dict[Any, tuple[str, str]] = {
    np.diag: ("_diag", ""), np.diagflat: ("_diag", "flat"), np.diagonal: ("_diagonal", ""), np.trace: ("_trace", ""),
}  # fmt: skip
ZERO = Const(0)


class Diagonals(Norms):
    """What functions of diagonals give."""

    def _diag(self, node: gast.Call, which: str) -> Value:
        given = self.given(node, "v k")
        operands = self.operands(list(given.values()))
        base = self.array_at(node, operands[0])
        offset = self.whole_number(node, operands[1]) if "k" in given else ZERO
        if which:
            base = self.flat(base)
        return (
            self._diagonal_laid(base, offset) if base.ndim == 1 else self._diagonal_taken(node, base, offset)
        )

    def _diagonal_laid(self, base: Array, offset: Expr) -> Array:
        """A square matrix with a vector on one of its diagonals."""
        (n,) = self.shape(base)
        down, right = _sides(offset)
        size = add(n, add(down, right))
        out = self.room((size, size), Var(base.name), zero=True)
        with self.counting(n) as k:
            self.fill(out, (add(k, down), add(k, right)), Load(base.name, (k,)))
        return out

    def _diagonal_taken(self, node: gast.AST, base: Array, offset: Expr) -> Array:
        """A diagonal of a matrix."""
        if base.ndim != 2:
            self.refuse(node, "a diagonal of more than two axes: use `np.diagonal`", "S064", error=KindError)
        n, m = self.shape(base)
        down, right = _sides(offset)
        length = _length(n, m, offset)
        out = self.room((length,), Var(base.name))
        with self.counting(self.shape(out)[0]) as k:
            self.fill(out, (k,), Load(base.name, (add(k, down), add(k, right))))
        return out

    def _diagonal(self, node: gast.Call, _: str) -> Value:
        base, offset, axes = self._along_two(node)
        if base.ndim == 2:
            base = base if axes == (0, 1) else self.array_at(node, self.transposed(base))
            return self._diagonal_taken(node, base, offset)
        return self._labelled_diagonal(node, base, offset, axes, True)

    def _trace(self, node: gast.Call, _: str) -> Value:
        base, offset, axes = self._along_two(node)
        if base.ndim == 2:
            base = base if axes == (0, 1) else self.array_at(node, self.transposed(base))
            return Scalar(Apply("sum", (Var(self._diagonal_taken(node, base, offset).name),), "np.sum"))
        return self._labelled_diagonal(node, base, offset, axes, False)

    def _along_two(self, node: gast.Call) -> tuple[Array, Expr, tuple[int, int]]:
        given = self.given(node, "a offset axis1 axis2")
        base = self.array_at(node, self.expr(given["a"]))
        offset = self.whole_number(node, self.expr(given["offset"])) if "offset" in given else ZERO
        if base.ndim < 2:
            self.refuse(node, "a diagonal needs two axes", "S064", error=KindError)
        axes = (
            self.axis_of(given.get("axis1"), base.ndim, 0),
            self.axis_of(given.get("axis2"), base.ndim, 1),
        )
        if None in axes or axes[0] == axes[1]:
            self.refuse(node, "two axes are needed", "S073")
        return base, offset, axes  # type: ignore[return-value]

    def _labelled_diagonal(
        self, node: gast.AST, base: Array, offset: Expr, axes: tuple[int, int], keep: bool
    ) -> Value:
        """The diagonals of many axes, last, or their sums."""
        lengths, index = self.shape(base), [WHOLE] * base.ndim
        size = self.held(Scalar(_length(lengths[axes[0]], lengths[axes[1]], offset)))
        assert isinstance(size, Scalar)
        for axis, start in zip(axes, _sides(offset), strict=True):
            index[axis] = Slice(None if start == ZERO else start, add(start, size.expr))
        base = self.array(Fresh(Load(base.name, tuple(index)), base.ndim))
        labels = list(string.ascii_lowercase[: base.ndim])
        labels[axes[1]] = labels[axes[0]]
        rest = [x for k, x in enumerate(labels) if k not in axes]
        output = "".join(rest) + (labels[axes[0]] if keep else "")
        return self.labelled(node, f"{''.join(labels)}->{output}", [base])


def _length(n: Expr, m: Expr, offset: Expr) -> Expr:
    """The number of elements of a diagonal."""
    down, right = _sides(offset)
    rows, columns = sub(n, down), sub(m, right)
    length: Expr = rows if rows == columns else Apply("minimum", (rows, columns), "min")
    return length if offset == ZERO else Apply("maximum", (length, ZERO), "max")


def _sides(offset: Expr) -> tuple[Expr, Expr]:
    """How far down and how far right a diagonal begins."""
    if isinstance(offset, Const):
        return Const(max(-offset.value, 0)), Const(max(offset.value, 0))
    return Apply("maximum", (neg(offset), ZERO), "max"), Apply("maximum", (offset, ZERO), "max")
