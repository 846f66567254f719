"""The checker of the table: what is wrong with a row, in words.

>>> faults(Op("twice", "x", y="2.0 * {x}", d=("2.0 * z",)))
['slope 0 uses z, which the row does not know']
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from s2sad.ir.nodes import Apply, Expr, Var
from s2sad.ops.formula import parse
from s2sad.ops.row import Op
from s2sad.ops.table import OPS


def faults(op: Op) -> list[str]:
    """What is wrong with one row; [] where it is well formed."""
    return list(_faults(op))


def table_faults() -> list[str]:
    """What is wrong with the table: faults of its rows, names that stand for two rows."""
    rows = list(OPS.values())
    named = [name for op in rows for name in op.names]
    twice = [f"{name} names two rows" for name in sorted(set(named)) if named.count(name) > 1]
    return twice + [f"{op.key}: {fault}" for op in rows for fault in faults(op)]


def _faults(op: Op) -> Iterator[str]:
    params = (*op.fixed, *filter(None, [op.rest]))
    if len(set(params)) < len(params) or "y" in params:
        yield "parameters are not distinct, or one is called y"
    for template in filter(None, [op.y, op.scalar]):
        if set(re.findall(r"{(\w+)}", template)) != set(params):
            yield f"{template} doesn't use just the parameters"
    if len(op.d) > len(op.fixed):
        yield "more slopes than operands"
    if len(op.domains) != len(op.fixed):
        yield "a domain is missing"
    if op.guarded and not op.d:
        yield "guarded, but nothing flows"
    if op.results and (len(op.pull), len(op.push)) != (len(op.fixed) * len(op.results),) * 2:
        yield "a rule is missing"
    known = [*op.fixed, *(op.results or ["y"])]
    for name, text in op.let.items():
        yield from _formula_faults(name, text, known)
        known.append(name)
    for k, (text, more) in enumerate([(t, "w") for t in op.pull] + [(t, "d") for t in op.push]):
        names = [*known, more]
        for line in text.split(";") if text and not text.startswith("!") else ():
            name, _, formula = line.rpartition(" = ")
            yield from _formula_faults(f"rule {k}", formula.strip(), names)
            names.append(name.strip())
    for k, text in enumerate(op.d):
        yield from _formula_faults(f"slope {k}", text, [*known, "unknown"])


def _formula_faults(what: str, text: str, known: list[str]) -> Iterator[str]:
    try:
        formula = parse(text)
    except (SyntaxError, ValueError) as error:
        yield f"{what}: {error}"
        return
    for name in sorted(_names(formula) - set(known)):
        yield f"{what} uses {name}, which the row does not know"


def _names(expr: Expr) -> set[str]:
    match expr:
        case Var(name):
            return {name}
        case Apply(_, args):
            return set().union(*map(_names, args))
    return set()
