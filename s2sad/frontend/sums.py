"""Sums of products over axes: `np.einsum` and its like, with subscripts written out as the table has them."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from s2sad.frontend.factors import Factors
from s2sad.frontend.infer import kind_of
from s2sad.frontend.making import ONE, product
from s2sad.frontend.products import dimensions
from s2sad.frontend.subscripts import NEW_AXIS, WHOLE
from s2sad.frontend.values import Array, Fresh, Known, Scalar, Tuple, Value
from s2sad.ir.nodes import Apply, Const, Expr, Load, New, Var
from s2sad.ops import OPS

#: Function of NumPy -> (method below, nothing more to say).
SUMS: dict[Any, tuple[str, str]] = {
    np.einsum: ("_einsum", ""), np.tensordot: ("_tensordot", ""), np.inner: ("_inner", ""), np.vdot: ("_vdot", ""),
    np.kron: ("_kron", ""), np.cross: ("_cross", ""), np.linalg.multi_dot: ("_chain_of_products", ""),
}  # fmt: skip
CROSS = "incompatible dimensions for cross product\n(dimension must be 3)"


class Sums(Factors):
    """What sums over labelled axes, and products that are written with them, give."""

    def _einsum(self, node: gast.Call, _: str) -> Value:
        for keyword in node.keywords:
            if keyword.arg != "optimize":
                self.refuse(keyword.value, f"`{keyword.arg}=` is not supported by `np.einsum`", "S073")
        text, *values = self.operands(node.args)
        if not isinstance(text, Known) or not isinstance(text.value, str):
            self.refuse(node, "the subscripts of `np.einsum` must be a text that is known", "S073",
                        'write them first: `np.einsum("ij,jk->ik", a, b)`')  # fmt: skip
        ndims = dimensions(values)
        written = written_out(text.value, ndims)
        if written is None:
            self.refuse(
                node, f"`{text.value}` doesn't fit arrays of {', '.join(map(str, ndims))} dimensions", "S073"
            )
        if len(values) == 1 and isinstance(values[0], Array | Fresh):
            left, _, output = written.partition("->")
            if left == output or sorted(left) == sorted(
                output
            ):  # another order of axes is a view, as in NumPy
                order = [Const(left.index(x)) for x in output]
                base = self.array(values[0])
                return base if left == output else self.seen_as(base, "T", base.ndim, order)
        return self.labelled(node, written, values)

    def _two(self, node: gast.Call, names: str) -> tuple[list[Value], dict[str, gast.AST]]:
        given = self.given(node, names)
        a, b, *_ = names.split()
        return self.operands([given[a], given[b]]), given

    def _tensordot(self, node: gast.Call, _: str) -> Value:
        values, given = self._two(node, "a b axes")
        a, b = (self.array_at(node, value) for value in values)
        axes = self.expr(given["axes"]) if "axes" in given else Scalar(Const(2))
        pairs = _axis_pairs(axes, a.ndim, b.ndim)
        if pairs is None:
            self.refuse(node, "the axes of `np.tensordot` must be constants that the arrays have", "S073")
        return self.contracted(node, a, b, pairs)

    def _inner(self, node: gast.Call, _: str) -> Value:
        values, _given = self._two(node, "a b")
        dims = dimensions(values)
        if 0 in dims:
            return self.apply("mul", values, node)
        if dims == (1, 1):
            return self.product(node, "dot", values)
        a, b = (self.array_at(node, value) for value in values)
        return self.contracted(node, a, b, [(a.ndim - 1, b.ndim - 1)])

    def dot_of_many(self, node: gast.AST, values: list[Value], dims: tuple[int, ...]) -> Value:
        a, b = (self.array_at(node, value) for value in values)
        return self.contracted(node, a, b, [(a.ndim - 1, max(b.ndim - 2, 0))])

    def contracted(self, node: gast.AST, a: Array, b: Array, pairs: Sequence[tuple[int, int]]) -> Value:
        """The sum of products over pairs of axes."""
        letters = iter(string.ascii_lowercase)
        left = [next(letters) for _ in range(a.ndim)]
        right = [next(letters) for _ in range(b.ndim)]
        for i, j in pairs:
            right[j] = left[i]
        output = [x for x in (*left, *right) if (x in left) != (x in right)]
        text = f"{''.join(left)},{''.join(right)}->{''.join(output)}"
        return self.labelled(node, text, [a, b], "tensordot_by" if pairs else "einsum")

    def _vdot(self, node: gast.Call, _: str) -> Value:
        values, _given = self._two(node, "a b")
        if 0 in dimensions(values):
            first = values[0]
            kind = kind_of(first.expr, self.kinds) if isinstance(first, Scalar | Fresh) else None
            turned = (
                self.apply("conj", [first], node) if kind is not None and kind.base == "complex" else first
            )
            return self.apply("mul", [turned, values[1]], node)
        return self.product(node, "dot", [self.flat(self.array_at(node, value)) for value in values])

    def _chain_of_products(self, node: gast.Call, _: str) -> Value:
        factors = self.items(self.given(node, "arrays")["arrays"])
        made = factors[0]
        for factor in factors[1:]:
            made = self.product(node, "dot", [made, factor])
        return made

    def _kron(self, node: gast.Call, _: str) -> Value:
        values, _given = self._two(node, "a b")
        if 0 in dimensions(values):
            return self.apply("mul", values, node)
        a, b = (self.array_at(node, value) for value in values)
        n = max(a.ndim, b.ndim)
        lengths, factors = [], []
        for operand, pair in ((a, (WHOLE, NEW_AXIS)), (b, (NEW_AXIS, WHOLE))):
            new = n - operand.ndim
            lengths.append((ONE,) * new + self.shape(operand))
            factors.append(Load(operand.name, (NEW_AXIS,) * (2 * new) + pair * operand.ndim))
        made = self.temporary()
        self.emit(New(made, Apply("mul", tuple(factors)), self.at))
        shape = [product((p, q)) for p, q in zip(*lengths, strict=True)]
        return self.seen_as(Array(made, 2 * n), "reshape", n, shape)

    def _cross(self, node: gast.Call, _: str) -> Value:
        values, _given = self._two(node, "a b")
        a, b = (self.array_at(node, value) for value in values)
        for operand in (a, b):
            self.unless((self.shape(operand)[-1], Const(3)), "ValueError", CROSS)
        large = a if a.ndim >= b.ndim else b
        parts = []
        for k in range(3):
            i, j = (k + 1) % 3, (k + 2) % 3
            terms = [self.apply("mul", [self._at(a, p), self._at(b, q)], node) for p, q in ((i, j), (j, i))]
            parts.append(self.apply("sub", terms, node))
        if large.ndim == 1:
            return self.array_of(node, Tuple(tuple(parts)))
        columns = [self.array_at(node, part) for part in parts]
        out = self.room((*self.shape(columns[0]), Const(3)), *(Var(column.name) for column in columns))
        for k, column in enumerate(columns):
            self.fill(out, (*(WHOLE,) * column.ndim, Const(k)), Var(column.name))
        return out

    def _at(self, operand: Array, k: int) -> Value:
        """The elements at a place of the last axis."""
        return self.selected(operand, (*(WHOLE,) * (operand.ndim - 1), Const(k)))

    def labelled(
        self, node: gast.AST, subscripts: str, values: Sequence[Value], family: str = "einsum"
    ) -> Value:
        """The sum of products of arrays (and numbers) by a text of subscripts that is written out."""
        args: list[Expr] = []
        for value in values:
            if isinstance(value, Array | Fresh):
                args.append(Var(self.array(value).name))
            else:
                held = self.held(Scalar(self.scalar_of(value, node)))
                assert isinstance(held, Scalar)
                args.append(held.expr)
        made = Apply(f"{family} {subscripts}", tuple(args))
        ndim = OPS[made.op].ndim
        return Fresh(made, ndim, True) if ndim else Scalar(made)


def _axis_pairs(axes: Value, n: int, m: int) -> list[tuple[int, int]] | None:
    """The pairs of axes that `np.tensordot` sums over; None where they aren't known or don't fit."""

    def numbers(value: Value) -> list[int]:
        items = value.items if isinstance(value, Tuple) else (value,)
        found = [v.expr.value for v in items if isinstance(v, Scalar) and isinstance(v.expr, Const)]
        return [k for k in found if type(k) is int] if len(found) == len(items) else [-99]

    match axes:
        case Scalar(Const(int() as count)):
            left, right = list(range(n - count, n)), list(range(count))
        case Tuple((one, other)):
            left, right = numbers(one), numbers(other)
        case _:
            return None
    fits = all(-n <= i < n for i in left) and all(-m <= j < m for j in right) and len(left) == len(right)
    return [(i % n, j % m) for i, j in zip(left, right, strict=True)] if fits else None


def written_out(text: str, ndims: Sequence[int]) -> str | None:
    """The subscripts with labels for `...`, and with an output; None where they don't fit the arrays.

    >>> written_out("ij,jk", [2, 2]), written_out("...i->...", [3])
    ('ij,jk->ik', 'ABi->AB')
    """
    left, arrow, output = text.replace(" ", "").partition("->")
    inputs = left.split(",")
    rests = [n - len(labels.replace("...", "")) for labels, n in zip(inputs, ndims, strict=False)]
    if len(inputs) != len(ndims) or any(
        n < 0 or (n and "..." not in i) for i, n in zip(inputs, rests, strict=True)
    ):
        return None
    most = max((n for i, n in zip(inputs, rests, strict=True) if "..." in i), default=0)
    free = [c for c in string.ascii_uppercase if c not in text][:most]
    if len(free) < most or (arrow and free and "..." not in output):
        return None
    inputs = [
        i.replace("...", "".join(free[most - n :]) if n else "") for i, n in zip(inputs, rests, strict=True)
    ]
    labels = "".join(inputs)
    if not arrow:
        output = "".join(free) + "".join(sorted(x for x in set(labels) - set(free) if labels.count(x) == 1))
    output = output.replace("...", "".join(free))
    fits = set(output) <= set(labels) and len(set(output)) == len(output)
    alphabet = all(c in string.ascii_letters for c in labels + output)
    return f"{','.join(inputs)}->{output}" if fits and alphabet else None
