"""What a tape is made of: an arena whose first words are the tape's own, and chunks of the arena's memory.

A chunk has room for so many arguments, and as many statements (a statement that is recorded has at least one
argument). Its arrays stand one behind the other: partials (float64), arguments (indices, 4 bytes), left-hand indices
(4 bytes; a linear tape needs none), numbers of arguments (1 byte). Its header tells how far it is filled.
"""

from s2sad_runtime.arena import WORDS, allocate, borrow
from s2sad_runtime.compiled import jit
from s2sad_runtime.views import address
from s2sad_runtime.words import peek, poke

LINEAR, REUSE, MULTI = 1, 2, 3

# words of a tape, as offsets from the first
(
    MANAGER, CHECK, HIGHEST, FREE, TABLE, ROOM, LIVE, MOST_LIVE, COPIES,
    CHUNK, CAPACITY, TOP, COUNT, PARTIALS, ARGUMENTS, LEFT, SIZES, VALUES,
) = range(0, 8 * 18, 8)  # fmt: skip
BYTES = 8 * 18

# words of the header of a chunk: the chunk before, its capacity, how many arguments and statements are in it
BEFORE, HOLDS, FILLED, STATEMENTS, HEADER = 0, 8, 16, 24, 32

FIRST_ROOM = 64
FIRST_CAPACITY, LAST_CAPACITY = 1 << 9, 1 << 22
LARGEST = 255  # arguments of one statement


@jit(inner=True)
def words(tape):
    """Address of the tape's first word: right behind the words of the arena."""
    return address(tape) + 8 * WORDS


@jit(inner=True)
def borrowed(tape, nbytes):
    """Address of memory of the tape."""
    return borrow(tape, nbytes)


@jit(inner=True)
def new_tape(manager, check):
    """An empty tape for one of the index managers."""
    tape = allocate()
    at = borrow(tape, BYTES)  # the first memory there is
    for k in range(0, BYTES, 8):
        poke(at + k, 0)
    poke(at + MANAGER, manager)
    poke(at + CHECK, check)
    poke(at + ROOM, FIRST_ROOM)
    poke(at + TABLE, borrow(tape, 4 * FIRST_ROOM))
    return tape


@jit(inner=True)
def seal(tape):
    """Note in the header of the chunk in use how far it is filled."""
    at = words(tape)
    chunk = peek(at + CHUNK)
    if chunk != 0:
        poke(chunk + FILLED, peek(at + TOP))
        poke(chunk + STATEMENTS, peek(at + COUNT))


@jit(inner=True)
def next_chunk(tape):
    """Begin a chunk, four times as large as the one before up to a limit."""
    at = words(tape)
    seal(tape)
    before = peek(at + CAPACITY)
    capacity = min(4 * before, LAST_CAPACITY) if before != 0 else FIRST_CAPACITY
    chunk = borrow(tape, HEADER + 17 * capacity)
    poke(chunk + BEFORE, peek(at + CHUNK))
    poke(chunk + HOLDS, capacity)
    poke(at + CHUNK, chunk)
    poke(at + CAPACITY, capacity)
    poke(at + TOP, 0)
    poke(at + COUNT, 0)
    poke(at + PARTIALS, chunk + HEADER)
    poke(at + ARGUMENTS, chunk + HEADER + 8 * capacity)
    poke(at + LEFT, chunk + HEADER + 12 * capacity)
    poke(at + SIZES, chunk + HEADER + 16 * capacity)
