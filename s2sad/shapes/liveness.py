"""Which scalars are still read: after a statement, and in a body from outside of it.

>>> from s2sad.ir.nodes import Const, Store
>>> body = (Assign("w", Var("x")), Store("a", (Const(0),), Var("w")))
>>> sorted(exposed(body))
['x']
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from s2sad.ir.nodes import Accumulate, Assign, Call, For, Frame, If, Pop, Region, Stmt, Turn, Var, While
from s2sad.ir.walk import expressions, reads, variables


def exposed(body: Iterable[Stmt]) -> frozenset[str]:
    """Names whose value from before `body` it may read."""
    return frozenset(before(body, ()))


def before(body: Iterable[Stmt], after: Collection[str]) -> set[str]:
    """Names live before `body`, where `after` are live after it."""
    live = set(after)
    for stmt in reversed(tuple(body)):
        match stmt:
            case Assign(target=name) | Pop(name=name):
                live.discard(name)
                live.update(reads(stmt))
            case Accumulate(target=Var(name=name)):
                live.update((name, *reads(stmt)))
            case Call(targets=targets):
                live.difference_update(targets)
                live.update(reads(stmt))
            case For(var=var, body=inner):
                live |= before(inner, ()) - {var}  # (nothing more for what later trips read: it is in this)
                live.update(v for e in expressions(stmt) for v in variables(e))
            case While(test=test, body=inner):
                live |= {*variables(test), *before(inner, ())}
            case If(test=test, then=then, orelse=orelse):
                live = before(then, live) | before(orelse, live) | set(variables(test))
            case Region(body=inner) | Frame(body=inner):
                live = before(inner, live)
            case Turn(results=results):
                live = {v for e in results for v in variables(e)}
            case _:
                live.update(reads(stmt))
    return live
