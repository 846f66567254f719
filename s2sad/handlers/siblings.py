"""Slopes that the program forms itself: where it has both `sin(x)` and `cos(x)`, one is the slope of the other.

Before: `s = sin(x)` · `c = cos(x)`, and back: `x_b -= c_b * sin(x)` · `x_b += s_b * cos(x)`
After:  the same, and back: `x_b -= c_b * s` · `x_b += s_b * c`

>>> from s2sad.analyses.versions import distinct, versions
>>> from s2sad.handlers.pullback import pullback
>>> from s2sad.ir.nodes import REAL, Const
>>> from s2sad.ir.text import show
>>> body = distinct((Assign("s", Apply("sin", (Var("x"),))), Assign("c", Apply("cos", (Var("x"),)))))
>>> kinds = dict.fromkeys(("x", "s", "c"), REAL)
>>> known = Siblings(body, versions(body, ("x",), kinds))
>>> [show(known.told(pullback(s, frozenset(kinds), kinds), s).terms[0].increment) for s in body]
["·seed * c'", "-·seed * s'"]
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from s2sad.analyses.versions import Block, Version, Versions
from s2sad.handlers.pullback import AFTER, Pullback
from s2sad.ir.nodes import Apply, Assign, Expr, Stmt, Var
from s2sad.ir.walk import map_expr, statements, variables
from s2sad.ops.table import OPS


class Siblings:
    """What costly functions of scalars give in a function, under the names that it has there."""

    def __init__(self, body: Iterable[Stmt], facts: Versions) -> None:
        self.facts = facts
        self.table: dict[tuple[Expr, tuple[Version, ...], Block], Version] = {}
        for s in statements(body):
            if isinstance(s, Assign) and (key := self.key(s.value, s)) is not None:
                self.table.setdefault(key, facts.after[id(s)][s.target])

    def key(self, value: Expr, stmt: Stmt) -> tuple[Expr, tuple[Version, ...], Block] | None:
        """What tells the value of an expression at a statement from others; None where it isn't worth it."""
        if (
            not isinstance(value, Apply)
            or OPS[value.op].cost != "dear"
            or not all(isinstance(a, Var) for a in value.args)
        ):
            return None
        before = self.facts.before[id(stmt)]
        names = variables(value)
        if not names or not all(n in before for n in names):
            return None
        return replace(value, spell=""), tuple(before[n] for n in names), self.facts.block[id(stmt)]

    def told(self, pull: Pullback, stmt: Stmt) -> Pullback:
        """A pullback that reads what the program has formed beside the statement."""
        found = dict(self.facts.after.get(id(stmt), {}))

        def known(node: Expr) -> Expr:
            key = self.key(node, stmt)
            version = None if key is None else self.table.get(key)
            if version is None or found.setdefault(version.name, version) is not version:
                return node
            return Var(version.name + AFTER)

        terms = tuple(replace(t, increment=map_expr(known, t.increment)) for t in pull.terms)
        if all(new.increment is old.increment for new, old in zip(terms, pull.terms, strict=True)):
            return pull
        self.facts.after[id(stmt)] = found
        return replace(pull, terms=terms)
