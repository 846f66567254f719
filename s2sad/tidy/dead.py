"""Assignments that nobody reads go, and branches and loops that are left with nothing to do.

Before: `k_b = 0.0` · `k_b = w * s` · `r_b += k_b`          After: `k_b = w * s` · `r_b += k_b`

Only scalars named in `mine` are touched: the adjoints, tangents and values formed again that s2sad itself put
there, and what of the user's can't go wrong. With `strict`, tests and bounds that may raise stay too.

>>> from s2sad.ir.nodes import Assign, Const, Var, While
>>> dead((Assign("k_b", Const(0.0)), Assign("k_b", Var("w"))), live={"k_b"}, mine={"k_b"})
(Assign(target='k_b', value=Var(name='w')),)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from s2sad.ir.nodes import (
    Accumulate,
    Apply,
    Assign,
    Const,
    Expr,
    For,
    Frame,
    If,
    Pop,
    Region,
    Stmt,
    Turn,
    Var,
    While,
)
from s2sad.ir.walk import expressions, nodes, reads, variables

SAFE = ("add", "sub", "mul", "neg", "lt", "le", "gt", "ge", "eq", "ne", "and", "or", "not", "shape")


def dead(
    body: Iterable[Stmt], live: Collection[str], mine: Collection[str], strict: bool = False
) -> tuple[Stmt, ...]:
    """`body` without assignments to scalars of `mine` that are read neither in it nor, being `live`, after it."""
    return walk(tuple(body), set(live), frozenset(mine), strict)[0]


def walk(
    body: tuple[Stmt, ...], live: set[str], mine: frozenset[str], strict: bool
) -> tuple[tuple[Stmt, ...], set[str]]:
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
                    new, head = walk(inner, within, mine, strict)
                    if head <= within:
                        break
                    within |= head
                if not new and inner and not (strict and risky(stmt)):
                    continue
                stmt = replace(stmt, body=new)
                live |= head | {v for e in expressions(stmt) for v in variables(e)}
            case If(then=then, orelse=orelse):
                one, before_one = walk(then, live, mine, strict)
                other, before_other = walk(orelse, live, mine, strict)
                if not one and not other and not (strict and risky(stmt)):
                    continue
                stmt = replace(stmt, then=one, orelse=other)
                live = before_one | before_other | set(variables(stmt.test))
            case Region(body=inner) | Frame(body=inner):
                new, live = walk(inner, live, mine, strict)
                stmt = replace(stmt, body=new)
            case Turn(results=results):
                live = {v for e in results for v in variables(e)}
            case _:
                live.update(reads(stmt))
        out.append(stmt)
    return tuple(reversed(out)), live


def risky(stmt: Stmt) -> bool:
    """May finding out how often a loop, or which arm of a branch, is run raise, or never end?"""
    if isinstance(stmt, For) and (not isinstance(stmt.step, Const) or stmt.step.value == 0):
        return True
    return isinstance(stmt, While) or not all(map(safe, expressions(stmt)))


def safe(expr: Expr) -> bool:
    """Can forming `expr` never go wrong: names, numbers, sums and products, comparisons?"""
    return all(
        isinstance(node, Var | Const) or (isinstance(node, Apply) and node.op in SAFE) for node in nodes(expr)
    )
