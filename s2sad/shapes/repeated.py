"""Numbers that a reverse sweep forms again, and the forward one has formed in sight: they are formed once.

Before: `n = shape(x, 0)` · `n_2 = shape(x, 0)` · `y_b = s_b * n_2`        After: `n = shape(x, 0)` · `y_b = s_b * n`

Both are set once, and nothing that they are formed of is ever written in between.

>>> from s2sad.ir.names import Namer
>>> from s2sad.ir.nodes import Apply, Const, Kind
>>> from s2sad.ir.text import show_stmt
>>> n = Apply("shape", (Var("x"), Const(0)))
>>> body = (Assign("n", n), Assign("n_2", n), Assign("w", Apply("mul", (Var("s_b"), Var("n_2")))))
>>> sweep = Sweep({"x": Kind("real", 1), "n": Kind("int"), "n_2": Kind("int"), "w": Kind("real")}, Namer())
>>> for s in unrepeated(body, {"n_2", "w"}, sweep):
...     print(show_stmt(s))
n = shape(x, 0)
w = s_b * n
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from s2sad.ir.nodes import Assign, Bind, Const, Expr, New, Rebind, Stmt, Var, View
from s2sad.ir.walk import Body, blocks, rename, statements, substitute, variables, with_blocks, writes
from s2sad.shapes.sweep import Sweep


def unrepeated(body: Body, mine: Collection[str], sweep: Sweep) -> Body:
    """`body` without the assignments of numbers named in `mine` that repeat one before."""
    counts: Counter[str] = Counter()
    stored: set[str] = set()
    for stmt in statements(body):
        counts.update(writes(stmt))
        if not isinstance(stmt, New | View):
            stored.update(sweep.memory.get(n, n) for n in writes(stmt) if sweep.is_array(n))
    found: dict[str, str] = {}

    def settled(name: str) -> bool:
        if sweep.is_array(name):
            return sweep.memory.get(name, name) not in stored and counts[name] <= 1
        return counts[name] <= 1

    def walk(block: Body, known: Mapping[Expr, str]) -> Body:
        table = dict(known)
        out: list[Stmt] = []
        for stmt in block:
            if isinstance(stmt, Assign) and counts[stmt.target] == 1 and not isinstance(stmt.value, Const):
                value = substitute({old: Var(new) for old, new in found.items()}, stmt.value)
                if all(map(settled, variables(value))):
                    first = value.name if isinstance(value, Var) else table.get(value)
                    if (
                        first is not None
                        and stmt.target in mine
                        and sweep.kinds[first] == sweep.kinds[stmt.target]
                    ):
                        found[stmt.target] = first
                        continue
                    if not isinstance(value, Var):
                        table.setdefault(value, stmt.target)
            inner = [walk(b, table) for b in blocks(stmt)]
            out.append(with_blocks(stmt, inner) if inner else stmt)
        return tuple(out)

    return seen_once(rename(found, walk(body, {})))


def seen_once(body: Body) -> Body:
    """`body` without views that bind a name again to what it shows already."""
    bound: dict[str, list[Stmt]] = {}
    for stmt in statements(body):
        if isinstance(stmt, View | New | Bind | Rebind):
            for name in writes(stmt):
                bound.setdefault(name, []).append(stmt)
    seen: list[View] = []
    out: list[Stmt] = []
    for stmt in body:
        if isinstance(stmt, View):
            alike = all(other == stmt for other in bound[stmt.target])
            if stmt in seen and alike and len(bound.get(stmt.array, ())) <= 1:
                continue
            seen.append(stmt)
        out.append(stmt)
    return tuple(out)
