"""A counter that the program advances in a nest is advanced in the reverse nest, too, where that runs upwards.

Before: `for i in range(d):` `p = b + i * (2 * d - i - 1) // 2` · `for j in range(i + 1, d):` `q = p + j - i - 1` · ...
After:  `p = b` · `for i in range(d):` `for j in range(i + 1, d):` ... (of p) · `p += 1`

Why: a closed form in the innermost loop costs more than the statement that it is a subscript of.

>>> from s2sad.ir.names import Namer
>>> from s2sad.ir.nodes import INT, Accumulate, Kind, Load
>>> from s2sad.ir.text import show_stmt
>>> from s2sad.ops.build import mul
>>> i, j, n = Var("i"), Var("j"), Var("n")
>>> inner = (Assign("q", add(Var("p"), j)), Accumulate(Load("a_b", (Var("q"),)), Var("w")))
>>> length = Apply("trips", (Const(0), n, Const(1)))
>>> rows = (Assign("p", add(Var("b"), mul(i, length))), For("j", Const(0), n, Const(1), inner))
>>> nest = For("i", Const(0), n, Const(1), rows)
>>> kinds = {**dict.fromkeys(("i", "j", "n", "p", "q", "b"), INT), "a_b": Kind("real", 1), "w": Kind("real")}
>>> for stmt in counted((nest,), Place(frozenset(), {}), Sweep(kinds, Namer())):
...     print(show_stmt(stmt))
p = b
for i in range(0, n, 1):
    for j in range(0, n, 1):
        a_b[p] += w
        p = p + 1
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from s2sad.ir.nodes import Apply, Assign, Const, Expr, For, Stmt, Var
from s2sad.ir.walk import Body, names_in, rename, statements, variables, writes, writes_in
from s2sad.ops.build import add, sub
from s2sad.plan.counters import summed, times
from s2sad.shapes.sweep import Place, Sweep, over_loops

ONE = Const(1)
STEPS = (1, 2, 3, -1)  # what counters are advanced by


def counted(body: Iterable[Stmt], place: Place, sweep: Sweep) -> Body:
    """`body` with counters advanced in it."""

    def visit(loop: For, here: Place) -> Body:
        for k, stmt in enumerate(loop.body):
            if isinstance(stmt, Assign) and loop.step == ONE and stmt.target not in here.live:
                made = advanced(loop, k, stmt, here)
                if made is not None:
                    return made
        return (loop,)

    return over_loops(body, place, visit)


def advanced(loop: For, k: int, start: Assign, here: Place) -> Body | None:
    """The nest with the counter `start.target` advanced in its one inner loop that reads it; None where it isn't one."""
    name = start.target
    users = [m for m, s in enumerate(loop.body) if m != k and name in names_in((s,))]
    if (
        len(users) != 1
        or users[0] < k
        or not isinstance(inner := loop.body[users[0]], For)
        or inner.step != ONE
    ):
        return None
    again = next((s for s in inner.body if isinstance(s, Assign) and name in variables(s.value)), None)
    if again is None or again.target in here.live or again.target == name:
        return None
    if sum(name in names_in((s,)) for s in statements((inner,)) if s is not inner) != 1:
        return None
    elsewhere = {*names_in((*loop.body[: users[0]], *loop.body[users[0] + 1 :]))}
    if again.target in elsewhere or sum(again.target in writes(s) for s in statements(inner.body)) != 1:
        return None
    changed = {loop.var, *writes_in(loop.body)}
    for by in STEPS:
        base = first(start.value, inner, loop, by)
        if base is None or {*variables(base)} & changed:
            continue
        if again.value != add(Var(name), times(by, sub(Var(inner.var), inner.start))):
            continue
        rest = rename({again.target: name}, tuple(s for s in inner.body if s is not again))
        onward = Assign(name, add(Var(name), Const(by)), again.at)
        new = replace(inner, body=(*rest, onward))
        body = tuple(new if m == users[0] else s for m, s in enumerate(loop.body) if m != k)
        return (replace(start, value=base), replace(loop, body=body))
    return None


def first(value: Expr, inner: For, loop: For, by: int) -> Expr | None:
    """What a counter is before the nest, given what it is when a trip of it begins; None where that is no closed form."""
    done = summed(inner, loop)
    if done is None or not isinstance(value, Apply) or value.op != "add":
        return None
    base = value.args[0]
    return base if value == add(base, times(by, done)) else None
