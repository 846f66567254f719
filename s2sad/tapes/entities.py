"""Tapes of entities: a statement's slopes are not stored, but worked out in every sweep by code made for the program."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from s2sad.errors import ArgumentError
from s2sad.handlers.putting import FIRST
from s2sad.tapes.sparse import Sparsity
from s2sad.tapes.stats import Stats
from s2sad.tapes.sweeps import TOGETHER, in_parts
from s2sad.tapes.tape import Tape

Array = np.ndarray[Any, Any]
ELEMENTS = "record without entities=True"


@dataclass(frozen=True, slots=True)
class Heap:
    """All arrays of so many axes: their numbers, and per index where an array begins, and its shape.

    The last row tells where the room of the last array ends.
    """

    reals: Array
    places: Array

    def at(self, index: int) -> Array:
        """The array with an index."""
        start, *shape = self.places[index].tolist()
        return self.reals[start : start + int(np.prod(shape))].reshape(shape)


def heap_of(axes: int, sizes: Array) -> Heap:
    """An empty heap, with room for arrays as large as they get."""
    places = np.zeros((sizes.size + 1, 1 + axes), np.int64)
    places[2:, 0] = np.cumsum(sizes[1:])
    return Heap(np.zeros(int(sizes[1:].sum())), places)


@dataclass(frozen=True, slots=True)
class Spot:
    """An index (0: passive); of a field of a value, how many fields there are, and which it is."""

    index: int
    size: int = 1
    field: int = 0


@dataclass(frozen=True, slots=True)
class Known:
    """Where arguments and results are among the entities, by leaf."""

    inputs: Mapping[str, Spot]
    outputs: Mapping[str, Spot]


class EntityTape(Tape):
    """A recorded run whose arrays have one index each.

    known           indices of arguments and results
    values, arrays  the numbers at the end, by index; arguments and results that are arrays at the end: (index, array)
    pools           what is known of the indices of arrays, by their number of axes
    kinds           the same of values of several numbers, by how many; with their fields at the end, a row per index
    sweeps          the functions for a chunk, backwards and forwards
    """

    def __init__(
        self, *given: Any, known: Known, values: Array, arrays: Sequence[tuple[int, Array]], pools: Mapping[int, Any],
        kinds: Mapping[int, Any], sweeps: Sequence[Callable[..., Any]],
    ) -> None:  # fmt: skip
        super().__init__(*given)
        self._known, self._values, self._pools = known, values, dict(pools)
        self._kinds = dict(kinds)
        self._back, self._on, *self._room = sweeps
        self._end = {axes: heap_of(axes, pool.sizes) for axes, pool in self._pools.items()}
        for index, array in arrays:
            heap = self._end[array.ndim]
            heap.places[index, 1:] = array.shape
            heap.at(index)[...] = array
        self._begin: State | None = None

    # ----- sweeps

    def _adjoints(self, seeds: Mapping[str, Any], several: int) -> dict[str, Any]:
        if several > TOGETHER:
            return in_parts(self._adjoints, seeds, several)
        bars = self._back_along(seeds, several)[1]
        return {p: bars.taken(spot, self._inputs[p].shape) for p, spot in self._known.inputs.items()}

    def _tangents(self, given: Mapping[str, Any], several: int) -> dict[str, Any]:
        if several > TOGETHER:
            return in_parts(self._tangents, given, several)
        return self._on_along(given, several)

    def _dense(self) -> Array:
        results = [(r, i.shape) for r, i in self._outputs.items()]
        inputs = [(p, i.shape) for p, i in self._inputs.items()]
        rows, columns = (sum(int(np.prod(s, dtype=int)) for _, s in part) for part in (results, inputs))
        if rows < columns:
            found = self._adjoints(unit(results, rows), rows) if rows else {}
            return (
                np.hstack([found[p].reshape(rows, -1) for p, _ in inputs]) if rows else np.zeros((0, columns))
            )
        found = self._tangents(unit(inputs, columns), columns) if columns else {}
        return (
            np.hstack([found[r].reshape(columns, -1) for r, _ in results]).T
            if columns
            else np.zeros((rows, 0))
        )

    def _back_along(self, seeds: Mapping[str, Any], several: int) -> tuple[State, Bars]:
        """What there is at the beginning; the adjoints there, a row per direction."""
        state = State(self._values, self._end, {n: kind.fields for n, kind in self._kinds.items()}).copy()
        bars = Bars(state, several, *(new() for new in self._room))
        for r, seed in seeds.items():
            if self._known.outputs[r].index != 0:
                bars.add(self._known.outputs[r], bars.given(seed))
        pieces = [bars.room] if state.arrays else []
        pieces += [
            a for n, h in state.arrays.items() for a in (h.reals, h.places, bars.tables[n], bars.seen[n])
        ]
        pieces += [a for n in state.fields for a in (state.fields[n], bars.fields[n])]
        with np.errstate(all="ignore"):
            for chunk in reversed(self._held.chunks):
                self._back(*chunk, state.numbers, bars.numbers, *pieces)
        return state, bars

    def _on_along(self, directions: Mapping[str, Any], several: int) -> dict[str, Any]:
        """The derivative of every result, a row per direction."""
        if self._begin is None:  # (what a sweep without an adjoint leaves)
            self._begin = self._back_along({}, 0)[0]
        state = self._begin.copy()
        dots = Rows(state, several)
        for p, direction in directions.items():
            rows = dots.given(direction)
            dots.of(self._known.inputs[p], rows.shape[1:])[...] = rows
        pieces = [a for n, h in state.arrays.items() for a in (h.reals, h.places, dots.arrays[n])]
        pieces += [a for n in state.fields for a in (state.fields[n], dots.fields[n])]
        with np.errstate(all="ignore"):
            for chunk in self._held.chunks:
                self._on(*chunk, state.numbers, dots.numbers, *pieces)
        return {r: dots.taken(spot, self._outputs[r].shape) for r, spot in self._known.outputs.items()}

    # ----- what is on it

    def stats(self) -> Stats:
        """Counts and bytes; printed as a table. Indices are those of numbers, of arrays and of values together."""
        chunks, linear = self._held.chunks, self.index == "linear"
        pools = [p for p in (*self._pools.values(), *self._kinds.values()) if p.highest > 0]
        ends = sum(int((c.sites < FIRST).sum()) for c in chunks)
        statements = sum(c.sites.size for c in chunks)
        items, words = (
            sum(a.size for a in part) for part in ([c.indices for c in chunks], [c.data for c in chunks])
        )
        highest = self._held.highest + sum(p.highest for p in pools)
        most = self._held.most_live + sum(p.most_live for p in pools)
        numbers = self._held.highest + (self._held.highest > 0)  # (with place 0, which is nobody's)
        numbers += sum(h.reals.size for h in self._end.values())
        numbers += sum(kind.fields.size for kind in self._kinds.values() if kind.highest > 0)
        counts = 0 if linear else 4 * (highest + 1 + len(pools))
        tape, values = 8 * statements + 4 * items + 8 * words, 8 * numbers
        return Stats(
            inputs=self._count, statements=statements - ends, arguments=items,
            copies_elided=self._held.copies + sum(p.copies for p in pools), index_max=highest,
            index_live_max=highest if linear else most, adjoint_bytes=values, index_bytes=4 * items,
            use_count_bytes=counts, tape_bytes=tape, primal_bytes=values, total_bytes=tape + 2 * values + counts,
            reserved_bytes=self._held.reserved, formula_bytes=values + 4 * items + counts,
        )  # fmt: skip

    def sparsity(self, argnums: int | None = None) -> Sparsity:
        """Elements have no indices of their own here, so a pattern can't be read off."""
        raise ArgumentError("a tape of entities has no pattern of elements", code="S097", hint=ELEMENTS)

    def save(self, path: str | Path) -> None:
        """A tape of entities needs the code made for its program: it can't be written to a file."""
        raise ArgumentError("a tape of entities can't be saved", code="S097", hint=ELEMENTS)

    def dot(self) -> str:
        """A graph is drawn of a tape of slopes."""
        raise ArgumentError("a tape of entities can't be drawn", code="S097", hint=ELEMENTS)


