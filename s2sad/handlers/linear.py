"""Operations on matrices as statements of elements.

What a tangent gives (`push` in the row of the operation) is linear in it: products with matrices, transposes, sums.
Put down step by step it needs no more arguments than its products have: `x = solve(A, b)` is recorded as
`r = b - A' x` and `x = A^-1 r`, with 2 k^2 + k arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from s2sad.errors import UnsupportedSyntaxError
from s2sad.handlers.base import Onward
from s2sad.ir.names import Namer
from s2sad.ir.nodes import Apply, Assign, Call, Const, Expr, Kind, Load, New, Slice, Stmt, Var, View
from s2sad.ir.walk import substitute, variables
from s2sad.ops.build import mul, neg
from s2sad.ops.kinds import kind_of
from s2sad.ops.pullback import Rule, push_rule
from s2sad.ops.table import OPS
from s2sad.source import Span

NONE, ONE = Const(0), Const(1.0)
DOTS = ("dot11", "dot12", "dot21", "dot22")
SOLVES = {"solve21": "dot21", "solve22": "dot22"}
#: What moves elements about: it does the same to their indices.
MOVES = (
    "mirror_lower", "diagonal", "fit_columns", "pad_values", "head_columns", "tail_columns", "tril", "triu",
    "corner_block", "one_triangle", "turned_over",
)  # fmt: skip
#: What multiplies every element by a number of its own.
SCALES = ("half_tril", "over_gaps", "over_square_gaps", "over_columns")


def refused(what: str, at: Span) -> UnsupportedSyntaxError:
    """The refusal of what a tape can't record."""
    return UnsupportedSyntaxError(f"a tape can't record {what}", code="S075", at=at)


@dataclass(frozen=True, slots=True)
class Term:
    """factor * (what has these indices), element by element."""

    factor: Expr
    indices: Expr


