"""Runs emitted text with loops in threads as if each trip were a thread of its own, and finds what they would race for.

Trips run in random order, and a name that one leaves behind means nothing to the next. An element that a trip writes must
not be met by another trip of the same loop: reading, adding and writing again are three things to a thread.
"""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import numpy as np


class Race(AssertionError):
    """Two trips of a loop meet in an element."""


class Trips:
    """The loop that is running: who has read and written which bytes. One at a time: inner loops stay in order."""

    def __init__(self, r: random.Random, threads: int) -> None:
        self.r, self.threads, self.trip = r, threads, -1
        self.written: dict[int, int] = {}
        self.readers: dict[int, set[int]] = {}
        self.loops = 0
        self.alive: list[np.ndarray] = []  # what was made meanwhile: memory isn't given out twice

    def prange(self, *bounds: int) -> Any:
        numbers = list(range(*bounds))
        if self.trip >= 0:
            yield from numbers
            return
        self.loops += 1
        self.r.shuffle(numbers)
        self.written, self.readers, self.alive = {}, {}, []
        for self.trip in numbers:
            yield self.trip
        self.trip = -1

    def note(self, part: np.ndarray, writes: bool) -> None:
        if self.trip < 0:
            return
        for k in places(part):
            if writes:
                others = self.readers.get(k, set()) - {self.trip}
                if self.written.setdefault(k, self.trip) != self.trip or others:
                    raise Race(f"trips {self.trip} and {self.written[k], *others} meet")
            else:
                if self.written.get(k, self.trip) != self.trip:
                    raise Race(f"trip {self.trip} reads what {self.written[k]} writes")
                self.readers.setdefault(k, set()).add(self.trip)


def places(part: np.ndarray) -> list[int]:
    """The addresses of elements."""
    start = part.__array_interface__["data"][0]
    found = np.zeros(part.shape, np.int64) + start
    for axis, (length, stride) in enumerate(zip(part.shape, part.strides, strict=True)):
        found += (np.arange(length) * stride).reshape([-1 if k == axis else 1 for k in range(part.ndim)])
    return found.ravel().tolist()


class Watched(np.ndarray):
    """An array that tells of reads and writes by subscript."""

    trips: Trips

    def __getitem__(self, index: Any) -> Any:
        plain = self.view(np.ndarray)
        part = plain[index]
        if isinstance(part, np.ndarray) and part.ndim:
            return watched(part)
        self.trips.note(one(plain, index), False)
        return part

    def __setitem__(self, index: Any, value: Any) -> None:
        plain = self.view(np.ndarray)
        self.trips.note(one(plain, index), True)
        plain[index] = value

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        for a in inputs:
            if isinstance(a, Watched):
                self.trips.note(a.view(np.ndarray), False)
        out = kwargs.pop("out", ())
        for a in out:
            if isinstance(a, Watched):
                self.trips.note(a.view(np.ndarray), True)
        if out:
            kwargs["out"] = tuple(a.view(np.ndarray) for a in out)
        plain = [a.view(np.ndarray) if isinstance(a, Watched) else a for a in inputs]
        made = getattr(ufunc, method)(*plain, **kwargs)
        return out[0] if out else watched(made)


def one(plain: np.ndarray, index: Any) -> np.ndarray:
    """The element, or the section, as a view."""
    index = index if isinstance(index, tuple) else (index,)
    if any(i is Ellipsis for i in index):
        return plain[index]
    return plain[tuple(i if isinstance(i, slice) or i is None else slice(i, i + 1 or None) for i in index)]


def watched(value: Any) -> Any:
    """A value with its arrays watched."""
    if isinstance(value, tuple):
        return tuple(map(watched, value))
    if not isinstance(value, np.ndarray) or value.dtype == object:
        return value
    made = value.view(Watched)
    Watched.trips.alive.append(made)
    return made


def watching(f: Any) -> Any:
    """A function that gives watched arrays."""
    return lambda *args, **kwargs: watched(f(*args, **kwargs))


class Namespace:
    """NumPy, with arrays watched from birth."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(np, name)
        return watching(found) if callable(found) and not isinstance(found, type) else found


def run(text: str, entry: str, arguments: tuple[Any, ...], seed: str = "", threads: int = 3) -> Any:
    """What the entry of an emitted file gives, and how many loops ran in threads."""
    trips = Trips(random.Random(seed), threads)
    Watched.trips = trips
    names: dict[str, Any] = {"__name__": "emitted"}
    exec(
        compile(
            text.replace("from s2sad_runtime import", "from s2sad_runtime.plain import"), "emitted", "exec"
        ),
        names,
    )
    for name, value in list(names.items()):
        home = getattr(value, "__module__", "") or ""
        if (
            callable(value)
            and home.startswith("s2sad_runtime")
            and name not in ("guarded", "jit", "require", "new_arena")
        ):
            names[name] = watching(value)
    names["np"] = Namespace()
    names["numba"] = SimpleNamespace(prange=trips.prange)
    names["thread_count"] = lambda: threads
    given = tuple(watched(a.copy()) if isinstance(a, np.ndarray) else a for a in arguments)
    return names[entry](*given), trips.loops
