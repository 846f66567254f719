"""The cosine of an element is formed beside its sine, or the other way round: one is the program's, one its slope.

Before: `t = sin(x[i])` · ... · `y_b[i] = w` · `x_b[i] = w * cos(x[i])`
After:  `t = sin(x[i])` · `c = cos(x[i])` · ... · `y_b[i] = w` · `x_b[i] = w * c`

Why: the library forms both for little more than one, and compilers call that where they see one argument. Behind
a store into another array they load the element again, which may be another by now for all that they know.

>>> from s2sad.ir.names import Namer
>>> from s2sad.ir.nodes import INT, Kind
>>> from s2sad.ir.text import show_stmt
>>> i = (Var("i"),)
>>> x, w = Load("x", i), Var("w")
>>> body = (Assign("t", Apply("sin", (x,))), Store("y_b", i, w), Store("x_b", i, Apply("mul", (w, Apply("cos", (x,))))))
>>> kinds = dict.fromkeys(("x", "x_b", "y_b"), Kind("real", 1)) | {"t": REAL, "w": REAL, "i": INT}
>>> for stmt in beside(body, Sweep(kinds, Namer(kinds))):
...     print(show_stmt(stmt))
t = sin(x[i])
c = cos(x[i])
y_b[i] = w
x_b[i] = w * c
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from s2sad.ir.nodes import REAL, Accumulate, Apply, Assign, Expr, Load, Stmt, Store, Update, Var
from s2sad.ir.walk import (
    Body,
    blocks,
    expressions,
    map_expr,
    map_expressions,
    nodes,
    variables,
    with_blocks,
    writes_in,
)
from s2sad.ops.kinds import kind_of
from s2sad.shapes.sweep import Sweep

PARTNER = {"sin": "cos", "cos": "sin"}


def beside(body: Iterable[Stmt], sweep: Sweep) -> Body:
    """`body` with such pairs side by side."""
    left, made = list(body), list[Stmt]()
    while left:
        stmt = left.pop(0)
        made.append(with_blocks(stmt, [beside(block, sweep) for block in blocks(stmt)]))
        for first in elements(stmt, sweep):
            partner = Apply(PARTNER[first.op], first.args)
            end = until(left, first, stmt, sweep)
            users = [k for k in range(end) if partner in parts(left[k])]
            if users and any(map(stores, (stmt, *left[: users[0]]))):
                name = sweep.fresh(partner.op[0])
                made.insert(len(made) - stores(stmt), Assign(name, partner, stmt.at))
                for k in users:
                    left[k] = map_expressions(lambda e, p=partner, n=name: named(e, p, n), left[k])  # type: ignore[misc]
    return tuple(made)


def elements(stmt: Stmt, sweep: Sweep) -> Iterator[Apply]:
    """Sines and cosines of real numbers that are read from arrays, in a statement by itself."""
    for part in dict.fromkeys(parts(stmt)):
        if isinstance(part, Apply) and part.op in PARTNER and any(isinstance(n, Load) for n in nodes(part)):
            if kind_of(part, sweep.kinds) == REAL:
                yield part


def parts(stmt: Stmt) -> list[Expr]:
    """Every part of what a statement without blocks evaluates."""
    return [] if blocks(stmt) else [node for expr in expressions(stmt) for node in nodes(expr)]


def until(stmts: list[Stmt], expr: Expr, before: Stmt, sweep: Sweep) -> int:
    """How many statements see all that `expr` reads as it was; none if the statement `before` them writes it."""
    read = {sweep.memory.get(name, name) for name in variables(expr)}
    for k, stmt in enumerate((before, *stmts)):
        if read & {sweep.memory.get(name, name) for name in writes_in((stmt,))}:
            return k
    return len(stmts)


def stores(stmt: Stmt) -> bool:
    """Does a statement by itself write elements of an array?"""
    return isinstance(stmt, Store | Update) or (
        isinstance(stmt, Accumulate) and not isinstance(stmt.target, Var)
    )


def named(expr: Expr, part: Expr, name: str) -> Expr:
    """`expr` with a name for one of its parts."""
    return map_expr(lambda node: Var(name) if node == part else node, expr)
