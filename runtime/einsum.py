"""Sums of products over labelled axes, compiled: loops written for each text of subscripts.

A product of two arrays over common labels goes to BLAS, as one product of matrices::

    einsum("ijk,kl->ijl", a, b)   ->   (a.reshape(i * j, k) @ b).reshape(i, j, l)
"""

import numpy as np
from numba.core import errors, types
from numba.extending import overload

from s2sad_runtime import plain_linalg

einsum, tensordot_by = plain_linalg.einsum, plain_linalg.tensordot_by
einsum_like = plain_linalg.einsum_like
MISMATCH = "operands of einsum differ in the length of an axis"


@overload(einsum, prefer_literal=True)
def _einsum(subscripts, *operands):
    return _loops(subscripts)


@overload(tensordot_by, prefer_literal=True)
def _tensordot_by(subscripts, *operands):
    return _loops(subscripts)


@overload(einsum_like, prefer_literal=True)
def _einsum_like(subscripts, like, *operands):
    return _loops(subscripts, like=True)


def _loops(subscripts, like=False):
    if not isinstance(subscripts, types.StringLiteral):
        raise errors.TypingError("the subscripts of einsum have to be known when the function is compiled")
    left, _, output = subscripts.literal_value.partition("->")
    scope = {"np": np, "MISMATCH": MISMATCH}
    exec(source(tuple(left.split(",")), output, like), scope)
    return scope["sums"]


def source(inputs, output, like=False):
    """The text of the function for one sum.

    >>> print(source(("ii",), ""))
    def sums(subscripts, *operands):
        a0, = operands
        n_i = a0.shape[0]
        if a0.shape[1] != n_i: raise ValueError(MISMATCH)
        made = 0.0
        for i in range(n_i):
            made += a0[i, i]
        return made
    """
    names = [f"a{k}" for k in range(len(inputs))]
    lines = [f"{', '.join(names)}, = operands"]
    found = {}
    arrays = [*zip(names, inputs, strict=True), *([("like", output)] if like else [])]
    for name, labels in arrays:
        for axis, label in enumerate(labels):
            length = f"{name}.shape[{axis}]"
            if label in found:
                lines.append(f"if {length} != n_{label}: raise ValueError(MISMATCH)")
            else:
                found[label] = None
                lines.append(f"n_{label} = {length}")
    plan = None if like else _product(names, inputs, output)
    lines += plan or _nest(names, inputs, output, found)
    head = f"def sums(subscripts, {'like, ' if like else ''}*operands):"
    return "\n".join((head, *(f"    {line}" for line in lines)))


def _nest(names, inputs, output, found):
    """Loops over the output's labels, and inside them over those that are summed."""
    outer = [label for label in found if label in output]
    inner = [label for label in found if label not in output]
    terms = [_at(name, labels) for name, labels in zip(names, inputs, strict=True)]
    lines = [f"made = np.zeros(({', '.join(f'n_{x}' for x in output)},))" if output else "made = 0.0"]
    depth = 0
    for label in outer:
        lines.append("    " * depth + f"for {label} in range(n_{label}):")
        depth += 1
    total = "made" if not output else "total"
    if output and inner:
        lines.append("    " * depth + "total = 0.0")
    for k, label in enumerate(inner):
        lines.append("    " * (depth + k) + f"for {label} in range(n_{label}):")
    value = " * ".join(terms)
    if inner or not output:
        lines.append("    " * (depth + len(inner)) + f"{total} += {value}")
    if output:
        lines.append("    " * depth + f"{_at('made', output)} = {total if inner else value}")
    return [*lines, "return made"]


def _product(names, inputs, output):
    """One product of matrices for two arrays, each without repeated labels, none of them in all three."""
    if len(inputs) != 2 or any(len(set(labels)) < len(labels) for labels in inputs):
        return None
    left, right = inputs
    common = [x for x in left if x in right]
    rows, columns = [x for x in left if x not in common], [x for x in right if x not in common]
    if not common or not rows or not columns or sorted(rows + columns) != sorted(output):
        return None
    a = _matrix(names[0], left, [*rows, *common], rows, common)
    b = _matrix(names[1], right, [*common, *columns], common, columns)
    order = [*rows, *columns]
    made = f"({a} @ {b})"
    if len(rows) + len(columns) > 2:
        made += f".reshape(({', '.join(f'n_{x}' for x in order)},))"
    if order != list(output):
        made = (
            f"np.ascontiguousarray(np.transpose({made}, ({', '.join(str(order.index(x)) for x in output)},)))"
        )
    return [f"return {made}"]


def _matrix(name, labels, order, rows, columns):
    """An array as a matrix: its axes in another order, and put together."""
    text = name
    if list(labels) != order:
        text = f"np.transpose({text}, ({', '.join(str(labels.index(x)) for x in order)},))"
    text = f"np.ascontiguousarray({text})"
    if len(order) > 2:
        sides = (" * ".join(f"n_{x}" for x in side) for side in (rows, columns))
        text += f".reshape(({', '.join(sides)}))"
    return text


def _at(name, labels):
    return f"{name}[{', '.join(labels)}]" if labels else name
