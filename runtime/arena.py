"""The arena of one call of a driver: the memory that its sweeps need, and a stack of kept arrays.

An arena is an int64 array of a few words whose destructor gives blocks and mapped files back. Its first half
kilobyte of memory comes with it; then it borrows chunks that grow, and a block of its own for each big array.
`mark` and `release` free what was borrowed in between, `fork` starts an arena on top of the same records
(records.py). Memory of an arena lives as long as the arena; one arena serves one thread.
"""

import ctypes

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from s2sad_runtime import files
from s2sad_runtime.compiled import callback, jit
from s2sad_runtime.pool import give, take
from s2sad_runtime.words import I64, peek, poke

NEXT, END, BLOCK, CHUNK = range(
    4
)  # words of an arena: next free byte, end, newest block, size of the next chunk
TOP, PARENT = 4, 5  # the top record, and what a fork keeps alive
BOTTOM, BOTTOM_TAG = 6, 7  # a record of no type below all records
MAPS = 8  # the newest mapping of a file
WORDS = 16
INSIDE = 512  # bytes that come with it
FIRST_CHUNK, LAST_CHUNK = 1 << 14, 1 << 24
COLOURS = 4096
LINK = 56  # this far before a block's memory its header has a word for us: the block borrowed before
ARENA = types.Array(types.int64, 1, "C")
DESTRUCTOR = "s2sad_arena_destructor"
MAP, UNMAP = "s2sad_map_file", "s2sad_unmap_file"

llvm.add_symbol(MAP, ctypes.cast(files.map_file, ctypes.c_void_p).value)
llvm.add_symbol(UNMAP, ctypes.cast(files.unmap_file, ctypes.c_void_p).value)
map_file = types.ExternalFunction(MAP, types.int64(types.int64))
unmap_file = types.ExternalFunction(UNMAP, types.void(types.int64))


@intrinsic
def _drop(typingctx, meminfo):
    """Let go of a reference, by the address of what counts it."""

    def gen(context, builder, signature, args):
        decref = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t]), "NRT_decref"
        )
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
    mapping = peek(words + 8 * MAPS)
    while mapping != 0:
        older = peek(mapping)
        unmap_file(mapping)
        mapping = older
    if peek(words + 8 * PARENT) != 0:
        _drop(peek(words + 8 * PARENT))


llvm.add_symbol(DESTRUCTOR, _destroy.address)


@intrinsic
def allocate(typingctx):
    """An arena without memory but its own, and without records."""

    def gen(context, builder, signature, args):
        destructor = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, I64, cgutils.voidptr_t]),
            DESTRUCTOR,
        )
        info = context.nrt.meminfo_alloc_dtor(
            builder, I64(8 * WORDS + INSIDE), builder.bitcast(destructor, cgutils.voidptr_t)
        )
        words = builder.bitcast(context.nrt.meminfo_data(builder, info), I64.as_pointer())
        start = builder.ptrtoint(words, I64)
        first = builder.add(start, I64(8 * WORDS))
        content = {
            NEXT: first, END: builder.add(first, I64(INSIDE)), TOP: builder.add(start, I64(8 * BOTTOM)),
            CHUNK: I64(FIRST_CHUNK), BLOCK: I64(0), PARENT: I64(0), BOTTOM: I64(0), BOTTOM_TAG: I64(0),
            MAPS: I64(0),
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


@jit(inner=True, apart=True)
def _more(arena, nbytes):
    """A new chunk for small needs, a block of its own for a big one; blocks are chained by age."""
    chunk = arena[CHUNK]
    arena[CHUNK] = min(4 * chunk, LAST_CHUNK)
    own_block = 2 * nbytes > chunk
    block = take(nbytes + COLOURS if own_block else chunk)
    poke(block - LINK, arena[BLOCK])
    arena[BLOCK] = block
    if own_block:
        return coloured(block)
    arena[NEXT] = block + ((nbytes + 15) & -16)
    arena[END] = block + chunk
    return block


@jit(inner=True)
def coloured(block):
    """Where to begin in a block COLOURS longer than needed: big ones are aligned alike, and would share cache sets."""
    return block + 64 * (((block >> 21) * 37 + (block >> 16) * 5) & 63)


@jit(inner=True)
def mark(arena):
    """The place to go back to by `release`."""
    return arena[NEXT], arena[END], arena[BLOCK], arena[CHUNK], arena[MAPS]


@jit(inner=True, apart=True)
def release(arena, m):
    """Give back the memory borrowed since `m = mark(arena)`; records put on since have been taken off."""
    while arena[BLOCK] != m[2]:
        block = arena[BLOCK]
        arena[BLOCK] = peek(block - LINK)
        give(block)
    while arena[MAPS] != m[4]:
        mapping = arena[MAPS]
        arena[MAPS] = peek(mapping)
        unmap_file(mapping)
    arena[NEXT] = m[0]
    arena[END] = m[1]
    arena[CHUNK] = m[3]


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
