"""Scalars that only repeat another one are read as that one.

Before: `w = y_b[i]` · `t_b = w` · `x_b += t_b * s`          After: `w = y_b[i]` · `t_b = w` · `x_b += w * s`

(and `dead` takes the copy). Only scalars named in `mine` are replaced.

>>> from s2sad.ir.nodes import Accumulate, Apply, Assign, Var, While
>>> body = (Assign("t_b", Var("w")), Accumulate(Var("x_b"), Apply("mul", (Var("t_b"), Var("s")))))
>>> copies(body, mine={"t_b", "w"})[1].value
Apply(op='mul', args=(Var(name='w'), Var(name='s')), spell='')
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from s2sad.ir.nodes import Assign, Expr, For, If, Stmt, Turn, Var, While
from s2sad.ir.walk import blocks, map_expressions, substitute, with_blocks, writes, writes_in


def copies(body: Iterable[Stmt], mine: Collection[str]) -> tuple[Stmt, ...]:
    """`body` with the copies known at each point read as what they repeat."""
    return walk(body, {}, frozenset(mine))[0]


def walk(
    body: Iterable[Stmt], known: Mapping[str, Expr], mine: frozenset[str]
) -> tuple[tuple[Stmt, ...], dict[str, Expr]]:
    """The body rewritten, given the copies known before it, and those known after it."""
    table = dict(known)
    out: list[Stmt] = []
    for stmt in body:
        if isinstance(stmt, For | While):
            table = without(table, (*writes(stmt), *writes_in(stmt.body)))
        stmt = map_expressions(lambda expr, table=table: substitute(table, expr), stmt)  # type: ignore[misc]
        if isinstance(stmt, For | While):
            new, _ = walk(stmt.body, table, mine)
            stmt = with_blocks(stmt, (new,))
        elif isinstance(stmt, If):
            (one, after), (other, after_other) = (walk(arm, table, mine) for arm in blocks(stmt))
            stmt = with_blocks(stmt, (one, other))
            table = {name: e for name, e in after.items() if after_other.get(name) == e}
        elif blocks(stmt):
            (inner,) = blocks(stmt)
            new, table = walk(inner, table, mine)
            stmt = with_blocks(stmt, (new,))
        elif isinstance(stmt, Turn):
            table = {}
        elif isinstance(stmt, Assign) and stmt.value == Var(stmt.target):
            continue
        else:
            table = without(table, writes(stmt))
            if isinstance(stmt, Assign) and isinstance(stmt.value, Var) and stmt.target in mine:
                if stmt.value.name in mine and stmt.value.name != stmt.target:
                    table[stmt.target] = stmt.value
        out.append(stmt)
    return tuple(out), table


def without(table: Mapping[str, Expr], written: Iterable[str]) -> dict[str, Expr]:
    """What is still known after these names were written."""
    gone = {*written}
    return {
        name: e
        for name, e in table.items()
        if name not in gone and not (isinstance(e, Var) and e.name in gone)
    }
