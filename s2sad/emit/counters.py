"""Loop variables under the names that the user gave them.

Every loop variable has a name of its own while derivatives are made: two loops over `i` have `i` and `i_2`. In a
printed function the second can be `i` again, where neither loop is in the other and nobody reads it after its loop.
A loop over `_` whose trips are told apart after all, since each keeps something, gets a name that says so: `it`.

>>> from s2sad.ir.nodes import Const, For, Store, Var
>>> from s2sad.source import Source, Span
>>> at = Span(Source("f.py", "for i in range(n):"), 1, 0, 1, 18)
>>> loop = For("i_2", Const(0), Var("n"), Const(1), (Store("a", (Var("i_2"),), Const(0.0)),), at)
>>> names_again((loop,), ())
{'i_2': 'i'}
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from s2sad.ir.nodes import Call, Expr, For, Stmt
from s2sad.ir.walk import blocks, names_in, statements, variables, with_blocks


def names_again(body: tuple[Stmt, ...], results: Iterable[Expr]) -> dict[str, str]:
    """Loop variables of a printed function -> the name each can have."""
    count = _occurrences(body)
    count.update(name for expr in results for name in variables(expr))
    count.update(stmt.function for stmt in statements(body) if isinstance(stmt, Call))
    found: dict[str, str] = {}
    nests: dict[str, list[tuple[For, ...]]] = {}
    for loops in _loops(body, ()):
        nests.setdefault(loops[-1].var, []).append(loops)
    for name, own in nests.items():
        base = _base(own[0][-1])
        inside = _occurrences(nest[-1] for nest in own)
        taken = {found.get(n, n) for n in inside}
        taken |= {found.get(o.var, o.var) for nest in own for o in nest[:-1]}
        if re.fullmatch("_[_0-9]*", name) and inside[name] > 1:
            base = next(
                b for b in ("it", *(f"it{k}" for k in range(2, 99))) if not count[b] and b not in taken
            )
        if base and base not in taken and inside[name] == count[name] and _counts_only(base, body, count):
            found[name] = base
    return found


def _loops(body: Iterable[Stmt], around: tuple[For, ...]) -> Iterable[tuple[For, ...]]:
    """Every loop, last in the nest it stands in, outer ones first."""
    for stmt in body:
        nest = (*around, stmt) if isinstance(stmt, For) else around
        if isinstance(stmt, For):
            yield nest
        for block in blocks(stmt):
            yield from _loops(block, nest)


def _base(loop: For) -> str:
    """The name in the user's text, where it is another one."""
    base, _, number = loop.var.rpartition("_")
    head = loop.at.source.line(loop.at.line) if loop.at.source else ""
    words = re.findall(r"\w+", head.partition(" in ")[0])
    return base if number.isdigit() and base in words and loop.var not in words else ""


def _counts_only(base: str, body: tuple[Stmt, ...], count: Counter[str]) -> bool:
    """Does a name occur in loops that it counts, and nowhere else?"""
    own = [nest[-1] for nest in _loops(body, ()) if nest[-1].var == base]
    return sum(_occurrences((loop,))[base] for loop in own) == count[base]


def _occurrences(body: Iterable[Stmt]) -> Counter[str]:
    """How many statements name a name."""
    return Counter(name for stmt in statements(body) for name in names_in((_alone(stmt),)))


def _alone(stmt: Stmt) -> Stmt:
    """A statement without what is nested in it."""
    return with_blocks(stmt, [() for _ in blocks(stmt)])
