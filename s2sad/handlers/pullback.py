"""The pullback of one statement as data: for each active operand, what reversing adds to its adjoint.

The reverse of `y = phi(u, v)` is read off the statement and the table alone: `own` is the partial by the old value
of the target itself (None where it isn't read), `others` the increments of the other leaves as functions of the
seed, the adjoint of the target. Names stand for their values before the statement; `y'` for the target's after.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from s2sad.errors import located
from s2sad.ir.nodes import Apply, Assign, Call, Const, Expr, Kind, Load, New, Slice, Stmt, Store, Update, Var
from s2sad.ir.walk import children, is_section, map_expr, nodes, substitute
from s2sad.ops import OPS
from s2sad.ops.build import div, mul
from s2sad.ops.kinds import is_complex
from s2sad.ops.pullback import Rule, partials, pull_rule

AFTER = "'"  # marks a name that stands for its value after the statement
SEED = Var("·seed")
STORED = Var("·stored")  # what an element got, which is still there


@dataclass(frozen=True, slots=True)
class Term:
    """`leaf`_b += increment, with SEED standing for the adjoint of the statement's target.

    parts  expressions that the increment uses by name, each may use the ones before it
    of     the result whose adjoint the seed is, where the statement has several
    """

    leaf: Var | Load
    increment: Expr
    parts: tuple[tuple[str, Expr], ...] = ()
    of: str = ""


@dataclass(frozen=True, slots=True)
class Pullback:
    """own: partial by the target's old value (None: not read); terms: increments of the other active leaves."""

    own: Expr | None
    terms: tuple[Term, ...]

    @property
    def expressions(self) -> tuple[Expr, ...]:
        """Everything that the reverse sweep evaluates here, subscripts of the leaves included."""
        own = () if self.own is None else (self.own,)
        subscripts = tuple(e for t in self.terms if isinstance(t.leaf, Load) for e in t.leaf.index)
        parts = tuple(e for t in self.terms for _, e in t.parts)
        return (*own, *parts, *(t.increment for t in self.terms), *subscripts)


NONE = Pullback(None, ())


def pullback(
    stmt: Stmt, active: frozenset[str], kinds: Mapping[str, Kind], stored: Var | None = None
) -> Pullback:
    """The pullback of an Assign, Store, Update or New whose target is active, or of a Call of a row of the table.

    stored  what may stand for the value that a Store gives to an element
    """
    with located(stmt.at):
        return _pullback(stmt, active, kinds, stored)


def _pullback(stmt: Stmt, active: frozenset[str], kinds: Mapping[str, Kind], stored: Var | None) -> Pullback:
    match stmt:
        case Call(targets=targets, function=key, args=args):
            return Pullback(None, tuple(several_terms(key, args, targets, active, kinds)))
        case Assign(target=name, value=value):
            target: Var | Load = Var(name)
            slopes = dict(increments(value, active, Var(name + AFTER)))
        case Store(array=array, index=index, value=value):
            target = Load(array, index)
            slopes = dict(increments(value, active, stored))
        case Update(array=array, value=value):
            target = Var(array)
            slopes = dict(increments(value, active, None))
        case New(value=value, target=name):
            target = Var("")
            slopes = dict(increments(value, active, Var(name)))
        case _:
            raise TypeError(f"{type(stmt).__name__} has no pullback")
    if (matrix := matrix_terms(stmt, active, kinds)) is not None:
        return Pullback(None, matrix)
    if any(is_complex(e, kinds) for e in (target, stmt.value, *slopes)):
        return complex_pullback(stmt, target, slopes, kinds)
    own = slopes.pop(target, None)
    whole = isinstance(stmt, New | Update) or (isinstance(stmt, Store) and is_section(stmt.index))
    terms = [Term(leaf, scalar(leaf, mul(SEED, p), whole, kinds)) for leaf, p in slopes.items()]
    return Pullback(own, tuple(terms))


def complex_pullback(
    stmt: Assign | Store | Update | New,
    target: Var | Load,
    slopes: Mapping[Var | Load, Expr],
    kinds: Mapping[str, Kind],
) -> Pullback:
    """The pullback of a statement with complex numbers in it: conjugate slopes, real parts for real leaves."""
    after = {stmt.target + AFTER: kinds[stmt.target]} if isinstance(stmt, Assign) else {}
    kinds = {**kinds, **after}
    written = Var(stmt.target) if isinstance(stmt, New) else target
    whole = isinstance(stmt, New | Update) or (isinstance(stmt, Store) and is_section(stmt.index))
    made: dict[Expr, Expr]
    match stmt.value:
        case Apply(op="real", args=(z,)):
            made = {z: SEED}
        case Apply(op="imag", args=(z,)):
            made = {z: mul(SEED, Const(1j))}
        case Apply(op="conj", args=(z,)):
            made = {z: Apply("conj", (SEED,))}
        case Apply(op="abs", args=(z,)) as size if is_complex(z, kinds):
            made = {z: mul(SEED, Apply("where", (Apply("eq", (size, Const(0.0))), Const(0j), div(z, size))))}
        case _:
            made = {}
            for leaf, p in slopes.items():
                increment = mul(SEED, Apply("conj", (p,)) if is_complex(p, kinds) else p)
                made[leaf] = real_part(
                    increment, is_complex(written, kinds) or is_complex(p, kinds), leaf, kinds
                )
    made.pop(target, None)
    own = slopes.get(target)
    if own is not None and is_complex(own, kinds):
        own = Apply("conj", (own,))
    terms = ((leaf, inc) for leaf, inc in made.items() if isinstance(leaf, Var | Load))
    return Pullback(own, tuple(Term(leaf, scalar(leaf, inc, whole, kinds)) for leaf, inc in terms))


