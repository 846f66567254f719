"""The arena of one call of a driver: a stack of kept arrays ("records") and all the memory that the sweeps need.

An arena is an int64 array of eight words whose destructor gives the borrowed blocks back. Its first half kilobyte
of memory comes with it; then it borrows chunks that grow, and a block for each big array. Records are a linked
list, newest first: taking one off moves a pointer and touches no data, so a fork shares the records below it.
Arrays made here own nothing and live as long as the arena. One arena serves one thread.
"""

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array
import llvmlite.binding as llvm

from s2sad_runtime.compiled import callback, jit
from s2sad_runtime.pool import give, take
from s2sad_runtime.views import (
    BELOW, BIT, COMPLEX, DATA, INT, REAL, SHAPE, STORED, TAG, TAG_UNIT, WRONG_RECORD,
    address, array_of, assign, carve, code_of, count, field, has_shape, itemsize, over, over_like, write_shape,
)  # fmt: skip
from s2sad_runtime.words import I64, peek, poke

NEXT, END, TOP, BLOCK, CHUNK, PARENT, BOTTOM, BOTTOM_TAG = range(8)  # words of an arena; the last two: a record of no type
WORDS = 8
INSIDE = 512  # bytes that come with it
FIRST_CHUNK, LAST_CHUNK = 1 << 14, 1 << 24
ALIGNED = 4096  # arrays from this size on start at a cache line
TOO_BIG = 1 << 47
LINK = 56  # offset before a block's memory where its header has a word for us: the block borrowed before
OUT_OF_RANGE = "an array of that shape is too big"
ARENA = types.Array(types.int64, 1, "C")
DESTRUCTOR = "s2sad_arena_destructor"


@intrinsic
def _drop(typingctx, meminfo):
    """Let go of a reference, by the address of what counts it."""

    def gen(context, builder, signature, args):
        decref = cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t]), "NRT_decref")
        builder.call(decref, [builder.inttoptr(args[0], cgutils.voidptr_t)])
        return context.get_dummy_value()

    return types.void(types.int64), gen


@callback(types.void(types.intp, types.intp, types.intp))
def _destroy(words, size, info):
    """Called with the last reference to an arena or a stack, on whatever thread."""
    block = peek(words + 8 * BLOCK)
    while block != 0:
        older = peek(block - LINK)
        give(block)
        block = older
    if peek(words + 8 * PARENT) != 0:
        _drop(peek(words + 8 * PARENT))


llvm.add_symbol(DESTRUCTOR, _destroy.address)


@intrinsic
def allocate(typingctx):
    """An arena without memory but its own, and without records."""

    def gen(context, builder, signature, args):
        destructor = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, I64, cgutils.voidptr_t]), DESTRUCTOR
        )
        info = context.nrt.meminfo_alloc_dtor(builder, I64(8 * WORDS + INSIDE), builder.bitcast(destructor, cgutils.voidptr_t))
        words = builder.bitcast(context.nrt.meminfo_data(builder, info), I64.as_pointer())
        start = builder.ptrtoint(words, I64)
        first = builder.add(start, I64(8 * WORDS))
        content = {
            NEXT: first, END: builder.add(first, I64(INSIDE)), TOP: builder.add(start, I64(8 * BOTTOM)),
            CHUNK: I64(FIRST_CHUNK), BLOCK: I64(0), PARENT: I64(0), BOTTOM: I64(0), BOTTOM_TAG: I64(0),
        }  # fmt: skip
        for k, word in content.items():
            builder.store(word, builder.gep(words, [I64(k)]))
        made = make_array(ARENA)(context, builder)
        populate_array(made, words, [I64(WORDS)], [I64(8)], I64(8), info)
        return made._getvalue()

    return ARENA(), gen


@jit(inner=True)
def new_arena():
    """The arena of one call: half a kilobyte; more is borrowed when it is needed."""
    return allocate()


@jit(inner=True)
def borrow(arena, nbytes):
    """Address of `nbytes` of the arena's memory."""
    at = arena[NEXT]
    end = at + ((nbytes + 15) & -16)
    if end > arena[END]:
        return _more(arena, nbytes)
    arena[NEXT] = end
    return at


@jit(inner=True)
def _more(arena, nbytes):
    """A new chunk for small needs, a block of its own for a big one; blocks are chained by age."""
    chunk = arena[CHUNK]
    arena[CHUNK] = min(4 * chunk, LAST_CHUNK)
    own_block = 2 * nbytes > chunk
    block = take(nbytes + ALIGNED if own_block else chunk)
    poke(block - LINK, arena[BLOCK])
    arena[BLOCK] = block
    if own_block:  # begin at different cache sets: big blocks are all aligned alike
        return block + 64 * ((block >> 21) * 37 & 63)
    arena[NEXT] = block + ((nbytes + 15) & -16)
    arena[END] = block + chunk
    return block


