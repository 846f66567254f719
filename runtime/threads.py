"""What loops in threads need: how many threads there are, and records that are copied in threads.

Numba's own way to ask for the number would keep machine code out of its cache.
"""

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from s2sad_runtime.compiled import jit
from s2sad_runtime.records import kept, taken
from s2sad_runtime.views import assign

SMALL = 1 << 13  # elements that one thread copies sooner than two


@intrinsic
def thread_count(typingctx):
    """The number of threads that a loop in threads gets here."""
    numba.get_num_threads()  # starts them, which is what gives the symbol its meaning

    def gen(context, builder, signature, args):
        kind = ir.FunctionType(cgutils.intp_t, [])
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, "get_num_threads"), [])

    return types.intp(), gen


@jit(inner=True, parallel=True)
def _copy(to, come):
    """The elements of an array into another of the same shape, in threads."""
    if to.size < SMALL:
        assign(to, come)
        return
    rows, parts = to.shape[0], thread_count()
    for part in numba.prange(parts):
        first, last = part * rows // parts, (part + 1) * rows // parts
        assign(to[first:last], come[first:last])


@jit(inner=True)
def keep_shared(arena, a):
    """Put a copy of array `a` on top, made in threads."""
    _copy(kept(arena, a), a)


@jit(inner=True)
def restore_shared(arena, a):
    """Take the top record off and write it into `a`, in threads."""
    _copy(a, taken(arena, a))
