"""Tapes that keep values: a statement is put down as its site in the program, and what its operands were is in the
vector of values.

A statement has a left-hand index and the value that it overwrites there (not on a linear tape), an index per operand, and
constants: the values of operands with index 0, then numbers that are never active. Partial derivatives are formed on the
way back, by code made for the program. A check has a site and an outcome, and no left side.
"""

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from s2sad_runtime.compiled import jit
from s2sad_runtime.managers import assign_index, free_index, share_index
from s2sad_runtime.stacks import _get_real, _put_real
from s2sad_runtime.tape import at
from s2sad_runtime.tape_words import (
    ARGUMENTS,
    CAPACITY,
    CHUNK,
    CONSTANTS,
    COUNT,
    KEPT,
    LEFT,
    LINEAR,
    MANAGER,
    OPERANDS,
    PARTIALS,
    PRIMAL,
    PRIMAL_ROOM,
    REUSE,
    SIZES,
    TOP,
    borrowed,
)
from s2sad_runtime.words import I64, copy_bytes, peek, poke, poke4

COPY, SUM, DOT = 0, 1, 2
HEADER, FIRST_CAPACITY, LAST_CAPACITY = 48, 1 << 7, 1 << 20
BEFORE, HOLDS, STATEMENTS, OPERANDS_IN, CONSTANTS_IN = 0, 8, 16, 24, 32
I32, REAL = ir.IntType(32), ir.DoubleType()


@jit(inner=True)
def keep_values(tape):
    """Make a fresh tape one that keeps values."""
    poke(tape + KEPT, 1)
    poke(tape + PRIMAL_ROOM, 64)
    poke(tape + PRIMAL, borrowed(tape, 512))


@jit(inner=True)
def value_at(tape, index):
    """What is in the vector of values."""
    return _get_real(peek(tape + PRIMAL) + 8 * index)


@jit(inner=True)
def set_value(tape, index, value):
    """Put a value into the vector of values, which grows as needed."""
    have = peek(tape + PRIMAL_ROOM)
    if index >= have:
        more = max(2 * have, index + 1)
        table = borrowed(tape, 8 * more)
        copy_bytes(table, peek(tape + PRIMAL), 8 * have)
        poke(tape + PRIMAL, table)
        poke(tape + PRIMAL_ROOM, more)
    _put_real(peek(tape + PRIMAL) + 8 * index, value)


@jit(inner=True)
def set_values(tape, indices, values):
    """The same for the elements of an array of inputs."""
    for where in np.ndindex(indices.shape):
        set_value(tape, indices[where], values[where])


@jit(inner=True)
def seal_kept(tape):
    """Note in the header of the chunk in use how far it is filled."""
    chunk = peek(tape + CHUNK)
    if chunk != 0:
        poke(chunk + STATEMENTS, peek(tape + COUNT))
        poke(chunk + OPERANDS_IN, peek(tape + TOP))
        poke(chunk + CONSTANTS_IN, peek(tape + CONSTANTS))


@jit(inner=True)
def kept_room(tape, operands, constants):
    """See to it that a statement with so many operands and constants can be put down."""
    capacity = peek(tape + CAPACITY)
    enough = peek(tape + COUNT) < capacity and peek(tape + TOP) + operands <= 4 * capacity
    if enough and peek(tape + CONSTANTS) + constants <= 4 * capacity:
        return
    seal_kept(tape)
    capacity = min(4 * capacity, LAST_CAPACITY) if capacity != 0 else FIRST_CAPACITY
    while 4 * capacity < max(operands, constants):
        capacity *= 2
    chunk = borrowed(tape, HEADER + 64 * capacity)
    poke(chunk + BEFORE, peek(tape + CHUNK))
    poke(chunk + HOLDS, capacity)
    poke(tape + CHUNK, chunk)
    poke(tape + CAPACITY, capacity)
    poke(tape + TOP, 0)
    poke(tape + COUNT, 0)
    poke(tape + CONSTANTS, 0)
    poke(tape + PARTIALS, chunk + HEADER)  # (the overwritten values, the constants)
    poke(tape + OPERANDS, chunk + HEADER + 8 * capacity)
    poke(tape + LEFT, chunk + HEADER + 40 * capacity)
    poke(tape + SIZES, chunk + HEADER + 44 * capacity)  # (the sites)
    poke(tape + ARGUMENTS, chunk + HEADER + 48 * capacity)


@jit(inner=True)
def put_operand(tape, operands, constants, index, value):
    """Put down one operand: how many operands and constants there are now, and whether it is active."""
    top, more = peek(tape + TOP) + operands, peek(tape + CONSTANTS) + constants
    poke4(peek(tape + ARGUMENTS) + 4 * top, index)
    if index == 0:
        _put_real(peek(tape + OPERANDS) + 8 * more, value)
        return operands + 1, constants + 1
    return operands + 1, constants


@jit(inner=True)
def put_constant(tape, constants, value):
    """Put down one constant; how many there are now."""
    _put_real(peek(tape + OPERANDS) + 8 * (peek(tape + CONSTANTS) + constants), value)
    return constants + 1


@jit(inner=True)
def end_statement(tape, site, old, value, operands, constants):
    """End a statement whose operands have been put down; the index of its left side."""
    count = peek(tape + COUNT)
    index = assign_index(tape, old)
    poke4(peek(tape + SIZES) + 4 * count, site)
    if peek(tape + MANAGER) != LINEAR:
        poke4(peek(tape + LEFT) + 4 * count, index)
        kept = value_at(tape, index) if index < peek(tape + PRIMAL_ROOM) else 0.0
        _put_real(peek(tape + PARTIALS) + 8 * count, kept)
    set_value(tape, index, value)
    _advance(tape, operands, constants)
    return index


