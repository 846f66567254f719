"""Array helpers of the reverse sweep: add up what flows back through broadcasting."""

import operator

from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.extending import intrinsic
from numba.np.arrayobj import load_item, make_array, store_item

from s2sad_runtime.compiled import jit
from s2sad_runtime.words import I64

OVERLAP = "two arguments share memory: pass a copy of one of them"
GAPS = "an argument whose array other names share has to be C-contiguous: pass a copy"
MISMATCH = "shapes do not broadcast"


@intrinsic
def add_into(typingctx, x_b, inc):
    """x_b += inc over their common broadcast shape: elements of x_b that are met often get the sum."""
    if not isinstance(x_b, types.Array):
        raise errors.TypingError("accumulate needs an array; write `x_b += inc` for a scalar")
    operands = (x_b, inc if isinstance(inc, types.Array) else types.Array(inc, 0, "C"))

    def gen(context, builder, signature, args):
        add = context.get_function(operator.add, x_b.dtype(x_b.dtype, x_b.dtype))
        target = make_array(x_b)(context, builder, args[0])
        source = make_array(inc)(context, builder, args[1]) if isinstance(inc, types.Array) else None

        def step(to, come):
            value = load_item(context, builder, inc, come) if source else args[1]
            value = context.cast(builder, value, operands[1].dtype, x_b.dtype)
            value = add(builder, [load_item(context, builder, x_b, to), value])
            store_item(context, builder, x_b, value, to)

        to_shape, come_shape = _lengths(builder, target, x_b), _lengths(builder, source, operands[1])
        with builder.if_else(_same(builder, to_shape, come_shape)) as (plain, broadcast):
            with plain, cgutils.loop_nest(builder, to_shape, I64) as index:
                to = cgutils.get_item_pointer(context, builder, x_b, target, index)
                come = cgutils.get_item_pointer(context, builder, inc, source, index) if source else None
                step(to, come)
            with broadcast:
                common = [
                    _common(context, builder, *pair)
                    for pair in zip(*_aligned(to_shape, come_shape), strict=True)
                ]
                with cgutils.loop_nest(builder, common, I64) as index:
                    to = _pointer(builder, target, to_shape, index)
                    step(to, _pointer(builder, source, come_shape, index) if source else None)
        return context.get_dummy_value()

    return types.void(x_b, inc), gen


def _lengths(builder, array, ty):
    return cgutils.unpack_tuple(builder, array.shape, ty.ndim) if array else []


def _aligned(*shapes):
    """Shapes with ones in front, of equal rank."""
    rank = max(map(len, shapes))
    return ([I64(1)] * (rank - len(shape)) + shape for shape in shapes)


def _same(builder, left, right):
    same = ir.IntType(1)(len(left) == len(right))
    for m, n in zip(left, right, strict=False):
        same = builder.and_(same, builder.icmp_signed("==", m, n))
    return same


def _common(context, builder, m, n):
    """The common length of an axis; ValueError where neither is 1 and they differ."""
    one = builder.icmp_signed("==", m, I64(1))
    other = builder.icmp_signed("==", n, I64(1))
    fits = builder.or_(builder.or_(one, other), builder.icmp_signed("==", m, n))
    with cgutils.if_unlikely(builder, builder.not_(fits)):
        context.call_conv.return_user_exc(builder, ValueError, (MISMATCH,))
    return builder.select(one, n, m)


def _pointer(builder, array, shape, index):
    """Pointer to the element at a common index; axes of length 1 stay at 0."""
    at = builder.ptrtoint(array.data, I64)
    strides = cgutils.unpack_tuple(builder, array.strides, len(shape))
    for n, stride, k in zip(shape, strides, index[len(index) - len(shape) :], strict=True):
        step = builder.select(builder.icmp_signed("==", n, I64(1)), I64(0), builder.mul(k, stride))
        at = builder.add(at, step)
    return builder.inttoptr(at, array.data.type)


@jit(inner=True)
def accumulate(x_b, inc):
    """x_b += inc for an array x_b; inc is summed over axes that x_b lacks or has once only."""
    add_into(x_b, inc)


@intrinsic
def _total(typingctx, inc):
    is_array = isinstance(inc, types.Array)
    ty = inc.dtype if is_array else inc

    def gen(context, builder, signature, args):
        if not is_array:
            return args[0]
        add = context.get_function(operator.add, ty(ty, ty))
        array = make_array(inc)(context, builder, args[0])
        result = cgutils.alloca_once_value(builder, context.get_constant(ty, 0))
        with cgutils.loop_nest(builder, _lengths(builder, array, inc), I64) as index:
            item = load_item(
                context, builder, inc, cgutils.get_item_pointer(context, builder, inc, array, index)
            )
            builder.store(add(builder, [builder.load(result), item]), result)
        return builder.load(result)

    return ty(inc), gen


@jit(inner=True)
def total(inc):
    """The sum of an array, or the scalar itself: what flows back to a scalar."""
    return _total(inc)


@jit(inner=True)
def _extent(a):
    """First byte, and the one after the last."""
    low = high = a.ctypes.data
    for k in range(a.ndim):
        reach = (a.shape[k] - 1) * a.strides[k]
        low, high = low + min(reach, 0), high + max(reach, 0)
    return low, high + a.itemsize


@jit(inner=True)
def apart(a, b):
    """Do two arrays lie apart in memory, by their extents?"""
    a_low, a_high = _extent(a)
    b_low, b_high = _extent(b)
    return a.size == 0 or b.size == 0 or a_low >= b_high or b_low >= a_high


@intrinsic
def _is_c(typingctx, a):
    def gen(context, builder, signature, args):
        return ir.Constant(ir.IntType(1), a.layout == "C")

    return types.boolean(a), gen


@jit(inner=True)
def contiguous(a):
    """Refuse an array that is not C-contiguous by its type (ValueError): it is seen through other names as well."""
    if not _is_c(a):
        raise ValueError(GAPS)


@jit(inner=True)
def distinct(a, b):
    """Refuse two arrays whose memory overlaps (ValueError), by their extents."""
    if not apart(a, b):
        raise ValueError(OVERLAP)
