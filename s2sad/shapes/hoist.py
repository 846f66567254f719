"""Additions to an element that an innermost loop doesn't move away from go to a scalar, and to the element after it.

Before: `for j in range(n): x_b[i] += w[j]`
After:  `x_sum = 0.0` · `for j in range(n): x_sum += w[j]` · `if n > 0: x_b[i] += x_sum`

Why: the compiler can't prove that `x_b[i]` and `x_b[j]` are two elements. The element is touched only where the loop
had touched it, so that no subscript is formed that wasn't; the test goes where the loop is known to run.

>>> from s2sad.ir.names import Namer
>>> from s2sad.ir.nodes import Kind
>>> from s2sad.ir.text import show_stmt
>>> add = Accumulate(Load("x_b", (Var("i"),)), Load("w", (Var("j"),)))
>>> loop = For("j", Const(0), Var("n"), Const(1), (add,))
>>> sweep = Sweep({"x_b": Kind("real", 1), "w": Kind("real", 1)}, Namer())
>>> for stmt in hoist((loop,), Place(frozenset(), {}), sweep): print(show_stmt(stmt))
x_sum = 0.0
for j in range(0, n, 1):
    x_sum += w[j]
if 0 < n:
    x_b[i] += x_sum
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from s2sad.ir.nodes import Accumulate, Assign, Const, Expr, For, If, Load, Stmt, Store, Var
from s2sad.ir.walk import Body, expressions, loads, statements, unique, variables, writes_in
from s2sad.ops.build import ZERO, compare, number
from s2sad.shapes.orderfree import accesses, plain
from s2sad.shapes.subscripts import plus
from s2sad.shapes.sweep import Place, Sweep, over_loops


def hoist(body: Iterable[Stmt], place: Place, sweep: Sweep) -> Body:
    """`body` with the additions that stay in one place taken out of its innermost loops."""

    def visit(loop: For, here: Place) -> Body:
        if number(loop.step) is None or any(
            isinstance(s, For) or not plain(s, sweep) for s in statements(loop.body)
        ):
            return (loop,)
        return taken_out(loop, here, sweep)

    return over_loops(body, place, visit)


def taken_out(loop: For, here: Place, sweep: Sweep) -> Body:
    """The loop, between the births and the ends of the scalars that stand for elements."""
    written = {loop.var, *writes_in(loop.body)}
    met = accesses(statements(loop.body), sweep)

    def stays(target: Expr) -> bool:
        if not isinstance(target, Load) or not sweep.kinds[target.array].is_real:
            return False
        group = met[sweep.memory[target.array]]
        return (
            not group.stores
            and not group.reads
            and not written & {v for e in target.index for v in variables(e)}
        )

    adds = [s for s in loop.body if isinstance(s, Accumulate) and stays(s.target)]
    targets = unique(s.target for s in adds)
    if not targets:
        return (loop,)
    names = {t: sweep.fresh(stem(t)) for t in targets}
    inner = tuple(
        replace(s, target=Var(names[s.target])) if isinstance(s, Accumulate) and s.target in names else s
        for s in loop.body
    )
    at = {s.target: s.at for s in adds}
    born = tuple(Assign(name, ZERO, loop.at) for name in names.values())
    ends = tuple(Accumulate(target, Var(name), at[target]) for target, name in names.items())
    there = tuple(s for s in ends if runs_once(loop, here) or touches(here.block, s.target))
    others = tuple(s for s in ends if s not in there)
    tested = (If(enters(loop), others, (), loop.at),) if others else ()
    return (*born, replace(loop, body=inner), *there, *tested)


def stem(target: Expr) -> str:
    """What to call the scalar for an element: `x_sum` for `x_b[i]`."""
    assert isinstance(target, Load)
    return f"{target.array.removesuffix('_b')}_sum"


def enters(loop: For) -> Expr:
    """Does a loop, whose step is a number, run at all?"""
    ahead = (number(loop.step) or 0) > 0
    return compare("lt", *((loop.start, loop.stop) if ahead else (plus(loop.stop, 1), plus(loop.start, 1))))


def runs_once(loop: For, here: Place) -> bool:
    """Is a loop known to run: by its numbers, or since one around it has the same bounds?"""
    return enters(loop) == Const(True) or any(
        enters(other) == enters(loop) and not set(variables(enters(loop))) & set(writes_in(other.body))
        for other in here.around
        if number(other.step) is not None
    )


def touches(block: Iterable[Stmt], target: Expr) -> bool:
    """Is the element met by the statements beside the loop, so that it is there?"""
    assert isinstance(target, Load)
    if set(writes_in(block)) & {v for e in target.index for v in variables(e)}:
        return False
    for s in block:
        if isinstance(s, Store) and (s.array, s.index) == (target.array, target.index):
            return True
        if isinstance(s, Accumulate) and s.target == target:
            return True
        if isinstance(s, Assign | Store | Accumulate) and any(target in loads(e) for e in expressions(s)):
            return True
    return False
