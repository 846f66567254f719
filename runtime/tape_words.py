"""What a tape is made of: words, and chunks of memory of an arena of its own.

A tape is passed around as the address of its words, so that nobody counts references to it.

A chunk has room for so many arguments, and as many statements (a statement that is recorded has at least one
argument). Its arrays stand one behind the other: partials (float64), arguments (indices, 4 bytes), left-hand indices
(4 bytes; a linear tape needs none), numbers of arguments (1 byte). Its header tells how far it is filled.
"""

from s2sad_runtime.arena import WORDS, allocate, borrow
from s2sad_runtime.compiled import jit
from s2sad_runtime.views import INT, lay
from s2sad_runtime.words import peek, poke

LINEAR, REUSE, MULTI = 1, 2, 3

# words of a tape, as offsets from the first
(
    MODE, MANAGER, CHECK, HIGHEST, FREE, TABLE, ROOM, LIVE, MOST_LIVE, COPIES,
    CHUNK, CAPACITY, TOP, COUNT, PARTIALS, ARGUMENTS, LEFT, SIZES,
    KEPT, PRIMAL, PRIMAL_ROOM, CONSTANTS, OPERANDS,
    HOME, ITEMS, ITEM_ROOM, DATA, DATA_TOP, DATA_ROOM, HANDLES, POOLS,
) = range(0, 8 * 31, 8)  # fmt: skip
MOST_AXES = 8  # of an array with an index of its own
MOST_FIELDS = 16  # of a value with an index of its own
BYTES = 8 * (31 + MOST_AXES + MOST_FIELDS)

# words of the header of a chunk: the chunk before, its capacity, how many arguments and statements are in it
BEFORE, HOLDS, FILLED, STATEMENTS, HEADER = 0, 8, 16, 24, 32

FIRST_ROOM = 64
FIRST_CAPACITY, LAST_CAPACITY = 1 << 9, 1 << 22
LARGEST = 255  # arguments of one statement


@jit(inner=True)
def tape_arena():
    """The memory of a tape, which lives as long as this does."""
    return allocate()


@jit(inner=True)
def new_tape(arena, manager, check):
    """An empty tape for one of the index managers, in an arena of its own."""
    tape = borrow(arena, BYTES)  # the first memory there is: right behind the words of the arena
    for k in range(0, BYTES, 8):
        poke(tape + k, 0)
    poke(tape + HOME, tape)
    poke(tape + MANAGER, manager)
    poke(tape + CHECK, check)
    poke(tape + MODE, manager + 8 * check)  # both in one, for what is written out in `record`
    poke(tape + ROOM, FIRST_ROOM)
    poke(tape + TABLE, borrow(arena, 4 * FIRST_ROOM))
    return tape


@jit(inner=True)
def borrowed(tape, nbytes):
    """Address of memory of the tape (or of the tape that a pool belongs to)."""
    return borrow(lay(peek(tape + HOME) - 8 * WORDS, (WORDS,), INT), nbytes)


@jit(inner=True)
def seal(tape):
    """Note in the header of the chunk in use how far it is filled."""
    chunk = peek(tape + CHUNK)
    if chunk != 0:
        poke(chunk + FILLED, peek(tape + TOP))
        poke(chunk + STATEMENTS, peek(tape + COUNT))


@jit(inner=True)
def next_chunk(tape):
    """Begin a chunk, four times as large as the one before up to a limit."""
    seal(tape)
    before = peek(tape + CAPACITY)
    capacity = min(4 * before, LAST_CAPACITY) if before != 0 else FIRST_CAPACITY
    chunk = borrowed(tape, HEADER + 17 * capacity)
    poke(chunk + BEFORE, peek(tape + CHUNK))
    poke(chunk + HOLDS, capacity)
    poke(tape + CHUNK, chunk)
    poke(tape + CAPACITY, capacity)
    poke(tape + TOP, 0)
    poke(tape + COUNT, 0)
    poke(tape + PARTIALS, chunk + HEADER)
    poke(tape + ARGUMENTS, chunk + HEADER + 8 * capacity)
    poke(tape + LEFT, chunk + HEADER + 12 * capacity)
    poke(tape + SIZES, chunk + HEADER + 16 * capacity)
