"""Big blocks of memory that stay: one pool for the whole process, shared by all threads.

Fresh pages cost more than the arithmetic on them (0.4 ms per MB), so blocks are kept when they are given
back. Below 128 kB plain malloc is as quick: it has memory at hand. Big blocks are mapped in units of 64 kB,
from 2 MB on aligned to huge pages; a kept block above 16 MB is lent to the system meanwhile (MADV_FREE).
The state is a handful of words behind a named symbol, since compiled code can hold no mutable global; a
spin lock guards it.

Block: 64 bytes of header, then the memory. Header: size (negative: from malloc), and a word for the
borrower.
"""

import ctypes
import mmap
import os
from typing import NamedTuple

import llvmlite.binding as llvm
import numpy as np
from numba.core import types

from s2sad_runtime.compiled import jit
from s2sad_runtime.words import add, peek, poke, put_last, swap, symbol

BIG = 1 << 17  # from here on blocks are kept
STEP = 1 << 16
UNIT = 1 << 21  # a huge page
LAZY = 1 << 24
HEADER = 64
ENTRIES = 64
LOCK, CAP, KEPT, COUNT, LENT, TABLE = (
    0,
    8,
    16,
    24,
    64,
    128,
)  # offsets; then (address, size) of the blocks kept

_state = np.zeros((TABLE + 16 * ENTRIES) // 8, np.int64)
_state[CAP // 8] = 1 << 30
_libc = ctypes.CDLL(None)
llvm.add_symbol("s2sad_pool_state", _state.ctypes.data)
for _name in ("mmap", "munmap", "madvise", "malloc", "free", "sched_yield"):
    llvm.add_symbol(f"s2sad_{_name}", ctypes.cast(getattr(_libc, _name), ctypes.c_void_p).value)

_word, _int = types.int64, types.int32
_mmap = types.ExternalFunction("s2sad_mmap", _word(_word, _word, _int, _int, _int, _word))
_munmap = types.ExternalFunction("s2sad_munmap", _int(_word, _word))
_madvise = types.ExternalFunction("s2sad_madvise", _int(_word, _word, _int))
_malloc = types.ExternalFunction("s2sad_malloc", _word(_word))
_free = types.ExternalFunction("s2sad_free", types.void(_word))
_sched_yield = types.ExternalFunction("s2sad_sched_yield", _int())

READ_WRITE = mmap.PROT_READ | mmap.PROT_WRITE
PRIVATE = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
HUGE = getattr(mmap, "MADV_HUGEPAGE", 0)
FREE = getattr(mmap, "MADV_FREE", 0)

state = symbol("s2sad_pool_state")


@jit(inner=True)
def lock(pool):
    """Wait for the lock."""
    tries = 0
    while swap(pool + LOCK, 1) != 0:
        tries += 1
        if tries > 100:
            _sched_yield()


@jit(inner=True)
def take(nbytes):
    """Address of a block of at least `nbytes`, contents undefined. Raises MemoryError."""
    pool = state()
    if nbytes < BIG:
        raw = _malloc(nbytes + HEADER)
        if raw == 0 or nbytes < 0:
            raise MemoryError("not enough memory for what the reverse sweep keeps")
        poke(raw, -nbytes)
        add(pool + LENT, nbytes)
        return raw + HEADER
    size = (nbytes + HEADER + STEP - 1) & -STEP
    raw = _pick(pool, size)
    if raw == 0:
        raw = _fresh(size)
        poke(raw, size)
    add(pool + LENT, peek(raw))
    return raw + HEADER


@jit(inner=True)
def _pick(pool, size):
    """The smallest kept block of at least `size` and at most twice that, or 0."""
    lock(pool)
    best, best_size, count = 0, 2 * size + 1, peek(pool + COUNT)
    for at in range(pool + TABLE, pool + TABLE + 16 * count, 16):
        if size <= peek(at + 8) < best_size:
            best, best_size = at, peek(at + 8)
    raw = 0
    if best != 0:
        raw = peek(best)
        last = pool + TABLE + 16 * (count - 1)
        poke(best, peek(last))
        poke(best + 8, peek(last + 8))
        poke(pool + COUNT, count - 1)
        poke(pool + KEPT, peek(pool + KEPT) - best_size)
    put_last(pool + LOCK, 0)
    return raw


@jit(inner=True)
def _fresh(size):
    """Map `size` bytes, aligned to huge pages where they hold any."""
    few = size < UNIT
    start = _mmap(0, size if few else size + UNIT, READ_WRITE, PRIVATE, -1, 0)
    if start == -1:
        raise MemoryError("not enough memory for what the reverse sweep keeps")
    if few:
        return start
    raw = (start + UNIT - 1) & -UNIT
    if raw > start:
        _munmap(start, raw - start)
    if start + UNIT > raw:
        _munmap(raw + size, start + UNIT - raw)
    if HUGE:
        _madvise(raw, size, HUGE)
    return raw


@jit(inner=True)
def give(block):
    """Give a block back: kept for the next one who asks, or returned to the system above the cap.

    Of more blocks than the table holds the largest are kept: they cost most to be had anew.
    """
    pool = state()
    raw = block - HEADER
    size = peek(raw)
    if size <= 0:
        add(pool + LENT, size)
        _free(raw)
        return
    add(pool + LENT, -size)
    if FREE and size > LAZY:
        _madvise(raw + UNIT, size - UNIT, FREE)  # the first pages hold the size
    lock(pool)
    count, kept = peek(pool + COUNT), peek(pool + KEPT) + size
    at, less = pool + TABLE + 16 * count, 0
    if count == ENTRIES:
        at = _smallest(pool)
        less = peek(at + 8)
    gone, its_size = raw, size
    if less < size and kept - less <= peek(pool + CAP):
        gone, its_size = peek(at) if less else 0, less
        poke(at, raw)
        poke(at + 8, size)
        poke(pool + COUNT, min(count + 1, ENTRIES))
        poke(pool + KEPT, kept - less)
    put_last(pool + LOCK, 0)
    if gone != 0:
        _munmap(gone, its_size)


@jit(inner=True)
def _smallest(pool):
    """Where the smallest block of a full table stands."""
    found = pool + TABLE
    for at in range(pool + TABLE, pool + TABLE + 16 * ENTRIES, 16):
        if peek(at + 8) < peek(found + 8):
            found = at
    return found


@jit(nogil=True)
def release_memory():
    """Return all kept blocks to the system; the number of bytes."""
    pool, freed = state(), 0
    while True:
        lock(pool)
        count = peek(pool + COUNT)
        raw, size = 0, 0
        if count > 0:
            at = pool + TABLE + 16 * (count - 1)
            raw, size = peek(at), peek(at + 8)
            poke(pool + COUNT, count - 1)
            poke(pool + KEPT, peek(pool + KEPT) - size)
        put_last(pool + LOCK, 0)
        if raw == 0:
            return freed
        _munmap(raw, size)
        freed += size


class Memory(NamedTuple):
    """Bytes lent to live arenas; bytes kept for the next ones, in how many blocks; the cap on those."""

    lent: int
    kept: int
    blocks: int
    cap: int


def memory():
    """What the pool holds now, as `Memory`."""
    return Memory(*(int(_state[k // 8]) for k in (LENT, KEPT, COUNT, CAP)))


def keep_at_most(nbytes):
    """Set the cap on kept bytes (1 GiB to begin with)."""
    _state[CAP // 8] = nbytes


def _unlock_in_child():
    _state[LOCK // 8] = 0


os.register_at_fork(after_in_child=_unlock_in_child)
