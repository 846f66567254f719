"""Adjoints that are divided by one value in one stretch of statements are multiplied by its reciprocal.

Before: `a_b += w / d` · `b_b -= w * c / d`      After: `r = 1.0 / d` · `a_b += w * r` · `b_b -= w * c * r`

Why: a division takes as long as some ten products. Values of the program that the sweep forms again are left alone:
they are to be what they were. A divisor below 5.6e-309 has no reciprocal; gradients through one overflow as it is.

>>> from s2sad.ir.names import Namer
>>> from s2sad.ir.nodes import Kind
>>> from s2sad.ir.text import show_stmt
>>> w, c, d = Var("w"), Var("c"), Var("d")
>>> body = (Accumulate(Var("a_b"), Apply("div", (w, d))), Accumulate(Var("b_b"), Apply("div", (Apply("mul", (w, c)), d))))
>>> kinds = dict.fromkeys(("w", "c", "d", "a_b", "b_b"), Kind("real"))
>>> for stmt in reciprocal(body, Place(frozenset(), {}), Sweep(kinds, Namer(), adjoints=frozenset({"w"}))):
...     print(show_stmt(stmt))
r = 1.0 / d
a_b += w * r
b_b += w * c * r
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from math import frexp

from s2sad.ir.nodes import INT, REAL, Accumulate, Apply, Assign, Expr, Stmt, Store, Var
from s2sad.ir.walk import Body, blocks, nodes, rebuild, variables, with_blocks, writes_in
from s2sad.ops.build import ONE, mul, number
from s2sad.ops.kinds import kind_of
from s2sad.shapes.sweep import Place, Sweep, fed_by

PRODUCTS = ("mul", "add", "sub", "neg")  # what a rounding in a term goes through as it is


def reciprocal(body: Iterable[Stmt], place: Place, sweep: Sweep) -> Body:
    """`body` with divisors that are shared as reciprocals."""
    body = tuple(body)
    return in_block(body, fed_by(sweep.adjoints, body), sweep)


def in_block(body: Body, adjoints: frozenset[str], sweep: Sweep) -> Body:
    """One block, after those in it."""
    stmts = [with_blocks(s, [in_block(b, adjoints, sweep) for b in blocks(s)]) for s in body]
    made: dict[int, list[Stmt]] = {}
    for divisor, users in tuple(shared(stmts, adjoints, sweep)):
        r = Var(sweep.fresh("r"))
        made.setdefault(users[0], []).append(Assign(r.name, Apply("div", (ONE, divisor)), stmts[users[0]].at))
        for k in users:
            stmts[k] = with_value(stmts[k], multiplied(stmts[k].value, divisor, r))  # type: ignore[union-attr]
    return tuple(one for k, stmt in enumerate(stmts) for one in (*made.get(k, ()), stmt))


def shared(stmts: Iterable[Stmt], adjoints: frozenset[str], sweep: Sweep) -> Iterator[tuple[Expr, list[int]]]:
    """What adjoints of a block are divided by more than once while it stays what it is, and in which statements."""
    met: dict[Expr, list[int]] = {}
    for k, s in enumerate(stmts):
        if isinstance(s, Assign | Accumulate | Store) and adjoints & {*variables(s.value)}:
            for divisor in filter(partial(is_number, sweep=sweep), divisors(s.value)):
                met.setdefault(divisor, []).append(k)
        changed = {sweep.memory.get(n, n) for n in writes_in((s,))}
        for divisor in [d for d in met if changed & {sweep.memory.get(n, n) for n in variables(d)}]:
            users = met.pop(divisor)
            if len(users) > 1:
                yield divisor, users
    yield from ((divisor, users) for divisor, users in met.items() if len(users) > 1)


def divisors(expr: Expr) -> Iterator[Expr]:
    """What terms of an expression are divided by; not what stands in functions, which would see another argument."""
    match expr:
        case Apply(op="div", args=(over, under), spell=""):
            yield under
            yield from divisors(over)
        case Apply(op=op, args=args) if op in PRODUCTS:
            for arg in args:
                yield from divisors(arg)


def is_number(divisor: Expr, sweep: Sweep) -> bool:
    """Is a divisor one real number in double precision, and not 0 or a power of 2?"""
    arrays = any(isinstance(n, Var) and sweep.is_array(n.name) for n in nodes(divisor))
    value = number(divisor)
    easy = value is not None and abs(frexp(value)[0]) in (0.0, 0.5)
    return not easy and not arrays and kind_of(divisor, sweep.kinds) in (REAL, INT)


def multiplied(expr: Expr, divisor: Expr, r: Var) -> Expr:
    """An expression with divisions by `divisor` as products with `r`."""
    match expr:
        case Apply(op="div", args=(over, under), spell=""):
            over = multiplied(over, divisor, r)
            return mul(over, r) if under == divisor else Apply("div", (over, under))
        case Apply(op=op) if op in PRODUCTS:
            return rebuild(expr, lambda arg: multiplied(arg, divisor, r))
    return expr


def with_value(stmt: Stmt, value: Expr) -> Stmt:
    """A statement with another value."""
    assert isinstance(stmt, Assign | Accumulate | Store)
    return replace(stmt, value=value)
