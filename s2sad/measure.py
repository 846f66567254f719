"""What a gradient really keeps: one run of the plain Python form, with an arena that counts; beside the prediction.

The same records as in compiled code, and the same bytes (but for float32, which plain Python keeps in its own ways);
only the run takes as long as plain Python does.
"""

from __future__ import annotations

import ast
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import FrameType
from typing import Any

import numpy as np

from s2sad import pipeline
from s2sad.amounts import NONE, ONE, Amount, Loop
from s2sad.emit.load import load
from s2sad.frontend.kinds import kind_of_value
from s2sad.pipeline import Request
from s2sad.prediction import Prediction, homes
from s2sad.schedules import KINDS, Given, Schedule
from s2sad.shapes.passes import NAMES, TOGETHER


@dataclass(frozen=True, slots=True)
class Measured:
    """One run.

    lines    bytes put into the arena on the way forward, by line of the user's source (0: no line in particular)
    kept     bytes in the arena between the sweeps
    peak     the most bytes in the arena at once, on the way back too, where memory is given back frame by frame
    steps    steps of loops over `checkpoint_range` that were run without storing
    loops    the plans that they followed, for this number of steps; their `forward_steps` is the prediction
    """

    lines: dict[int, int]
    kept: int
    peak: int
    steps: int
    loops: tuple[Schedule | Given, ...]

    @property
    def predicted_steps(self) -> int:
        """The steps run without storing that the plans foretell."""
        return sum(loop.forward_steps for loop in self.loops)


class Arena(list[Any]):
    """A plain arena that counts the bytes of its records, and knows which line of the emitted text made each."""

    def __init__(self, file: str, held: Mapping[int, Sequence[int]]) -> None:
        """held: the lines of the user's source that the records of a `hold` belong to, by its line in the text."""
        super().__init__()
        self.file, self.held = file, held
        self.now = self.peak = 0
        self.lines: Counter[int] = Counter()  # of the user's source
        self.made: Counter[int] = Counter()  # the others, by line of the emitted text

    def append(self, record: Any) -> None:
        super().append(record)
        self._came(record, _line(sys._getframe(1), self.file))

    def extend(self, records: Iterable[Any]) -> None:
        at = _line(sys._getframe(1), self.file)
        homes = self.held.get(at, ())
        for k, record in enumerate(records):
            super().append(record)
            self._came(record, at, homes[k] if k < len(homes) else 0)

    def _came(self, record: Any, at: int, home: int = 0) -> None:
        size = _bytes(record)
        self.now += size
        self.peak = max(self.peak, self.now)
        if home:
            self.lines[home] += size
        else:
            self.made[at] += size


