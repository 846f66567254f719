"""The pool of indices where names may look at parts of an entity (views), and their adjoint places.

An entity (an array in memory) gets a number when it is born: its row in a table that notes its index in the pool,
where its memory begins and how many bytes it has. A part of it is one more name. On the way back the adjoint of
what a name looks at stands as far into the entity's place, with the same strides, as the name's memory into the
entity's: so parts overlap in the adjoint as they do in the program.

Such a pool is one of `indices` with three words more: the address of the table, its room and the rows in it.
"""

from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import get_itemsize, make_array, populate_array

from s2sad_runtime.arena import ARENA, TOP, borrow
from s2sad_runtime.arrays import GAPS
from s2sad_runtime.compiled import jit
from s2sad_runtime.indices import FIRST_SIZE, FREE, HIGHEST, SIZE, TABLE, pool_new, pool_release, pool_share
from s2sad_runtime.records import int_slots, real_slots
from s2sad_runtime.views import (
    BELOW,
    BIT,
    COMPLEX,
    DATA,
    INT,
    REAL,
    SHAPE,
    STORED,
    TAG,
    TAG_UNIT,
    WRONG_RECORD,
    address,
    assign,
    code_of,
    field,
    itemsize,
)
from s2sad_runtime.words import I64, peek, poke

LIVES, ROOM, COUNT = 4, 5, 6
INDEX, BEGIN, BYTES = 0, 8, 16  # offsets in a row of the table
ROW = 24
WIDTH = "an array that other names look at parts of has to be of float64, int64, bool or complex128"
PART = TAG_UNIT // 2  # in the tag of a record: strides follow the shape


