"""Assignments that nobody reads go, and branches and loops that are left with nothing to do.

Before: `k_b = 0.0` · `k_b = w * s` · `r_b += k_b`          After: `k_b = w * s` · `r_b += k_b`

Only scalars named in `mine` are touched: the adjoints, tangents and values formed again that s2sad itself put
there. What the user wrote stays, since it may raise.

>>> from s2sad.ir.nodes import Assign, Const, Var, While
>>> dead((Assign("k_b", Const(0.0)), Assign("k_b", Var("w"))), live={"k_b"}, mine={"k_b"})
(Assign(target='k_b', value=Var(name='w')),)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from s2sad.ir.nodes import Accumulate, Assign, For, Frame, If, Pop, Region, Stmt, Turn, Var, While
from s2sad.ir.walk import expressions, reads, variables


def dead(body: Iterable[Stmt], live: Collection[str], mine: Collection[str]) -> tuple[Stmt, ...]:
    """`body` without assignments to scalars of `mine` that are read neither in it nor, being `live`, after it."""
    return walk(tuple(body), set(live), frozenset(mine))[0]


def walk(body: tuple[Stmt, ...], live: set[str], mine: frozenset[str]) -> tuple[tuple[Stmt, ...], set[str]]:
    """The body rewritten, given the scalars read after it, and those read before its first statement."""
    live = set(live)
    out: list[Stmt] = []
    for stmt in reversed(body):
        match stmt:
            case Assign(target=name) | Pop(name=name):
                if isinstance(stmt, Assign) and name in mine and name not in live:
                    continue
                live.discard(name)
                live.update(reads(stmt))
            case Accumulate(target=Var(name=name)) if name in mine and name not in live:
                continue
            case For(body=inner) | While(body=inner):
                within = live | (set(variables(stmt.test)) if isinstance(stmt, While) else set())
                while True:
                    new, head = walk(inner, within, mine)
                    if head <= within:
                        break
                    within |= head
                if not new and inner:
                    continue
                stmt = replace(stmt, body=new)
                live |= head | {v for e in expressions(stmt) for v in variables(e)}
            case If(then=then, orelse=orelse):
                one, before_one = walk(then, live, mine)
                other, before_other = walk(orelse, live, mine)
                if not one and not other and (then or orelse):
                    continue
                stmt = replace(stmt, then=one, orelse=other)
                live = before_one | before_other | set(variables(stmt.test))
            case Region(body=inner) | Frame(body=inner):
                new, live = walk(inner, live, mine)
                stmt = replace(stmt, body=new)
            case Turn(results=results):
                live = {v for e in results for v in variables(e)}
            case _:
                live.update(reads(stmt))
        out.append(stmt)
    return tuple(reversed(out)), live
