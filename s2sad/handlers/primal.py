"""The program itself: every node means what it says. The identity, and the reference in tests."""

from __future__ import annotations

from dataclasses import replace

from s2sad.handlers.base import Halves, Handler, back, forward
from s2sad.ir.nodes import Function, Stmt
from s2sad.ir.walk import blocks, with_blocks


def primal(fn: Function) -> Function:
    """`fn`, taken apart and put together again."""
    return replace(fn, body=Evaluate().nest(fn.body))


class Evaluate(Handler):
    """Emits each statement as it stands."""

    def nest(self, body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        with self.block() as lines:
            halves = self.split(body)
            forward(halves)
            back(halves)
        return tuple(lines)

    def handle(self, stmt: Stmt) -> Halves:
        self.emit(with_blocks(stmt, (self.nest(body) for body in blocks(stmt))))
        yield
