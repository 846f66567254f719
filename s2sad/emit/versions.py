"""Names that Numba would mix up in one array expression: `a_2`, and the second value that `a` has.

Numba compiles an array expression as a function of its own, whose parameters it names after the variables and their
versions, dots as underscores. Where both stand in one expression, one of them goes by another name:

Before: `b = a_2 * (1.0 - a * a)`      After: `seen = a_2` · `b = seen * (1.0 - a * a)`

>>> from s2sad.ir.nodes import Apply, New
>>> from s2sad.ir.text import show_stmt
>>> kinds = {"a": Kind("real", 1), "a_2": Kind("real", 1), "b": Kind("real", 1)}
>>> body, more = told_apart((New("b", Apply("mul", (Var("a_2"), Var("a")))),), kinds)
>>> [show_stmt(s) for s in body], more["seen"] == kinds["a_2"]
(['bind seen = a_2', 'new b = seen * a'], True)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from s2sad.ir.names import Namer
from s2sad.ir.nodes import Accumulate, Assign, Bind, Kind, New, Stmt, Store, Update, Var
from s2sad.ir.walk import (
    Body,
    expressions,
    map_body,
    map_expressions,
    names_in,
    nodes,
    statements,
    substitute,
)


def told_apart(body: Body, kinds: Mapping[str, Kind]) -> tuple[Body, dict[str, Kind]]:
    """A body in which no array expression has such names, and the kinds of all names."""
    if not any(mixed(s, kinds) for s in statements(body)):
        return body, {**kinds}
    names = Namer([*kinds, *names_in(body)])
    found = {**kinds}

    def each(stmt: Stmt) -> Iterable[Stmt]:
        swapped: dict[str, Var] = {}
        for name in mixed(stmt, kinds):
            other = names.fresh("seen")
            found[other] = kinds[name]
            swapped[name] = Var(other)
            yield Bind(other, name) if kinds[name].is_array else Assign(other, Var(name))
        yield map_expressions(lambda e: substitute(swapped, e), stmt) if swapped else stmt

    return map_body(each, body), found


def mixed(stmt: Stmt, kinds: Mapping[str, Kind]) -> list[str]:
    """The names of a statement about whole arrays that are another one with a number."""
    if not isinstance(stmt, Assign | New | Update | Store | Accumulate):
        return []
    read = {n.name for e in expressions(stmt) for n in nodes(e) if isinstance(n, Var) and n.name in kinds}
    if not any(kinds[n].is_array for n in read):
        return []
    return sorted(n for n in read if (parts := n.rpartition("_"))[2].isdigit() and parts[0] in read)
