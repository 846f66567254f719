"""Recording: what the recording form of a function calls while it runs.

A statement `y = phi(u, v)` is put down as its left-hand index and, for every argument that is active, an index and
the partial derivative. Nothing is put down where no argument is active: the left side is passive then. A statement
of more than 255 arguments is put down in parts, each an argument of the next.
"""

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import load_item, make_array

from s2sad_runtime.compiled import jit
from s2sad_runtime.managers import (
    LAST,
    NOT_IN_USE,
    assign_index,
    free_index,
    in_use,
    input_index,
    share_index,
)
from s2sad_runtime.tape_words import (
    ARGUMENTS,
    CAPACITY,
    CHECK,
    COUNT,
    HIGHEST,
    LARGEST,
    LEFT,
    LINEAR,
    MANAGER,
    MODE,
    MULTI,
    PARTIALS,
    REUSE,
    SIZES,
    TABLE,
    TOP,
    next_chunk,
)
from s2sad_runtime.words import I64, peek, peek4, poke, poke1, poke4

I8, I32, REAL = ir.IntType(8), ir.IntType(32), ir.DoubleType()


@jit(inner=True)
def room(tape, arguments):
    """See to it that so many arguments can be put down."""
    if peek(tape + TOP) + arguments > peek(tape + CAPACITY):
        next_chunk(tape)


@jit(inner=True)
def close(tape, old, arguments):
    """End a statement whose arguments have been put down; the index of its left side."""
    if arguments == 0:
        if old != 0:
            free_index(tape, old)
        return 0
    count, top = peek(tape + COUNT), peek(tape + TOP)
    if peek(tape + CHECK):
        for k in range(top, top + arguments):
            if not in_use(tape, peek4(peek(tape + ARGUMENTS) + 4 * k)):
                raise RuntimeError(NOT_IN_USE)
    index = assign_index(tape, old)
    poke1(peek(tape + SIZES) + count, arguments)
    if peek(tape + MANAGER) != LINEAR:
        poke4(peek(tape + LEFT) + 4 * count, index)
    poke(tape + COUNT, count + 1)
    poke(tape + TOP, top + arguments)
    return index


