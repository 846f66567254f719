"""Amounts that are known in part before a program is run: what stretches of it keep, one after another, many times.

>>> step = Tally({7: Amount(80, 80)}, Amount(80, 80))
>>> step.times(Amount(10, 10)).then(step).kept
Amount(low=880, high=880)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from s2sad.schedules import Given, Schedule


@dataclass(frozen=True, slots=True)
class Amount:
    """At least `low`, at most `high`, which may be infinite."""

    low: int = 0
    high: float = 0

    def __add__(self, other: Amount) -> Amount:
        return Amount(self.low + other.low, self.high + other.high)

    def __mul__(self, other: Amount) -> Amount:
        high = self.high * other.high if self.high and other.high else 0
        return Amount(self.low * other.low, high)

    def __or__(self, other: Amount) -> Amount:
        return Amount(min(self.low, other.low), max(self.high, other.high))

    def __contains__(self, count: float) -> bool:
        return self.low <= count <= self.high

    @property
    def exact(self) -> bool:
        """Is it one number?"""
        return self.low == self.high


NONE, ONE, ANY = Amount(), Amount(1, 1), Amount(0, math.inf)


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop of `checkpoint_range`: its line, its schedule, what its snapshots take; `left`: it may end early.

    n, snapshots, bytes  None where nobody knows before it is run
    """

    line: int
    how: str
    plan: Schedule | Given | None
    places: int | None = None
    bytes: int | None = None
    left: bool = False

    @property
    def steps(self) -> Amount:
        """Steps run plain, each time that the loop is run and reversed."""
        if self.plan is None:
            return ANY
        steps = self.plan.forward_steps
        if not self.left:
            return Amount(steps, steps)
        return Amount(
            0, steps if self.how == "online" else steps + self.plan.n
        )  # the last isn't known to be it


@dataclass(frozen=True, slots=True)
class Tally:
    """What a stretch keeps: bytes by line of the user's source; the most at once; loops, and how often each is run."""

    lines: Mapping[int, Amount] = field(default_factory=dict)
    peak: Amount = NONE
    loops: Mapping[Loop, Amount] = field(default_factory=dict)

    @property
    def kept(self) -> Amount:
        """Bytes at the end of it."""
        return sum(self.lines.values(), NONE)

    @property
    def exact(self) -> bool:
        """Is all of it known?"""
        return self.peak.exact and all(a.exact for a in (*self.lines.values(), *self.loops.values()))

    def then(self, other: Tally) -> Tally:
        """One stretch after another."""
        after = self.kept + other.peak
        peak = Amount(max(self.peak.low, after.low), max(self.peak.high, after.high))
        return Tally(_merged(self.lines, other.lines), peak, _merged(self.loops, other.loops))

    def times(self, count: Amount) -> Tally:
        """A stretch so many times."""
        lines = {k: a * count for k, a in self.lines.items()}
        more = Amount(max(count.low - 1, 0), max(count.high - 1, 0))
        peak = self.kept * more + self.peak * Amount(min(count.low, 1), min(count.high, 1))
        return Tally(lines, peak, {k: a * count for k, a in self.loops.items()})

    def either(self, other: Tally) -> Tally:
        """One of two stretches."""
        lines = {k: self.lines.get(k, NONE) | other.lines.get(k, NONE) for k in {**self.lines, **other.lines}}
        loops = {k: self.loops.get(k, NONE) | other.loops.get(k, NONE) for k in {**self.loops, **other.loops}}
        return Tally(lines, self.peak | other.peak, loops)

    def given_back(self) -> Tally:
        """A stretch whose memory is given back at its end."""
        return Tally({}, self.peak, self.loops)


def _merged(one: Mapping[Any, Amount], other: Mapping[Any, Amount]) -> dict[Any, Amount]:
    return {k: one.get(k, NONE) + other.get(k, NONE) for k in {**one, **other}}


EMPTY = Tally()
