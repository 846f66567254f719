"""Products and factorisations of matrices: which row of the table a call or an `@` means, by dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from s2sad.errors import KindError
from s2sad.frontend.making import ONE, ZERO, known
from s2sad.frontend.shapes import Shapes
from s2sad.frontend.subscripts import NEW_AXIS, WHOLE
from s2sad.frontend.values import Array, Fresh, Scalar, Value
from s2sad.ir.nodes import Apply, Assign, Const, Expr, If, Load, New, Raise, Var
from s2sad.ops import OPS
from s2sad.ops.build import sub

#: Functions of two arrays -> what their rows' keys begin with.
PAIRS: dict[Any, str] = {np.dot: "dot", np.matmul: "dot", np.linalg.solve: "solve"}
UNFIT = "matmul: input operands do not fit"


class Products(Shapes):
    """What `a @ b`, `np.dot(a, b)`, `np.linalg.solve(A, b)` and their like give."""

    def is_product(self, target: Any) -> bool:
        """Is a function one of these?"""
        return known(PAIRS, target)

    def product_call(self, node: gast.Call, target: Any) -> Value:
        """The value of a call of one of these functions."""
        if node.keywords:
            where = node.keywords[0].value
            self.refuse(where, f"`{node.keywords[0].arg}=` is not supported here", "S073")
        values = self.operands(node.args)
        if len(values) != 2:
            self.refuse(node, f"`np.{target.__name__}` takes 2 arrays here", "S073")
        dims = dimensions(values)
        if target is np.dot and 0 in dims:
            return self.apply("mul", values, node)
        if target is np.dot and max(dims) > 2:
            return self.dot_of_many(node, values, dims)
        return self.product(node, PAIRS[target], values, "np.dot" if target is np.dot else "")

    def dot_of_many(self, node: gast.AST, values: list[Value], dims: tuple[int, ...]) -> Value:
        """`np.dot` of arrays of many axes; as a sum it is defined in `sums`."""
        raise TypeError(dims)

    def product(self, node: gast.AST, kind: str, values: list[Value], spell: str = "") -> Value:
        """`kind` ("dot" or "solve") of two arrays of one or two dimensions."""
        dims = dimensions(values)
        key = f"{kind}{dims[0]}{dims[1]}"
        if max(dims) > 2 and min(dims) > 0:
            return self._batched(node, kind, [self.array_at(node, value) for value in values])
        if key not in OPS:
            self.refuse(
                node, f"a product of arrays of {dims[0]} and {dims[1]} dimensions is not supported", "S073",
                "one or two dimensions each",
            )  # fmt: skip
        return self.matrix(node, key, values, dims, spell)

    def matrix(
        self, node: gast.AST, key: str, values: list[Value], dims: tuple[int, ...], spell: str = ""
    ) -> Value:
        """A matrix operation on arrays of so many dimensions."""
        args = []
        for value, ndim in zip(values, dims, strict=True):
            if not isinstance(value, Array | Fresh) or value.ndim != ndim:
                self.refuse(node, f"an array of {ndim} dimensions is needed here", "S064", error=KindError)
            args.append(Var(self.array(value).name))
        made = Apply(key, tuple(args), spell)
        if OPS[key].ndim == 0:
            return Scalar(made)
        return Fresh(made, OPS[key].ndim, True)

    def _batched(self, node: gast.AST, kind: str, operands: list[Array]) -> Value:
        """Products of the matrices in two stacks, one after the other; a stack of one serves for all."""
        matrices = [self.array_at(node, self._vector_as_matrix(a, k)) for k, a in enumerate(operands)]
        (a, b), vectors = matrices, [operand.ndim == 1 for operand in operands]
        if kind == "solve" and vectors[1]:
            self.refuse(node, "a vector on the right of many systems is not supported", "S073",
                        "give it one more axis: `b[:, None]`")  # fmt: skip
        shapes = [self.shape(a), self.shape(b)]
        many = max(a.ndim, b.ndim) - 2
        axes: list[tuple[Expr, Expr]] = []
        for k in range(many):
            pair = [
                shape[k - many + m.ndim - 2] if k - many + m.ndim - 2 >= 0 else ONE
                for m, shape in zip(matrices, shapes, strict=True)
            ]
            axes.append((pair[0], pair[1]))
        lengths = []
        for one, other in axes:
            if ONE in (one, other):
                lengths.append(other if one == ONE else one)
                continue
            name = self.temporary("n")
            self.emit(Assign(name, Apply("maximum", (one, other), "max"), self.at))
            for length in (one, other):
                differs = Apply("and", (Apply("ne", (length, Var(name))), Apply("ne", (length, ONE))))
                self.emit(If(differs, (Raise("ValueError", (Const(UNFIT),), self.at),), (), self.at))
            lengths.append(Var(name))
        rows, columns = shapes[0][-2], shapes[1][-1]
        out = self.room((*lengths, rows, columns), Const(0.0))
        with self.counters(lengths) as index:
            parts = [self._of_stack(m, shape, index) for m, shape in zip(matrices, shapes, strict=True)]
            made = Apply(f"{kind}22", tuple(Var(part.name) for part in parts))
            part = self.array(Fresh(made, 2, True))
            self.fill(out, (*index, WHOLE, WHOLE), Var(part.name))
        if True not in vectors:
            return out
        last = (ZERO, WHOLE) if vectors[0] else (WHOLE, ZERO)
        return self.array(Fresh(Load(out.name, (*(WHOLE,) * many, *last)), many + 1))

    def _vector_as_matrix(self, a: Array, place: int) -> Array | Fresh:
        if a.ndim > 1:
            return a
        return Fresh(Load(a.name, (NEW_AXIS, WHOLE) if place == 0 else (WHOLE, NEW_AXIS)), 2)

    def _of_stack(self, stack: Array, shape: Sequence[Expr], index: Sequence[Expr]) -> Array:
        """The matrix of a stack at an index, in memory of its own, for BLAS."""
        own = index[len(index) - (stack.ndim - 2) :]
        subs = [Apply("minimum", (i, sub(n, ONE)), "min") for i, n in zip(own, shape, strict=False)]
        name = self.temporary()
        self.emit(New(name, Apply("copy", (Load(stack.name, (*subs, WHOLE, WHOLE)),)), self.at))
        return Array(name, 2)


def dimensions(values: Sequence[Value]) -> tuple[int, ...]:
    """The numbers of dimensions of values, 0 for numbers."""
    return tuple(v.ndim if isinstance(v, Array | Fresh) else 0 for v in values)
