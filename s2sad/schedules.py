"""Schedules of `checkpoint_range` as data: which states are kept, which steps are run again, what it costs.

A schedule is a sequence of actions. What the compiled code does is computed by the same functions (the runtime's
`plans`), step by step; here it can be looked at, counted, and written anew.

>>> list(revolve(3, 2))
[Snapshot(step=0), Advance(start=0, stop=1), Snapshot(step=1), Advance(start=1, stop=2), Reverse(step=2), \
Restore(step=1), Reverse(step=1), Drop(step=1), Restore(step=0), Reverse(step=0), Drop(step=0)]
>>> revolve(13465, 116).forward_steps
33374
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import Any, Literal, TypeAlias

import numpy as np

from s2sad_runtime import plans

How: TypeAlias = Literal["revolve", "uniform", "online", "disk"]
#: The kind of plan that the runtime is asked for; `disk` is `revolve` with its snapshots in a file.
KINDS = {"revolve": plans.REVOLVE, "uniform": plans.UNIFORM, "online": plans.ONLINE, "disk": plans.REVOLVE}


@dataclass(frozen=True, slots=True)
class Advance:
    """Run the steps `start`, ..., `stop - 1` plain."""

    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Keep the state before `step`."""

    step: int


@dataclass(frozen=True, slots=True)
class Restore:
    """Go back to the state before `step`; it stays kept."""

    step: int


@dataclass(frozen=True, slots=True)
class Reverse:
    """Run `step` once more, storing what its reverse needs, and reverse it."""

    step: int


@dataclass(frozen=True, slots=True)
class Drop:
    """Let the state before `step` go."""

    step: int


Action: TypeAlias = Advance | Snapshot | Restore | Reverse | Drop
_CODES: dict[type, int] = {
    Advance: plans.ADVANCE, Snapshot: plans.SNAPSHOT, Restore: plans.RESTORE, Reverse: plans.REVERSE,
    Drop: plans.DROP,
}  # fmt: skip


@dataclass(frozen=True)
class Schedule:
    """How `n` steps are reversed with so many `snapshots` held at once (the start among them; None or 0: the default)."""

    how: How
    n: int
    snapshots: int | None = None

    @property
    def places(self) -> int:
        """The snapshots that are provided for."""
        return int(plans.places_for(KINDS[self.how], self.n, self.snapshots or 0))

    def __iter__(self) -> Iterator[Action]:
        plan = np.zeros(plans.size_of(self.places, 0), np.int64)
        plans.begin(plan, KINDS[self.how], self.n, self.places)
        held: list[int] = []

        def advance(start: int, stop: int) -> Iterator[Action]:
            """The way from one step to another, with the snapshots on it."""
            for k in range(start, stop):
                before = k
                if plans.snapshot_at(plan, k) < 0:
                    continue
                if before > start:
                    yield Advance(start, before)
                yield from gone()
                yield Snapshot(k)
                held.append(k)
                start = k
            if stop > start:
                yield Advance(start, stop)

        def gone() -> Iterator[Action]:
            now = [int(s) for s in plan[plans.HEAD : plans.HEAD + plans.steps_held(plan)]]
            for step in [s for s in reversed(held) if s not in now]:
                held.remove(step)
                yield Drop(step)

        if self.how == "online":
            yield from advance(0, self.n)
        for t in range(self.n - 1, -1, -1):
            if t == self.n - 1 and self.how != "online":
                yield from advance(0, t)
            else:
                _, step = plans.resume_at(plan, t)
                yield from gone()
                yield Restore(int(step))
                yield from advance(int(step), t)
            yield Reverse(t)
        yield from (Drop(step) for step in reversed(held))

    @cached_property
    def forward_steps(self) -> int:
        """Steps run plain; the run of each step that stores, just before it is reversed, doesn't count."""
        if KINDS[self.how] == plans.REVOLVE:
            return fewest(self.n, self.places)
        return forward_steps(self)

    @cached_property
    def peak_snapshots(self) -> int:
        """The most snapshots held at once."""
        return peak_snapshots(self)