@jit(inner=True)
def new_parts(arena):
    """A pool without entities."""
    pool = int_slots(arena, (7,))
    table, lives = int_slots(arena, (FIRST_SIZE,)), int_slots(arena, (FIRST_SIZE * ROW // 8,))
    pool[TABLE], pool[SIZE], pool[HIGHEST], pool[FREE] = address(table), FIRST_SIZE, 0, 0
    pool[LIVES], pool[ROOM], pool[COUNT] = address(lives), FIRST_SIZE, 0
    return pool


@jit(inner=True)
def part_new(arena, pool, a):
    """A number for the entity `a` just born, which has one name."""
    pool[COUNT] += 1
    if pool[COUNT] == pool[ROOM]:
        words = pool[ROOM] * ROW // 8
        lives = int_slots(arena, (2 * words,))
        for k in range(words):
            lives[k] = peek(pool[LIVES] + 8 * k)
        pool[LIVES], pool[ROOM] = address(lives), 2 * pool[ROOM]
    row = pool[LIVES] + ROW * pool[COUNT]
    low, high = 0, itemsize(a)
    for k in range(a.ndim):
        way = (a.shape[k] - 1) * a.strides[k]
        low, high = low + min(way, 0), high + max(way, 0)
    poke(row + INDEX, pool_new(arena, pool))
    poke(row + BEGIN, address(a) + low)
    poke(row + BYTES, high - low)
    return pool[COUNT]


@jit(inner=True)
def part_share(pool, number):
    """The same number, for one more name of the entity or of a part of it."""
    pool_share(pool, peek(pool[LIVES] + ROW * number + INDEX))
    return number


@jit(inner=True)
def part_end(pool, number):
    """One name less; with the last one the entity's index is free."""
    pool_release(pool, peek(pool[LIVES] + ROW * number + INDEX))


@jit(inner=True)
def part_place(arena, places, number, like, layer, pool):
    """The adjoint of what `like` looks at in the entity of that number; zeros at first touch."""
    row = pool[LIVES] + ROW * number
    index, words = peek(row + INDEX), (peek(row + BYTES) + 7) // 8
    if places[layer, index, 0] == 0 or places[layer, index, 1] != words:
        made = real_slots(arena, (words,))
        made[:] = 0.0
        places[layer, index, 0], places[layer, index, 1] = address(made), words
    return _over(places[layer, index, 0] + address(like) - peek(row + BEGIN), like)


@jit(inner=True)
def part_at(places, number, array, layer, like):
    """Let the number of parameter `like` lead to an array there is, its adjoint (ValueError where strides differ)."""
    for k in range(like.ndim):
        if like.shape[k] > 1 and like.strides[k] != array.strides[k]:
            raise ValueError(GAPS)
    words = (like.size * itemsize(like) + 7) // 8
    places[layer, number, 0], places[layer, number, 1] = address(array), words


@jit(inner=True)
def own_as(arena, a):
    """A copy of `a` in the arena's memory, that lies there column by column where `a` does; no record."""
    made = _alike(borrow(arena, a.size * itemsize(a)), a)
    assign(made, a)
    return made


@intrinsic
def _alike(typingctx, at, a):
    """An array of a's shape, dtype and order of axes over the memory at `at`, without gaps."""
    aty = types.Array(a.dtype, a.ndim, "F" if a.layout == "F" else "C")

    def gen(context, builder, signature, args):
        shape = cgutils.unpack_tuple(builder, make_array(a)(context, builder, args[1]).shape, a.ndim)
        step, strides = I64(get_itemsize(context, aty)), []
        for n in shape if aty.layout == "F" else reversed(shape):
            strides.append(step)
            step = builder.mul(step, n)
        return _strided(
            context, builder, aty, args[0], shape, strides if aty.layout == "F" else strides[::-1]
        )

    return aty(types.int64, a), gen


@jit(inner=True)
def hold_part(arena, a):
    """Put array `a` itself on top, with its strides (TypeError where records have another width)."""
    if itemsize(a) != (1 if code_of(a) == BIT else 16 if code_of(a) == COMPLEX else 8):
        raise TypeError(WIDTH)
    record = borrow(arena, SHAPE + 16 * a.ndim)
    poke(record + BELOW, arena[TOP])
    poke(record + TAG, code_of(a) * TAG_UNIT + PART + a.ndim)
    poke(record + DATA, address(a))
    for k in range(a.ndim):
        poke(record + SHAPE + 8 * k, a.shape[k])
        poke(record + SHAPE + 8 * (a.ndim + k), a.strides[k])
    arena[TOP] = record


@intrinsic
def _over(typingctx, at, a):
    """An array like `a`, strides included, over the memory at `at`."""

    def gen(context, builder, signature, args):
        seen = make_array(a)(context, builder, args[1])
        shape, strides = (cgutils.unpack_tuple(builder, v, a.ndim) for v in (seen.shape, seen.strides))
        return _strided(context, builder, a.copy(readonly=False), args[0], shape, strides)

    return a.copy(readonly=False)(types.int64, a), gen


def _strided(context, builder, aty, at, shape, strides):
    made = make_array(aty)(context, builder)
    data = builder.inttoptr(at, context.get_data_type(aty.dtype).as_pointer())
    populate_array(made, data, shape, strides, I64(get_itemsize(context, aty)), None)
    return made._getvalue()


def _taker(code):
    @intrinsic
    def take_part(typingctx, arena, ndim):
        if not isinstance(ndim, types.IntegerLiteral):
            return None
        aty = types.Array(STORED[code], ndim.literal_value, "A")

        def gen(context, builder, signature, args):
            words = make_array(ARENA)(context, builder, args[0]).data
            top = builder.gep(words, [I64(TOP)])
            record = builder.load(top)
            tag = builder.load(field(builder, record, TAG))
            other = builder.icmp_signed("!=", tag, I64(code * TAG_UNIT + PART + aty.ndim))
            with cgutils.if_unlikely(builder, other):
                context.call_conv.return_user_exc(builder, TypeError, (WRONG_RECORD,))
            builder.store(builder.load(field(builder, record, BELOW)), top)
            both = [builder.load(field(builder, record, SHAPE + 8 * k)) for k in range(2 * aty.ndim)]
            at = builder.load(field(builder, record, DATA))
            return _strided(context, builder, aty, at, both[: aty.ndim], both[aty.ndim :])

        return aty(arena, ndim), gen

    return take_part


take_real_part, take_int_part = _taker(REAL), _taker(INT)
take_bit_part, take_complex_part = _taker(BIT), _taker(COMPLEX)
