"""Rows: sums of products over labelled axes, one row for each text of subscripts, made when it is asked for.

The adjoint of an operand is such a sum again: of the seed and the other operands, over the labels that the operand
lacks. An axis that the sum has nowhere else (`ij->i`), or twice (`ii->`), needs the operand's shape: `einsum_like`.

>>> einsum_row("ij,jk->ik").pull
('einsum("ik,jk->ij", w, b)', 'einsum("ij,ik->jk", a, w)')
"""

from __future__ import annotations

import string

from s2sad.ops.row import ARRAY, Op

EINSUM, LIKE, TENSORDOT = "einsum", "einsum_like", "tensordot_by"


def einsum_row(subscripts: str) -> Op:
    """The row of `np.einsum(subscripts, ...)`; no ellipsis, the output given."""
    inputs, output = _taken_apart(subscripts)
    names = _names(len(inputs))
    return _row(EINSUM, subscripts, names, inputs, output, names)


def tensordot_row(subscripts: str) -> Op:
    """The row of a product of two arrays as `np.tensordot` forms it."""
    inputs, output = _taken_apart(subscripts)
    names = _names(len(inputs))
    return _row(TENSORDOT, subscripts, names, inputs, output, names)


def einsum_like_row(subscripts: str) -> Op:
    """The row of `einsum_like(subscripts, like, ...)`: labels may be in the output alone, or twice there."""
    inputs, output = _taken_apart(subscripts)
    names = _names(len(inputs))
    return _row(LIKE, subscripts, names, inputs, output, ("like", *names))


def _row(
    function: str,
    subscripts: str,
    names: tuple[str, ...],
    inputs: tuple[str, ...],
    output: str,
    params: tuple[str, ...],
) -> Op:
    pull = [""] * (len(params) - len(names))
    push = list(pull)
    for k, name in enumerate(names):
        others = [(o, labels) for j, (o, labels) in enumerate(zip(names, inputs, strict=True)) if j != k]
        before, after = others[:k], others[k:]
        pull.append(_call([*before, ("w", output), *after], inputs[k], name))
        push.append(_call([*before, ("d", inputs[k]), *after], output, "like", function, k))
    inside = "".join(f", {{{p}}}" for p in params)
    return Op(
        f"{function} {subscripts}", " ".join(params), y=f'{function}("{subscripts}"{inside})', domain=ARRAY, cost="dear",
        structural="matrix", ndim=len(output), pull=tuple(pull), push=tuple(push),
        why="sum of products over the labels that the output lacks",
    )  # fmt: skip


def _call(terms: list[tuple[str, str]], output: str, like: str, function: str = "", place: int = 0) -> str:
    """The formula of a sum; of operands whose labels don't give the output's shape, like an array."""
    if function:  # a tangent, in its operand's place
        d = next(t for t in terms if t[0] == "d")
        terms = [t for t in terms if t is not d]
        terms.insert(place, d)
    names, labels = zip(*terms, strict=True)
    missing = set(output) - set("".join(labels)) or len(set(output)) < len(output)
    if not function:
        function = LIKE if missing else EINSUM
    args = (like, *names) if function == LIKE else names
    return f'{function}("{",".join(labels)}->{output}", {", ".join(args)})'


def _taken_apart(subscripts: str) -> tuple[tuple[str, ...], str]:
    left, _, output = subscripts.partition("->")
    return tuple(left.split(",")), output


def _names(count: int) -> tuple[str, ...]:
    """Names of operands, clear of d, w and y."""
    return tuple(c for c in string.ascii_lowercase if c not in "dwy")[:count]


#: Families of rows by the name of their function, and a text that shows what they are like.
FAMILIES = {
    EINSUM: (einsum_row, "ij,jk->ik"),
    TENSORDOT: (tensordot_row, "ij,jk->ik"),
    LIKE: (einsum_like_row, "i->ij"),
}
ROWS = tuple(make(sample) for make, sample in FAMILIES.values())