@dataclass(frozen=True)
class Given:
    """A schedule of one's own."""

    actions: tuple[Action, ...]
    how = "rows"

    @staticmethod
    def of(rows: np.ndarray[Any, Any]) -> Given:
        """The actions that stand in the rows of an array.

        >>> Given.of(rows([Snapshot(0), Advance(0, 1), Reverse(1), Restore(0), Reverse(0)])).forward_steps
        1
        """
        kinds = {code: kind for kind, code in _CODES.items()}
        made = ((kinds[int(code)], int(step), int(end)) for code, step, end in rows)
        return Given(tuple(kind(step, end) if kind is Advance else kind(step) for kind, step, end in made))

    def __iter__(self) -> Iterator[Action]:
        return iter(self.actions)

    @property
    def n(self) -> int:
        """The number of steps."""
        return sum(isinstance(action, Reverse) for action in self.actions)

    @property
    def places(self) -> int:
        """The snapshots that are provided for."""
        return max(self.peak_snapshots, 1)

    @property
    def forward_steps(self) -> int:
        """Steps run plain."""
        return forward_steps(self)

    @property
    def peak_snapshots(self) -> int:
        """The most snapshots held at once."""
        return peak_snapshots(self)


def fewest(n: int, snapshots: int) -> int:
    """The fewest steps run plain with which `n` can be reversed: r n - C(s + r, r - 1), r runs of each at most.

    >>> fewest(13465, 116), fewest(1, 3), fewest(0, 1)
    (33374, 0, 0)
    """
    runs = 0
    while comb(snapshots + runs, snapshots) < n:
        runs += 1
    return runs * n - comb(snapshots + runs, runs - 1) if runs else 0


def forward_steps(actions: Iterable[Action]) -> int:
    """Steps run plain by any sequence of actions.

    >>> forward_steps([Snapshot(0), Advance(0, 2), Reverse(2), Restore(0), Advance(0, 1), Reverse(1)])
    3
    """
    return sum(a.stop - a.start for a in actions if isinstance(a, Advance))


def peak_snapshots(actions: Iterable[Action]) -> int:
    """The most snapshots that a sequence of actions holds at once."""
    held: set[int] = set()
    peak = 0
    for action in actions:
        match action:
            case Snapshot(step):
                held.add(step)
            case Drop(step):
                held.discard(step)
        peak = max(peak, len(held))
    return peak


def rows(actions: Iterable[Action]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """A schedule of one's own as an array, one row per action, to be passed as `schedule=`.

    >>> rows([Snapshot(0), Advance(0, 1), Reverse(1), Restore(0), Reverse(0)]).tolist()
    [[1, 0, 0], [0, 0, 1], [3, 1, 0], [2, 0, 0], [3, 0, 0]]
    """
    made = [
        (_CODES[type(a)], a.start, a.stop) if isinstance(a, Advance) else (_CODES[type(a)], a.step, 0)
        for a in actions
    ]
    return np.array(made, np.int64).reshape(-1, plans.ROW)


def is_schedule(value: object) -> bool:
    """Is something a schedule: something that gives actions, again and again?

    >>> is_schedule(revolve(3, 2)), is_schedule([Reverse(0)]), is_schedule("revolve")
    (True, True, False)
    """
    if isinstance(value, str) or not isinstance(value, Iterable):
        return False
    first = next(iter(value), None)
    return type(first) in _CODES or isinstance(value, Schedule)


def revolve(n: int, snapshots: int | None = None) -> Schedule:
    """The fewest steps run again with so many snapshots: binomial splits (A. Griewank, A. Walther, TOMS 26, 2000).

    >>> revolve(10, 3).forward_steps, revolve(10, 3).peak_snapshots
    (15, 3)
    """
    return Schedule("revolve", n, snapshots)


def uniform(n: int, snapshots: int | None = None) -> Schedule:
    """Snapshots evenly spaced; on the way back the free ones are spread evenly over the stretch at hand.

    >>> uniform(10, 3).forward_steps
    16
    """
    return Schedule("uniform", n, snapshots)


def online(n: int, snapshots: int | None = None) -> Schedule:
    """For a length that turns out to be `n`: evenly spaced on the way forward, ever more widely; binomial back.

    >>> online(10, 3).forward_steps
    18
    """
    return Schedule("online", n, snapshots)


def disk(n: int, snapshots: int | None = None) -> Schedule:
    """`revolve`, its snapshots in a file.

    >>> disk(10, 3).forward_steps
    15
    """
    return Schedule("disk", n, snapshots)
