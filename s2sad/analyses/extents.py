"""How long arrays are, axis by axis, in terms that can be compared before anything runs.

An extent is an expression over parameters and `a.shape[k]`, in normal form, so that equal extents are equal expressions.
`None` where a name may stand for arrays of several shapes.

>>> from s2sad.ir.nodes import Assign, Node
>>> from s2sad.ir.text import show
>>> body = (Assign("n", shape("x", 0)), New("y", Apply("zeros", (Apply("add", (Var("n"), Const(1))),))))
>>> kinds = {"x": Kind("real", 1), "y": Kind("real", 1), "n": Kind("int")}
>>> e = Extents(Function("f", ("x",), body, (), kinds, (), Node(())))
>>> [show(n) for n in e.of("y")], [show(n) for n in e.leaf(Load("y", (Slice(Const(1)),)))]
(['shape(x, 0) + 1'], ['shape(x, 0)'])
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from s2sad.analyses.entities import classes
from s2sad.ir.nodes import (
    Apply,
    Assign,
    Bind,
    Call,
    Const,
    Expr,
    Function,
    If,
    Kind,
    Load,
    New,
    Rebind,
    Slice,
    Stmt,
    Var,
    View,
)
from s2sad.ir.walk import blocks, is_section, statements, unique, writes
from s2sad.ops import OPS
from s2sad.ops.build import add, number, sub, whole
from s2sad.ops.kinds import kind_of

Axes: TypeAlias = tuple[Expr, ...]
UNIT = Const(1)


def shape(name: str, axis: int) -> Expr:
    """`name.shape[axis]`."""
    return Apply("shape", (Var(name), Const(axis)))


class Extents:
    """The extents of the arrays of one function."""

    def __init__(self, fn: Function) -> None:
        self.fn = fn
        self.kinds = fn.kinds
        self.births: dict[str, list[Stmt]] = {}
        self.once: dict[str, Expr] = {}  # ints that are given one value, outside of loops
        self.same = classes(s for s in statements(fn.body) if isinstance(s, Rebind | Bind))
        self.members: dict[str, list[str]] = {}
        for name, rep in self.same.items():
            self.members.setdefault(rep, []).append(name)
        self._known: dict[str, Axes | None] = {}
        self._open: list[str] = []
        given: dict[str, int] = {}
        for stmt in statements(fn.body):
            for name in writes(stmt):
                given[name] = given.get(name, 0) + 1
                if isinstance(stmt, New | View | Bind) or (isinstance(stmt, Call) and name in stmt.targets):
                    self.births.setdefault(name, []).append(stmt)
        self.fixed = {n for n in (*fn.params, *fn.constants) if n not in given}
        self._assigned(fn.body, {n for n, times in given.items() if times == 1} - set(fn.params))

    def _assigned(self, body: Iterable[Stmt], single: set[str]) -> None:
        for stmt in body:
            if isinstance(stmt, Assign) and stmt.target in single and self.kinds[stmt.target] == Kind("int"):
                self.once[stmt.target] = stmt.value
            if isinstance(stmt, If):
                for block in blocks(stmt):
                    self._assigned((s for s in block if isinstance(s, Assign)), single)

    def of(self, name: str) -> Axes | None:
        """The extents of an array."""
        rep = self.same[name]
        if rep not in self._known:
            if rep in self._open:
                return None
            self._open.append(rep)
            self._known[rep] = self._agreed(name, unique((name, rep, *self.members.get(rep, ()))))
            self._open.pop()
        return self._known[rep]

    def _agreed(self, name: str, names: tuple[str, ...]) -> Axes | None:
        """What the births of all names of a class agree on; an array born once has a shape of its own."""
        births = list({id(s): s for n in names for s in self.births.get(n, ())}.values())
        params = [n for n in names if n in self.fn.params or n in self.fn.constants]
        if len(births) + len(params) == 1 and len(names) == 1:
            found = self._born(births[0], name) if births else None
            return found if found is not None else tuple(shape(name, k) for k in range(self.kinds[name].ndim))
        if len(params) > 1 or any(not isinstance(s, New) for s in births):
            return None
        rep = self.same[name]
        every = [self._born(s, name) for s in births]  # None: of the class itself, or not known
        first = (
            tuple(shape(params[0], k) for k in range(self.kinds[name].ndim))
            if params
            else next((axes for axes in every if axes is not None), None)
        )
        self._known[rep] = first
        agreed = first is not None and all(self._born(s, name) == first for s in births)
        del self._known[rep]
        return first if agreed else None

    def _born(self, stmt: Stmt, name: str) -> Axes | None:
        match stmt:
            case New(value=value):
                return self.value(value)
            case View(array=array, index=index, form="section"):
                return self.leaf(Load(array, index))
            case View(array=array, index=(), form="T"):
                axes = self.of(array)
                return None if axes is None else axes[::-1]
        return None

    def value(self, expr: Expr) -> Axes | None:
        """The extents of what an expression makes, where they are sure."""
        match expr:
            case Var() | Load():
                return self.leaf(expr)
            case Apply(op="zeros" | "ones" | "empty", args=axes) | Apply(op="full", args=(_, *axes)):
                return self._sure(map(self.resolved, axes))
            case Apply(op=op, args=args) if op in OPS:
                row = OPS[op]
                if row.structural in ("like", "copy"):
                    return self.value(args[0])
                if row.structural == "":
                    return broadcast(
                        self.value(arg) if kind_of(arg, self.kinds).is_array else () for arg in args
                    )
        return None

    def leaf(self, leaf: Expr) -> Axes | None:
        """The extents of an array, or of a section with plain bounds, that an expression reads."""
        match leaf:
            case Var(name=name):
                return self.of(name) if self.kinds[name].is_array else ()
            case Load(array=array, index=index) if is_section(index) and array in self.kinds:
                extents = self.of(array)
                if extents is None:
                    return None
                left = list(extents)
                made: list[Expr] = []
                for sub_ in index:
                    if sub_ == Const(None):
                        made.append(UNIT)
                        continue
                    extent = left.pop(0)
                    if isinstance(sub_, Slice):
                        length = left_of(extent, sub_)
                        if length is None:
                            return None
                        made.append(length)
                return tuple(made)
            case Load():
                return ()
        return None

    def resolved(self, expr: Expr) -> Expr | None:
        """An extent in normal form; None for one that may change."""
        if number(expr) is not None:
            return whole(Const(number(expr)))
        match expr:
            case Var(name=name) if name in self.once:
                return self.resolved(self.once[name])
            case Var(name=name) if name in self.fixed and self.kinds[name] == Kind("int"):
                return expr
            case Apply(op="shape", args=(Var(name=name), Const(value=k))) if self.kinds[name].is_array:
                extents = self.of(name)
                return None if extents is None else extents[k]
            case Apply(op="add" | "sub" as op, args=(a, b)):
                x, y = self.resolved(a), self.resolved(b)
                return None if x is None or y is None else whole((add if op == "add" else sub)(x, y))
            case Apply(op="mul", args=(a, b)):
                x, y = self.resolved(a), self.resolved(b)
                return None if x is None or y is None else Apply("mul", (x, y))
        return None

    def _sure(self, axes: Iterable[Expr | None]) -> Axes | None:
        made = tuple(axes)
        return tuple(a for a in made if a is not None) if all(a is not None for a in made) else None


def broadcast(every: Iterable[Axes | None]) -> Axes | None:
    """The extents that shapes have together, where they are sure to agree."""
    made: list[Expr] = []
    for axes in every:
        if axes is None:
            return None
        made = [UNIT] * (len(axes) - len(made)) + made
        for k, extent in enumerate(reversed(axes), 1):
            if extent != UNIT and made[-k] not in (UNIT, extent):
                return None
            made[-k] = made[-k] if extent == UNIT else extent
    return tuple(made)


def left_of(extent: Expr, part: Slice) -> Expr | None:
    """The length of a slice of an axis (none where it comes out negative); None for bounds that aren't plain."""
    ends = trimmed(part)
    return None if ends is None else whole(sub(extent, Const(sum(ends)))) if sum(ends) else extent


def trimmed(part: Slice) -> tuple[int, int] | None:
    """How many elements a slice leaves out at either end; None for other slices.

    >>> trimmed(Slice(Const(1), Const(-2))), trimmed(Slice()), trimmed(Slice(None, Var("n")))
    ((1, 2), (0, 0), None)
    """
    if part.step not in (None, Const(1)):
        return None
    start = 0 if part.start is None else number(part.start)
    stop = 0 if part.stop is None else number(part.stop)
    if start is None or stop is None or start < 0 or (part.stop is not None and stop >= 0):
        return None
    return int(start), -int(stop)
