"""What a gradient really keeps: one run of the plain Python form, with an arena that counts.

The same records as in compiled code, and the same bytes; only the run takes as long as plain Python does.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from types import FrameType
from typing import Any

import numpy as np

from s2sad import pipeline
from s2sad.emit.load import load
from s2sad.frontend.kinds import kind_of_value
from s2sad.pipeline import Request
from s2sad.schedules import KINDS, Schedule


@dataclass(frozen=True, slots=True)
class Measured:
    """One run.

    lines    bytes put into the arena on the way forward, by line of the user's source (0: no line in particular)
    kept     bytes in the arena between the sweeps
    peak     the most bytes in the arena at once, on the way back too
    steps    steps of loops over `checkpoint_range` that were run without storing
    loops    the plans that they followed, for this number of steps; their `forward_steps` is the prediction
    """

    lines: dict[int, int]
    kept: int
    peak: int
    steps: int
    loops: tuple[Schedule, ...]

    @property
    def predicted_steps(self) -> int:
        """The steps run without storing that the plans foretell."""
        return sum(loop.forward_steps for loop in self.loops)

    def report(self) -> str:
        """The figures as text."""
        rows = [
            (f"line {line}" if line else "elsewhere", size(count))
            for line, count in sorted(self.lines.items())
        ]
        rows += [("kept between the sweeps", size(self.kept)), ("at the most", size(self.peak))]
        if self.loops:
            rows.append(("steps run again", f"{self.steps}, planned {self.predicted_steps}"))
        return "measured:\n" + "".join(f"  {name:<24}{value}\n" for name, value in rows)


class Arena(list[Any]):
    """A plain arena that counts the bytes of its records, and knows which line of the emitted text made each."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self.file = file
        self.now = self.peak = 0
        self.made: Counter[int] = Counter()

    def append(self, record: Any) -> None:
        super().append(record)
        self._came(record)

    def extend(self, records: Iterable[Any]) -> None:
        for record in records:
            super().append(record)
            self._came(record)

    def pop(self, *where: Any) -> Any:
        record = super().pop(*where)
        self.now -= _bytes(record)
        return record

    def _came(self, record: Any) -> None:
        size = _bytes(record)
        self.now += size
        self.peak = max(self.peak, self.now)
        self.made[_line(sys._getframe(2), self.file)] += size


def _bytes(record: Any) -> int:
    if isinstance(record, np.ndarray):
        return record.nbytes
    return 8 * len(record) if isinstance(record, list | tuple) else 0


def _line(frame: FrameType | None, file: str) -> int:
    """The line of the emitted file that is being run; 0 for none."""
    while frame is not None and frame.f_code.co_filename != file:
        frame = frame.f_back
    return 0 if frame is None else frame.f_lineno


def measured(f: Any, args: tuple[Any, ...], argnums: pipeline.Argnums = 0) -> Measured:
    """Run the gradient of `f` at `args` once, in plain Python, and count. Arguments are copied.

    Errors: those of `grad`, and what `f` raises.

    >>> measured(lambda x: np.sum(x * x * x), (np.ones(10),)).kept > 0
    True
    """
    request = Request(f, argnums, value=True)
    request = replace(request, options=replace(request.options, jit=False))
    built = pipeline.gradient(request, tuple(map(kind_of_value, args)))
    module = load(built.text, built.entry, built.arrays, built.classes, jit=False)
    file = str(module.__file__)
    space: dict[str, Any] = {"__name__": module.__name__, "__file__": file}
    exec(compile(built.text, file, "exec"), space)  # names of its own, so that they can be watched
    space |= {own: getattr(module, own) for own in built.classes.values()}
    arenas: list[Arena] = []
    between: list[tuple[int, Counter[int]]] = []
    loops: list[Schedule] = []
    steps = Counter[str]()

    def new_arena() -> Arena:
        arenas.append(Arena(file))
        return arenas[-1]

    def turning(reverse: Any) -> Any:
        def run(*given: Any) -> Any:
            if not between and arenas:
                between.append((arenas[0].now, Counter(arenas[0].made)))
            return reverse(*given)

        return run

    def counting(name: str, step: Any) -> Any:
        def run(*given: Any) -> Any:
            steps[name] += 1
            return step(*given)

        return run

    def planning(how: str, plan: Any) -> Any:
        def run(arena: Any, n: int, snapshots: int) -> Any:
            loops.append(Schedule(how, n, snapshots))  # type: ignore[arg-type]
            return plan(arena, n, snapshots)

        return run

    if "new_arena" in space:
        space["new_arena"] = new_arena
    for name, value in list(space.items()):
        if name.endswith("_plan") and name.removesuffix("_plan") in KINDS:
            space[name] = planning(name.removesuffix("_plan"), value)
        elif f"{name}_fwd" in space and f"{name}s_fwd" in space:
            space[name] = counting(name, value)
        elif name == f"{built.fn.name}_rev":
            space[name] = turning(value)
    fresh = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    space[built.entry](*fresh)
    kept, made = between[0] if between else (0, Counter[int]())
    lines: Counter[int] = Counter()
    for number, size in made.items():
        at = built.places[number - 1] if 0 < number <= len(built.places) else None
        lines[at.line if at else 0] += size
    peak = max((a.peak for a in arenas), default=0)
    return Measured(dict(lines), kept, peak, sum(steps.values()), tuple(loops))


def size(count: float) -> str:
    """A number of bytes for people: "1.5 MB"."""
    if count < 1000:
        return f"{count:.0f} B"
    power = min(int(math.log(count, 1000)), 4)
    return f"{count / 1000**power:.3g} {('B', 'kB', 'MB', 'GB', 'TB')[power]}"
