"""Tapes of entities: an array has one index, and a statement is its site in the program with what it was given.

Arrays of one number of axes have a pool of indices of their own, behind the same managers as numbers. A statement has a
site, indices (of its arrays, of its numbers, of what it brings forth) and data: what it overwrote, what it was given
that is passive. Nothing is put down of results that are born: their values stay with their names. Where the last name
of an array ends, its values are put down.
"""

from llvmlite import ir
from numba.core import cgutils, types
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import intrinsic

from s2sad_runtime.compiled import jit
from s2sad_runtime.kept import keep_values, set_value, value_at
from s2sad_runtime.managers import NOT_IN_USE, _fresh, assign_index, free_index, in_use, share_index
from s2sad_runtime.stacks import _put_real
from s2sad_runtime.tape_words import (
    BYTES,
    CAPACITY,
    CHECK,
    CHUNK,
    COPIES,
    COUNT,
    DATA,
    DATA_ROOM,
    DATA_TOP,
    FIRST_ROOM,
    FREE,
    HANDLES,
    HIGHEST,
    HOME,
    ITEM_ROOM,
    ITEMS,
    LINEAR,
    LIVE,
    MANAGER,
    MODE,
    POOLS,
    REUSE,
    ROOM,
    SIZES,
    TABLE,
    TOP,
    borrowed,
)
from s2sad_runtime.views import REAL, lay
from s2sad_runtime.words import I64, peek, peek4, poke, poke4

# words of the header of a chunk; then data (8 bytes each), indices, sites, numbers of words of data (4 bytes each)
BEFORE, HOLDS, STATEMENTS, ITEMS_HELD, ITEMS_IN, DATA_HELD, DATA_IN, HEADER = range(0, 64, 8)
FIRST_CAPACITY, LAST_CAPACITY = 1 << 7, 1 << 20
I32, DOUBLE = ir.IntType(32), ir.DoubleType()


@jit(inner=True)
def entity_tape(tape):
    """Make a fresh tape one of entities."""
    keep_values(tape)


@jit(inner=True)
def _pool(tape, axes):
    """The managers' words for arrays of so many axes."""
    return _pool_at(tape, tape + POOLS + 8 * (axes - 1))


@jit(inner=True)
def _pool_at(tape, place):
    """The managers' words behind a place of the tape, made when they are needed first."""
    pool = peek(place)
    if pool == 0:
        pool = borrowed(tape, BYTES)
        for k in range(0, BYTES, 8):
            poke(pool + k, 0)
        for word in (MANAGER, CHECK, MODE, HOME):
            poke(pool + word, peek(tape + word))
        poke(pool + ROOM, FIRST_ROOM)
        poke(pool + TABLE, borrowed(tape, 4 * FIRST_ROOM))
        keep_values(pool)
        poke(place, pool)
    return pool


@jit(inner=True)
def new_entity(tape, a):
    """The index of an array that is born: a fresh one; its pool remembers how large arrays under it get."""
    pool = _pool(tape, a.ndim)
    known = peek(pool + HIGHEST)
    index = _fresh(pool)
    if index > known or value_at(pool, index) < a.size:
        set_value(pool, index, a.size)
    return index


@jit(inner=True)
def share_entity(tape, axes, index):
    """One more name for an array, under every manager."""
    pool = _pool(tape, axes)
    if peek(tape + CHECK) and not in_use(pool, index):
        raise RuntimeError(NOT_IN_USE)
    place = peek(pool + TABLE) + 4 * index
    poke4(place, peek4(place) + 1)
    poke(pool + COPIES, peek(pool + COPIES) + 1)
    return index


@jit(inner=True)
def end_entity(tape, index, a):
    """A name of an array ends; with the last its values are put down and, but on a linear tape, the index is free."""
    pool = _pool(tape, a.ndim)
    if peek(tape + CHECK) and not in_use(pool, index):
        raise RuntimeError(NOT_IN_USE)
    place = peek(pool + TABLE) + 4 * index
    uses = peek4(place)
    if uses > 1:
        poke4(place, uses - 1)
        return
    put_statement(tape, a.ndim - 1, (index,), (), (a,))
    if peek(tape + MANAGER) != LINEAR:
        poke4(place, peek(pool + FREE))
        poke(pool + FREE, index)
        poke(pool + LIVE, peek(pool + LIVE) - 1)


