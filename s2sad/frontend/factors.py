"""Functions of one matrix: inverses, powers, factorisations, some with several results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from s2sad.errors import KindError
from s2sad.frontend.products import Products
from s2sad.frontend.subscripts import NEW_AXIS, WHOLE
from s2sad.frontend.values import Array, Fresh, Known, Scalar, Tuple, Value
from s2sad.ir.nodes import Apply, Call, Const, Expr, Load, Var
from s2sad.ops import OPS

#: Function (of NumPy itself, of SciPy by its name) -> (method below, key of the row).
FACTORS: dict[Any, tuple[str, str]] = {
    np.linalg.inv: ("_single", "inv"), np.linalg.cholesky: ("_single", "cholesky"), np.linalg.det: ("_single", "det"),
    np.linalg.pinv: ("_single", "pinv"), "scipy.linalg.expm": ("_single", "expm"),
    "scipy.linalg.sqrtm": ("_single", "sqrtm"), "scipy.linalg.solve_sylvester": ("_sylvester", "solve_sylvester"),
    "scipy.linalg.solve_triangular": ("_triangular", "solve_triangular2"),
    "scipy.linalg.solve_banded": ("_banded", "solve_banded"),
    np.linalg.matrix_power: ("_power", "matrix_power"),
    np.linalg.eigh: ("_factored", "np.linalg.eigh"), np.linalg.slogdet: ("_factored", "np.linalg.slogdet"),
    np.linalg.qr: ("_factored", "np.linalg.qr"), np.linalg.eig: ("_factored", "eig_real"),
    np.linalg.eigvalsh: ("_single", "eigvalsh"), np.linalg.eigvals: ("_values", "eig_real"),
    np.linalg.svd: ("_svd", "np.linalg.svd"), np.linalg.svdvals: ("_single", "singular_values"),
    np.linalg.lstsq: ("_least_squares", "lstsq2"),
    np.tril: ("_triangle", "tril"), np.triu: ("_triangle", "triu"),
}  # fmt: skip


class Factors(Products):
    """What functions of one matrix give."""

    def _single(self, node: gast.Call, key: str) -> Value:
        return self.of_matrix(node, key, self._operand(node))

    def _operand(self, node: gast.Call) -> Array:
        return self.array_at(node, self.expr(self.given(node, "a")["a"]), 2)

    def of_matrix(self, node: gast.AST, key: str, operand: Array, *options: Expr) -> Value:
        """An operation on one matrix."""
        made = Apply(key, (Var(operand.name), *options))
        return Fresh(made, OPS[key].ndim, True) if OPS[key].ndim else Scalar(made)

    def _power(self, node: gast.Call, key: str) -> Value:
        given = self.given(node, "a n")
        a, n = self.operands([given["a"], given["n"]])
        return self.of_matrix(node, key, self.array_at(node, a, 2), self.whole_number(node, n))

    def _triangle(self, node: gast.Call, key: str) -> Value:
        given = self.given(node, "m k")
        operands = self.operands(list(given.values()))
        k = self.whole_number(node, operands[1]) if "k" in given else Const(0)
        return self.of_matrix(node, key, self.array_at(node, operands[0], 2), k)

    def _sylvester(self, node: gast.Call, key: str) -> Value:
        given = self.given(node, "a b q")
        operands = self.operands([given["a"], given["b"], given["q"]])
        return self.matrix(node, key, operands, (2, 2, 2))

    def _triangular(self, node: gast.Call, key: str) -> Value:
        given = self.given(node, "a b trans lower unit_diagonal overwrite_b check_finite")
        a, b = self.operands([given["a"], given["b"]])
        trans = self.expr(given["trans"]) if "trans" in given else Known("N")
        turned = {Known("N"): False, Known("T"): True, Known("C"): True, Scalar(Const(0)): False,
                  Scalar(Const(1)): True, Scalar(Const(2)): True}.get(trans)  # fmt: skip
        if turned is None:
            self.refuse(given["trans"], "`trans=` must be 0, 1, 2 or a text that is known", "S073")
        flags = (self.flag(given.get("lower")), turned, self.flag(given.get("unit_diagonal")))
        matrix, right = self.array_at(node, a, 2), self.array_at(node, b)
        if right.ndim > 2:
            self.refuse(node, "the right side is a vector or a matrix", "S064", error=KindError)
        options: tuple[Expr, ...] = (Var(right.name), *map(Const, flags))
        return self.of_matrix(node, f"{key}{right.ndim}", matrix, *options)

    def _banded(self, node: gast.Call, key: str) -> Value:
        given = self.given(node, "l_and_u ab b overwrite_ab overwrite_b check_finite")
        counts = self.items(given["l_and_u"])
        if len(counts) != 2:
            self.refuse(given["l_and_u"], "the numbers of diagonals below and above are needed", "S073")
        below, above = (self.whole_number(node, count) for count in counts)
        ab, b = self.operands([given["ab"], given["b"]])
        right = self.array_at(node, b)
        column = right if right.ndim > 1 else self.array(Fresh(Load(right.name, (WHOLE, NEW_AXIS)), 2))
        args = (below, above, Var(self.array_at(node, ab, 2).name), Var(column.name))
        made = self.array(Fresh(Apply(key, args), 2, True))
        return made if right.ndim > 1 else self.selected(made, (WHOLE, Const(0)))

    def _factored(self, node: gast.Call, key: str) -> Value:
        return self.several(key, [self._operand(node)])

    def _values(self, node: gast.Call, key: str) -> Value:
        return self.several(key, [self._operand(node)]).items[0]

    def _svd(self, node: gast.Call, key: str) -> Value:
        given = self.given(node, "a full_matrices compute_uv")
        operand = self.array_at(node, self.expr(given["a"]), 2)
        full = Const(self.flag(given.get("full_matrices"), True))
        if not self.flag(given.get("compute_uv"), True):
            return self.of_matrix(node, "singular_values", operand)
        return self.several(key, [operand], full)

    def _least_squares(self, node: gast.Call, key: str) -> Value:
        given = self.given(node, "a b rcond")
        if "rcond" in given and self.expr(given["rcond"]) != Known(None):
            self.refuse(given["rcond"], "`rcond=` is supported as None", "S073", "leave it out")
        a, b = self.operands([given["a"], given["b"]])
        right = self.array_at(node, b)
        if right.ndim > 2:
            self.refuse(node, "the right side is a vector or a matrix", "S064", error=KindError)
        return self.several(f"{key}{right.ndim}", [self.array_at(node, a, 2), right])

    def several(self, key: str, operands: Sequence[Array], *options: Expr) -> Tuple:
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
