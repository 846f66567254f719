"""Increments of what is known to be zero become assignments; zeroing what is zero goes.

Before: `k_b = 0.0` · `k_b += w * s`          After: `k_b = 0.0` · `k_b = w * s`   (and `dead` takes the first)

>>> from s2sad.ir.nodes import Accumulate, Assign, Const, Var, While
>>> zeros((Assign("k_b", Const(0.0)), Accumulate(Var("k_b"), Var("w"))))[1]
Assign(target='k_b', value=Var(name='w'))
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from s2sad.ir.nodes import Accumulate, Assign, Const, For, Frame, If, Region, Stmt, Turn, Var, While
from s2sad.ir.walk import variables, writes_in

ZERO = Const(0.0)


def zeros(body: Iterable[Stmt]) -> tuple[Stmt, ...]:
    """`body` with the zeros known at each point made use of."""
    return walk(body, set())[0]


def walk(body: Iterable[Stmt], known: set[str]) -> tuple[tuple[Stmt, ...], set[str]]:
    """The body rewritten, given the scalars known to be zero before it, and those known after it."""
    known = set(known)
    out: list[Stmt] = []
    for stmt in body:
        match stmt:
            case Assign(target=name, value=value):
                if value == ZERO and name in known:
                    continue
                known.discard(name)
                if value == ZERO:
                    known.add(name)
            case Accumulate(target=Var(name=name), value=value) if name in known:
                known.discard(name)
                if name not in variables(value):
                    stmt = Assign(name, value, stmt.at)
            case For(body=inner) | While(body=inner):
                head = set(known)
                while True:
                    new, end = walk(inner, head)
                    if head <= end:
                        break
                    head &= end
                stmt = replace(stmt, body=new)
                known = head - {stmt.var if isinstance(stmt, For) else stmt.counter}
            case If(then=then, orelse=orelse):
                one, after_one = walk(then, known)
                other, after_other = walk(orelse, known)
                stmt = replace(stmt, then=one, orelse=other)
                known = after_one & after_other
            case Region(body=inner) | Frame(body=inner):
                new, known = walk(inner, known)
                stmt = replace(stmt, body=new)
            case Turn():
                known = set()
            case _:
                known -= set(writes_in((stmt,)))
        out.append(stmt)
    return tuple(out), known
