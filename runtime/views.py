"""Arrays over addresses: intrinsics between the arena's records and what Numba code sees.

A record is a run of words: the record below it, its tag (type code and number of dimensions), the address
of its data, then its shape. The arrays made here own nothing: Numba counts no references for them.
"""

from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.extending import intrinsic
from numba.np.arrayobj import get_itemsize, load_item, make_array, populate_array, store_item

from s2sad_runtime.words import I64, word_at

REAL, INT, BIT, COMPLEX, SINGLE = 1, 2, 3, 4, 5
STORED = {
    REAL: types.float64,
    INT: types.int64,
    BIT: types.boolean,
    COMPLEX: types.complex128,
    SINGLE: types.float32,
}
TAG_UNIT = 64
BELOW, TAG, DATA, SHAPE = 0, 8, 16, 24  # offsets in a record
WRONG_RECORD = "the top record of the arena is of another type, shape or number of dimensions"


def code_of_type(dtype):
    """The type code that values of a Numba type are kept under."""
    if dtype == types.float32:
        return SINGLE
    for code, family in (
        (REAL, types.Float),
        (BIT, types.Boolean),
        (INT, types.Integer),
        (COMPLEX, types.Complex),
    ):
        if isinstance(dtype, family):
            return code
    raise errors.TypingError(f"an array of {dtype} cannot be kept")


@intrinsic
def code_of(typingctx, a):
    """The type code of an array, known when compiling."""
    code = code_of_type(a.dtype)

    def gen(context, builder, signature, args):
        return I64(code)

    return types.int64(a), gen


@intrinsic
def is_stored(typingctx, a):
    """Whether an array's memory is laid out as records are, known when compiling."""
    same = a.layout == "C" and a.dtype == STORED[code_of_type(a.dtype)]

    def gen(context, builder, signature, args):
        return ir.IntType(1)(same)

    return types.boolean(a), gen


@intrinsic
def address(typingctx, a):
    """Address of an array's data."""

    def gen(context, builder, signature, args):
        return builder.ptrtoint(make_array(a)(context, builder, args[0]).data, I64)

    return types.int64(a), gen


@intrinsic
def itemsize(typingctx, a):
    """Bytes per element."""

    def gen(context, builder, signature, args):
        return I64(get_itemsize(context, a))

    return types.int64(a), gen


@intrinsic
def count(typingctx, shape):
    """Number of elements of a shape (negative lengths are 0); -1 where that overflows."""

    def gen(context, builder, signature, args):
        product, over = I64(1), ir.IntType(1)(0)
        for n in lengths(context, builder, shape, args[0]):
            both = builder.smul_with_overflow(product, n)
            product = builder.extract_value(both, 0)
            over = builder.or_(over, builder.extract_value(both, 1))
        return builder.select(over, I64(-1), product)

    return types.int64(shape), gen


def lengths(context, builder, shape, value):
    """The lengths in a shape tuple as LLVM words, at least 0."""
    for n, ty in zip(cgutils.unpack_tuple(builder, value, len(shape)), shape, strict=True):
        n = context.cast(builder, n, ty, types.int64)
        yield builder.select(builder.icmp_signed("<", n, I64(0)), I64(0), n)


@intrinsic
def write_shape(typingctx, record, shape):
    """Put the shape into a record."""

    def gen(context, builder, signature, args):
        for k, n in enumerate(lengths(context, builder, shape, args[1])):
            builder.store(n, field(builder, args[0], SHAPE + 8 * k))
        return context.get_dummy_value()

    return types.void(types.int64, shape), gen


@intrinsic
def has_shape(typingctx, record, shape):
    """Whether a record has that shape."""

    def gen(context, builder, signature, args):
        same = ir.IntType(1)(1)
        for k, n in enumerate(lengths(context, builder, shape, args[1])):
            same = builder.and_(
                same, builder.icmp_signed("==", n, builder.load(field(builder, args[0], SHAPE + 8 * k)))
            )
        return same

    return types.boolean(types.int64, shape), gen


@intrinsic
def kept_like(typingctx, record, a):
    """The array of a record that keeps array `a`."""
    aty = types.Array(STORED[code_of_type(a.dtype)], a.ndim, "C")

    def gen(context, builder, signature, args):
        return array_of(context, builder, aty, args[0])

    return aty(types.int64, a), gen


@intrinsic
def lay(typingctx, at, shape, code):
    """A C-contiguous array of that shape and literal type code over the memory at `at`."""
    if not isinstance(code, types.IntegerLiteral):
        return None
    aty = types.Array(STORED[code.literal_value], len(shape), "C")

    def gen(context, builder, signature, args):
        return _array(context, builder, aty, args[0], list(lengths(context, builder, shape, args[1])))

    return aty(types.int64, shape, code), gen


@intrinsic
def lay_like(typingctx, at, shape, a):
    """The same, of a's dtype."""
    aty = types.Array(a.dtype, len(shape), "C")

    def gen(context, builder, signature, args):
        return _array(context, builder, aty, args[0], list(lengths(context, builder, shape, args[1])))

    return aty(types.int64, shape, a), gen


def array_of(context, builder, aty, record):
    """LLVM value of the array of a record."""
    shape = [builder.load(field(builder, record, SHAPE + 8 * k)) for k in range(aty.ndim)]
    return _array(context, builder, aty, builder.load(field(builder, record, DATA)), shape)


def _array(context, builder, aty, at, shape):
    size = get_itemsize(context, aty)
    strides = [I64(size)]
    for n in reversed(shape[1:]):
        strides.insert(0, builder.mul(n, strides[0]))
    made = make_array(aty)(context, builder)
    data = builder.inttoptr(at, context.get_data_type(aty.dtype).as_pointer())
    populate_array(made, data, shape, strides[: aty.ndim], I64(size), None)
    return made._getvalue()


def field(builder, record, offset):
    """LLVM pointer to a word of a record."""
    return word_at(builder, builder.add(record, I64(offset)))


@intrinsic
def assign(typingctx, target, source):
    """target[...] = source, of equal shapes and any layouts, cast to the dtype of `target`."""

    def gen(context, builder, signature, args):
        to, come = (make_array(ty)(context, builder, v) for ty, v in zip(signature.args, args, strict=True))
        shape = cgutils.unpack_tuple(builder, to.shape, target.ndim)
        if target.layout == source.layout == "C" and target.dtype == source.dtype:
            size = I64(get_itemsize(context, target))
            for n in shape:
                size = builder.mul(size, n)
            cgutils.raw_memcpy(builder, to.data, come.data, size, 1)
            return context.get_dummy_value()
        with cgutils.loop_nest(builder, shape, I64) as index:
            value = load_item(
                context, builder, source, cgutils.get_item_pointer(context, builder, source, come, index)
            )
            value = context.cast(builder, value, source.dtype, target.dtype)
            store_item(
                context, builder, target, value, cgutils.get_item_pointer(context, builder, target, to, index)
            )
        return context.get_dummy_value()

    return types.void(target, source), gen
