"""An innermost loop that begins above 0, and never meets an element 0, counts from 0 instead.

Before: `for i in range(2, n - 2): y_b[i] += w[i - 1]`    After: `for i in range(n - 4): y_b[i + 2] += w[i + 1]`

Why: under a lower bound above the smallest offset the test for negative subscripts stays in the compiled loop, which
then isn't vectorised: 1.4 ns an element instead of 0.3. Values keep their bits, so forward sweeps have it too.

>>> from s2sad.ir.nodes import Accumulate, Load, Var
>>> from s2sad.ir.text import show
>>> from s2sad.ops.build import sub
>>> add = Accumulate(Load("y_b", (Var("i"),)), Load("w", (sub(Var("i"), Const(1)),)))
>>> loop = For("i", Const(2), sub(Var("n"), Const(2)), Const(1), (add,))
>>> (new,) = from_zero((loop,), Place(frozenset(), {}))
>>> show(new.start), show(new.stop), *map(show, (new.body[0].target, new.body[0].value))
('0', 'n - 4', 'y_b[i + 2]', 'w[i + 1]')
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from s2sad.ir.nodes import Accumulate, Assign, Const, Expr, For, If, Load, Stmt, Store
from s2sad.ir.walk import expressions, map_body, map_expressions, nodes, statements, variables, writes_in
from s2sad.shapes.subscripts import moved, offset, plus
from s2sad.shapes.sweep import Body, Place, over_loops


def from_zero(body: Iterable[Stmt], place: Place) -> Body:
    """`body` with its innermost loops counting from 0 where that pays."""

    def visit(loop: For, here: Place) -> Body:
        return (counted(loop),) if pays(loop, here) else (loop,)

    return over_loops(body, place, visit)


def pays(loop: For, here: Place) -> bool:
    """Does a loop begin at a number above 0, have no loop in it, and no subscript that comes down to 0?"""
    start = loop.start.value if isinstance(loop.start, Const) and loop.step == Const(1) else 0
    if start <= 0 or loop.var in here.live or loop.var in writes_in(loop.body):
        return False
    stmts = tuple(statements(loop.body))
    if not all(isinstance(s, Assign | Store | Accumulate | If) for s in stmts):
        return False
    found = [offset(e, loop.var) for s in stmts for e in subscripts(s) if loop.var in variables(e)]
    return bool(found) and all(c is not None and start + c > 0 for c in found)


def subscripts(s: Stmt) -> list[Expr]:
    """The subscripts in a statement, of what it writes into and of what it reads."""
    found: list[Expr] = []
    match s:
        case Store(index=index) | Accumulate(target=Load(index=index)):
            found += index
    for expr in expressions(s):
        found += [e for node in nodes(expr) if isinstance(node, Load) for e in node.index]
    return found


def counted(loop: For) -> For:
    """The same iterations, numbered from 0."""
    assert isinstance(loop.start, Const)
    first = loop.start.value
    body = map_body(lambda s: (map_expressions(lambda e: moved(e, {loop.var: first}), s),), loop.body)
    return replace(loop, start=Const(0), stop=plus(loop.stop, -first), body=body)
