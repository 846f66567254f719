"""Computed arrays whose names are bound to views elsewhere get a step of their own, for Numba's sake.

Numba gives such a name one type for all memory layouts, and can't allocate the result of an array expression for it;
what a function returns it takes.

Before: `b = 0.5 * u` · `b, v = v, b` · `v = u[::-1]`            After: `b = np.asarray(0.5 * u)` · ...

>>> from s2sad.ir.nodes import Const, Slice, Var
>>> half = New("b", Apply("mul", (Const(0.5), Var("u"))))
>>> turned = View("v", "u", (Slice(None, None, Const(-1)),))
>>> computed((half, turned, Rebind(("b", "v"), ("v", "b"))))[0].value.op
'computed'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from s2sad.analyses.entities import classes
from s2sad.ir.nodes import Apply, Bind, New, Rebind, Stmt, View
from s2sad.ir.walk import Body, map_body, statements
from s2sad.ops import OPS


def computed(body: Iterable[Stmt]) -> Body:
    """The body, as it is compiled."""
    body = tuple(body)
    same, every = classes(body), tuple(statements(body))
    views = {same[s.target] for s in every if isinstance(s, View) or (isinstance(s, Bind) and s.form)}
    exchanged = {same[t] for s in every if isinstance(s, Rebind) for t in s.targets}
    exchanged |= {same[s.target] for s in every if isinstance(s, Bind)}

    def step(stmt: Stmt) -> Iterator[Stmt]:
        match stmt:
            case New(target, Apply(op=op) as value, at=at) if (
                same[target] in views & exchanged and OPS[op].structural == ""
            ):
                yield New(target, Apply("computed", (value,)), at)
            case _:
                yield stmt

    return map_body(step, body) if views & exchanged else body
