r"""Arrays that nobody lets go end where their block ends, the last one first.

Before: `new t = zeros_like(x)` · `y = sum(t)`          After: `new t = zeros_like(x)` · `y = sum(t)` · `release t`

Tangents make arrays on their way; whoever differentiates a tangent wants to know where they end.

>>> from s2sad.ir.nodes import Apply, Assign, Var
>>> from s2sad.ir.text import show_stmt
>>> body = (New("t", Apply("zeros_like", (Var("x"),))), Assign("y", Apply("sum", (Var("t"),))))
>>> print(*map(show_stmt, ended(body, {"t"})), sep="\n")
new t = zeros_like(x)
y = sum(t)
release t
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from s2sad.ir.nodes import Bind, Call, New, Rebind, Release, Stmt, View
from s2sad.ir.walk import blocks, statements, with_blocks


def ended(body: Iterable[Stmt], arrays: Collection[str]) -> tuple[Stmt, ...]:
    """`body`, where each of the `arrays` that is born in it has an end."""
    body = tuple(body)
    known = {s.name for s in statements(body) if isinstance(s, Release)}
    known |= {n for s in statements(body) if isinstance(s, Rebind) for n in (*s.targets, *s.sources)}
    return _ended(body, frozenset(arrays) - known)


def _ended(body: tuple[Stmt, ...], arrays: frozenset[str]) -> tuple[Stmt, ...]:
    out: list[Stmt] = []
    born: dict[str, Stmt] = {}
    for stmt in body:
        out.append(with_blocks(stmt, (_ended(block, arrays) for block in blocks(stmt))))
        match stmt:
            case New(target=name) | View(target=name) | Bind(target=name):
                born[name] = stmt
            case Call(targets=names):
                born |= dict.fromkeys(names, stmt)
    return (*out, *(Release(n, s.at) for n, s in reversed(born.items()) if n in arrays))
