"""Operations on matrices as statements of elements.

What a tangent gives (`push` in the row of the operation) is linear in it: products with matrices, transposes, sums.
Put down step by step it needs no more statements than the operation has elements in its inner products: `x = solve(A, b)`
is recorded as `r = b - A' x` and `x = A^-1 r`, with 2 k^2 + k arguments.
"""

from __future__ import annotations

from collections.abc import Iterable

from s2sad.errors import UnsupportedSyntaxError
from s2sad.handlers.base import Handler
from s2sad.ir.names import Namer
from s2sad.ir.nodes import Apply, Assign, Call, Const, Expr, Kind, Load, New, Slice, Stmt, Var, View
from s2sad.ir.walk import substitute, variables
from s2sad.ops.kinds import kind_of
from s2sad.ops.pullback import rules
from s2sad.ops.table import OPS
from s2sad.source import Span

NONE = Const(0)
ONE, MINUS_ONE = Const(1.0), Const(-1.0)
DOTS = ("dot11", "dot12", "dot21", "dot22")
TURN = {"solve21": "dot21", "solve22": "dot22"}
D = "d"


def refused(what: str, at: Span) -> UnsupportedSyntaxError:
    """The refusal of what a tape can't record."""
    return UnsupportedSyntaxError(f"a tape can't record {what}", code="S075", at=at)


class Linear(Handler):
    """Knows the index of every active name, and records matrix operations."""

    active: frozenset[str]
    index: dict[str, str]
    kinds: dict[str, Kind]
    namer: Namer
    tape: str

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
        return Apply("record", (Var(self.tape), old, *pairs)) if pairs or old != NONE else NONE

    def indices_or_none(self, array: Expr) -> Expr:
        return self.index_of(array) if self.wanted(array) else Apply("no_indices", (array,))

    # ----- whole operations

    def matrix_number(self, s: Assign, value: Apply, old: Expr) -> None:
        """A number made of matrices: a product of two vectors, a determinant."""
        tape, (a, *rest) = Var(self.tape), value.args
        if value.op == "dot11":
            both = (a, self.indices_or_none(a), rest[0], self.indices_or_none(rest[0]))
            put = Apply("record_dot11", (tape, old, *both))
        else:
            (push,) = rules(value.op)[1]
            assert isinstance(push, Apply)
            (product,) = push.args  # sum(slopes * d)
            assert push.op == "sum"
            assert isinstance(product, Apply)
            slopes = substitute({"a": a, "y": Var(s.target)}, product.args[0])
            put = Apply("record_sum", (tape, old, self.index_of(a), slopes))
        self.emit(Assign(self.index[s.target], put, s.at))

    def matrix(self, s: New, value: Apply) -> None:
        """An array made of matrices."""
        index, op, args = self.index[s.target], value.op, value.args
        if op in DOTS:
            given = [e for a in args for e in (a, self.indices_or_none(a))]
            self.emit(New(index, Apply(f"record_{op}", (Var(self.tape), *given)), s.at))
            return
        if op == "outer":
            a, b = args
            self.emit(New(index, Apply("no_indices", (Var(s.target),)), s.at))
            pairs = [e for leaf, other in ((column(a), b), (b, column(a))) if self.wanted(leaf)
                     for e in (self.index_of(leaf), other)]  # fmt: skip
            self.emit(Call((), "record_all", (Var(self.tape), Var(index), *pairs), at=s.at))
            return
        known: dict[str, Expr] = {**dict(zip(OPS[op].fixed, args, strict=True)), "y": Var(s.target)}
        self.temporaries: list[str] = []
        found = [
            self.form(push, self.index_of(arg), known, s)
            for push, arg in zip(rules(op)[1], args, strict=True)
            if self.wanted(arg)
        ]
        self.emit(New(index, Apply("no_indices", (Var(s.target),)), s.at))
        pairs = [e for sign, indices in found for e in (indices, sign)]
        self.emit(Call((), "record_all", (Var(self.tape), Var(index), *pairs), at=s.at))
        for name in self.temporaries:
            self.emit(Call((), "free_all", (Var(self.tape), Var(name)), at=s.at))

    def form(self, expr: Expr, d: Expr, known: dict[str, Expr], s: Stmt) -> tuple[Expr, Expr]:
        """A factor, and indices of what an expression that is linear in d gives."""
        match expr:
            case Var(name="d"):
                return ONE, d
            case Apply(op="neg", args=(inner,)):
                sign, indices = self.form(inner, d, known, s)
                return (MINUS_ONE if sign == ONE else ONE), indices
            case Apply(op="T", args=(inner,)):
                sign, indices = self.form(inner, d, known, s)
                return sign, self.turned(indices, s)
            case Apply(op="half_tril", args=(inner,)):
                sign, indices = self.form(inner, d, known, s)
                made = self.temporary(self.kind(indices).ndim, Apply("no_indices", (indices,)), s)
                ones = Apply("half_tril", (Apply("ones_like", (known["y"],)),))
                self.emit(Call((), "record_all", (Var(self.tape), made, indices, ones), at=s.at))
                return sign, made
            case Apply(op="solve21" | "solve22" as op, args=(a, inner)):
                return self.form(Apply(TURN[op], (Apply("inv", (a,)), inner)), d, known, s)
            case Apply(op=op, args=(a, b)) if op in DOTS:
                if D in variables(a):
                    sign, indices = self.form(a, d, known, s)
                    other = self.passive(b, known, s)
                    both: tuple[Expr, ...] = (indices, indices, other, Apply("no_indices", (other,)))
                else:
                    sign, indices = self.form(b, d, known, s)
                    other = self.passive(a, known, s)
                    both = (other, Apply("no_indices", (other,)), indices, indices)
                put = Apply(f"record_{op}", (Var(self.tape), *both))
                return sign, self.temporary(OPS[op].ndim, put, s)
        raise refused("this operation", s.at)

    def temporary(self, ndim: int, value: Expr, s: Stmt) -> Var:
        """Indices for a moment: freed at the end of the statement."""
        made = self.declare("t_i", Kind("int", ndim))
        self.emit(New(made, value, s.at))
        self.temporaries.append(made)
        return Var(made)

    def turned(self, indices: Expr, s: Stmt) -> Var:
        assert isinstance(indices, Var)
        made = self.declare("t_i", Kind("int", 2))
        self.emit(View(made, indices.name, (), "T", s.at))
        return Var(made)

    def passive(self, expr: Expr, known: dict[str, Expr], s: Stmt) -> Var:
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
