"""Records: the stack of kept arrays in an arena.

The records are a linked list in the arena's memory, newest first. Taking one off moves a pointer and touches
no data, so a fork shares the records below it. A record has a tag: taking it off as something else is a
TypeError. Values are kept as float64, float32, int64, bool or complex128; arrays made here own nothing.
"""

from numba.core import cgutils, types
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from s2sad_runtime.arena import ARENA, TOP, borrow
from s2sad_runtime.compiled import jit
from s2sad_runtime.views import (
    BELOW,
    BIT,
    COMPLEX,
    DATA,
    INT,
    REAL,
    SHAPE,
    SINGLE,
    STORED,
    TAG,
    TAG_UNIT,
    WRONG_RECORD,
    address,
    array_of,
    assign,
    code_of,
    count,
    field,
    has_shape,
    is_stored,
    itemsize,
    kept_like,
    lay,
    lay_like,
    write_shape,
)
from s2sad_runtime.words import I64, copy_bytes, peek, poke

ALIGNED = 4096  # arrays from this size on start at a cache line
TOO_BIG = 1 << 47
OUT_OF_RANGE = "an array of that shape is too big"


@jit(inner=True)
def _room(arena, shape, code):
    """Address of memory for an array of the arena."""
    elements = count(shape)
    if elements < 0 or elements > TOO_BIG:
        raise MemoryError(OUT_OF_RANGE)
    nbytes = elements * (1 if code == BIT else 16 if code == COMPLEX else 4 if code == SINGLE else 8)
    if nbytes < ALIGNED:
        return borrow(arena, nbytes)
    return (borrow(arena, nbytes + 63) + 63) & -64


@jit(inner=True)
def _record(arena, shape, code, data):
    """Put a record on top, of data at that address."""
    record = borrow(arena, SHAPE + 8 * len(shape))
    poke(record + BELOW, arena[TOP])
    poke(record + TAG, code * TAG_UNIT + len(shape))
    poke(record + DATA, data)
    write_shape(record, shape)
    arena[TOP] = record


@jit(inner=True)
def real_slots(arena, shape):
    """A fresh float64 array in the arena's memory, contents undefined; `hold` puts it on top once filled."""
    return lay(_room(arena, shape, REAL), shape, REAL)


@jit(inner=True)
def int_slots(arena, shape):
    """The same of int64."""
    return lay(_room(arena, shape, INT), shape, INT)


@jit(inner=True)
def bit_slots(arena, shape):
    """The same of bool."""
    return lay(_room(arena, shape, BIT), shape, BIT)


@jit(inner=True)
def complex_slots(arena, shape):
    """The same of complex128."""
    return lay(_room(arena, shape, COMPLEX), shape, COMPLEX)


@jit(inner=True)
def single_slots(arena, shape):
    """The same of float32."""
    return lay(_room(arena, shape, SINGLE), shape, SINGLE)


@jit(inner=True)
def kept(arena, a):
    """Room for a copy of array `a`, on top."""
    data = _room(arena, a.shape, code_of(a))
    _record(arena, a.shape, code_of(a), data)
    return kept_like(arena[TOP], a)


@jit(inner=True)
def keep(arena, a):
    """Put a copy of array `a` on top."""
    assign(kept(arena, a), a)


@jit(inner=True)
def _hold(arena, a):
    """`hold` of one array."""
    if is_stored(a):
        _record(arena, a.shape, code_of(a), address(a))
    else:
        keep(arena, a)


@intrinsic
def _hold_each(typingctx, arena, arrays):
    one = types.functions.Dispatcher(_hold)
    for a in arrays:
        one.get_call_type(typingctx, (arena, a), {})

    def gen(context, builder, signature, args):
        for a, value in zip(arrays, cgutils.unpack_tuple(builder, args[1], len(arrays)), strict=True):
            made = one.get_call_type(typingctx, (arena, a), {})
            context.get_function(one, made)(builder, (args[0], value))
        return context.get_dummy_value()

    return types.none(arena, arrays), gen


@jit(inner=True)
def hold(arena, *arrays):
    """Put `arrays` themselves on top: arena memory (from `own`, slots), in final state. int32 and such: copies."""
    _hold_each(arena, arrays)


@jit(inner=True)
def taken(arena, a):
    """The top record, which is like `a`, taken off."""
    record = arena[TOP]
    if peek(record + TAG) != code_of(a) * TAG_UNIT + a.ndim or not has_shape(record, a.shape):
        raise TypeError(WRONG_RECORD)
    arena[TOP] = peek(record + BELOW)
    return kept_like(record, a)


@jit(inner=True)
def restore(arena, a):
    """Take the top record off and write it into `a`."""
    assign(a, taken(arena, a))


@jit(inner=True)
def own(arena, a):
    """A C-contiguous copy of `a` in the arena's memory; no record."""
    nbytes = a.size * itemsize(a)
    made = lay_like(borrow(arena, nbytes), a.shape, a)
    assign(made, a)
    return made


@jit(inner=True)
def grown(arena, a):
    """What is in `a` (slots that are full) in new slots, twice as many along the first axis."""
    shape = tuple_setitem(a.shape, 0, 2 * a.shape[0])
    made = lay_like(_room(arena, shape, code_of(a)), shape, a)
    assign(made[: a.shape[0]], a)
    return made


@jit(inner=True, apart=True)
def renewed(arena, a, box):
    """Put `a` itself on top of the arena, whose memory it has; the array that it goes on as.

    What is around `box` (from and to, per axis) is as it was; what is in it is undefined, and is to be given values.
    """
    _record(arena, a.shape, code_of(a), address(a))
    made = lay_like(_room(arena, a.shape, code_of(a)), a.shape, a)
    source, target = address(a), address(made)
    width, size = a.shape[a.ndim - 1], itemsize(a)
    left = min(max(box[2 * a.ndim - 2], 0), width)
    right = max(min(box[2 * a.ndim - 1], width), left)
    for row in range(a.size // max(width, 1)):
        at = row * width * size
        if _inside(row, a, box):
            copy_bytes(target + at, source + at, left * size)
            at += right * size
            copy_bytes(target + at, source + at, (width - right) * size)
        else:
            copy_bytes(target + at, source + at, width * size)
    return made


@jit(inner=True)
def _inside(row, a, box):
    """Do the first axes of a row lie in the box?"""
    for axis in range(a.ndim - 2, -1, -1):
        i = row % a.shape[axis]
        row //= a.shape[axis]
        if i < box[2 * axis] or i >= box[2 * axis + 1]:
            return False
    return True


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
            with cgutils.if_unlikely(
                builder, builder.icmp_signed("!=", tag, I64(code * TAG_UNIT + aty.ndim))
            ):
                context.call_conv.return_user_exc(builder, TypeError, (WRONG_RECORD,))
            builder.store(builder.load(field(builder, record, BELOW)), top)
            return array_of(context, builder, aty, record)

        return aty(arena, ndim), gen

    return take_record


take_real, take_int, take_bit, take_complex = _taker(REAL), _taker(INT), _taker(BIT), _taker(COMPLEX)
take_single = _taker(SINGLE)
