"""Statements on a tape: what is put down for an assignment, a store, a birth, an update."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from s2sad.handlers.complexparts import ComplexParts, silent
from s2sad.handlers.lifetimes import Lifetimes
from s2sad.handlers.linear import NONE, refused
from s2sad.handlers.prepare import REDUCTIONS, structure
from s2sad.ir.nodes import Apply, Assign, Call, Expr, Kind, Load, New, Stmt, Store, Update, Var
from s2sad.ir.walk import children, leaves, nodes, rebuild, variables
from s2sad.ops.kinds import is_complex
from s2sad.ops.pullback import dear, partials

BIRTHS = ("zeros", "ones", "empty", "zeros_like", "ones_like", "empty_like")


class Statements(ComplexParts):
    """Emits what records a statement."""

    life: Lifetimes
    roots: Mapping[str, str]
    same: Mapping[str, str]
    shared: frozenset[str]
    position: int

    # ----- scalars

    def scalar(self, s: Assign) -> None:
        """`y = phi(u, v)` of an active scalar."""
        index = self.index[s.target]
        old: Expr = NONE if (self.position, s.target) in self.life.first else Var(index)
        value = s.value
        if is_complex(value, self.kinds) or any(is_complex(leaf, self.kinds) for leaf in leaves(value)):
            self.complex_scalar(s, old)
        elif isinstance(value, Var | Load):
            self.emit(s, Assign(index, self.copy_of(old, value), s.at))
        elif structure(value) == "matrix" and isinstance(value, Apply):
            self.emit(s)
            self.matrix_number(s, value, old)
        elif isinstance(value, Apply) and value.op in REDUCTIONS:
            self.emit(s)
            self.reduction(s, value, old)
        else:
            own = s.target in variables(value)
            value, pairs = self.pairs_of(value, s, None if own else Var(s.target))
            put = Assign(index, self.put(old, pairs), s.at)
            self.emit(*((put, replace(s, value=value)) if own else (replace(s, value=value), put)))

    def element(self, s: Store) -> None:
        """`a[i] = phi(u, v)` of an element."""
        old = Load(self.index[s.array], s.index)
        if isinstance(s.value, Var | Load):
            self.emit(s, Store(old.array, s.index, self.copy_of(old, s.value), s.at))
            return
        value, pairs = self.pairs_of(s.value, s, None)
        put = Store(old.array, s.index, self.put(old, pairs), s.at)
        self.emit(put, replace(s, value=value))

    def copy_of(self, old: Expr, leaf: Var | Load) -> Expr:
        """The index of a copy."""
        index = self.index_of(leaf) if self.wanted(leaf) else NONE
        return Apply(self.COPY, (Var(self.tape), old, index))

    def pairs_of(self, value: Expr, s: Stmt, y: Var | None) -> tuple[Expr, tuple[Expr, ...]]:
        """A scalar value, its dear parts named; (index, partial) of each argument."""
        self.plain_tree(value, s)
        slopes = partials(value, self.wanted, y)
        parts: dict[Expr, Expr] = {}
        if any(dear(p) for p in slopes.values()):
            for node in nodes(value):
                if node != value and dear(node) and not any(dear(c) for c in children(node)):
                    if node not in parts and any(node in nodes(p) for p in slopes.values()):
                        name = self.declare("t", Kind("real"))
                        parts[node] = Var(name)
                        self.emit(Assign(name, node, s.at))
        pairs: list[Expr] = []
        for leaf, slope in slopes.items():
            pairs += [self.index_of(leaf), silent(exchanged(parts, slope))]
        return exchanged(parts, value), tuple(pairs)

    def plain_tree(self, value: Expr, s: Stmt) -> None:
        """Refuse what has no partial derivative per leaf."""
        for node in nodes(value):
            if structure(node) == "matrix":
                raise refused("a product of matrices inside a larger expression", s.at)

    def reduction(self, s: Assign, value: Apply, old: Expr) -> None:
        """`s = np.sum(a)` and the like: a statement whose arguments are the elements."""
        slopes = partials(value, self.wanted, Var(s.target))
        put = self.put(old, ())
        for leaf, slope in slopes.items():
            put = Apply("record_sum", (Var(self.tape), old, self.index_of(leaf), silent(slope)))
        self.emit(Assign(self.index[s.target], put, s.at))

    # ----- arrays

    def birth(self, s: New) -> None:
        """A fresh array: passive, a copy, or one statement per element."""
        index, value = self.index[s.target], s.value
        fresh = New(index, Apply("no_indices", (Var(s.target),)), s.at)
        match value:
            case Apply(op=op) if op in BIRTHS:
                self.emit(s, fresh)
            case Apply(op="full" | "full_like" as op, args=args):
                self.emit(s, fresh)
                self.copies(Var(s.target), args[0 if op == "full" else 1], s)
            case Apply(op="copy" | "own" | "own_as", args=(Var() | Load() as inner,)) if self.wanted(inner):
                self.emit(s, New(index, Apply(self.COPIED, (Var(self.tape), self.index_of(inner))), s.at))
            case Apply(op="copy" | "own" | "own_as", args=(inner,)):
                self.emit(s, fresh)
                self.statements_of(Var(s.target), inner, s, Var(s.target))
            case Apply() if structure(value) == "matrix":
                self.emit(s)
                self.matrix(s, value)
            case _:
                self.emit(s, fresh)
                self.statements_of(Var(s.target), value, s, Var(s.target))

    def elements(self, s: Store | Update, target: Var | Load) -> None:
        """`a[...] = e` or `a[section] = e`: one statement per element."""
        self.plain_tree(s.value, s)
        if isinstance(s.value, Var | Load):
            self.emit(s)
            self.copies(target, s.value, s)
            return
        slopes = dict(partials(s.value, self.wanted, None))
        for leaf, slope in slopes.items():  # what reads the array reads it before it is written
            if any(n == s.array or self.overlap(Var(s.array), Var(n)) for n in variables(slope)):
                kind = self.kind(slope)
                slopes[leaf] = before = Var(self.declare("p", Kind("real", kind.ndim)))
                made = silent(slope)
                if kind.is_array:
                    self.emit(
                        New(
                            before.name,
                            Apply("copy", (made,)) if isinstance(made, Var | Load) else made,
                            s.at,
                        )
                    )
                else:
                    self.emit(Assign(before.name, made, s.at))
        self.emit(s)
        self.record_all(target, slopes, s)

    def copies(self, target: Var | Load, value: Expr, s: Stmt) -> None:
        """The elements of `target` are copies of those of a name or section, or of one number."""
        if isinstance(value, Var | Load) and self.wanted(value):
            index, ends = self.apart_from(target, value, s)
            self.emit(Call((), self.COPIES, (Var(self.tape), self.index_of(target), index), at=s.at), *ends)
        else:
            self.statements_of(target, value, s, None)

    def statements_of(self, target: Var | Load, value: Expr, s: Stmt, y: Var | None) -> None:
        self.plain_tree(value, s)
        slopes = partials(value, self.wanted, y)
        if slopes or not isinstance(s, New):
            self.record_all(target, slopes, s)

    def record_all(self, target: Var | Load, slopes: Mapping[Expr, Expr], s: Stmt) -> None:
        if not slopes:
            self.emit(Call((), "drop_all", (Var(self.tape), self.index_of(target)), at=s.at))
            return
        pairs: list[Expr] = []
        ends: list[Stmt] = []
        for leaf, slope in slopes.items():
            index, more = self.apart_from(target, leaf, s)
            pairs += [index, silent(slope)]
            ends += more
        self.emit(Call((), "record_all", (Var(self.tape), self.index_of(target), *pairs), at=s.at), *ends)

    def apart_from(self, target: Var | Load, leaf: Expr, s: Stmt) -> tuple[Expr, list[Stmt]]:
        """The index of a leaf, as a copy where statements of other elements would change it; what ends the copy."""
        index = self.index_of(leaf)
        if not isinstance(target, Var | Load) or leaf == target or not self.overlap(target, leaf):
            return index, []
        array = self.kind(leaf).is_array
        made = self.declare("t_i", Kind("int", self.kind(leaf).ndim))
        if array:
            self.emit(New(made, Apply(self.COPIED, (Var(self.tape), index)), s.at))
        else:
            self.emit(Assign(made, Apply(self.COPY, (Var(self.tape), NONE, index)), s.at))
        return Var(made), [Call((), "free_all" if array else "free", (Var(self.tape), Var(made)), at=s.at)]

    def overlap(self, one: Expr, other: Expr) -> bool:
        """May two leaves lie in one array?"""
        a, b = (
            e.name if isinstance(e, Var) else e.array if isinstance(e, Load) else "" for e in (one, other)
        )
        return self.roots[a] == self.roots[b] or (
            self.same[a] == self.same[b] and self.same[a] in self.shared
        )


def exchanged(parts: Mapping[Expr, Expr], expr: Expr) -> Expr:
    """`expr` with parts of it exchanged, the largest first."""
    if expr in parts:
        return parts[expr]
    return rebuild(expr, lambda child: exchanged(parts, child)) if parts else expr