@dataclass(frozen=True, slots=True)
class State:
    """What there is at one place of a run: numbers, arrays by their number of axes, values by their number of fields."""

    numbers: Array
    arrays: Mapping[int, Heap]
    fields: Mapping[int, Array]

    def copy(self) -> State:
        """The same, which may change."""
        arrays = {n: Heap(h.reals.copy(), h.places.copy()) for n, h in self.arrays.items()}
        return State(self.numbers.copy(), arrays, {n: rows.copy() for n, rows in self.fields.items()})


class Rows:
    """Adjoints or tangents beside numbers, arrays and values: a row of each per direction.

    several  how many directions; 0 for one, which has no axis of its own outside
    """

    def __init__(self, state: State, several: int) -> None:
        self.several, self.count = several, max(several, 1)
        self.numbers = np.zeros((self.count, state.numbers.size))
        self.heaps = state.arrays
        self.fields = {n: np.zeros((self.count, *rows.shape)) for n, rows in state.fields.items()}
        self.rows_of_arrays()

    def rows_of_arrays(self) -> None:
        """Make room for what stands beside arrays."""
        self.arrays = {n: np.zeros((self.count, h.reals.size)) for n, h in self.heaps.items()}

    def given(self, numbers: Array) -> Array:
        """What is given, directions last, by rows."""
        return np.moveaxis(numbers, -1, 0) if self.several else numbers[np.newaxis]

    def of(self, spot: Spot, shape: Sequence[int]) -> Array:
        """The rows of an index."""
        if spot.size > 1:
            return self.fields[spot.size][:, spot.index, spot.field]
        if not shape:
            return self.numbers[:, spot.index]
        return self.of_array(spot.index, shape)

    def of_array(self, index: int, shape: Sequence[int]) -> Array:
        """The rows of the index of an array."""
        start = int(self.heaps[len(shape)].places[index, 0])
        part = self.arrays[len(shape)][:, start : start + int(np.prod(shape, dtype=int))]
        return part.reshape(self.count, *shape)

    def taken(self, spot: Spot, shape: tuple[int, ...]) -> Any:
        """What a sweep leaves for an index: numbers, or arrays."""
        found = np.array(self.of(spot, shape)) if spot.index != 0 else np.zeros((self.count, *shape))
        if self.several:
            return found
        return found[0] if shape else float(found[0])