@jit(inner=True)
def _record(arena, shape, tag, data):
    """Put a record on top; where `data` is 0, memory for it follows the record."""
    head = SHAPE + 8 * len(shape)
    nbytes = 0
    if data == 0:
        elements = count(shape)
        nbytes = elements * _bytes_of(tag // TAG_UNIT)
        if elements < 0 or elements > TOO_BIG:
            raise MemoryError(OUT_OF_RANGE)
    record = borrow(arena, head + nbytes + (64 if nbytes >= ALIGNED else 0))
    if data == 0:
        data = record + head
        if nbytes >= ALIGNED:
            data = (data + 63) & -64
    poke(record + BELOW, arena[TOP])
    poke(record + TAG, tag)
    poke(record + DATA, data)
    write_shape(record, shape)
    arena[TOP] = record
    return record


@jit(inner=True)
def _bytes_of(code):
    return 1 if code == BIT else 16 if code == COMPLEX else 8


@jit(inner=True)
def real_slots(arena, shape):
    """Put a fresh float64 array of `shape` on top (contents undefined) and return it."""
    return over(_record(arena, shape, REAL * TAG_UNIT + len(shape), 0), shape, REAL)


@jit(inner=True)
def int_slots(arena, shape):
    """The same of int64."""
    return over(_record(arena, shape, INT * TAG_UNIT + len(shape), 0), shape, INT)


@jit(inner=True)
def bit_slots(arena, shape):
    """The same of bool."""
    return over(_record(arena, shape, BIT * TAG_UNIT + len(shape), 0), shape, BIT)


@jit(inner=True)
def keep(arena, a):
    """Put a copy of array `a` on top."""
    record = _record(arena, a.shape, code_of(a) * TAG_UNIT + a.ndim, 0)
    assign(over_like(record, a), a)


@jit(inner=True)
def hold(arena, a):
    """Put `a` itself on top; it is the arena's memory (from `own` or slots)."""
    _record(arena, a.shape, code_of(a) * TAG_UNIT + a.ndim, address(a))


@jit(inner=True)
def restore(arena, a):
    """Take the top record off and write it into `a`."""
    record = arena[TOP]
    if peek(record + TAG) != code_of(a) * TAG_UNIT + a.ndim or not has_shape(record, a.shape):
        raise TypeError(WRONG_RECORD)
    arena[TOP] = peek(record + BELOW)
    assign(a, over_like(record, a))


@jit(inner=True)
def own(arena, a):
    """A C-contiguous copy of `a` in the arena's memory; no record."""
    nbytes = a.size * itemsize(a)
    made = carve(borrow(arena, nbytes), a)
    assign(made, a)
    return made


def _taker(code):
    @intrinsic
    def take_record(typingctx, arena, ndim):
        if not isinstance(ndim, types.IntegerLiteral):
            return None
        aty = types.Array(STORED[code], ndim.literal_value, "C")

        def gen(context, builder, signature, args):
            words = make_array(ARENA)(context, builder, args[0]).data
            top = builder.gep(words, [I64(TOP)])
            record = builder.load(top)
            tag = builder.load(field(builder, record, TAG))
            with cgutils.if_unlikely(builder, builder.icmp_signed("!=", tag, I64(code * TAG_UNIT + aty.ndim))):
                context.call_conv.return_user_exc(builder, TypeError, (WRONG_RECORD,))
            builder.store(builder.load(field(builder, record, BELOW)), top)
            return array_of(context, builder, aty, record)

        return aty(arena, ndim), gen

    return take_record


take_real, take_int, take_bit = _taker(REAL), _taker(INT), _taker(BIT)


@jit(inner=True)
def mark(arena):
    """The place to go back to by `release`."""
    return arena[NEXT], arena[END], arena[BLOCK]


@jit(inner=True)
def release(arena, m):
    """Give back the memory borrowed since `m = mark(arena)`; records put on since have been taken off."""
    while arena[BLOCK] != m[2]:
        block = arena[BLOCK]
        arena[BLOCK] = peek(block - LINK)
        give(block)
    arena[NEXT] = m[0]
    arena[END] = m[1]


@jit(inner=True)
def fork(arena):
    """An arena of its own on top of the same records; what it takes and puts leaves the original as it is."""
    made = allocate()
    made[TOP] = arena[TOP]
    made[PARENT] = _hold_on(arena)
    return made


@intrinsic
def _hold_on(typingctx, arena):
    """A new reference to an arena, as the address of what counts it."""

    def gen(context, builder, signature, args):
        context.nrt.incref(builder, arena, args[0])
        return builder.ptrtoint(make_array(arena)(context, builder, args[0]).meminfo, I64)

    return types.int64(arena), gen
