"""Nests of loops over a box, and what one iteration adds to which elements, in terms of what was there before the nest.

>>> from s2sad.ir.names import Namer
>>> from s2sad.ir.nodes import Const, Kind
>>> from s2sad.ir.text import show
>>> i, array = Var("i"), Kind("real", 1)
>>> body = (Assign("w", Load("y_b", (i,))), Store("y_b", (i,), Const(0.0)), Accumulate(Load("x_b", (i,)), Var("w")))
>>> (share,) = shares(body, Sweep({"x_b": array, "y_b": array}, Namer()))
>>> show(share.target), show(share.value)
('x_b[i]', 'y_b[i]')
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from s2sad.ir.nodes import Accumulate, Assign, Const, Expr, For, Load, Stmt, Store, Var
from s2sad.ir.walk import Body, rebuild, variables, writes_in
from s2sad.ops.build import add
from s2sad.shapes.orderfree import order_free, plain
from s2sad.shapes.subscripts import integral
from s2sad.shapes.sweep import Place, Sweep


@dataclass(frozen=True)
class Nest:
    """Loops of step 1, one in the other, over a box: no bound depends on the iteration. `place` is that of the body."""

    loops: tuple[For, ...]
    body: Body
    place: Place

    @property
    def vars(self) -> tuple[str, ...]:
        """The loop variables, outermost first."""
        return tuple(loop.var for loop in self.loops)


def nest_of(loop: For, place: Place, sweep: Sweep) -> Nest | None:
    """The nest that begins with a loop, if it is order-free as a whole, with nothing but simple statements inside."""
    loops: list[For] = []
    body: Body = (loop,)
    here = place
    while len(body) == 1 and isinstance(inner := body[0], For):
        if inner.step != Const(1) or order_free(inner, here, sweep):
            return None
        loops.append(inner)
        here, body = here.inside(inner), inner.body
    bounds = [e for one in loops for e in (one.start, one.stop)]
    changing = {*(one.var for one in loops), *writes_in(body)}
    if any(not integral(e) or changing & set(variables(e)) for e in bounds):
        return None
    if not all(isinstance(s, Assign | Store | Accumulate) and plain(s, sweep) for s in body):
        return None
    return Nest(tuple(loops), body, here)


@dataclass(frozen=True)
class Share:
    """What one statement of a nest adds to an element, as an expression of values from before the nest."""

    stmt: Accumulate
    target: Load
    value: Expr


class Unclear(Exception):
    """A value can't be told in terms of what was there before the nest."""


def shares(body: Iterable[Stmt], sweep: Sweep) -> tuple[Share, ...] | None:
    """The shares that an iteration adds to elements; None where a value can't be told.

    Scalars of the iteration are replaced by what they are made of, an element that it has stored by what it stored.
    """
    values: dict[str, Expr] = {}
    cells: dict[tuple[str, tuple[Expr, ...]], Expr] = {}
    changed: set[str] = set()
    found: list[Share] = []

    def told(expr: Expr) -> Expr:
        if isinstance(expr, Var):
            if sweep.memory[expr.name] in changed:
                raise Unclear
            return values.get(expr.name, expr)
        expr = rebuild(expr, told)
        if isinstance(expr, Load):
            if (expr.array, expr.index) in cells:
                return cells[expr.array, expr.index]
            if sweep.memory[expr.array] in changed:
                raise Unclear
        return expr

    try:
        for s in body:
            match s:
                case Assign(target=name, value=value):
                    values[name] = told(value)
                case Accumulate(target=Var(name=name), value=value) if name in values:
                    values[name] = add(values[name], told(value))
                case Accumulate(target=Load(array=array, index=index), value=value):
                    found.append(Share(s, Load(array, tuple(map(told, index))), told(value)))
                    changed.add(sweep.memory[array])
                    cells = {
                        key: e for key, e in cells.items() if sweep.memory[key[0]] != sweep.memory[array]
                    }
                case Store(array=array, index=index, value=value):
                    key, stored = (array, tuple(map(told, index))), told(value)
                    changed.add(sweep.memory[array])
                    cells = {k: e for k, e in cells.items() if sweep.memory[k[0]] != sweep.memory[array]}
                    cells[key] = stored
    except Unclear:
        return None
    return tuple(found)
