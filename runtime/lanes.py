"""Several directions at once: a row of the adjoint (tangent) vector has a lane per direction, as wide as registers take.

Rows should begin where lines of the cache do, so that none is spread over more lines than it fills.
"""

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from s2sad_runtime.words import I64

I32, REAL = ir.IntType(32), ir.DoubleType()
RELAXED = ("contract", "nsz")


class Rows:
    """LLVM for a vector with rows of so many lanes, and the arguments of a statement."""

    def __init__(self, context, builder, signature, args):
        vector, _, arguments, partials = signature.args[:4]
        self.context, self.builder, self.index = context, builder, arguments.dtype
        self.lanes = signature.args[-1].literal_value
        self.ty = ir.VectorType(REAL, self.lanes)
        self.data = make_array(vector)(context, builder, args[0]).data
        self.arguments = make_array(arguments)(context, builder, args[2]).data
        self.partials = make_array(partials)(context, builder, args[3]).data
        self.zero = ir.Constant(self.ty, [REAL(0.0)] * self.lanes)

    def at(self, index):
        """A pointer to a row."""
        start = self.builder.gep(self.data, [self.builder.mul(index, I64(self.lanes))])
        return self.builder.bitcast(start, self.ty.as_pointer())

    def of(self, j):
        """A pointer to the row of an argument, and its partial derivative in every lane."""
        builder = self.builder
        index = builder.load(builder.gep(self.arguments, [j]))
        row = self.at(self.context.cast(builder, index, self.index, types.int64))
        one = builder.insert_element(
            ir.Constant(self.ty, ir.Undefined), builder.load(builder.gep(self.partials, [j])), I32(0)
        )
        mask = ir.Constant(ir.VectorType(I32, self.lanes), [I32(0)] * self.lanes)
        return row, builder.shuffle_vector(one, ir.Constant(self.ty, ir.Undefined), mask)

    def load(self, row):
        """What is in a row."""
        return self.builder.load(row, align=8)

    def store(self, value, row):
        """Write a row."""
        self.builder.store(value, row, align=8)

    def more(self, total, partial, value):
        """`total + partial * value`."""
        builder = self.builder
        return builder.fadd(total, builder.fmul(partial, value, flags=RELAXED), flags=RELAXED)


@intrinsic
def pass_on(typingctx, adjoints, index, arguments, partials, begin, end, lanes):
    """Take a statement backwards: hand the adjoint in a row on to its arguments, and leave zero."""
    if not isinstance(lanes, types.IntegerLiteral):
        return None

    def gen(context, builder, signature, args):
        rows = Rows(context, builder, signature, args)
        own = rows.at(args[1])
        w = rows.load(own)
        bits = ir.IntType(rows.lanes)
        some = builder.bitcast(builder.fcmp_unordered("!=", w, rows.zero), bits)
        with builder.if_then(builder.icmp_unsigned("!=", some, bits(0))):
            rows.store(rows.zero, own)
            with cgutils.for_range_slice(builder, args[4], args[5], I64(1), I64) as (j, _):
                row, partial = rows.of(j)
                rows.store(rows.more(rows.load(row), partial, w), row)
        return context.get_dummy_value()

    word = types.int64
    return types.void(adjoints, word, arguments, partials, word, word, lanes), gen


@intrinsic
def take_in(typingctx, tangents, index, arguments, partials, begin, end, lanes):
    """Take a statement forwards: the tangents of its left side from those of its arguments."""
    if not isinstance(lanes, types.IntegerLiteral):
        return None

    def gen(context, builder, signature, args):
        rows = Rows(context, builder, signature, args)
        total = cgutils.alloca_once_value(builder, rows.zero)
        builder.store(rows.zero, total)
        with cgutils.for_range_slice(builder, args[4], args[5], I64(1), I64) as (j, _):
            row, partial = rows.of(j)
            builder.store(rows.more(builder.load(total), partial, rows.load(row)), total)
        rows.store(builder.load(total), rows.at(args[1]))
        return context.get_dummy_value()

    word = types.int64
    return types.void(tangents, word, arguments, partials, word, word, lanes), gen