# ----- statements --------------------------------------------------------------------------------------------


@jit(inner=True)
def seal_entities(tape):
    """Note in the header of the chunk in use how far it is filled."""
    chunk = peek(tape + CHUNK)
    if chunk != 0:
        poke(chunk + STATEMENTS, peek(tape + COUNT))
        poke(chunk + ITEMS_IN, peek(tape + TOP))
        poke(chunk + DATA_IN, peek(tape + DATA_TOP))


@jit(inner=True)
def _room(tape, items, words):
    """See to it that a statement with so many indices and words of data can be put down."""
    enough = peek(tape + COUNT) < peek(tape + CAPACITY) and peek(tape + TOP) + items <= peek(tape + ITEM_ROOM)
    if enough and peek(tape + DATA_TOP) + words <= peek(tape + DATA_ROOM):
        return
    seal_entities(tape)
    before = peek(tape + CAPACITY)
    capacity = min(4 * before, LAST_CAPACITY) if before != 0 else FIRST_CAPACITY
    indices, data = max(4 * capacity, items), max(4 * capacity, words)
    chunk = borrowed(tape, HEADER + 8 * data + 4 * indices + 8 * capacity + 8)
    poke(chunk + BEFORE, peek(tape + CHUNK))
    poke(chunk + HOLDS, capacity)
    poke(chunk + ITEMS_HELD, indices)
    poke(chunk + DATA_HELD, data)
    poke(tape + CHUNK, chunk)
    poke(tape + CAPACITY, capacity)
    poke(tape + ITEM_ROOM, indices)
    poke(tape + DATA_ROOM, data)
    poke(tape + COUNT, 0)
    poke(tape + TOP, 0)
    poke(tape + DATA_TOP, 0)
    poke(tape + DATA, chunk + HEADER)
    poke(tape + ITEMS, chunk + HEADER + 8 * data)
    poke(tape + HANDLES, chunk + HEADER + 8 * data + 4 * indices)
    poke(tape + SIZES, chunk + HEADER + 8 * data + 4 * indices + 4 * capacity)


@jit(inner=True)
def _put_array(at, a):
    """Write an array's shape and elements; the address behind them."""
    for n in a.shape:
        _put_real(at, n)
        at += 8
    part = lay(at, a.shape, REAL)
    part[...] = a
    return at + 8 * a.size


@intrinsic
def _words_of(typingctx, given):
    """How many words numbers and arrays take."""

    def gen(context, builder, signature, args):
        total = I64(0)
        for ty, value in zip(given, cgutils.unpack_tuple(builder, args[0], len(given)), strict=True):
            if isinstance(ty, types.Array):
                array = context.make_array(ty)(context, builder, value)
                total = builder.add(total, builder.add(array.nitems, I64(ty.ndim)))
            else:
                total = builder.add(total, I64(1))
        return total

    return types.int64(given), gen


@intrinsic
def _put_each(typingctx, at, given):
    """Write numbers and arrays; the address behind them."""
    one = types.functions.Dispatcher(_put_array)
    for ty in given:
        if isinstance(ty, types.Array):
            one.get_call_type(typingctx, (types.int64, ty), {})

    def gen(context, builder, signature, args):
        here = args[0]
        for ty, value in zip(given, cgutils.unpack_tuple(builder, args[1], len(given)), strict=True):
            if isinstance(ty, types.Array):
                made = one.get_call_type(typingctx, (types.int64, ty), {})
                here = context.get_function(one, made)(builder, (here, value))
            else:
                word = builder.inttoptr(here, DOUBLE.as_pointer())
                builder.store(context.cast(builder, value, ty, types.float64), word)
                here = builder.add(here, I64(8))
        return here

    return types.int64(types.int64, given), gen


