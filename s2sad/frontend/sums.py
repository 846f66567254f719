"""`np.einsum`: its text of subscripts written out, without ellipsis and with its output, as the table has it."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from s2sad.frontend.making import known
from s2sad.frontend.products import Products
from s2sad.frontend.values import Array, Fresh, Known, Scalar, Value
from s2sad.ir.nodes import Apply, Expr, Var
from s2sad.ops import OPS

SUMS: dict[Any, str] = {np.einsum: "_einsum"}


class Sums(Products):
    """What sums over labelled axes give."""

    def is_sum(self, target: Any) -> bool:
        """Is a function one of these?"""
        return known(SUMS, target)

    def sum_call(self, node: gast.Call, target: Any) -> Value:
        """The value of a call of one of these functions."""
        value: Value = getattr(self, SUMS[target])(node)
        return value

    def _einsum(self, node: gast.Call) -> Value:
        for keyword in node.keywords:
            if keyword.arg != "optimize":
                self.refuse(keyword.value, f"`{keyword.arg}=` is not supported by `np.einsum`", "S073")
        text, *values = self.operands(node.args)
        if not isinstance(text, Known) or not isinstance(text.value, str):
            self.refuse(node, "the subscripts of `np.einsum` must be a text that is known", "S073",
                        'write them first: `np.einsum("ij,jk->ik", a, b)`')  # fmt: skip
        ndims = [value.ndim if isinstance(value, Array | Fresh) else 0 for value in values]
        written = written_out(text.value, ndims)
        if written is None:
            self.refuse(node, f"`{text.value}` doesn't fit arrays of {', '.join(map(str, ndims))} dimensions", "S073")
        return self.labelled(node, written, values)

    def labelled(self, node: gast.AST, subscripts: str, values: Sequence[Value]) -> Value:
        """The sum of products of arrays (and numbers) by a text of subscripts that is written out."""
        args: list[Expr] = []
        for value in values:
            if isinstance(value, Array | Fresh):
                args.append(Var(self.array(value).name))
            else:
                held = self.held(Scalar(self.scalar_of(value, node)))
                assert isinstance(held, Scalar)
                args.append(held.expr)
        made = Apply(f"einsum {subscripts}", tuple(args))
        ndim = OPS[made.op].ndim
        return Fresh(made, ndim, True) if ndim else Scalar(made)


def written_out(text: str, ndims: Sequence[int]) -> str | None:
    """The subscripts with labels for `...`, and with an output; None where they don't fit the arrays.

    >>> written_out("ij,jk", [2, 2]), written_out("...i->...", [3])
    ('ij,jk->ik', 'ABi->AB')
    """
    left, arrow, output = text.replace(" ", "").partition("->")
    inputs = left.split(",")
    rests = [n - len(labels.replace("...", "")) for labels, n in zip(inputs, ndims, strict=False)]
    if len(inputs) != len(ndims) or any(n < 0 or (n and "..." not in i) for i, n in zip(inputs, rests, strict=True)):
        return None
    most = max((n for i, n in zip(inputs, rests, strict=True) if "..." in i), default=0)
    free = [c for c in string.ascii_uppercase if c not in text][:most]
    if len(free) < most:
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
