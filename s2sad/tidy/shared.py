"""A product or solution of matrices that is needed twice, with nothing it reads written in between, is formed once.

Before: `a_b += -outer(over21(lu, p, x_b), x)` · `b_b += over21(lu, p, x_b)`
After:  `w = over21(lu, p, x_b)` · `a_b += -outer(w, x)` · `b_b += w`

>>> from s2sad.ir.nodes import Accumulate
>>> from s2sad.ir.text import show_stmt
>>> kinds = dict.fromkeys(("x_b", "b_b", "x"), Kind("real", 1)) | dict.fromkeys(("a", "a_b"), Kind("real", 2))
>>> w = Apply("solve21", (Var("a"), Var("x_b")))
>>> body = (Accumulate(Var("a_b"), Apply("outer", (w, Var("x")))), Accumulate(Var("b_b"), w))
>>> for stmt in shared(body, kinds, Namer(kinds))[0]:
...     print(show_stmt(stmt))
new w = solve21(a, x_b)
a_b += outer(w, x)
b_b += w
"""

from __future__ import annotations

from collections.abc import Mapping

from s2sad.analyses.entities import Classes, classes
from s2sad.ir.names import Namer
from s2sad.ir.nodes import Apply, Expr, Kind, New, Stmt, Var
from s2sad.ir.walk import (
    Body,
    blocks,
    expressions,
    map_expr,
    map_expressions,
    nodes,
    variables,
    with_blocks,
    writes,
    writes_in,
)
from s2sad.ops.kinds import kind_of
from s2sad.ops.table import OPS


def shared(body: Body, kinds: Mapping[str, Kind], names: Namer) -> tuple[Body, dict[str, Kind]]:
    """The body, and the kinds of the names that it has more."""
    pass_ = _Shared(kinds, names, classes(body))
    return pass_.block(body), pass_.more


class _Shared:
    def __init__(self, kinds: Mapping[str, Kind], names: Namer, same: Classes) -> None:
        self.kinds, self.names, self.same = kinds, names, same
        self.more: dict[str, Kind] = {}

    def block(self, body: Body) -> Body:
        left, made = list(body), list[Stmt]()
        while left:
            stmt = left[0]
            if inner := blocks(stmt):
                left[0] = with_blocks(stmt, [self.block(block) for block in inner])
            elif (new := self.first(left)) is not None:
                left = new
            made.append(left.pop(0))
        return tuple(made)

    def first(self, body: list[Stmt]) -> list[Stmt] | None:
        """The body with a part of its first statement formed before it; None where no part is needed twice."""
        for expr in expressions(body[0]):
            for part in nodes(expr):
                if isinstance(part, Apply) and _is_dear(part):
                    end = self.end(body, part)
                    if sum(_count(part, stmt) for stmt in body[:end]) > 1:
                        return self.formed(body, part, end)
        return None

    def formed(self, body: list[Stmt], part: Apply, end: int) -> list[Stmt]:
        name = self.names.fresh("w")
        self.more[name] = kind_of(part, {**self.kinds, **self.more})

        def named(expr: Expr) -> Expr:
            return map_expr(lambda node: Var(name) if node == part else node, expr)

        new = [map_expressions(named, stmt) for stmt in body[:end]]
        return [New(name, part, body[0].at), *new, *body[end:]]

    def end(self, body: list[Stmt], part: Expr) -> int:
        """How many statements read what the first one reads in `part`."""
        read = {self.same[name] for name in variables(part)}
        for k, stmt in enumerate(body):
            written = (*writes(stmt), *(w for block in blocks(stmt) for w in writes_in(block)))
            if not read.isdisjoint(self.same[w] for w in written):
                return k + 1
        return len(body)


def _is_dear(part: Apply) -> bool:
    row = OPS[part.op]
    return row.structural == "matrix" and row.cost == "dear" and row.ndim > 0 and part.op != "T"  # a view


def _count(part: Expr, stmt: Stmt) -> int:
    return sum(node == part for expr in expressions(stmt) for node in nodes(expr)) if not blocks(stmt) else 0
