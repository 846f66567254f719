"""The program itself: every node means what it says. The identity, and the reference in tests."""

from __future__ import annotations

from dataclasses import replace

from s2sad.handlers.base import Halves, Onward
from s2sad.ir.nodes import Function, Stmt


def primal(fn: Function) -> Function:
    """`fn`, taken apart and put together again."""
    return replace(fn, body=Evaluate().nest(fn.body))


class Evaluate(Onward):
    """Emits each statement as it stands."""

    def handle(self, stmt: Stmt) -> Halves:
        return self.around(stmt)
