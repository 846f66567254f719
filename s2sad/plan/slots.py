"""The vocabulary of the storage plan: slots, decisions, the plan itself.

A slot is an array of kept values with one place per iteration of the loops around the value's birth.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from s2sad.analyses.versions import Version
from s2sad.ir.nodes import (
    Apply,
    Base,
    Const,
    Expr,
    For,
    Var,
    While,
)
from s2sad.ops.build import sub

ITEMSIZE = {"bool": 1, "single": 4, "complex": 16}  # of kept values; 8 for the others
SMALL = 16  # places that an array of unknown length begins with
CHEAP = 24  # operations that a value may cost to be formed again rather than kept


@dataclass(frozen=True, slots=True)
class Slot:
    """An array of kept values: its name, type, the loops that number its places, before which one it is made.

    outer is None where it is made at the start of the function (then `place` tells the one place of the value).
    `boxes` are the same loops, with bounds that are known before `outer` where their own aren't.
    """

    array: str
    base: Base
    loops: tuple[For | While, ...]
    outer: For | While | None
    place: int = 0
    boxes: tuple[For | While, ...] = ()

    @property
    def shape(self) -> tuple[Expr, ...]:
        """One extent per loop."""
        return tuple(extent(loop) for loop in self.boxes)

    @property
    def index(self) -> tuple[Expr, ...]:
        """The place of the running iteration."""
        return tuple(number(loop) for loop in self.boxes) if self.loops else (Const(self.place),)


@dataclass(frozen=True, slots=True)
class Decision:
    """One line of the storage report: which value, how it is had, why, how many are kept, the bytes of each."""

    line: int
    name: str
    how: str
    why: str
    shape: tuple[Expr, ...] = ()
    itemsize: int = 8


@dataclass(slots=True)
class Plan:
    """The decisions. Keys are versions, and ids of statements (the body's statements are distinct objects)."""

    slots: dict[Version, Slot] = field(default_factory=dict)
    again: dict[Version, Expr] = field(default_factory=dict)  # formed again, in names of before its statement
    logs: dict[int, Slot] = field(default_factory=dict)
    copies: set[int] = field(default_factory=set)
    snapshots: dict[int, tuple[str, ...]] = field(default_factory=dict)
    held: frozenset[str] = frozenset()
    seen: frozenset[str] = frozenset()  # arrays that the reverse sweep names
    undone: frozenset[str] = frozenset()  # arrays whose overwriting the reverse sweep undoes
    scratch: dict[str, int] = field(default_factory=dict)  # arrays for values outside loops: name -> places
    report: list[Decision] = field(default_factory=list)

    overwritten: set[str] = field(default_factory=set)  # arrays of which something overwritten is kept

    @property
    def arrays(self) -> tuple[Slot, ...]:
        """One slot per array, in order of making."""
        return tuple({s.array: s for s in (*self.slots.values(), *self.logs.values())}.values())


def extent(loop: For | While) -> Expr:
    """How many places the iterations of a loop take; a loop that starts above 0 leaves the first ones empty.

    Of a While nobody knows: its arrays begin small and grow.
    """
    if isinstance(loop, While):
        return Const(SMALL)
    if loop.step == Const(1):
        return loop.stop if counts(loop) else whole(sub(loop.stop, loop.start))
    if loop.step == Const(-1):
        return whole(sub(loop.start, loop.stop))
    return Apply("trips", (loop.start, loop.stop, loop.step))


def whole(difference: Expr) -> Expr:
    """A difference of whole numbers: the same on both sides leaves the integer 0."""
    return Const(0) if difference == Const(0.0) else difference


def number(loop: For | While) -> Expr:
    """The place of the running iteration."""
    if isinstance(loop, While):
        return Var(loop.counter)
    if loop.step == Const(1):
        return Var(loop.var) if counts(loop) else sub(Var(loop.var), loop.start)
    if loop.step == Const(-1):
        return sub(loop.start, Var(loop.var))
    return Apply("floordiv", (sub(Var(loop.var), loop.start), loop.step))


def counts(loop: For) -> bool:
    """Does the loop variable itself number the places: a small literal start?"""
    return isinstance(loop.start, Const) and 0 <= loop.start.value <= 4