class Linear(Onward):
    """Knows the index of every active name, and records matrix operations."""

    active: frozenset[str]
    index: dict[str, str]
    kinds: dict[str, Kind]
    namer: Namer
    tape: str
    temporaries: list[str]
    COPY, COPIES, COPIED = "copy_index", "copy_all", "copied"

    def declare(self, wish: str, kind: Kind) -> str:
        name = self.namer.fresh(wish)
        self.kinds[name] = kind
        return name

    def kind(self, expr: Expr) -> Kind:
        return kind_of(expr, self.kinds)

    def wanted(self, leaf: Expr) -> bool:
        name = leaf.name if isinstance(leaf, Var) else leaf.array if isinstance(leaf, Load) else ""
        return name in self.active

    def index_of(self, leaf: Expr) -> Var | Load:
        """The index of a leaf, or the indices of an array."""
        if isinstance(leaf, Load):
            return Load(self.index[leaf.array], leaf.index)
        assert isinstance(leaf, Var)
        return Var(self.index[leaf.name])

    def put(self, old: Expr, pairs: Iterable[Expr]) -> Expr:
        """The index of a left side that had `old`, from (index, partial) of its arguments."""
        pairs = tuple(pairs)
        if pairs:
            return Apply("record", (Var(self.tape), old, *pairs))
        return NONE if old == NONE else Apply("drop_index", (Var(self.tape), old))

    def indices_or_none(self, array: Expr) -> Expr:
        return self.index_of(array) if self.wanted(array) else Apply("no_indices", (array,))

    # ----- whole operations

    def matrix_number(self, s: Assign, value: Apply, old: Expr) -> None:
        """A number made of matrices: a product of two vectors, a determinant."""
        if value.op == "dot11":
            both = [e for a in value.args for e in (a, self.indices_or_none(a))]
            put: Expr = Apply("record_dot11", (Var(self.tape), old, *both))
            self.emit(Assign(self.index[s.target], put, s.at))
        else:
            self.result(value.op, value.args, (s.target,), 0, s, old)

    def matrix(self, s: New, value: Apply) -> None:
        """An array made of matrices."""
        index, op, args = self.index[s.target], value.op, value.args
        if op in DOTS:
            given = [e for a in args for e in (a, self.indices_or_none(a))]
            self.emit(New(index, Apply(f"record_{op}", (Var(self.tape), *given)), s.at))
        elif op == "outer":
            a, b = args
            self.emit(New(index, Apply("no_indices", (Var(s.target),)), s.at))
            pairs = [e for leaf, other in ((column(a), b), (b, column(a))) if self.wanted(leaf)
                     for e in (self.index_of(leaf), other)]  # fmt: skip
            self.emit(Call((), "record_all", (Var(self.tape), Var(index), *pairs), at=s.at))
        else:
            self.result(op, args, (s.target,), 0, s, NONE)

    def several(self, s: Call) -> None:
        """An operation with several results."""
        self.emit(s)
        for j, target in enumerate(s.targets):
            if target in self.active:
                self.result(s.function, s.args, s.targets, j, s, NONE)

    def result(
        self, op: str, args: Sequence[Expr], targets: Sequence[str], j: int, s: Stmt, old: Expr
    ) -> None:
        """Record result `j` of an operation, whose results are the targets."""
        row, target = OPS[op], targets[j]
        index, number = self.index[target], not self.kinds[target].is_array
        known: dict[str, Expr] = dict(zip(row.fixed, args, strict=True))
        known |= zip(row.results or ("y",), map(Var, targets), strict=True)
        self.temporaries = []
        found: list[Term] = []
        for k, arg in enumerate(args):
            rule = push_rule(op, k, j) if self.wanted(arg) else None
            if rule is not None:
                found += self.pushed(rule, self.index_of(arg), known, number, s)
        if number:
            put: Expr = self.put(old, ())
            if len(found) == 1:
                put = Apply("record_sum", (Var(self.tape), old, found[0].indices, found[0].factor))
            elif found:
                raise refused(f"`{op}`", s.at)
            self.emit(Assign(index, put, s.at))
        else:
            self.emit(New(index, Apply("no_indices", (Var(target),)), s.at))
            pairs = [e for term in found for e in (term.indices, term.factor)]
            self.emit(Call((), "record_all", (Var(self.tape), Var(index), *pairs), at=s.at))
        for name in self.temporaries:
            self.emit(Call((), "free_all", (Var(self.tape), Var(name)), at=s.at))

    # ----- formulas that are linear in d

    def pushed(
        self, rule: Rule, d: Expr, known: Mapping[str, Expr], number: bool, s: Stmt
    ) -> tuple[Term, ...]:
        """What an operand with the indices d gives by a rule; of a number its terms are to be summed over."""
        known = dict(known)
        forms: dict[str, tuple[Term, ...]] = {"d": (Term(ONE, d),)}
        for name, part in rule.parts:
            if set(variables(part)) & set(forms):
                forms[name] = (Term(ONE, self.whole(self.form(part, forms, known, s), s)),)
            else:
                known[name] = self.passive(part, known, s)
        value = rule.value
        if number:
            if not (isinstance(value, Apply) and value.op == "sum"):
                raise refused("this operation", s.at)
            value = value.args[0]
        return self.form(value, forms, known, s)

    def form(
        self, expr: Expr, forms: Mapping[str, tuple[Term, ...]], known: Mapping[str, Expr], s: Stmt
    ) -> tuple[Term, ...]:
        """An expression that is linear in names with forms, as terms."""

        def of(inner: Expr) -> tuple[Term, ...]:
            return self.form(inner, forms, known, s)

        def linear(inner: Expr) -> bool:
            return bool(set(variables(inner)) & set(forms))

        match expr:
            case Var(name=name) if name in forms:
                return forms[name]
            case Apply(op="neg", args=(inner,)):
                return tuple(Term(neg(t.factor), t.indices) for t in of(inner))
            case Apply(op="add" | "sub" as op, args=(a, b)):
                other = of(b) if op == "add" else of(Apply("neg", (b,)))
                return (*of(a), *other)
            case Apply(op="mul", args=(a, b)):
                inner, factor = (a, b) if linear(a) else (b, a)
                factor = substitute(known, factor)
                return tuple(Term(mul(t.factor, factor), t.indices) for t in of(inner))
            case Apply(op="T", args=(inner,)):
                return (Term(ONE, self.turned(self.whole(of(inner), s), s)),)
            case Apply(op=op, args=(inner, *rest)) if op in MOVES:
                more = tuple(substitute(known, e) for e in rest)
                moved = Apply("as_indices", (Apply(op, (self.whole(of(inner), s), *more)),))
                return (Term(ONE, self.born(OPS[op].ndim, moved, s)),)
            case Apply(op=op, args=(inner, *rest)) if op in SCALES:
                indices = self.whole(of(inner), s)
                more = tuple(substitute(known, e) for e in rest)
                ones = Apply("mul", (ONE, Apply("ones_like", (indices,))))  # (of real numbers)
                return (Term(self.passive(Apply(op, (ones, *more)), {}, s), indices),)
            case Apply(op="solve21" | "solve22" as op, args=(a, inner)):
                return of(Apply(SOLVES[op], (Apply("inv", (a,)), inner)))
            case Apply(
                op="solve_triangular21" | "solve_triangular22" as op, args=(a, inner, lower, turned, unit)
            ) if unit == Const(False):
                triangle = Apply("turned_over", (Apply("one_triangle", (a, lower, unit)), turned))
                return of(Apply(f"dot{op[-2:]}", (Apply("inv", (triangle,)), inner)))
            case Apply(op=op, args=(a, b)) if op in DOTS:
                side = linear(a)
                indices = self.whole(of(a if side else b), s)
                other_ = self.passive(b if side else a, known, s)
                none = Apply("no_indices", (other_,))
                both = (indices, indices, other_, none) if side else (other_, none, indices, indices)
                made = self.born(OPS[op].ndim, Apply(f"record_{op}", (Var(self.tape), *both)), s)
                self.temporaries.append(made.name)
                return (Term(ONE, made),)
        raise refused("this operation", s.at)

    def whole(self, form: tuple[Term, ...], s: Stmt) -> Var:
        """The indices of a form as a whole."""
        first = form[0].indices
        if len(form) == 1 and form[0].factor == ONE and isinstance(first, Var):
            return first
        made = self.born(self.kind(first).ndim, Apply("no_indices", (first,)), s)
        pairs = [e for term in form for e in (term.indices, term.factor)]
        self.emit(Call((), "record_all", (Var(self.tape), made, *pairs), at=s.at))
        self.temporaries.append(made.name)
        return made

    def born(self, ndim: int, value: Expr, s: Stmt) -> Var:
        made = self.declare("t_i", Kind("int", ndim))
        self.emit(New(made, value, s.at))
        return Var(made)

    def turned(self, indices: Var, s: Stmt) -> Var:
        made = self.declare("t_i", Kind("int", 2))
        self.emit(View(made, indices.name, (), "T", s.at))
        return Var(made)

    def passive(self, expr: Expr, known: Mapping[str, Expr], s: Stmt) -> Var:
        """A matrix that the tape takes as it is now."""
        expr = substitute(known, expr)
        if isinstance(expr, Var):
            return expr
        made = self.declare("m", Kind("real", self.kind(expr).ndim))
        self.emit(New(made, expr, s.at))
        return Var(made)


def column(a: Expr) -> Load:
    """A vector as a matrix of one column."""
    assert isinstance(a, Var)
    return Load(a.name, (Slice(), Const(None)))
