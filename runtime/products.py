"""Products of matrices where their results are wanted: in the arena, or added to an adjoint. No array in between.

BLAS forms them, as it does for `a @ b`. What is added goes through its own `beta`; matrices of one row or column,
sections and broadcast operands go the usual way.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload
from numba.np.arrayobj import make_array

from s2sad_runtime.arrays import accumulate, apart
from s2sad_runtime.compiled import jit
from s2sad_runtime.records import real_slots

POINTER, WORD, CHAR, INT32 = ir.IntType(8).as_pointer(), ir.IntType(64), ir.IntType(8), ir.IntType(32)
GEMM = ir.FunctionType(
    INT32,
    [CHAR, CHAR, CHAR, WORD, WORD, WORD, POINTER, POINTER, WORD, POINTER, WORD, POINTER, POINTER, WORD],
)


@jit(inner=True)
def product_in(arena, a, b):
    """`a @ b` of two matrices, in the arena's memory."""
    made = real_slots(arena, (a.shape[0], b.shape[1]))
    np.dot(a, b, made)
    return made


@intrinsic
def _gemm_onto(typingctx, x, a, b, scale):
    """Let BLAS do x += scale * a @ b: it reads columns, so it is told x.T += scale * b.T @ a.T."""

    def gen(context, builder, signature, args):
        tx, ta, tb, _ = signature.args
        made = [make_array(t)(context, builder, v) for t, v in zip((tx, ta, tb), args, strict=False)]
        sizes = [cgutils.unpack_tuple(builder, m.shape, 2) for m in made]
        data = [builder.bitcast(m.data, POINTER) for m in made]
        (rows, columns), (_, middle) = sizes[:2]
        turned = [CHAR(ord("n" if t.layout == "C" else "t")) for t in (tx, ta, tb)]
        lead = [size[1] if t.layout == "C" else size[0] for size, t in zip(sizes, (tx, ta, tb), strict=True)]
        alpha = cgutils.alloca_once_value(builder, args[3])
        beta = cgutils.alloca_once_value(builder, context.get_constant(types.float64, 1.0))
        function = cgutils.get_or_insert_function(builder.module, GEMM, "numba_xxgemm")
        builder.call(
            function,
            [
                CHAR(ord("d")), turned[2], turned[1], columns, rows, middle, builder.bitcast(alpha, POINTER),
                data[2], lead[2], data[1], lead[1], builder.bitcast(beta, POINTER), data[0], lead[0],
            ],
        )  # fmt: skip
        return context.get_dummy_value()

    return types.none(x, a, b, scale), gen


def _onto(x_b, a, b, scale):
    """x_b += scale * a @ b."""


@overload(_onto)
def _onto_as(x_b, a, b, scale):
    arrays = (x_b, a, b)
    plain = all(isinstance(t, types.Array) and t.ndim == 2 and t.dtype == types.float64 for t in arrays)
    if not plain or x_b.layout != "C" or "A" in (a.layout, b.layout):
        return lambda x_b, a, b, scale: accumulate(x_b, scale * (a @ b))

    def onto(x_b, a, b, scale):
        (rows, middle), columns = a.shape, b.shape[1]
        fits = x_b.shape == (rows, columns) and b.shape[0] == middle
        if fits and min(rows, columns) > 1 and middle > 0 and apart(x_b, a) and apart(x_b, b):
            _gemm_onto(x_b, a, b, float(scale))
        else:
            accumulate(x_b, scale * (a @ b))

    return onto


@jit(inner=True)
def add_product(x_b, a, b, scale=1.0):
    """x_b += scale * a @ b of two matrices."""
    _onto(x_b, a, b, scale)


@jit(inner=True)
def add_outer(x_b, a, b, scale=1.0):
    """x_b += scale * np.outer(a, b) of two vectors."""
    if x_b.shape == (a.size, b.size) and apart(x_b, a) and apart(x_b, b):
        for i in range(a.size):
            w = scale * a[i]
            for j in range(b.size):
                x_b[i, j] += w * b[j]
    else:
        accumulate(x_b, scale * np.outer(a, b))
