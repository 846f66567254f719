"""What a tape holds, as NumPy arrays over its own memory: nothing is copied, so the tape has to outlive them."""

import ctypes
from typing import NamedTuple

import numpy as np

from s2sad_runtime.plain_tape import LINEAR, PlainTape


class Chunk(NamedTuple):
    """Numbers of arguments per statement, left-hand indices (empty on a linear tape), arguments, partials."""

    sizes: np.ndarray
    left: np.ndarray
    arguments: np.ndarray
    partials: np.ndarray


class Contents(NamedTuple):
    """Chunks in order; the highest index, indices in use at the end and at most, copies elided, bytes reserved."""

    manager: int
    chunks: tuple
    highest: int
    live: int
    most_live: int
    copies: int
    reserved: int


def contents(tape):
    """What is on a tape (compiled or plain) that has been sealed."""
    if isinstance(tape, PlainTape):
        linear = tape.manager == LINEAR
        chunk = Chunk(
            np.array(tape.sizes, np.int64),
            np.array([] if linear else tape.left, np.int64),
            np.array(tape.arguments, np.int64),
            np.array(tape.partials, np.float64),
        )
        used = sum(a.nbytes for a in chunk) + 4 * len(
            tape.uses
        )  # wider than needed: NumPy's small ints overflow
        return Contents(
            tape.manager, (chunk,), tape.highest, tape.live, tape.most_live, tape.copies, used
        )  # fmt: skip
    return _compiled(tape)


class Kept(NamedTuple):
    """Sites, left-hand indices and overwritten values (both empty on a linear tape), operands, constants."""

    sites: np.ndarray
    left: np.ndarray
    before: np.ndarray
    operands: np.ndarray
    constants: np.ndarray


def kept_contents(tape):
    """What is on a tape of values that has been sealed; beside it the vector of values at the end."""
    if isinstance(tape, PlainTape):
        chunk = Kept(
            np.array(tape.sites, np.int64),
            np.array(tape.left, np.int64),
            np.array(tape.before, np.float64),
            np.array(tape.arguments, np.int64),
            np.array(tape.constants, np.float64),
        )
        used = sum(a.nbytes for a in chunk) + 4 * len(tape.uses) + 8 * len(tape.primal)
        held = Contents(tape.manager, (chunk,), tape.highest, tape.live, tape.most_live, tape.copies, used)
        return held, np.array(tape.primal, np.float64)
    from s2sad_runtime import kept as kt
    from s2sad_runtime import tape_words as tw
    from s2sad_runtime.arena import WORDS

    start = tape.ctypes.data + 8 * WORDS
    names = ("MANAGER", "HIGHEST", "LIVE", "MOST_LIVE", "COPIES", "CHUNK", "ROOM", "PRIMAL", "PRIMAL_ROOM")
    word = {name: _read(start + getattr(tw, name)) for name in names}
    chunks, chunk = [], word["CHUNK"]
    reserved = 4 * word["ROOM"] + 8 * word["PRIMAL_ROOM"] + tw.BYTES
    while chunk:
        capacity, statements = _read(chunk + kt.HOLDS), _read(chunk + kt.STATEMENTS)
        at, left = chunk + kt.HEADER, 0 if word["MANAGER"] == LINEAR else statements
        chunks.append(
            Kept(
                _array(at + 44 * capacity, statements, np.int32),
                _array(at + 40 * capacity, left, np.uint32),
                _array(at, left, np.float64),
                _array(at + 48 * capacity, _read(chunk + kt.OPERANDS_IN), np.uint32),
                _array(at + 8 * capacity, _read(chunk + kt.CONSTANTS_IN), np.float64),
            )
        )
        reserved += kt.HEADER + 64 * capacity
        chunk = _read(chunk + kt.BEFORE)
    numbers = (word[n] for n in ("HIGHEST", "LIVE", "MOST_LIVE", "COPIES"))
    held = Contents(word["MANAGER"], tuple(reversed(chunks)), *numbers, reserved)
    values = np.zeros(word["HIGHEST"] + 1)
    known = min(values.size, word["PRIMAL_ROOM"])
    values[:known] = _array(word["PRIMAL"], known, np.float64)
    return held, values


def loaded(manager, highest, live, most_live, copies, *arrays):
    """What was on a tape, from a file: one chunk."""
    arrays = (a.astype(t) for a, t in zip(arrays, (np.int64, np.int64, np.int64, np.float64), strict=True))
    chunk = Chunk(*arrays)
    used = sum(a.nbytes for a in chunk)
    return Contents(manager, (chunk,), highest, live, most_live, copies, used)


def _compiled(tape):
    from s2sad_runtime import tape_words as tw
    from s2sad_runtime.arena import WORDS

    start = tape.ctypes.data + 8 * WORDS
    word = {name: _read(start + getattr(tw, name)) for name in
            ("MANAGER", "HIGHEST", "LIVE", "MOST_LIVE", "COPIES", "CHUNK", "ROOM")}  # fmt: skip
    chunks, reserved, chunk = [], 4 * word["ROOM"] + tw.BYTES, word["CHUNK"]
    while chunk:
        capacity = _read(chunk + tw.HOLDS)
        filled, statements = _read(chunk + tw.FILLED), _read(chunk + tw.STATEMENTS)
        at = chunk + tw.HEADER
        left = 0 if word["MANAGER"] == LINEAR else statements
        chunks.append(
            Chunk(
                _array(at + 16 * capacity, statements, np.uint8),
                _array(at + 12 * capacity, left, np.uint32),
                _array(at + 8 * capacity, filled, np.uint32),
                _array(at, filled, np.float64),
            )
        )
        reserved += tw.HEADER + 17 * capacity
        chunk = _read(chunk + tw.BEFORE)
    numbers = (word[n] for n in ("HIGHEST", "LIVE", "MOST_LIVE", "COPIES"))
    return Contents(word["MANAGER"], tuple(reversed(chunks)), *numbers, reserved)


