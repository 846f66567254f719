"""Smart constructors: the expressions that s2sad writes itself read like hand-written ones.

Zeros, ones and constants fold, signs and numbers move to the front, equal terms merge, one division bar is
enough, and a product moves into a `where` that has a zero arm, so that such a `where` selects and never
multiplies (0 times infinity doesn't occur):

>>> from s2sad.ir.text import show
>>> w, x, y = Var("w"), Var("x"), Var("y")
>>> show(mul(w, div(Const(0.5), y))), show(add(mul(w, x), mul(x, w))), show(sub(Const(0.0), mul(w, x)))
('0.5 * w / y', '2 * w * x', '-w * x')
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial as bind
from typing import TypeAlias

from s2sad.ir.nodes import Apply, Const, Expr, Var

Number: TypeAlias = int | float

ZERO, ONE = Const(0.0), Const(1.0)


@dataclass(frozen=True, slots=True)
class Term:
    """coefficient * over[0] * over[1] * ... / under[0] / under[1] / ..."""

    coefficient: Number
    over: tuple[Expr, ...] = ()
    under: tuple[Expr, ...] = ()

    @property
    def shape(self) -> object:
        """Equal for terms that differ by their coefficient only."""
        return frozenset(Counter(self.over).items()), frozenset(Counter(self.under).items())


def literal(e: Expr) -> Number | None:
    """The number that a constant is; None for anything else."""
    if isinstance(e, Const) and isinstance(e.value, int | float) and not isinstance(e.value, bool):
        return e.value if math.isfinite(e.value) else None
    return None


def number(e: Expr) -> Number | None:
    """The number that a constant expression comes to (`-2`, `1 / 3`); None for anything else."""
    if isinstance(e, Apply) and e.op in _FOLD:
        values = [number(arg) for arg in e.args]
        try:
            result = _FOLD[e.op](*values) if None not in values else None
        except ArithmeticError:
            return None
        return result if isinstance(result, int | float) and math.isfinite(result) else None
    return literal(e)


_FOLD: Mapping[str, Callable[..., Number]] = {
    "neg": operator.neg,
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
}


def is_zero(e: Expr) -> bool:
    """Whether this is the constant 0 or 0.0."""
    return literal(e) == 0


def is_one(e: Expr) -> bool:
    """Whether this is the constant 1 or 1.0."""
    return literal(e) == 1


# ----- products -----


def mul(a: Expr, b: Expr) -> Expr:
    """`a * b`."""
    if is_zero(a) or (is_one(b) and literal(a) is None):
        return a
    if is_zero(b) or (is_one(a) and literal(b) is None):
        return b
    if isinstance(a, Apply) and _selects(a):
        return _map_arms(a, lambda arm: mul(arm, b))
    if isinstance(b, Apply) and _selects(b):
        return _map_arms(b, lambda arm: mul(a, arm))
    s, t = _term(a), _term(b)
    return _product(Term(s.coefficient * t.coefficient, s.over + t.over, s.under + t.under))


def div(a: Expr, b: Expr) -> Expr:
    """`a / b`."""
    if is_zero(a) or is_one(b):
        return a
    if isinstance(a, Apply) and _selects(a):
        return _map_arms(a, lambda arm: div(arm, b))
    t = _term(a)
    return _product(replace(t, under=(*t.under, b)))


def neg(e: Expr) -> Expr:
    """`-e`."""
    if isinstance(e, Apply) and _selects(e):
        return _map_arms(e, neg)
    match e:
        case Apply("add" | "sub"):
            return _sum([replace(t, coefficient=-t.coefficient) for t in _terms(e)])
    t = _term(e)
    return _product(replace(t, coefficient=-t.coefficient))


def pow_(a: Expr, b: Expr) -> Expr:
    """`a ** b`."""
    if is_zero(b):
        return ONE
    return a if is_one(b) else Apply("pow", (a, b))


def _term(e: Expr) -> Term:
    """An expression as a product and quotient."""
    value = literal(e)
    if value is not None:
        return Term(value)
    match e:
        case Apply("neg", (x,)):
            t = _term(x)
            return replace(t, coefficient=-t.coefficient)
        case Apply("mul", (a, b)):
            s, t = _term(a), _term(b)
            return Term(s.coefficient * t.coefficient, s.over + t.over, s.under + t.under)
        case Apply("div", (a, b)):
            s = _term(a)
            return replace(s, under=(*s.under, b))
    return Term(1, (e,))


def _product(t: Term) -> Expr:
    """The expression of a term: sign and number first, divisions last."""
    if t.coefficient == 0:
        return ZERO if t.over or t.under else Const(t.coefficient)
    t = _roots(_cancel(t))
    if not t.over:
        result: Expr = Const(float(t.coefficient) if t.under else t.coefficient)
    elif abs(t.coefficient) == 1:
        first = _minus(t.over[0]) if t.coefficient < 0 else t.over[0]
        result = _chain("mul", first, t.over[1:])
    else:
        result = _chain("mul", Const(t.coefficient), t.over)
    return _chain("div", result, t.under)


def _cancel(t: Term) -> Term:
    """Numbers below that go into the coefficient: 2.0 * x / 2 is x."""
    for k, divisor in enumerate(t.under):
        d = literal(divisor)
        if d and abs(t.coefficient) != 1 and t.coefficient % d == 0:
            return _cancel(Term(t.coefficient / d, t.over, t.under[:k] + t.under[k + 1 :]))
    return t


def _roots(t: Term) -> Term:
    """Roots above that meet what they are roots of below, and the other way round: `x / sqrt(x)` is `sqrt(x)`.

    What is a factor both above and below altogether stays, since it tells shapes.
    """
    below = [f for e in t.under for f in _factors(e)]
    for root in dict.fromkeys(f for f in (*t.over, *below) if isinstance(f, Apply) and f.op == "sqrt"):
        (e,) = root.args
        up, down = (2 * fs.count(e) + fs.count(root) for fs in (list(t.over), below))
        halves = up - down
        if not up or not down or not halves or not (t.over.count(root) or below.count(root)):
            continue
        power = (*(e,) * (abs(halves) // 2), *(root,) * (abs(halves) % 2))
        over = tuple(f for f in t.over if f not in (e, root))
        left = tuple(f for f in below if f not in (e, root))
        t = Term(t.coefficient, over + power, left) if halves > 0 else Term(t.coefficient, over, left + power)
        below = list(t.under)
    return t


def _factors(e: Expr) -> tuple[Expr, ...]:
    """The factors of a product."""
    match e:
        case Apply("mul", (a, b)):
            return (*_factors(a), *_factors(b))
    return (e,)


def _minus(factor: Expr) -> Expr:
    return (
        Apply("sub", factor.args[::-1])
        if isinstance(factor, Apply) and factor.op == "sub"
        else Apply("neg", (factor,))
    )


def _chain(op: str, first: Expr, others: tuple[Expr, ...]) -> Expr:
    for other in others:
        first = Apply(op, (first, other))
    return first


# ----- sums -----


def add(a: Expr, b: Expr) -> Expr:
    """`a + b`."""
    if is_zero(a):
        return b
    if is_zero(b):
        return a
    p, q = number(a), number(b)
    if p is not None and q is not None:
        return Const(p + q)
    return _sum(_merge(_terms(a) + _terms(b)))


def sub(a: Expr, b: Expr) -> Expr:
    """`a - b`."""
    if is_zero(b):
        return a
    return add(a, neg(b))


def whole(e: Expr) -> Expr:
    """An integer that a sum of integers made a float, made whole again."""
    return Const(int(e.value)) if isinstance(e, Const) and isinstance(e.value, float) else e


def real(e: Expr) -> Expr:
    """The same, with floats for the numbers in it: `2 * x` becomes `2.0 * x`."""
    value = literal(e)
    if value is not None:
        return Const(float(value))
    match e:
        case Apply("add" | "sub" | "mul" | "neg" | "div" as op, args):
            return Apply(op, tuple(map(real, args)))
        case Apply("where", (c, a, b)):
            return Apply("where", (c, real(a), real(b)))
    return e


def _terms(e: Expr) -> list[Term]:
    """An expression as a sum of terms."""
    match e:
        case Apply("add", (a, b)):
            return _terms(a) + _terms(b)
        case Apply("sub", (a, b)):
            return _terms(a) + [replace(t, coefficient=-t.coefficient) for t in _terms(b)]
        case Apply("neg", (Apply("add" | "sub") as x,)):
            return [replace(t, coefficient=-t.coefficient) for t in _terms(x)]
    return [_term(e)]


def _merge(terms: list[Term]) -> list[Term]:
    """Equal terms added up, choices under one condition joined: where(c, a, 0) + where(c, 0, b)."""
    merged: dict[object, Term] = {}
    for t in terms:
        key: object = t.shape
        choice = t.over[0] if t.coefficient == 1 and len(t.over) == 1 and not t.under else None
        if isinstance(choice, Apply) and choice.op == "where":
            key = choice.args[0]
            if key in merged:
                before = merged[key].over[0]
                assert isinstance(before, Apply)
                pairs = zip(before.args[1:], choice.args[1:], strict=True)
                merged[key] = Term(1, (where_(choice.args[0], *(add(p, q) for p, q in pairs)),))
                continue
        if key in merged:
            t = replace(merged[key], coefficient=merged[key].coefficient + t.coefficient)
        merged[key] = t
    return [t for t in merged.values() if t.coefficient != 0]


def _sum(terms: list[Term]) -> Expr:
    """The expression of a sum of terms, a positive one first where there is one."""
    terms = [t for t in terms if t.coefficient != 0]
    if not terms:
        return ZERO
    first = next((k for k, t in enumerate(terms) if t.coefficient > 0), 0)
    result = _product(terms[first])
    for t in terms[:first] + terms[first + 1 :]:
        op = "add" if t.coefficient > 0 else "sub"
        result = Apply(op, (result, _product(replace(t, coefficient=abs(t.coefficient)))))
    return result


# ----- choices -----


def where_(c: Expr, a: Expr, b: Expr) -> Expr:
    """`a` where `c` holds, else `b`."""
    if isinstance(c, Const):
        return a if c.value else b
    return a if a == b else Apply("where", (c, a, b))


def _selects(e: Expr) -> bool:
    """Whether this is a `where` with a zero arm, possibly further down."""
    return (
        isinstance(e, Apply) and e.op == "where" and any(is_zero(arm) or _selects(arm) for arm in e.args[1:])
    )


def _map_arms(e: Apply, change: Callable[[Expr], Expr]) -> Expr:
    """The same choice between changed arms; a zero arm stays zero."""
    c, a, b = e.args
    return where_(c, *(arm if is_zero(arm) else change(arm) for arm in (a, b)))


def compare(op: str, a: Expr, b: Expr) -> Expr:
    """A comparison; True or False where both sides are constants."""
    p, q = number(a), number(b)
    return Apply(op, (a, b)) if p is None or q is None else Const(bool(_COMPARE[op](p, q)))


_COMPARE: Mapping[str, Callable[[Number, Number], bool]] = {
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "eq": operator.eq,
    "ne": operator.ne,
}


# ----- whole expressions -----

_BUILDERS: Mapping[str, Callable[..., Expr]] = {
    "add": add,
    "sub": sub,
    "mul": mul,
    "div": div,
    "neg": neg,
    "pos": lambda e: e,
    "pow": pow_,
    "where": where_,
    **{op: bind(compare, op) for op in _COMPARE},
}


def build(op: str, *args: Expr) -> Expr:
    """The operation with this key, through its smart constructor where it has one."""
    return _BUILDERS[op](*args) if op in _BUILDERS else Apply(op, args)


def substitute(formula: Expr, values: Mapping[str, Expr]) -> Expr:
    """The formula with expressions for its names, simplified; what is put in stays as it is."""
    match formula:
        case Var(name):
            return values.get(name, formula)
        case Apply(op, args):
            return build(op, *(substitute(arg, values) for arg in args))
        case _:
            return formula
