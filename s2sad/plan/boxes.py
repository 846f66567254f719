"""Loops whose bounds depend on loops around them, in a box: what a value is kept in that is born in threads.

Before: `for i in prange(n):` · `for j in range(i + 1, n):` keeps in `n - i - 1` places, made anew for each `i`
After:  keeps in places `[i, j]` of `n * n`, made once

Half of a triangle's box stays empty; in exchange no thread has to make anything.

>>> from s2sad.ir.text import show
>>> from s2sad.ops.build import add
>>> outer = For("i", Const(0), Var("n"), Const(1), ())
>>> inner = boxed(For("j", add(Var("i"), Const(1)), Var("n"), Const(1), ()), {"i": outer})
>>> show(inner.start), show(inner.stop)
('1', 'n')
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from s2sad.ir.nodes import Apply, Const, Expr, For, Var
from s2sad.ir.walk import variables
from s2sad.ops.build import add, sub
from s2sad.plan.slots import whole


def boxed(loop: For, around: Mapping[str, For]) -> For | None:
    """The loop with bounds that hold for all iterations of those `around` it, by their counters; None: not known."""
    if loop.step != Const(1) or any(other.step != Const(1) for other in around.values()):
        return None
    start, stop = limit(loop.start, around, False), limit(loop.stop, around, True)
    return None if start is None or stop is None else replace(loop, start=start, stop=stop)


def limit(expr: Expr, around: Mapping[str, For], upper: bool) -> Expr | None:
    """What an integer is not above, or not below, in any iteration."""
    if not around.keys() & set(variables(expr)):
        return expr
    match expr:
        case Var(name=name):
            loop = around[name]
            found = limit(loop.stop if upper else loop.start, around, upper)
            return found if found is None or not upper else whole(sub(found, Const(1)))
        case Apply(op="add", args=(a, b), spell=""):
            one, other = limit(a, around, upper), limit(b, around, upper)
            return None if one is None or other is None else whole(add(one, other))
        case Apply(op="sub", args=(a, b), spell=""):
            one, other = limit(a, around, upper), limit(b, around, not upper)
            return None if one is None or other is None else whole(sub(one, other))
    return None