def _read(address):
    return ctypes.c_int64.from_address(address).value


def _array(address, count, dtype):
    size = np.dtype(dtype).itemsize * count
    return np.frombuffer((ctypes.c_char * size).from_address(address), dtype) if size else np.empty(0, dtype)


class Entities(NamedTuple):
    """Sites, numbers of words of data, indices, data."""

    sites: np.ndarray
    sizes: np.ndarray
    indices: np.ndarray
    data: np.ndarray


class Pool(NamedTuple):
    """Indices of arrays of so many axes: the highest, those in use at the end and at most, how large each array gets."""

    highest: int
    live: int
    most_live: int
    copies: int
    sizes: np.ndarray


class Rows(NamedTuple):
    """Indices of values of so many numbers: as in a Pool; beside them a row of fields per index."""

    highest: int
    live: int
    most_live: int
    copies: int
    fields: np.ndarray


def entity_contents(tape, axes, sizes):
    """What is on a sealed tape of entities; beside it the vector of numbers at the end, and the pools of arrays by axes,
    of values by numbers of fields: of all these, be there any or none.
    """
    held, values, pools, kinds = _entity_contents(tape)
    pools = {n: pools.get(n) or Pool(0, 0, 0, 0, np.zeros(1, np.int64)) for n in axes}
    return held, values, pools, {n: kinds.get(n) or Rows(0, 0, 0, 0, np.zeros((1, n))) for n in sizes}


def _entity_contents(tape):
    if isinstance(tape, PlainTape):
        chunk = Entities(
            np.array(tape.sites, np.int64),
            np.array(tape.sizes, np.int64),
            np.array(tape.arguments, np.int64),
            np.array(tape.constants, np.float64),
        )
        pools = {
            axes: Pool(p.highest, p.live, p.most_live, p.copies, np.array(p.primal, np.int64))
            for axes, p in sorted(tape.pools.items())
        }
        kinds = {}
        for size, p in sorted(tape.kinds.items()):
            fields = np.zeros(size * (p.highest + 1))
            fields[size:] = p.primal[size : fields.size]
            kinds[size] = Rows(p.highest, p.live, p.most_live, p.copies, fields.reshape(-1, size))
        used = sum(a.nbytes for a in chunk) + 8 * len(tape.primal)
        held = Contents(tape.manager, (chunk,), tape.highest, tape.live, tape.most_live, tape.copies, used)
        return held, np.array(tape.primal, np.float64), pools, kinds
    from s2sad_runtime import entities as en
    from s2sad_runtime import tape_words as tw
    from s2sad_runtime.arena import WORDS

    start = tape.ctypes.data + 8 * WORDS
    word = _words(start)
    chunks, chunk, reserved = [], word["CHUNK"], 4 * word["ROOM"] + 8 * word["PRIMAL_ROOM"] + tw.BYTES
    while chunk:
        capacity, statements = _read(chunk + en.HOLDS), _read(chunk + en.STATEMENTS)
        data, items = _read(chunk + en.DATA_HELD), _read(chunk + en.ITEMS_HELD)
        at = chunk + en.HEADER
        indices = at + 8 * data
        sites = indices + 4 * items
        chunks.append(
            Entities(
                _array(sites, statements, np.int32),
                _array(sites + 4 * capacity, statements, np.int32),
                _array(indices, _read(chunk + en.ITEMS_IN), np.uint32),
                _array(at, _read(chunk + en.DATA_IN), np.float64),
            )
        )
        reserved += en.HEADER + 8 * data + 4 * items + 8 * capacity
        chunk = _read(chunk + en.BEFORE)
    pools = {}
    for axes in range(1, tw.MOST_AXES + 1):
        pool = _read(start + tw.POOLS + 8 * (axes - 1))
        if pool:
            own = _words(pool)
            sizes = _numbers(own).astype(np.int64)
            pools[axes] = Pool(own["HIGHEST"], own["LIVE"], own["MOST_LIVE"], own["COPIES"], sizes)
            reserved += 4 * own["ROOM"] + 8 * own["PRIMAL_ROOM"] + tw.BYTES
    kinds = {}
    for size in range(2, tw.MOST_FIELDS + 1):
        pool = _read(start + tw.POOLS + 8 * (tw.MOST_AXES + size - 1))
        if pool:
            own = _words(pool)
            fields = _numbers(own, size).reshape(-1, size)
            kinds[size] = Rows(own["HIGHEST"], own["LIVE"], own["MOST_LIVE"], own["COPIES"], fields)
            reserved += 4 * own["ROOM"] + 8 * own["PRIMAL_ROOM"] + tw.BYTES
    numbers = (word[n] for n in ("HIGHEST", "LIVE", "MOST_LIVE", "COPIES"))
    held = Contents(word["MANAGER"], tuple(reversed(chunks)), *numbers, reserved)
    return held, _numbers(word), pools, kinds


def _words(start):
    from s2sad_runtime import tape_words as tw

    names = ("MANAGER", "HIGHEST", "LIVE", "MOST_LIVE", "COPIES", "CHUNK", "ROOM", "PRIMAL", "PRIMAL_ROOM")
    return {name: _read(start + getattr(tw, name)) for name in names}


def _numbers(word, size=1):
    """The vector of values of a tape (of so many numbers), up to the highest index."""
    values = np.zeros(size * (word["HIGHEST"] + 1))
    known = min(values.size, word["PRIMAL_ROOM"])
    values[:known] = _array(word["PRIMAL"], known, np.float64)
    values[:size] = 0.0
    return values