def _held(text: str, homes: Mapping[str, Mapping[str, int]]) -> dict[int, list[int]]:
    """For each line of an emitted text on which records are held: the lines that they belong to, by their names."""
    found: dict[int, list[int]] = {}
    for function in ast.parse(text).body:
        own = homes.get(function.name, {}) if isinstance(function, ast.FunctionDef) else {}
        for call in ast.walk(function):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "hold":
                lines = [own.get(a.id, 0) for a in call.args[1:] if isinstance(a, ast.Name)]
                found |= dict.fromkeys(range(call.lineno, (call.end_lineno or call.lineno) + 1), lines)
    return found


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

    It is run in two sweeps, as pullbacks are. (A compiled gradient may keep less, where it runs both in one loop.)

    Errors: those of `grad`, and what `f` raises.

    >>> measured(lambda x: np.sum(x * np.exp(x)), (np.ones(10),)).kept  # (the exponentials)
    80
    """
    request = Request(f, argnums, value=True)
    passes = tuple(name for name in NAMES if name != TOGETHER)  # as compiled code is, in two sweeps
    request = replace(request, options=replace(request.options, jit=False, passes=passes))
    built = pipeline.gradient(request, tuple(map(kind_of_value, args)))
    module = load(built.text, built.entry, built.arrays, built.classes, jit=False)
    file = str(module.__file__)
    space: dict[str, Any] = {"__name__": module.__name__, "__file__": file}
    exec(compile(built.text, file, "exec"), space)  # names of its own, so that they can be watched
    space |= {own: getattr(module, own) for own in built.classes.values()}
    arenas: list[Arena] = []
    between: list[tuple[int, Counter[int], Counter[int]]] = []
    loops: list[Schedule | Given] = []
    steps = Counter[str]()
    derived = built.derived
    homes_of = {f"{name}_fwd": homes(pair) for name, pair in derived.function.pairs.items()}
    homes_of.setdefault(f"{derived.primal.name}_fwd", homes(derived.function))
    held = _held(built.text, homes_of)
    looping = [fn.steps for fn in derived.function.callees.values() if fn.steps is not None]
    trips = {call.function for steps in looping for call in steps.calls}

    def new_arena() -> Arena:
        arenas.append(Arena(file, held))
        return arenas[-1]

    def mark(arena: Arena) -> int:
        return arena.now

    def release(arena: Arena, now: int) -> None:
        arena.now = now

    def turning(reverse: Any) -> Any:
        def run(*given: Any) -> Any:
            if not between and arenas:
                between.append((arenas[0].now, Counter(arenas[0].lines), Counter(arenas[0].made)))
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

    def following(arena: Any, n: int, rows: Any) -> Any:
        loops.append(Given.of(rows))
        return given_plan(arena, n, rows)

    own = {"new_arena": new_arena, "mark": mark, "release": release, "given_plan": following}
    given_plan: Any = space.get("given_plan")
    space |= {name: function for name, function in own.items() if name in space}
    for name, value in list(space.items()):
        if name.removesuffix("_plan") in KINDS and name.endswith("_plan"):
            space[name] = planning(name.removesuffix("_plan"), value)
        elif name in trips:
            space[name] = counting(name, value)
        elif name == f"{built.fn.name}_rev":
            space[name] = turning(value)
    fresh = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    space[built.entry](*fresh)
    kept, lines, made = between[0] if between else (0, Counter[int](), Counter[int]())
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


def figures(told: Prediction, found: Measured | None = None) -> str:
    """A prediction as text: bytes by line, steps run again; what a run `found`, beside it."""
    rows = [("line", "predicted", "measured")]
    count = found.lines if found is not None else {}
    for line in sorted({*told.lines, *count}, key=lambda line: line or math.inf):
        amount = in_bytes(told.lines.get(line, NONE))
        rows.append((str(line) if line else "elsewhere", amount, size(count.get(line, 0))))
    rows.append(("in all", in_bytes(told.kept), size(found.kept) if found else ""))
    rows.append(("at the most", in_bytes(told.peak), size(found.peak) if found else ""))
    if told.loops:
        rows.append(("steps run again", in_steps(told.steps), str(found.steps) if found else ""))
    widths = [max(len(row[k]) for row in rows) for k in (0, 1)]
    loops = (_loop(loop, told.loops[loop]) for loop in sorted(told.loops, key=lambda loop: loop.line))
    lines = ["kept for these arguments:"]
    for name, foretold, counted in rows:
        text = f"  {name.ljust(widths[0])}  {foretold.ljust(widths[1])}"
        lines.append((f"{text}  {counted}" if found is not None else text).rstrip())
    return "\n".join([*lines, *loops]) + "\n"


def _loop(loop: Loop, runs: Amount) -> str:
    """A loop of `checkpoint_range` in words."""
    start = f"  line {loop.line}: {loop.how}"
    if loop.plan is None:
        return f"{start}; the number of steps is known when it is run"
    most = "at most " if loop.left else ""
    held = "" if loop.bytes is None else f" in {size(loop.bytes)}{' of a file' if loop.how == 'disk' else ''}"
    often = "" if runs == ONE else f", {in_steps(runs)} times"
    n, again, places = loop.plan.n, loop.plan.forward_steps, loop.plan.places
    return f"{start}, {most}{_many(n, 'step')}: {_many(places, 'snapshot')}{held}, {again} run again{often}"


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def in_bytes(amount: Amount) -> str:
    """What is known of a number of bytes."""
    return _told(amount, size)


def in_steps(amount: Amount) -> str:
    """What is known of a number of steps."""
    return _told(amount, lambda count: f"{count:.0f}")


def _told(amount: Amount, say: Callable[[float], str]) -> str:
    if amount.exact:
        return say(amount.low)
    return (
        f"{say(amount.low)} or more"
        if math.isinf(amount.high)
        else f"{say(amount.low)} to {say(amount.high)}"
    )
