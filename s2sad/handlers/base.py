"""The handler protocol: one generator per node; `yield` is the continuation, "and then the rest of the program".

A handler gives every statement a meaning in two halves: what stands above its `yield` is emitted on the way forward,
what stands below it on the way back. `split` runs each statement of a body to its `yield`, hands over, and finishes
them last first. A handler that never comes back (a tangent) simply has nothing below.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from s2sad.errors import located
from s2sad.ir.nodes import Stmt
from s2sad.ir.walk import blocks, with_blocks
from s2sad.source import NOWHERE

Halves: TypeAlias = Generator[None, None, None]


class Handler:
    """Emits statements into the innermost open block; subclasses have one method per node."""

    def __init__(self) -> None:
        self.lines: list[Stmt] = []

    def emit(self, *stmts: Stmt) -> None:
        """Put statements at the end of the open block."""
        self.lines.extend(stmts)

    @contextmanager
    def block(self) -> Iterator[list[Stmt]]:
        """Open a nested block; what is emitted meanwhile lands in the list given."""
        outer, self.lines = self.lines, []
        try:
            yield self.lines
        finally:
            self.lines = outer

    def handle(self, stmt: Stmt) -> Halves:
        """The generator of one statement: the method named for its node."""
        method: Callable[[Stmt], Halves] = getattr(self, type(stmt).__name__)
        return method(stmt)

    def split(self, body: Iterable[Stmt]) -> Halves:
        """All of `body` forward; after the continuation, all of it in reverse."""
        begun: list[tuple[Stmt, Halves]] = []
        for stmt in body:
            halves = self.handle(stmt)
            forward(halves, stmt)
            begun.append((stmt, halves))
        yield
        for stmt, halves in reversed(begun):
            back(halves, stmt)


class Onward(Handler):
    """A handler that never comes back: loops and branches stay as they are, around what becomes of their bodies."""

    def nest(self, body: Iterable[Stmt]) -> tuple[Stmt, ...]:
        """What becomes of a body."""
        with self.block() as lines:
            halves = self.split(body)
            forward(halves)
            back(halves)
        return tuple(lines)

    def around(self, s: Stmt) -> Halves:
        """The same statement, its bodies handled."""
        self.emit(with_blocks(s, map(self.nest, blocks(s))))
        yield

    For = While = If = Region = Frame = Print = Raise = around


def forward(halves: Halves, stmt: object = None) -> None:
    """Run a generator to its `yield`."""
    try:
        with located(getattr(stmt, "at", NOWHERE)):
            next(halves)
    except StopIteration:
        raise RuntimeError(f"the rule for {type(stmt).__name__} did not yield") from None


def back(halves: Halves, stmt: object = None) -> None:
    """Finish a generator."""
    try:
        next(halves)
    except StopIteration:
        return
    raise RuntimeError(f"the rule for {type(stmt).__name__} yielded twice")
