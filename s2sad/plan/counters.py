"""Closed forms of integer counters: what one has been advanced by when an iteration of a loop begins.

    for i in range(d):                      p is what it was before the loop, and
        for j in range(i + 1, d):               i * (2 * d - i - 1) // 2   at the start of iteration i
            p += 1                              j - i - 1                  more at the start of iteration j

>>> from s2sad.ir.nodes import Apply
>>> step = Assign("p", Apply("add", (Var("p"), Const(1))))
>>> inner = For("j", Const(0), Var("i"), Const(1), (step,))
>>> from s2sad.ir.text import show
>>> show(advanced("p", For("i", Const(0), Var("d"), Const(1), (inner,))))
'i * (i - 1) // 2'
"""

from __future__ import annotations

from s2sad.ir.nodes import Apply, Assign, Const, Expr, For, Load, Stmt, Var
from s2sad.ir.walk import nodes, statements, variables, writes, writes_in
from s2sad.ops.build import add, mul, sub


def advanced(name: str, loop: For) -> Expr | None:
    """What `loop` has added to the integer `name` when an iteration begins; None where no formula is known.

    One statement in the loop advances it, by a constant, in every iteration of the loop or of one loop in it.
    """
    steps = [s for s in statements(loop.body) if name in writes(s)]
    if len(steps) != 1 or loop.step != Const(1) or loop.var in writes_in(loop.body):
        return None
    by = constant(steps[0], name)
    if by is None:
        return None
    trips = sub(Var(loop.var), loop.start)
    if any(steps[0] is s for s in loop.body):
        return times(by, trips)
    for inner in loop.body:
        if isinstance(inner, For) and any(steps[0] is s for s in inner.body) and inner.step == Const(1):
            done = summed(inner, loop)
            return None if done is None else times(by, done)
    return None


def constant(step: Stmt, name: str) -> int | None:
    """The constant that a statement adds to `name`."""
    match step:
        case Assign(value=Apply(op="add", args=(Var(name=read), Const(value=by)))) if read == name:
            return by if type(by) is int else None
    return None


def times(by: int, count: Expr) -> Expr:
    """`count` steps by `by`."""
    return count if by == 1 else mul(Const(by), count)


def summed(inner: For, loop: For) -> Expr | None:
    """How many iterations `inner` has had in the iterations of `loop` before the running one.

    Its bounds stay as they are, or are a triangle's: from `i + c` to the end of `loop`, or from a constant to `i + c`.
    """
    i, changed = loop.var, {loop.var, *writes_in(loop.body)}
    first, last = shift(inner.start, i), shift(inner.stop, i)
    start, stop = inner.start, inner.stop
    if steady(start, changed) and steady(stop, changed):
        return mul(sub(Var(i), loop.start), Apply("trips", (start, stop, Const(1))))
    if loop.start != Const(0):
        return None
    if first in (0, 1) and stop == loop.stop and steady(stop, changed):
        return half(mul(Var(i), sub(mul(Const(2), stop), add(Var(i), Const(2 * first - 1)))))
    if last is not None and isinstance(start, Const) and type(start.value) is int and last >= start.value:
        return half(mul(Var(i), add(Var(i), Const(2 * (last - start.value) - 1))))
    return None


def half(expr: Expr) -> Expr:
    """Half of what is even."""
    return Apply("floordiv", (expr, Const(2)))


def shift(expr: Expr, name: str) -> int | None:
    """C of `name + c`."""
    match expr:
        case Var(name=read) if read == name:
            return 0
        case Apply(op="add", args=(Var(name=read), Const(value=c))) if read == name and type(c) is int:
            return c
        case Apply(op="sub", args=(Var(name=read), Const(value=c))) if read == name and type(c) is int:
            return -c
    return None


def steady(expr: Expr, changed: set[str]) -> bool:
    """Is `expr` the same in every iteration?"""
    return not {*variables(expr)} & changed and not any(isinstance(n, Load) for n in nodes(expr))
