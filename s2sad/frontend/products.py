"""Products and factorisations of matrices: which row of the table a call or an `@` means, by dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from s2sad.errors import KindError
from s2sad.frontend.making import known
from s2sad.frontend.shapes import Shapes
from s2sad.frontend.values import Array, Fresh, Scalar, Tuple, Value
from s2sad.ir.nodes import Apply, Call, Const, Expr, Var
from s2sad.ops import OPS

#: Functions of two arrays -> what their rows' keys begin with.
PAIRS: dict[Any, str] = {
    np.dot: "dot",
    np.matmul: "dot",
    np.vdot: "dot",
    np.inner: "dot",
    np.linalg.solve: "solve",
}
#: Functions of one matrix -> key.
SINGLES: dict[Any, str] = {np.linalg.inv: "inv", np.linalg.cholesky: "cholesky", np.linalg.det: "det"}
#: Functions of one matrix that give several results.
FACTORS: dict[Any, str] = {
    np.linalg.eigh: "np.linalg.eigh",
    np.linalg.svd: "np.linalg.svd",
}
VECTORS_ONLY = (np.vdot, np.inner)


class Products(Shapes):
    """What `a @ b`, `np.dot(a, b)`, `np.linalg.solve(A, b)` and their like give."""

    def is_product(self, target: Any) -> bool:
        """Is a function one of these?"""
        return any(target is f for f in (*PAIRS, *SINGLES, *FACTORS))

    def product_call(self, node: gast.Call, target: Any) -> Value:
        """The value of a call of one of these functions."""
        if known(FACTORS, target):
            return self.factored(node, target)
        if node.keywords:
            where = node.keywords[0].value
            self.refuse(where, f"`{node.keywords[0].arg}=` is not supported here", "S073")
        values = self.operands(node.args)
        single = next((key for f, key in SINGLES.items() if f is target), None)
        if len(values) != (1 if single else 2):
            self.refuse(node, f"`np.{target.__name__}` takes {1 if single else 2} arrays here", "S073")
        if single:
            return self.matrix(node, single, values, (2,))
        kind = next(key for f, key in PAIRS.items() if f is target)
        dims = tuple(v.ndim if isinstance(v, Array | Fresh) else 0 for v in values)
        if kind == "dot" and 0 in dims and target is np.dot:
            return self.apply("mul", values, node)
        if target in VECTORS_ONLY and dims != (1, 1):
            self.refuse(node, f"`np.{target.__name__}` is supported for vectors", "S073", "use `@`")
        spell = f"np.{target.__name__}" if kind == "dot" else ""
        return self.product(node, kind, values, spell)

    def factored(self, node: gast.Call, target: Any) -> Value:
        """A factorisation of a matrix."""
        key = FACTORS[target]
        given = self.given(node, "a full_matrices compute_uv" if key == "np.linalg.svd" else "a")
        options = [Const(self.flag(given.get("full_matrices"), True))] if key == "np.linalg.svd" else []
        operand = self.array_at(node, self.expr(given["a"]), 2)
        if not self.flag(given.get("compute_uv"), True):
            return self.matrix(node, "svdvals", [operand], (2,))
        return self.several(node, key, [operand], *options)

    def several(self, node: gast.AST, key: str, operands: Sequence[Array], *options: Expr) -> Tuple:
        """An operation with several results: a call that stands alone."""
        results: list[Value] = []
        targets: list[str] = []
        for wish, kind in OPS[key].results.items():
            targets.append(name := self.temporary(wish))
            self.kinds[name] = kind
            results.append(Array(name, kind.ndim) if kind.is_array else Scalar(Var(name)))
        args = (*(Var(operand.name) for operand in operands), *options)
        self.emit(Call(tuple(targets), key, args, at=self.at))
        return Tuple(tuple(results))

    def product(self, node: gast.AST, kind: str, values: list[Value], spell: str = "") -> Value:
        """`kind` ("dot" or "solve") of two arrays of one or two dimensions."""
        dims = tuple(v.ndim if isinstance(v, Array | Fresh) else 0 for v in values)
        key = f"{kind}{dims[0]}{dims[1]}"
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
