"""Arrays over the pool's memory: results, which are the user's own and outlive the call, and adjoints of a sweep.

When they go, big ones give their memory back. Fresh pages cost more than what is computed on them: a gradient of 8 MB in
new memory takes 6 ms to be zeroed, in memory that was used before 1 ms.
"""

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from s2sad_runtime.arena import COLOURS, coloured
from s2sad_runtime.compiled import callback, jit
from s2sad_runtime.pool import BIG, give, take
from s2sad_runtime.words import I64, peek

DESTRUCTOR = "s2sad_result_destructor"


@callback(types.void(types.intp, types.intp, types.intp))
def _destroy(words, size, info):
    """Called with the last reference to an array, on whatever thread."""
    give(peek(words))


llvm.add_symbol(DESTRUCTOR, _destroy.address)


def _maker(alike):
    """What makes arrays over blocks; `alike`: by columns where the model lies so."""

    @intrinsic
    def over(typingctx, block, at, x):
        """An array of x's shape and type at an address in a block, which it gives back with its last reference."""

        def gen(context, builder, signature, args):
            model = make_array(x)(context, builder, args[2])
            destructor = cgutils.get_or_insert_function(
                builder.module,
                ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, I64, cgutils.voidptr_t]),
                DESTRUCTOR,
            )
            info = context.nrt.meminfo_alloc_dtor(
                builder, I64(8), builder.bitcast(destructor, cgutils.voidptr_t)
            )
            word = builder.bitcast(context.nrt.meminfo_data(builder, info), I64.as_pointer())
            builder.store(args[0], word)
            shape = cgutils.unpack_tuple(builder, model.shape, x.ndim)
            strides = [model.itemsize] if shape else []
            for length in shape[:-1] if layout == "F" else reversed(shape[1:]):
                strides.append(builder.mul(strides[-1], length))
            strides = strides if layout == "F" else strides[::-1]
            made = make_array(signature.return_type)(context, builder)
            data = builder.inttoptr(args[1], made.data.type)
            populate_array(made, data, shape, strides, model.itemsize, info)
            return made._getvalue()

        layout = "F" if alike and x.layout == "F" else "C"
        return types.Array(x.dtype, x.ndim, layout)(types.int64, types.int64, x), gen

    return over


_over, _over_alike = _maker(False), _maker(True)


@jit(inner=True)
def room_of(x):
    """A C-contiguous array of x's shape and dtype, contents undefined."""
    if x.size * x.itemsize < BIG:
        return np.empty(x.shape, x.dtype)
    block = take(x.size * x.itemsize + COLOURS)
    return _over(block, coloured(block), x)


@jit(inner=True, apart=True)
def zeros_of(x):
    """A C-contiguous array of zeros of x's shape and dtype."""
    made = room_of(x)
    flat = made.reshape(made.size)
    for k in range(flat.size):
        flat[k] = 0
    return made


@jit(inner=True)
def pooled_zeros(x):
    """`np.zeros_like(x)`, in memory of the pool where it is big."""
    if x.size * x.itemsize < BIG:
        return np.zeros_like(x)
    block = take(x.size * x.itemsize + COLOURS)
    made = _over_alike(block, coloured(block), x)
    made[...] = 0
    return made
