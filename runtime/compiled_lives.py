"""What sweeps over tapes of entities call, compiled; arrays over heaps, for which nobody counts references."""

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic
from numba.np.arrayobj import get_itemsize, make_array

from s2sad_runtime import lives
from s2sad_runtime.arena import allocate, borrow
from s2sad_runtime.compiled import jit
from s2sad_runtime.stacks import _put_real
from s2sad_runtime.views import _array
from s2sad_runtime.words import I64

REAL = ir.DoubleType()
revive, settle = jit(inner=True)(lives.revive), jit(inner=True)(lives.settle)
field_of = jit(inner=True)(lives.field_of)


@intrinsic
def int_bits(typingctx, n):
    """A float64 with the bits of a whole number: on a tape it has the room of one, and stays exact."""

    def gen(context, builder, signature, args):
        return builder.bitcast(context.cast(builder, args[0], n, types.int64), REAL)

    return types.float64(n), gen


@jit(inner=True)
def ints_bits(a):
    """The same for every element of an array."""
    return a.astype(np.int64).view(np.float64)


@intrinsic
def bits_int(typingctx, x):
    """The whole number again."""

    def gen(context, builder, signature, args):
        return builder.bitcast(args[0], I64)

    return types.int64(types.float64), gen


@intrinsic
def entity(typingctx, heap, places, index, axes):
    """The array with an index, of a literal number of axes."""
    if not isinstance(axes, types.IntegerLiteral):
        return None
    aty = types.Array(heap.dtype, axes.literal_value, "C")

    def gen(context, builder, signature, args):
        table = make_array(places)(context, builder, args[1])
        row = builder.mul(context.cast(builder, args[2], index, types.int64), I64(1 + aty.ndim))
        words = [
            builder.load(builder.gep(table.data, [builder.add(row, I64(k))])) for k in range(1 + aty.ndim)
        ]
        data = builder.ptrtoint(make_array(heap)(context, builder, args[0]).data, I64)
        start = builder.add(data, builder.mul(words[0], I64(get_itemsize(context, heap))))
        return _array(context, builder, aty, start, words[1:])

    return aty(heap, places, index, axes), gen


@jit(inner=True)
def adjoint_room():
    """The memory that a sweep takes for the adjoints of arrays."""
    return allocate()


@jit(inner=True)
def touched(room, places, bars, index):
    """Where the adjoint of an array is; when it is touched first it gets memory, for the array as large as it gets."""
    at = bars[index]
    if at == 0:
        size = places[index + 1, 0] - places[index, 0]
        at = borrow(room, 8 * size)
        for k in range(size):
            _put_real(at + 8 * k, 0.0)
        bars[index] = at
    return at


@intrinsic
def adjoint(typingctx, room, places, bars, index, axes):
    """The adjoint of the array with an index, of a literal number of axes."""
    if not isinstance(axes, types.IntegerLiteral):
        return None
    aty = types.Array(types.float64, axes.literal_value, "C")
    one = types.functions.Dispatcher(touched)
    given = (room, places, bars, types.int64)
    one.get_call_type(typingctx, given, {})

    def gen(context, builder, signature, args):
        row = context.cast(builder, args[3], index, types.int64)
        start = context.get_function(one, one.get_call_type(typingctx, given, {}))(builder, (*args[:3], row))
        table = make_array(places)(context, builder, args[1])
        first = builder.mul(row, I64(1 + aty.ndim))
        shape = [
            builder.load(builder.gep(table.data, [builder.add(first, I64(1 + k))])) for k in range(aty.ndim)
        ]
        return _array(context, builder, aty, start, shape)

    return aty(room, places, bars, index, axes), gen


@intrinsic
def given_array(typingctx, data, here, axes):
    """An array among the data of a statement: its shape, then its elements."""
    if not isinstance(axes, types.IntegerLiteral):
        return None
    aty = types.Array(types.float64, axes.literal_value, "C")

    def gen(context, builder, signature, args):
        words = builder.gep(make_array(data)(context, builder, args[0]).data, [args[1]])
        shape = [builder.fptosi(builder.load(builder.gep(words, [I64(k)])), I64) for k in range(aty.ndim)]
        start = builder.ptrtoint(builder.gep(words, [I64(aty.ndim)]), I64)
        return _array(context, builder, aty, start, shape)

    return aty(data, types.int64, axes), gen