@jit(inner=True)
def _advance(tape, operands, constants):
    poke(tape + COUNT, peek(tape + COUNT) + 1)
    poke(tape + TOP, peek(tape + TOP) + operands)
    poke(tape + CONSTANTS, peek(tape + CONSTANTS) + constants)


@intrinsic
def put_all(typingctx, tape, pairs, constants):
    """Put down (index, value) of each operand, and constants: how many constants there are, how many are active."""

    def gen(context, builder, signature, args):
        tape_, given, more = args

        def place(base, ty, top):
            start = builder.load(builder.inttoptr(builder.add(tape_, I64(base)), I64.as_pointer()))
            shift = builder.load(builder.inttoptr(builder.add(tape_, I64(top)), I64.as_pointer()))
            return builder.gep(builder.inttoptr(start, ty.as_pointer()), [shift])

        arguments, values = place(ARGUMENTS, I32, TOP), place(OPERANDS, REAL, CONSTANTS)
        parts = cgutils.unpack_tuple(builder, given, len(pairs))
        count, active = I64(0), I64(0)
        for k in range(0, len(pairs), 2):
            index = context.cast(builder, parts[k], pairs[k], types.int32)
            value = context.cast(builder, parts[k + 1], pairs[k + 1], types.float64)
            builder.store(index, builder.gep(arguments, [I64(k // 2)]))
            builder.store(value, builder.gep(values, [count]))
            passive = builder.icmp_signed("==", index, I32(0))
            count = builder.add(count, builder.zext(passive, I64))
            active = builder.add(active, builder.zext(builder.not_(passive), I64))
        for ty, value in zip(constants, cgutils.unpack_tuple(builder, more, len(constants)), strict=True):
            builder.store(context.cast(builder, value, ty, types.float64), builder.gep(values, [count]))
            count = builder.add(count, I64(1))
        return context.make_tuple(builder, signature.return_type, [count, active])

    return types.UniTuple(types.int64, 2)(types.int64, pairs, constants), gen


@jit(inner=True)
def note(tape, site, old, value, pairs, constants):
    """Put down a statement: its site, value, operands as (index, value), constants; the index of its left side."""
    operands = len(pairs) // 2
    kept_room(tape, operands, operands + len(constants))
    count, active = put_all(tape, pairs, constants)
    if active == 0:
        free_index(tape, old)
        return 0
    return end_statement(tape, site, old, value, operands, count)


@jit(inner=True)
def note_all(tape, site, target, value, pairs, constants):
    """The same for every element of an array whose indices are in `target`."""
    for where in np.ndindex(target.shape):
        y = at((value,), where)[0]
        target[where] = note(tape, site, target[where], y, at(pairs, where), at(constants, where))


@jit(inner=True)
def note_check(tape, site, outcome, pairs, constants):
    """Put down a decision: which way it went, and what it was made of."""
    operands = len(pairs) // 2
    kept_room(tape, operands, operands + len(constants) + 1)
    count, active = put_all(tape, pairs, constants)
    if active != 0:
        count = put_constant(tape, count, outcome)
        at_ = peek(tape + COUNT)
        poke4(peek(tape + SIZES) + 4 * at_, site)
        if peek(tape + MANAGER) != LINEAR:
            poke4(peek(tape + LEFT) + 4 * at_, 0)
            _put_real(peek(tape + PARTIALS) + 8 * at_, 0.0)
        _advance(tape, operands, count)


@jit(inner=True)
def note_sum(tape, old, value, indices, values):
    """A sum of all elements of an array."""
    kept_room(tape, indices.size, indices.size + 1)
    operands, constants = 0, 0
    for where in np.ndindex(indices.shape):
        operands, constants = put_operand(tape, operands, constants, indices[where], values[where])
    if operands == constants:
        free_index(tape, old)
        return 0
    constants = put_constant(tape, constants, operands)
    return end_statement(tape, SUM, old, value, operands, constants)


@jit(inner=True)
def note_dot(tape, old, value, a, a_i, b, b_i):
    """A product of two vectors."""
    kept_room(tape, 2 * a_i.size, 2 * a_i.size + 1)
    operands, constants = 0, 0
    for k in range(a_i.size):
        operands, constants = put_operand(tape, operands, constants, a_i[k], a[k])
        operands, constants = put_operand(tape, operands, constants, b_i[k], b[k])
    if operands == constants:
        free_index(tape, old)
        return 0
    constants = put_constant(tape, constants, operands)
    return end_statement(tape, DOT, old, value, operands, constants)


@jit(inner=True)
def note_copy(tape, old, source):
    """The index of a copy of what has index `source`, for a name that had `old`."""
    if source == 0:
        free_index(tape, old)
        return 0
    if peek(tape + MANAGER) != REUSE:
        return share_index(tape, old, source)
    if old == source:
        return old
    kept_room(tape, 1, 1)
    poke4(peek(tape + ARGUMENTS) + 4 * peek(tape + TOP), source)
    return end_statement(tape, COPY, old, value_at(tape, source), 1, 0)


@jit(inner=True)
def note_copies(tape, target, source):
    """Copies element by element."""
    for where in np.ndindex(target.shape):
        target[where] = note_copy(tape, target[where], at((source,), where)[0])


@jit(inner=True)
def noted_copy(tape, source):
    """The indices of a copy of an array."""
    target = np.zeros(source.shape, np.int32)
    note_copies(tape, target, source)
    return target
