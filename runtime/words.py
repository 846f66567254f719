"""Words of memory by address, for the pool and the arena: the only raw loads and stores of the runtime."""

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

I64 = ir.IntType(64)
BYTE = ir.IntType(8)


def word_at(builder, address):
    """LLVM pointer to the 64-bit word at an integer address."""
    return builder.inttoptr(address, I64.as_pointer())


@intrinsic
def peek(typingctx, address):
    """The word at `address`."""

    def gen(context, builder, signature, args):
        return builder.load(word_at(builder, args[0]))

    return types.int64(types.int64), gen


@intrinsic
def poke(typingctx, address, value):
    """Write the word at `address`."""

    def gen(context, builder, signature, args):
        builder.store(args[1], word_at(builder, args[0]))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), gen


@intrinsic
def swap(typingctx, address, value):
    """Exchange the word at `address` for `value`, atomically; returns the old one."""

    def gen(context, builder, signature, args):
        return builder.atomic_rmw("xchg", word_at(builder, args[0]), args[1], "seq_cst")

    return types.int64(types.int64, types.int64), gen


@intrinsic
def add(typingctx, address, value):
    """Add to the word at `address`, atomically; returns the old one."""

    def gen(context, builder, signature, args):
        return builder.atomic_rmw("add", word_at(builder, args[0]), args[1], "monotonic")

    return types.int64(types.int64, types.int64), gen


@intrinsic
def put_last(typingctx, address, value):
    """Write the word at `address` after everything written before it (a release store)."""

    def gen(context, builder, signature, args):
        builder.store_atomic(args[1], word_at(builder, args[0]), ordering="release", align=8)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), gen


def symbol(name):
    """An intrinsic for the address of a named symbol: cached code holds the name, not the address."""

    @intrinsic
    def address(typingctx):
        def gen(context, builder, signature, args):
            known = builder.module.globals.get(name)
            place = known or cgutils.add_global_variable(builder.module, BYTE, name)
            return builder.ptrtoint(place, I64)

        return types.int64(), gen

    return address


@intrinsic
def copy_bytes(typingctx, target, source, size):
    """Copy `size` bytes between addresses."""

    def gen(context, builder, signature, args):
        to, come = (builder.inttoptr(a, BYTE.as_pointer()) for a in args[:2])
        cgutils.raw_memcpy(builder, to, come, args[2], 1)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), gen


def _of_width(bits, signed):
    """Intrinsics that read and write an integer of that many bits at an address."""
    width = ir.IntType(bits)

    @intrinsic
    def read(typingctx, address):
        def gen(context, builder, signature, args):
            value = builder.load(builder.inttoptr(args[0], width.as_pointer()))
            return (builder.sext if signed else builder.zext)(value, I64)

        return types.int64(types.int64), gen

    @intrinsic
    def write(typingctx, address, value):
        def gen(context, builder, signature, args):
            builder.store(builder.trunc(args[1], width), builder.inttoptr(args[0], width.as_pointer()))
            return context.get_dummy_value()

        return types.void(types.int64, types.int64), gen

    return read, write


peek4, poke4 = _of_width(32, True)
peek1, poke1 = _of_width(8, False)
