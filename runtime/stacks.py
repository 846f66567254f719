"""Growable stacks of scalars for loops whose trip count is unknown: push is a store and a test, pop a load.

A stack has the words of an arena and shares its destructor. Its values stand in one run of memory: first
the half kilobyte that comes with it, then a block that is exchanged for a larger one. Real 8 bytes, int
8, bit 1.
"""

from numba.core import types
from numba.extending import intrinsic

from s2sad_runtime.arena import BLOCK, END, LINK, NEXT, TOP, allocate
from s2sad_runtime.compiled import jit
from s2sad_runtime.pool import BIG, give, take
from s2sad_runtime.views import BIT, INT, REAL, STORED
from s2sad_runtime.words import copy_bytes, poke

FIRST = TOP  # a stack has no records: here that word is the address of the first value
EMPTY = "pop from an empty stack"


def _slot(code):
    """Intrinsics that write and read one value of a type at an address."""
    ty = STORED[code]

    @intrinsic
    def put(typingctx, at, value):
        def gen(context, builder, signature, args):
            place = builder.inttoptr(args[0], context.get_data_type(ty).as_pointer())
            builder.store(context.get_value_as_data(builder, ty, args[1]), place)
            return context.get_dummy_value()

        return types.void(types.int64, ty), gen

    @intrinsic
    def get(typingctx, at):
        def gen(context, builder, signature, args):
            place = builder.inttoptr(args[0], context.get_data_type(ty).as_pointer())
            return context.data_model_manager[ty].from_data(builder, builder.load(place))

        return ty(types.int64), gen

    return put, get


_put_real, _get_real = _slot(REAL)
_put_int, _get_int = _slot(INT)
_put_bit, _get_bit = _slot(BIT)


@jit(inner=True)
def new_stack_real():
    """An empty stack."""
    stack = allocate()
    stack[FIRST] = stack[NEXT]
    return stack


new_stack_int = new_stack_bit = new_stack_real


@jit(inner=True)
def _grow(stack):
    used = stack[NEXT] - stack[FIRST]
    size = (2 if used >= BIG else 4) * used
    block = take(size)
    poke(block - LINK, 0)
    copy_bytes(block, stack[FIRST], used)
    if stack[BLOCK] != 0:
        give(stack[BLOCK])
    stack[BLOCK] = stack[FIRST] = block
    stack[NEXT] = block + used
    stack[END] = block + size


@jit(inner=True)
def push_real(stack, value):
    """Put a float64 on top."""
    if stack[NEXT] == stack[END]:
        _grow(stack)
    _put_real(stack[NEXT], value)
    stack[NEXT] += 8


@jit(inner=True)
def pop_real(stack):
    """Take the top float64 off (IndexError when empty)."""
    if stack[NEXT] == stack[FIRST]:
        raise IndexError(EMPTY)
    stack[NEXT] -= 8
    return _get_real(stack[NEXT])


@jit(inner=True)
def push_int(stack, value):
    """Put an int64 on top."""
    if stack[NEXT] == stack[END]:
        _grow(stack)
    _put_int(stack[NEXT], value)
    stack[NEXT] += 8


@jit(inner=True)
def pop_int(stack):
    """Take the top int64 off (IndexError when empty)."""
    if stack[NEXT] == stack[FIRST]:
        raise IndexError(EMPTY)
    stack[NEXT] -= 8
    return _get_int(stack[NEXT])


@jit(inner=True)
def push_bit(stack, value):
    """Put a bool on top."""
    if stack[NEXT] == stack[END]:
        _grow(stack)
    _put_bit(stack[NEXT], value)
    stack[NEXT] += 1


@jit(inner=True)
def pop_bit(stack):
    """Take the top bool off (IndexError when empty)."""
    if stack[NEXT] == stack[FIRST]:
        raise IndexError(EMPTY)
    stack[NEXT] -= 1
    return _get_bit(stack[NEXT])
