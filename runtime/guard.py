"""`guarded`: a call that loses no memory when the callee raises.

Numba drops no references on its way out with an exception. So the driver calls its sweeps through this
intrinsic and names what it alone owns: on the error path that is destroyed, whatever its count says, and
the exception goes on as it was. Never inside a `try` of the same function: its handler would see dead
arrays.
"""

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

VOID_PTR = cgutils.voidptr_t


@intrinsic
def guarded(typingctx, first, second, *args):
    """`guarded(function, keep, *args)`: `function(*args)`; if that raises, what the tuple `keep` holds is freed.

    That are arrays, arenas, stacks. `guarded(keep, function, *args)` is the same, for long calls: Numba makes a tuple
    of those, and one that begins with a function it takes for a tuple of functions.
    """
    place = int(isinstance(second, types.BaseTuple))
    function, keep = (first, second) if place else (second, first)
    called = function.get_call_type(typingctx, tuple(args), {})

    def gen(context, builder, signature, values):
        made = function.dispatcher.overloads[called.args]
        context.active_code_library.add_linking_library(made.library)
        given = cgutils.unpack_tuple(builder, values[2], len(args))
        given = [
            context.cast(builder, v, come, to) for v, come, to in zip(given, args, called.args, strict=True)
        ]
        status, result = context.call_internal_no_propagate(builder, made.fndesc, called, given)
        with cgutils.if_unlikely(builder, status.is_error):
            destroy = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(ir.VoidType(), [VOID_PTR]), "NRT_MemInfo_call_dtor"
            )
            for ty, value in zip(keep, cgutils.unpack_tuple(builder, values[place], len(keep)), strict=True):
                builder.call(destroy, [make_array(ty)(context, builder, value).meminfo])
            context.call_conv.return_status_propagate(builder, status)
        return context.get_dummy_value() if called.return_type == types.none else result

    return called.return_type(first, second, types.StarArgTuple(args)), gen
