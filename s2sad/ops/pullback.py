"""Partial derivatives of operations and of whole expression trees, as expressions.

>>> from s2sad.ir.text import show
>>> from s2sad.ops.formula import parse
>>> tree = parse("a * (u + u * v)")
>>> {show(leaf): show(p) for leaf, p in partials(tree, lambda leaf: True).items()}
{'a': 'u + u * v', 'u': 'a * (1.0 + v)', 'v': 'a * u'}
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from s2sad.errors import MissingRuleError
from s2sad.ir.nodes import Apply, Const, Expr, Load, Slice, Var
from s2sad.ops.build import ONE, ZERO, add, is_zero, literal, mul, number, real, substitute
from s2sad.ops.formula import parse
from s2sad.ops.table import OPS

#: The slope of an operand that nobody has a formula for.
UNKNOWN = Var("unknown")


@cache
def slopes(key: str) -> tuple[Expr, ...]:
    """The slopes of a row as expressions over its parameters and its result `y`."""
    op = OPS[key]
    let: dict[str, Expr] = {}
    for name, text in op.let.items():
        let[name] = parse(text, **let)
    return tuple(parse(text, **let) for text in op.d)


PART = "·"  # begins the names of parts, which no name of a program contains


@dataclass(frozen=True, slots=True)
class Rule:
    """A formula of a matrix operation, over its operands, results (y, or their names), and w or d.

    parts are formulas that it uses by name, each may use the ones before it; their names begin with PART.
    """

    parts: tuple[tuple[str, Expr], ...]
    value: Expr


@cache
def pull_rule(key: str, operand: int, result: int = 0) -> Rule | None:
    """What flows back to an operand of a matrix operation from one of its results; None for nothing.

    Errors: MissingRuleError S070 where nobody knows.
    """
    return _rule(key, OPS[key].pull, operand, result)


@cache
def push_rule(key: str, operand: int, result: int = 0) -> Rule | None:
    """What the tangent of an operand gives one of the results; None for nothing."""
    return _rule(key, OPS[key].push, operand, result)


def _rule(key: str, formulas: tuple[str, ...], operand: int, result: int) -> Rule | None:
    op = OPS[key]
    text = formulas[operand * max(1, len(op.results)) + result] if not op.opaque else f"!{op.opaque}"
    if not text:
        return None
    if text.startswith("!"):
        raise MissingRuleError(text[1:], code="S070")
    *lines, value = text.split(";")
    held: dict[str, Expr] = {}
    parts: list[tuple[str, Expr]] = []
    for line in lines:
        name, formula = (side.strip() for side in line.split("=", 1))
        parts.append((PART + name, parse(formula, **held)))
        held[name] = Var(PART + name)
    return Rule(tuple(parts), parse(value.strip(), **held))


def partial(expr: Apply, i: int, y: Expr | None = None) -> Expr:
    """The slope of an operation with respect to its operand `i`, simplified.

    `y` is an expression for the result (its name, where it has one); without it the operation itself stands
    where the row's formula uses the result. Const(0.0) where nothing flows.
    """
    formulas = slopes(expr.op)
    if OPS[expr.op].structural == "matrix":
        raise MissingRuleError(f"`{expr.op}` inside a larger expression can't be differentiated", code="S070")
    if i >= len(formulas):
        return ZERO
    if formulas[i] == UNKNOWN:
        row = OPS[expr.op]
        raise MissingRuleError(
            f"no derivative is known for `{(*row.names, row.key)[0]}` with respect to `{row.fixed[i]}`", code="S070",
            hint="leave that operand out of what is differentiated: pass an integer, or use `stop_gradient`",
        )  # fmt: skip
    values = dict(zip(OPS[expr.op].fixed, expr.args, strict=False))
    slope = substitute(formulas[i], {**values, "y": expr if y is None else y})
    value = literal(slope)
    return slope if value is None else Const(float(value))


def partials(expr: Expr, wanted: Callable[[Expr], bool], y: Expr | None = None) -> dict[Expr, Expr]:
    """The partial derivatives of a tree by its wanted leaves (Vars and Loads), in order of occurrence.

    Equal leaves are merged, leaves through which nothing flows are left out, subscripts don't count as
    operands. A leaf below several operations collects its partials on the way up, so factors stay outside.
    `y` is an expression for the value of the whole tree. Between arrays the partials are elementwise too.
    """
    match expr:
        case Var() | Load():
            return {expr: ONE} if wanted(expr) else {}
        case Const() | Slice():
            return {}
    total: dict[Expr, Expr] = {}
    for i, operand in enumerate(expr.args):
        inner = partials(operand, wanted)
        slope = partial(expr, i, y) if inner else ZERO
        if is_zero(slope):
            continue
        for leaf, p in inner.items():
            term = mul(p, slope) if (expr.op, i) == ("mul", 0) else mul(slope, p)  # factors in reading order
            total[leaf] = real(add(total[leaf], term)) if leaf in total else term
    return {leaf: p for leaf, p in total.items() if not is_zero(p)}


def guarded(expr: Expr) -> bool:
    """Whether a slope in this tree can be infinite; powers from 1 on and constant divisors are harmless."""
    if not isinstance(expr, Apply):
        return False
    constant = number(expr.args[1]) if expr.op in ("pow", "div") else None
    harmless = constant is not None and (
        constant != 0 if expr.op == "div" else constant == 0 or constant >= 1
    )
    return (OPS[expr.op].guarded and not harmless) or any(map(guarded, expr.args))


def dear(expr: Expr) -> bool:
    """Whether computing this again costs like an exp or a sin; small whole powers don't."""
    if not isinstance(expr, Apply):
        return False
    exponent = number(expr.args[1]) if expr.op == "pow" else None
    small = isinstance(exponent, int) and abs(exponent) <= 4
    return (OPS[expr.op].cost == "dear" and not small) or any(map(dear, expr.args))