@intrinsic
def record(typingctx, tape, old, *pairs):
    """Put down a statement from (index, partial) of each argument; the index of its left side, which had `old`.

    What happens nearly always is written out here: there is room, the left side keeps its index or gets the next number.
    """

    def gen(context, builder, signature, args):
        at, before = args[0], args[1]
        given = cgutils.unpack_tuple(builder, args[2], len(pairs))

        def word(offset, ty=I64):
            return builder.inttoptr(builder.add(at, I64(offset)), ty.as_pointer())

        def read(offset):
            return builder.load(word(offset))

        def place(offset, ty, k):
            return builder.gep(builder.inttoptr(read(offset), ty.as_pointer()), [k])

        needed = builder.add(read(TOP), I64(len(pairs) // 2))
        with cgutils.if_unlikely(builder, builder.icmp_signed(">", needed, read(CAPACITY))):
            context.compile_internal(builder, next_chunk.py_func, types.void(types.int64), (at,))
        top = read(TOP)
        arguments, partials = place(ARGUMENTS, I32, top), place(PARTIALS, REAL, top)
        count = I64(0)
        for k in range(0, len(pairs), 2):
            index = context.cast(builder, given[k], pairs[k], types.int32)
            partial = context.cast(builder, given[k + 1], pairs[k + 1], types.float64)
            builder.store(index, builder.gep(arguments, [count]))
            builder.store(partial, builder.gep(partials, [count]))
            active = builder.icmp_signed("!=", index, I32(0))
            count = builder.add(count, builder.zext(active, I64))

        result = cgutils.alloca_once_value(builder, I64(0))
        some, held = builder.icmp_signed("!=", count, I64(0)), builder.icmp_signed("!=", before, I64(0))
        mode = read(MODE)

        def close_here(index, left):
            number = read(COUNT)
            builder.store(builder.trunc(count, I8), place(SIZES, I8, number))
            if left:
                builder.store(builder.trunc(index, I32), place(LEFT, I32, number))
            builder.store(builder.add(number, I64(1)), word(COUNT))
            builder.store(builder.add(top, count), word(TOP))
            builder.store(index, result)

        def close_there():
            word3 = types.int64(types.int64, types.int64, types.int64)
            builder.store(
                context.compile_internal(builder, close.py_func, word3, (at, before, count)), result
            )

        with builder.if_else(builder.icmp_signed("==", mode, I64(LINEAR))) as (linear, other):
            with linear:
                index = builder.add(read(HIGHEST), I64(1))
                fine = builder.and_(some, builder.icmp_signed("<=", index, I64(LAST)))
                with builder.if_else(fine, likely=True) as (then, otherwise):
                    with then:
                        builder.store(index, word(HIGHEST))
                        close_here(index, False)
                    with otherwise:
                        close_there()
            with other:
                uses = place(TABLE, I32, before)
                one = cgutils.alloca_once_value(builder, cgutils.true_bit)
                with builder.if_then(builder.icmp_signed("!=", mode, I64(REUSE))):
                    multi = builder.icmp_signed("==", mode, I64(MULTI))
                    builder.store(
                        builder.and_(multi, builder.icmp_signed("==", builder.load(uses), I32(1))), one
                    )
                fine = builder.and_(builder.and_(some, held), builder.load(one))
                with builder.if_else(fine) as (then, otherwise):
                    with then:
                        close_here(before, True)
                    with otherwise:
                        close_there()
        return builder.load(result)

    return types.int64(types.int64, types.int64, types.StarArgTuple(pairs)), gen


@jit(inner=True)
def copy_index(tape, old, source):
    """The index of a copy of what has index `source`, for a name that had `old`."""
    if source == 0:
        if old != 0:
            free_index(tape, old)
        return 0
    if peek(tape + MANAGER) == REUSE:
        return old if old == source else record(tape, old, source, 1.0)
    return share_index(tape, old, source)


@jit(inner=True)
def drop_index(tape, old):
    """A name becomes passive."""
    free_index(tape, old)
    return 0


@jit(inner=True)
def drop_all(tape, target):
    """All elements of an array become passive."""
    for where in np.ndindex(target.shape):
        target[where] = drop_index(tape, target[where])


@jit(inner=True)
def free(tape, *indices):
    """These names end."""
    for index in indices:
        free_index(tape, index)


# ----- arrays ------------------------------------------------------------------------------------------------


@intrinsic
def at(typingctx, leaves, index):
    """The elements of arrays (and scalars) at an index of their common shape: NumPy's broadcasting."""
    kinds = [ty.dtype if isinstance(ty, types.Array) else ty for ty in leaves]

    def gen(context, builder, signature, args):
        where = cgutils.unpack_tuple(builder, args[1], len(index))
        made = []
        for ty, value in zip(leaves, cgutils.unpack_tuple(builder, args[0], len(leaves)), strict=True):
            if isinstance(ty, types.Array):
                array = make_array(ty)(context, builder, value)
                shape = cgutils.unpack_tuple(builder, array.shape, ty.ndim)
                place = [
                    builder.select(builder.icmp_signed("==", n, I64(1)), I64(0), i)
                    for n, i in zip(shape, where[len(where) - ty.ndim :], strict=True)
                ]
                value = load_item(
                    context, builder, ty, cgutils.get_item_pointer(context, builder, ty, array, place)
                )
            made.append(value)
        return context.make_tuple(builder, types.Tuple(kinds), made)

    return types.Tuple(kinds)(leaves, index), gen


@jit(inner=True)
def record_all(tape, target, *pairs):
    """A statement for every element of `target` (the indices of an array), from (indices, partials) of the arguments."""
    for where in np.ndindex(target.shape):
        target[where] = record(tape, target[where], *at(pairs, where))


@jit(inner=True)
def copy_all(tape, target, source):
    """Copies element by element: every index by itself."""
    for where in np.ndindex(target.shape):
        target[where] = copy_index(tape, target[where], at((source,), where)[0])


@jit(inner=True)
def copied(tape, source):
    """The indices of a copy of an array."""
    target = np.zeros(source.shape, np.int32)
    copy_all(tape, target, source)
    return target


@jit(inner=True)
def free_all(tape, indices):
    """An array ends."""
    for where in np.ndindex(indices.shape):
        free_index(tape, indices[where])


@jit(inner=True)
def no_indices(a):
    """Indices for an array just born: passive."""
    return np.zeros(a.shape, np.int32)


@jit(inner=True)
def as_indices(a):
    """Indices that were moved about as if they were numbers; nothing is counted."""
    return a.astype(np.int32)


@jit(inner=True)
def input_indices(tape, a):
    """Fresh indices for an array of inputs."""
    made = np.zeros(a.shape, np.int32)
    for where in np.ndindex(a.shape):
        made[where] = input_index(tape)
    return made


# ----- statements with many arguments ------------------------------------------------------------------------


@jit(inner=True)
def push(tape, count, part, index, partial):
    """Put down one more argument: how many they are now, and the index of the part that is the first of them (or 0)."""
    if index == 0:
        return count, part
    if count == LARGEST:
        whole = close(tape, 0, count)
        free_index(tape, part)
        room(tape, LARGEST)
        count, part = first(tape, whole), whole
    top = peek(tape + TOP) + count
    poke4(peek(tape + ARGUMENTS) + 4 * top, index)
    poke(peek(tape + PARTIALS) + 8 * top, _bits(partial))
    return count + 1, part


@jit(inner=True)
def first(tape, part):
    """Put down a part as the first argument."""
    top = peek(tape + TOP)
    poke4(peek(tape + ARGUMENTS) + 4 * top, part)
    poke(peek(tape + PARTIALS) + 8 * top, _bits(1.0))
    return 1


@jit(inner=True)
def close_parts(tape, old, count, part):
    """End a statement that may have been put down in parts."""
    index = close(tape, old, count)
    free_index(tape, part)
    return index


@intrinsic
def _bits(typingctx, value):
    """The bits of a float64, as an int64."""

    def gen(context, builder, signature, args):
        return builder.bitcast(context.cast(builder, args[0], value, types.float64), I64)

    return types.int64(value), gen


@jit(inner=True)
def record_sum(tape, old, indices, partials):
    """A statement whose arguments are all elements of an array."""
    room(tape, LARGEST)
    count, part = 0, 0
    for where in np.ndindex(indices.shape):
        count, part = push(tape, count, part, indices[where], at((partials,), where)[0])
    return close_parts(tape, old, count, part)


@jit(inner=True)
def record_dot22(tape, a, a_i, b, b_i):
    """The indices of `a @ b`."""
    made = np.zeros((a_i.shape[0], b_i.shape[1]), np.int32)
    for i in range(a_i.shape[0]):
        for j in range(b_i.shape[1]):
            made[i, j] = record_dot11(tape, 0, a[i], a_i[i], b[:, j], b_i[:, j])
    return made


@jit(inner=True)
def record_dot21(tape, a, a_i, b, b_i):
    """The same of a matrix and a vector."""
    made = np.zeros(a_i.shape[0], np.int32)
    for i in range(a_i.shape[0]):
        made[i] = record_dot11(tape, 0, a[i], a_i[i], b, b_i)
    return made


@jit(inner=True)
def record_dot12(tape, a, a_i, b, b_i):
    """The same of a vector and a matrix."""
    made = np.zeros(b_i.shape[1], np.int32)
    for j in range(b_i.shape[1]):
        made[j] = record_dot11(tape, 0, a, a_i, b[:, j], b_i[:, j])
    return made


@jit(inner=True)
def record_dot11(tape, old, a, a_i, b, b_i):
    """The same of two vectors: the index of a number that had index `old`."""
    room(tape, LARGEST)
    count, part = 0, 0
    for k in range(a_i.shape[0]):
        count, part = push(tape, count, part, a_i[k], b[k])
        count, part = push(tape, count, part, b_i[k], a[k])
    return close_parts(tape, old, count, part)