def real_part(increment: Expr, complex_: bool, leaf: Expr, kinds: Mapping[str, Kind]) -> Expr:
    """An increment, its real part where it is complex and its leaf is not."""
    return Apply("real", (increment,)) if complex_ and not is_complex(leaf, kinds) else increment


def matrix_terms(stmt: Stmt, active: frozenset[str], kinds: Mapping[str, Kind]) -> tuple[Term, ...] | None:
    """The increments of a matrix operation by its row; None for other statements."""
    match stmt:
        case Assign(target=target, value=Apply(op=op, args=args)) if OPS[op].structural == "matrix":
            y = Var(target + AFTER)
        case New(target=target, value=Apply(op=op, args=args)) if OPS[op].structural == "matrix":
            y = Var(target)
        case _:
            return None
    given = {**dict(zip(OPS[op].fixed, args, strict=True)), "y": y, "w": SEED}
    found = (
        term(arg, rule, given)
        for k, arg in enumerate(args)
        if isinstance(arg, Var) and arg.name in active and (rule := pull_rule(op, k))
    )
    kinds = {**kinds, SEED.name: kinds[target]}
    return tuple(
        replace(t, increment=real_part(t.increment, is_complex(t.increment, kinds), t.leaf, kinds))
        for t in found
    )


def several_terms(
    key: str,
    args: tuple[Expr, ...],
    targets: tuple[str, ...],
    active: frozenset[str],
    kinds: Mapping[str, Kind],
) -> Iterator[Term]:
    """The increments of an operation with several results: one per active operand and result."""
    row = OPS[key]
    results = (Var(t if kinds[t].is_array else t + AFTER) for t in targets)
    given = dict(zip((*row.fixed, *row.results), (*args, *results), strict=True)) | {"w": SEED}
    for k, arg in enumerate(args):
        for j, target in enumerate(targets):
            if isinstance(arg, Var) and {arg.name, target} <= active and (rule := pull_rule(key, k, j)):
                yield term(arg, rule, given, target)


def term(leaf: Var, rule: Rule, given: Mapping[str, Expr], of: str = "") -> Term:
    """A rule with expressions for its operands and results."""
    parts = tuple((name, substitute(given, part)) for name, part in rule.parts)
    return Term(leaf, substitute(given, rule.value), parts, of)


def increments(value: Expr, active: frozenset[str], y: Var | None) -> Iterator[tuple[Var | Load, Expr]]:
    """(leaf, partial) for the active leaves of `value`."""

    def wanted(leaf: Expr) -> bool:
        return (
            leaf.name if isinstance(leaf, Var) else leaf.array if isinstance(leaf, Load) else ""
        ) in active

    if isinstance(value, Apply) and OPS[value.op].structural == "matrix":
        return
    yield from partials(value, wanted, y).items()  # type: ignore[misc]


def scalar(leaf: Var | Load, increment: Expr, whole: bool, kinds: Mapping[str, Kind]) -> Expr:
    """`increment`, summed over all elements where the statement is about arrays and the leaf is a scalar."""
    if whole and not is_whole(leaf, kinds):
        return Apply("sum", (increment,))
    return increment


def is_whole(leaf: Expr, kinds: Mapping[str, Kind]) -> bool:
    """Is a leaf an array: a name or a section?"""
    return (
        is_section(leaf.index)
        if isinstance(leaf, Load)
        else isinstance(leaf, Var) and kinds[leaf.name].is_array
    )


def fill(expr: Expr, seed: Expr, mark: Var = SEED) -> Expr:
    """`expr` with SEED, or another mark, exchanged for any expression."""
    return map_expr(lambda node: seed if node == mark else node, expr)


def filled(pull: Pullback, seed: Expr, mark: Var) -> Pullback:
    """A pullback with a mark exchanged for any expression."""
    own = None if pull.own is None else fill(pull.own, seed, mark)
    return Pullback(own, tuple(replace(t, increment=fill(t.increment, seed, mark)) for t in pull.terms))


def uses_of_seed(pull: Pullback) -> int:
    """How often the reverse of the statement reads the seed."""
    exprs = (pull.own, *(t.increment for t in pull.terms))
    return sum(node == SEED for e in exprs if e is not None for node in nodes(e)) + (pull.own is not None)


def tells(pull: Pullback) -> bool:
    """Does a pullback read what its store has stored?"""
    return any(node == STORED for e in pull.expressions for node in nodes(e))


def arrays_read(expr: Expr, kinds: Mapping[str, Kind]) -> Iterator[str]:
    """Arrays whose content `expr` reads; asking for a shape reads nothing."""
    match expr:
        case Apply(op="shape" | "zeros_like" | "ones_like" | "empty_like"):
            return
        case Apply(args=args):
            for arg in args:
                yield from arrays_read(arg, kinds)
        case Load(array=array, index=index):
            yield array
            for sub in index:
                yield from arrays_read(sub, kinds)
        case Slice():
            for sub in children(expr):
                yield from arrays_read(sub, kinds)
        case Var(name=name) if name in kinds and kinds[name].is_array:
            yield name