class Bars(Rows):
    """Adjoints: those of arrays get memory one by one, when they are touched first.

    room    where the sweep takes it from: an arena, or a list of arrays
    tables  per direction and index: the address, or the place in the list; 0 for what nothing has touched
    seen    whether there is anything in it now
    """

    def __init__(self, state: State, several: int, room: Any = None) -> None:
        self.room, self.given_here = room, list[Array]()
        super().__init__(state, several)

    def rows_of_arrays(self) -> None:
        self.tables = {n: np.zeros((self.count, h.places.shape[0]), np.int64) for n, h in self.heaps.items()}
        self.seen = {n: np.zeros(table.shape, np.bool_) for n, table in self.tables.items()}

    @property
    def held(self) -> int:
        """How many bytes the adjoints of arrays have taken."""
        sizes = {n: np.diff(h.places[:, 0], append=0) for n, h in self.heaps.items()}
        return 8 * int(sum(np.sum((table != 0) * sizes[n]) for n, table in self.tables.items()))

    def add(self, spot: Spot, rows: Array) -> None:
        """Add to the rows of an index."""
        axes = rows.ndim - 1
        if not axes:
            self.of(spot, ())[...] += rows
            return
        for d in np.flatnonzero(rows.any(axis=tuple(range(1, 1 + axes)))).tolist():
            self._row(axes, d, spot.index)[: rows[d].size] += rows[d].ravel()
            self.seen[axes][d, spot.index] = True

    def _row(self, axes: int, d: int, index: int) -> Array:
        """The memory of one adjoint, which it gets now if it has none."""
        table, places = self.tables[axes], self.heaps[axes].places
        size = int(places[index + 1, 0] - places[index, 0])
        if table[d, index] == 0:
            self.given_here.append(np.zeros(size))
            if isinstance(self.room, list):
                self.room.append(self.given_here[-1])
                table[d, index] = len(self.room)
            else:
                table[d, index] = self.given_here[-1].ctypes.data
        if isinstance(self.room, list):
            return cast(Array, self.room[table[d, index] - 1])
        memory = (ctypes.c_double * size).from_address(int(table[d, index]))
        return np.ctypeslib.as_array(memory)

    def of_array(self, index: int, shape: Sequence[int]) -> Array:
        axes, size = len(shape), int(np.prod(shape, dtype=int))
        found = np.zeros((self.count, size))
        for d in np.flatnonzero(self.tables[axes][:, index]).tolist():
            found[d] = self._row(axes, d, index)[:size]
        return found.reshape(self.count, *shape)


def unit(leaves: Sequence[tuple[str, tuple[int, ...]]], size: int) -> dict[str, Array]:
    """All directions along one element each, as the last axis."""
    every, at, found = np.eye(size), 0, {}
    for name, shape in leaves:
        length = int(np.prod(shape, dtype=int))
        found[name] = every[at : at + length].reshape(*shape, size)
        at += length
    return found
