"""Recording values: a statement is its *site* in the program, with what its operands are.

`y = phi(u, v) * c` gives itself and `y_i = note(tape, 3, y_i, y, (u_i, u, v_i, v), (c,))`; slopes are
formed on the way back. A decision that depends on active numbers is noted as well, so that the program can be
evaluated again at another point, as long as it goes the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from s2sad.handlers.base import Halves
from s2sad.handlers.linear import NONE, refused
from s2sad.handlers.prepare import REDUCTIONS, structure
from s2sad.handlers.tape import Record
from s2sad.ir.nodes import (
    Apply,
    Assign,
    Call,
    Const,
    Expr,
    For,
    If,
    Kind,
    Load,
    New,
    Slice,
    Stmt,
    Store,
    Update,
    Var,
    While,
)
from s2sad.ir.walk import expressions, leaves, map_expr, nodes, rebuild, variables
from s2sad.ops.kinds import is_complex
from s2sad.ops.table import OPS
from s2sad.source import Span

COPY, SUM, DOT, FIRST = range(4)
OTHER = 'use values="jacobian"'


@dataclass(frozen=True, slots=True)
class Site:
    """A place in the program: an expression over operands a0, ... and constants c0, ...; a check has an outcome."""

    value: Expr
    operands: int
    constants: int
    check: bool
    at: Span


class Keep(Record):
    """One run of the handler over one function."""

    COPY, COPIES, COPIED = "note_copy", "note_copies", "noted_copy"

    def site(self, value: Expr, s: Stmt, check: bool = False) -> tuple[Expr, ...]:
        """Site number; operands and constants, packed."""
        self.plain_tree(value, s)
        if any(is_complex(leaf, self.kinds) for leaf in leaves(value)):
            raise refused("complex numbers as values", s.at)
        active = {leaf: Var(f"a{k}") for k, leaf in enumerate(operands(value, self.wanted))}
        constants: dict[Expr, Var] = {}

        def formula(node: Expr) -> Expr:
            if node in active:
                return active[node]
            if isinstance(node, Const):
                return node
            if not operands(node, self.wanted):
                return constants.setdefault(node, Var(f"c{len(constants)}"))
            return rebuild(node, formula) if isinstance(node, Apply) else node

        made = Site(plainly(formula(value)), len(active), len(constants), check, s.at)
        sites: list[Site] = self.program.sites
        if made in sites:
            number = sites.index(made) + FIRST
        else:
            number = len(sites) + FIRST
            sites.append(made)
        pairs = [e for leaf in active for e in (self.index_of(leaf), leaf)]
        return Const(number), Apply("pack", tuple(pairs)), Apply("pack", tuple(constants))

    def noted(self, old: Expr, value: Expr, y: Expr, s: Stmt) -> Expr:
        """The index of a left side with value y."""
        if not operands(value, self.wanted):
            return self.put(old, ())
        number, pairs, constants = self.site(value, s)
        return Apply("note", (Var(self.tape), number, old, y, pairs, constants))

    # ----- scalars

    def scalar(self, s: Assign) -> None:
        index, value = self.index[s.target], s.value
        old: Expr = NONE if (self.position, s.target) in self.life.first else Var(index)
        op = value.op if isinstance(value, Apply) else ""
        if isinstance(value, Var | Load) and not is_complex(value, self.kinds):
            self.emit(s, Assign(index, self.copy_of(old, value), s.at))
        elif op == "dot11" and isinstance(value, Apply):
            given = [e for a in value.args for e in (a, self.indices_or_none(a))]
            self.emit(s, Assign(index, Apply("note_dot", (Var(self.tape), old, Var(s.target), *given)), s.at))
        elif op == "sum" and isinstance(value, Apply):
            (array,) = value.args
            args = (Var(self.tape), old, Var(s.target), self.index_of(array), array)
            self.emit(s, Assign(index, Apply("note_sum", args), s.at))
        elif op in REDUCTIONS or structure(value) == "matrix":
            raise self.otherwise(f"`{op}`", s)
        elif s.target in variables(value):
            before = self.declare("t", Kind("real"))
            self.emit(Assign(before, value, s.at))
            self.emit(Assign(index, self.noted(old, value, Var(before), s), s.at))
            self.emit(Assign(s.target, Var(before), s.at))
        else:
            self.emit(s, Assign(index, self.noted(old, value, Var(s.target), s), s.at))

    def otherwise(self, what: str, s: Stmt) -> Exception:
        error = refused(f"{what} as values", s.at)
        return type(error)(f"a tape can't record {what} as values", code="S075", at=s.at, hint=OTHER)

    def element(self, s: Store) -> None:
        old = Load(self.index[s.array], s.index)
        if isinstance(s.value, Var | Load):
            self.emit(s, Store(old.array, s.index, self.copy_of(old, s.value), s.at))
            return
        value = self.declare("t", Kind("real"))
        self.emit(Assign(value, s.value, s.at))
        self.emit(Store(old.array, s.index, self.noted(old, s.value, Var(value), s), s.at))
        self.emit(replace(s, value=Var(value)))

    # ----- arrays

    def elements(self, s: Store | Update, target: Var | Load) -> None:
        if isinstance(s.value, Var | Load) or not operands(s.value, self.wanted):
            super().elements(s, target)
            return
        value: Expr = target
        if s.array in variables(s.value) and self.kind(s.value).is_array:
            value = Var(self.declare("t", self.kind(s.value)))
            self.emit(New(value.name, s.value, s.at))
        elif s.array in variables(s.value):
            value = Var(self.declare("t", Kind("real")))
            self.emit(Assign(value.name, s.value, s.at))
        else:
            self.emit(s)
        self.note_all(target, s.value, value, s)
        if value != target:
            self.emit(replace(s, value=value))

    def record_all(self, target: Var | Load, slopes: Mapping[Expr, Expr], s: Stmt) -> None:
        if not slopes:
            super().record_all(target, slopes, s)
            return
        value = s.value if isinstance(s, New | Store | Update) else target
        if isinstance(value, Apply) and value.op in ("copy", "own", "own_as", "full", "full_like"):
            value = value.args[1 if value.op == "full_like" else 0]
        self.note_all(target, value, target, s)

    def note_all(self, target: Var | Load, value: Expr, y: Expr, s: Stmt) -> None:
        """One statement per element of the target, whose values are in y."""
        number, pairs, constants = self.site(value, s)
        assert isinstance(pairs, Apply)
        given: list[Expr] = []
        ends: list[Stmt] = []
        for index, leaf in zip(pairs.args[::2], pairs.args[1::2], strict=True):
            apart, more = self.apart_from(target, leaf, s)
            given += [apart if more else index, leaf]
            ends += more
        args = (Var(self.tape), number, self.index_of(target), y, Apply("pack", tuple(given)), constants)
        self.emit(Call((), "note_all", args, at=s.at), *ends)

    def matrix(self, s: New, value: Apply) -> None:
        raise self.otherwise("products of matrices", s)

    def several(self, s: Call) -> None:
        if any(t in self.active for t in s.targets):
            raise self.otherwise("factors of matrices", s)
        self.emit(s)

    def by_tangents(self, s: Call) -> None:
        raise self.otherwise("functions with a rule, or derivatives inside,", s)

    # ----- decisions

    def checks(self, s: Stmt) -> Iterator[Expr]:
        """What a statement decides by active numbers: subscripts, bounds, whole numbers and truths."""
        match s:
            case If(test=test):
                yield test
            case For(start=start, stop=stop, step=step):
                for bound in (start, stop, step):
                    yield from self.whole_parts(bound)
            case Assign(target=target, value=value) if self.kinds[target].base in ("int", "bool"):
                yield value
            case _:
                subs = [e for x in expressions(s) for n in nodes(x) if isinstance(n, Load) for e in n.index]
                for sub in (*subs, *(s.index if isinstance(s, Store) else ())):
                    yield from self.whole_parts(sub)

    def whole_parts(self, expr: Expr) -> Iterator[Expr]:
        """The largest parts of an expression that make whole numbers or truths of active numbers."""
        if isinstance(expr, Slice):
            for part in (expr.start, expr.stop, expr.step):
                if part is not None:
                    yield from self.whole_parts(part)
        elif operands(expr, self.wanted) and self.kind(expr).base in ("int", "bool"):
            yield expr

    def decided(self, expr: Expr, s: Stmt) -> None:
        """Note how a decision turns out; what isn't evaluated (after `and`, `or`) is not noted."""
        match expr:
            case Apply(op="and" | "or" as op, args=(first, second)):
                self.decided(first, s)
                with self.block() as lines:
                    self.decided(second, s)
                if lines:
                    arms = (tuple(lines), ()) if op == "and" else ((), tuple(lines))
                    self.emit(If(first, arms[0], arms[1], s.at))
                return
            case Apply(op="not", args=(inner,)):
                self.decided(inner, s)
                return
        found = operands(expr, self.wanted)
        if any(self.kind(leaf).is_array for leaf in found):
            raise self.otherwise("a choice among the elements of an array", s)
        if found:
            number, pairs, constants = self.site(expr, s, check=True)
            self.emit(Call((), "note_check", (Var(self.tape), number, expr, pairs, constants), at=s.at))

    def handle(self, stmt: Stmt) -> Halves:
        if not isinstance(stmt, While):
            for expr in self.checks(stmt):
                self.decided(expr, stmt)
            if isinstance(stmt, New) and not self.kinds[stmt.target].is_real:
                if operands(stmt.value, self.wanted):
                    raise self.otherwise("truths about arrays", stmt)
        return super().handle(stmt)

    def While(self, s: Stmt) -> Halves:
        assert isinstance(s, While)
        with self.block() as lines:
            self.decided(s.test, s)
        self.emit(replace(s, body=(*lines, *self.nest(s.body))))
        self.decided(s.test, s)
        yield


def operands(expr: Expr, wanted: Callable[[Expr], bool]) -> tuple[Expr, ...]:
    """The leaves with a derivative whose value an expression depends on; shapes depend on none."""
    match expr:
        case Var() | Load():
            return (expr,) if wanted(expr) else ()
        case Apply(op=op, args=args) if op not in ("shape", "zeros_like", "ones_like", "empty_like"):
            return tuple(dict.fromkeys(leaf for arg in args for leaf in operands(arg, wanted)))
    return ()


def plainly(expr: Expr) -> Expr:
    """An expression spelled by s2sad, for numbers of any kind."""
    return map_expr(
        lambda e: replace(e, spell="") if isinstance(e, Apply) and not OPS[e.op].structural else e, expr
    )
