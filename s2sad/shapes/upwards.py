"""A loop whose iterations may run in any order runs upwards.

Before: `for i in range(n - 1, -1, -1): x_b[i] += w`          After: `for i in range(n): x_b[i] += w`

>>> from s2sad.ir.names import Namer
>>> from s2sad.ir.nodes import Accumulate, Const, Kind, Load, Var
>>> from s2sad.ir.text import show
>>> from s2sad.ops.build import sub
>>> down = For("i", sub(Var("n"), Const(1)), Const(-1), Const(-1), (Accumulate(Load("x_b", (Var("i"),)), Var("w")),))
>>> (up,) = upwards((down,), Place(frozenset(), {}), Sweep({"x_b": Kind("real", 1)}, Namer()))
>>> show(up.start), show(up.stop), show(up.step)
('0', 'n', '1')
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from s2sad.ir.nodes import Apply, Const, For, Stmt
from s2sad.ops.build import add, mul, neg, sub
from s2sad.shapes.orderfree import order_free
from s2sad.shapes.subscripts import plus
from s2sad.shapes.sweep import Body, Place, Sweep, over_loops


def upwards(body: Iterable[Stmt], place: Place, sweep: Sweep) -> Body:
    """`body` with its order-free loops upwards."""

    def visit(loop: For, here: Place) -> Body:
        if loop.step == Const(-1) and not order_free(loop, here, sweep):
            return (ascending(loop),)
        return (loop,)

    return over_loops(body, place, visit)


def ascending(loop: For) -> For:
    """The iterations of a loop of step -1, first to last."""
    return replace(loop, start=plus(loop.stop, 1), stop=plus(loop.start, 1), step=Const(1))


def backwards(loop: For) -> For:
    """The same iterations, last first."""
    if loop.step == Const(1):
        return replace(loop, start=sub(loop.stop, Const(1)), stop=sub(loop.start, Const(1)), step=Const(-1))
    if loop.step == Const(-1):
        return replace(loop, start=add(loop.stop, Const(1)), stop=add(loop.start, Const(1)), step=Const(1))
    trips = Apply("trips", (loop.start, loop.stop, loop.step))
    last = add(loop.start, mul(sub(trips, Const(1)), loop.step))
    return replace(loop, start=last, stop=sub(loop.start, loop.step), step=neg(loop.step))
