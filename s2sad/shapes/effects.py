"""What stretches of statements touch, and whether two of them may change places.

>>> from s2sad.ir.nodes import Assign, Const, Load
>>> one = Accumulate(Load("x_b", (Var("i"),)), Var("w"))
>>> free = Effects.of((one,), {}).beside(Effects.of((one,), {}))
>>> free, Effects.of((one,), {}).beside(Effects.of((Assign("w", Const(1.0)),), {}))
(True, False)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from s2sad.ir.nodes import Accumulate, Apply, Bind, Expr, New, Rebind, Stmt, Var, View
from s2sad.ir.walk import children, expressions, name_of, reads, statements, variables, writes

LIKE = ("zeros_like", "ones_like", "empty_like")


@dataclass(frozen=True, slots=True)
class Effects:
    """The names that statements read, write, and add to; of arrays that may overlap, one stands for all.

    lengths  arrays of which the shape alone is read
    births   names that are bound to arrays
    """

    reads: frozenset[str]
    writes: frozenset[str]
    adds: frozenset[str]
    lengths: frozenset[str]
    births: frozenset[str]

    @staticmethod
    def of(body: Iterable[Stmt], memory: Mapping[str, str], aside: Collection[str] = ()) -> Effects:
        """The effects of statements; names put aside don't count."""
        read: set[str] = set()
        written: set[str] = set()
        added: set[str] = set()
        lengths: set[str] = set()
        births: set[str] = set()
        for stmt in statements(tuple(body)):
            known = {n for e in expressions(stmt) for n in shapes(e)}
            whole = {n for e in expressions(stmt) for n in variables(e)}
            content = {n for e in expressions(stmt) for n in contents(e)}
            lengths |= known
            if isinstance(stmt, Accumulate):
                added.add(name_of(stmt.target))
                read |= content
            else:
                read |= content | ({*reads(stmt)} - whole)
                written.update(writes(stmt))
            if isinstance(stmt, New | View | Bind | Rebind):
                births.update(writes(stmt))
        groups = (
            {memory.get(n, n) for n in names if n not in aside}
            for names in (read, written, added, lengths, births)
        )
        return Effects(*map(frozenset, groups))

    def beside(self, other: Effects) -> bool:
        """May the two change places? Additions to one thing may, for what is added up is a derivative."""
        return not (
            self.writes & (other.reads | other.writes | other.adds)
            or other.writes & (self.reads | self.adds)
            or self.reads & other.adds
            or self.adds & other.reads
            or self.births & other.lengths
            or self.lengths & other.births
        )


def shapes(expr: Expr) -> Iterator[str]:
    """The arrays of which an expression reads the shape."""
    if isinstance(expr, Apply) and expr.op in ("shape", *LIKE) and isinstance(expr.args[0], Var):
        yield expr.args[0].name
    for child in children(expr):
        yield from shapes(child)


def contents(expr: Expr) -> Iterator[str]:
    """The names whose value an expression reads."""
    if isinstance(expr, Apply) and expr.op in ("shape", *LIKE) and isinstance(expr.args[0], Var):
        return
    if name := name_of(expr):
        yield name
    for child in children(expr):
        yield from contents(child)