@intrinsic
def _put_pairs(typingctx, items, data, pairs):
    """Write the index of each number or value, and what is passive of them: how many words these are."""

    def gen(context, builder, signature, args):
        indices = builder.inttoptr(args[0], I32.as_pointer())
        values = builder.inttoptr(args[1], DOUBLE.as_pointer())
        given, count = cgutils.unpack_tuple(builder, args[2], len(pairs)), I64(0)
        for k in range(0, len(pairs), 2):
            index = context.cast(builder, given[k], pairs[k], types.int32)
            builder.store(index, builder.gep(indices, [I64(k // 2)]))
            passive = builder.icmp_signed("==", index, I32(0))
            parts = [(given[k + 1], pairs[k + 1])]
            if isinstance(pairs[k + 1], types.BaseTuple):
                parts = list(zip(cgutils.unpack_tuple(builder, given[k + 1]), pairs[k + 1], strict=True))
            with builder.if_then(passive):
                for j, (part, ty) in enumerate(parts):
                    value = context.cast(builder, part, ty, types.float64)
                    builder.store(value, builder.gep(values, [builder.add(count, I64(j))]))
            count = builder.add(count, builder.select(passive, I64(len(parts)), I64(0)))
        return count

    return types.int64(types.int64, types.int64, pairs), gen


@intrinsic
def _most_words(typingctx, pairs):
    """How many words numbers, and the fields of values, take at most."""
    most = sum(len(ty) if isinstance(ty, types.BaseTuple) else 1 for ty in pairs.types[1::2])

    def gen(context, builder, signature, args):
        return I64(most)

    return types.int64(pairs), gen


@intrinsic
def _none_active(typingctx, pairs):
    """Are all indices 0?"""

    def gen(context, builder, signature, args):
        given, every = cgutils.unpack_tuple(builder, args[0], len(pairs)), I64(0)
        for k in range(0, len(pairs), 2):
            every = builder.or_(every, context.cast(builder, given[k], pairs[k], types.int64))
        return builder.icmp_signed("==", every, I64(0))

    return types.boolean(pairs), gen


@jit(inner=True)
def put_statement(tape, site, entities, pairs, given):
    """Put down a statement: its site, indices of entities, (index, value) of numbers, what is given as it is now.

    The value of an operand of several fields is a tuple of those that are read.
    """
    count, more = len(entities) + len(pairs) // 2, _words_of(given)
    _room(tape, count, more + _most_words(pairs))
    items, data = peek(tape + ITEMS) + 4 * peek(tape + TOP), peek(tape + DATA) + 8 * peek(tape + DATA_TOP)
    for k in range(len(entities)):
        poke4(items + 4 * k, entities[k])
    more += _put_pairs(items + 4 * len(entities), _put_each(data, given), pairs)
    at = 4 * peek(tape + COUNT)
    poke4(peek(tape + HANDLES) + at, site)
    poke4(peek(tape + SIZES) + at, more)
    poke(tape + COUNT, peek(tape + COUNT) + 1)
    poke(tape + TOP, peek(tape + TOP) + count)
    poke(tape + DATA_TOP, peek(tape + DATA_TOP) + more)


@jit(inner=True)
def put_number(tape, site, old, value, entities, pairs, given):
    """The same of a statement that gives a number, whose name had index `old`: the index that it has now.

    Where nothing active goes in nothing is put down: the number is passive.
    """
    if len(entities) == 0 and _none_active(pairs):
        free_index(tape, old)
        return 0
    known = peek(tape + HIGHEST)
    index = assign_index(tape, old)
    before = 0.0 if index > known else value_at(tape, index)
    put_statement(tape, site, (index, *entities), pairs, (before, *given))
    set_value(tape, index, value)
    return index


@jit(inner=True)
def put_numbers(tape, site, olds, values, entities, pairs, given):
    """The same of a statement that gives several numbers, and arrays that are among the entities already."""
    indices, before = olds, values
    passive = len(entities) == 0 and _none_active(pairs)
    for k in range(len(olds)):
        if passive:
            free_index(tape, olds[k])
            indices = tuple_setitem(indices, k, 0)
        else:
            known = peek(tape + HIGHEST)
            index = assign_index(tape, olds[k])
            indices = tuple_setitem(indices, k, index)
            before = tuple_setitem(before, k, 0.0 if index > known else value_at(tape, index))
    if not passive:
        put_statement(tape, site, indices + entities, pairs, before + given)
        for k in range(len(olds)):
            set_value(tape, indices[k], values[k])
    return indices


@jit(inner=True)
def copy_number(tape, site, old, source, value):
    """The index of a copy of a number with index `source`, for a name that had `old`."""
    if source == 0:
        free_index(tape, old)
        return 0
    if peek(tape + MANAGER) != REUSE:
        return share_index(tape, old, source)
    return old if old == source else put_number(tape, site, old, value, (), (source, value), ())
