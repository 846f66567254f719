"""LAPACK's functions that Numba doesn't call itself, in compiled code.

SciPy carries LAPACK and tells where its functions are. They are asked for when compiled code first calls them, by
that code itself: so it can be stored and loaded again in another process, and SciPy is imported where it is needed.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

from s2sad_runtime.compiled import jit

NO, YES = np.array([ord("N")], np.uint8), np.array([ord("T")], np.uint8)
LOWER, UPPER = np.array([ord("L")], np.uint8), np.array([ord("U")], np.uint8)
POINTER = ir.IntType(8).as_pointer()


@intrinsic
def call(typingctx, name, arrays):
    """Call the function `name` of LAPACK with the addresses of these arrays; numbers are arrays of one element."""
    if not isinstance(name, types.StringLiteral) or not all(isinstance(a, types.Array) for a in arrays):
        raise TypingError("a literal name, and a tuple of arrays")

    def codegen(context, builder, signature, args):
        addresses = []
        for k, ty in enumerate(signature.args[1]):
            array = context.make_array(ty)(context, builder, builder.extract_value(args[1], k))
            addresses.append(builder.bitcast(array.data, POINTER))
        made = ir.FunctionType(ir.VoidType(), [POINTER] * len(addresses)).as_pointer()
        found = _address(context, builder, name.literal_value)
        builder.call(builder.bitcast(found, made), addresses)
        return context.get_dummy_value()

    return types.none(name, arrays), codegen


def _address(context, builder, name):
    """Where the function is; asked for once."""
    place = cgutils.add_global_variable(builder.module, POINTER, builder.module.get_unique_name(name))
    place.linkage, place.initializer = "internal", ir.Constant(POINTER, None)
    with builder.if_then(cgutils.is_null(builder, builder.load(place)), likely=False):
        python = context.get_python_api(builder)
        held = python.gil_ensure()
        module = python.import_module(
            context.insert_const_string(builder.module, "scipy.linalg.cython_lapack")
        )
        table = python.object_getattr_string(module, "__pyx_capi__")
        capsule = python.dict_getitem_string(table, name)
        word = ir.FunctionType(POINTER, [python.pyobj])
        named = cgutils.get_or_insert_function(builder.module, word, "PyCapsule_GetName")
        word = ir.FunctionType(POINTER, [python.pyobj, POINTER])
        where = cgutils.get_or_insert_function(builder.module, word, "PyCapsule_GetPointer")
        builder.store(builder.call(where, [capsule, builder.call(named, [capsule])]), place)
        python.decref(table)
        python.decref(module)
        python.gil_release(held)
    return builder.load(place)


@jit(inner=True)
def number(k):
    """A whole number as LAPACK takes it."""
    return np.full(1, k, np.intc)


@jit(inner=True)
def gesv(a, pivots, b):
    """Solve with the matrix whose columns are the rows of `a`, which its factors replace; not 0 if it is singular.

    The rows of `b` are right sides, and become the solutions.
    """
    n, info = number(a.shape[0]), number(0)
    call("dgesv", (n, number(b.shape[0]), a, n, pivots, b, n, info))
    return info[0]


@jit(inner=True)
def getrs(lu, pivots, b, turned):
    """Solve with the factors that `gesv` left; the rows of `b` are right sides, and become the solutions."""
    n, info = number(lu.shape[0]), number(0)
    call("dgetrs", (YES if turned else NO, n, number(b.shape[0]), lu, n, pivots, b, n, info))


@jit(inner=True)
def trtrs(a, b, lower, turned, unit):
    """Solve with one triangle of `a`: the rows of `b` are right sides, and become solutions; not 0 if it is singular."""
    n, info = number(a.shape[0]), number(0)
    side = UPPER if lower else LOWER  # the columns of LAPACK's matrix are our rows
    over, ones = NO if turned else YES, UPPER if unit else NO
    call("dtrtrs", (side, over, ones, n, number(b.shape[0]), a, n, b, n, info))
    return info[0]
