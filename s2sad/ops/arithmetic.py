"""Rows: what Python's operators do, comparisons, logic, casts, and roundings."""

from __future__ import annotations

from s2sad.ops.row import NONZERO, POSITIVE, REAL, TRUTH, WHOLE, Op

# fmt: off
OPERATORS = (
    Op("add", "a b", y="{a} + {b}", d=("1.0", "1.0"), result="same", names=("np.add",)),
    Op("sub", "a b", y="{a} - {b}", d=("1.0", "-1.0"), result="same", names=("np.subtract",)),
    Op("mul", "a b", y="{a} * {b}", d=("b", "a"), result="same", names=("np.multiply",)),
    Op("div", "a b", y="{a} / {b}", d=("1.0 / b", "-y / b"), domain=(REAL, NONZERO), guarded=True,
       names=("np.divide", "np.true_divide"), why="the quotient is used again"),
    Op("floordiv", "a b", y="{a} // {b}", domain=(REAL, NONZERO), result="same", names=("np.floor_divide",),
       why="constant between its jumps"),
    Op("mod", "a b", y="{a} % {b}", d=("1.0", "-(a // b)"), domain=(REAL, NONZERO), result="same",
       names=("np.mod", "np.remainder"), why="a % b = a - (a // b) * b"),
    Op("fmod", "a b", y="np.fmod({a}, {b})", scalar="np.fmod({a}, {b})", d=("1.0", "-trunc(a / b)"),
       domain=(REAL, NONZERO), names=("np.fmod", "math.fmod"), why="fmod(a, b) = a - trunc(a / b) * b"),
    Op("pow", "a b", y="{a} ** {b}",
       d=("1.0 * b * a ** where(b == 0, 1, b - 1)", "y * log(where(a == 0, 1.0, a))"),
       domain=(POSITIVE, REAL), cost="dear", result="same", guarded=True, names=("np.power", "pow"),
       why="a**0 is flat, also at a = 0; flat in b at a = 0"),
    Op("math_pow", "a b", y="math.pow({a}, {b})",
       d=("b * a ** where(b == 0, 1, b - 1)", "y * log(where(a == 0, 1.0, a))"), domain=(POSITIVE, REAL),
       cost="dear", guarded=True, names=("math.pow",), why="as pow, always real"),
    Op("float_power", "a b", result="double", y="(np.float64(1.0) * {a}) ** {b}",
       scalar="(np.float64(1.0) * {a}) ** {b}",
       d=("b * a ** where(b == 0, 1, b - 1)", "y * log(where(a == 0, 1.0, a))"), domain=(POSITIVE, REAL),
       cost="dear", guarded=True, names=("np.float_power",), why="as pow, always real"),
    Op("remainder", "a b", result="double", y="special.remainder({a}, {b})", scalar="special.remainder({a}, {b})",
       d=("1.0", "(y - a) / b"), domain=(REAL, NONZERO), names=("math.remainder",), why="a - n * b for a whole n"),
    Op("neg", "x", y="-{x}", d=("-1.0",), result="same", names=("np.negative",)),
    Op("pos", "x", y="+{x}", d=("1.0",), result="same", names=("np.positive",)),
    Op("stop_gradient", "x", y="+{x}", scalar="{x}", result="same", why="the same value, nothing flows"),
)

COMPARISONS = (
    Op("lt", "a b", y="{a} < {b}", result="bool", names=("np.less",)),
    Op("le", "a b", y="{a} <= {b}", result="bool", names=("np.less_equal",)),
    Op("gt", "a b", y="{a} > {b}", result="bool", names=("np.greater",)),
    Op("ge", "a b", y="{a} >= {b}", result="bool", names=("np.greater_equal",)),
    Op("eq", "a b", y="{a} == {b}", result="bool", names=("np.equal",)),
    Op("ne", "a b", y="{a} != {b}", result="bool", names=("np.not_equal",)),
)

LOGIC = (
    Op("and", "a b", y="{a} and {b}", domain=TRUTH, result="bool", why="b is evaluated if a holds"),
    Op("or", "a b", y="{a} or {b}", domain=TRUTH, result="bool", why="b is evaluated if a doesn't hold"),
    Op("bit_and", "a b", y="{a} & {b}", domain=TRUTH, result="same", names=("np.bitwise_and",)),
    Op("bit_or", "a b", y="{a} | {b}", domain=TRUTH, result="same", names=("np.bitwise_or",)),
    Op("bit_xor", "a b", y="{a} ^ {b}", domain=TRUTH, result="same", names=("np.bitwise_xor",)),
    Op("bit_not", "x", y="np.invert({x})", domain=TRUTH, result="same", names=("np.invert",)),
    Op("not", "x", y="not {x}", domain=TRUTH, result="bool"),
    Op("logical_and", "a b", y="{a} & {b}", domain=TRUTH, result="bool", names=("np.logical_and",)),
    Op("logical_or", "a b", y="{a} | {b}", domain=TRUTH, result="bool", names=("np.logical_or",)),
    Op("logical_not", "x", y="np.logical_not({x})", domain=TRUTH, result="bool", names=("np.logical_not",)),
    Op("isfinite", "x", y="np.isfinite({x})", result="bool", names=("np.isfinite", "math.isfinite")),
    Op("isnan", "x", y="np.isnan({x})", result="bool", names=("np.isnan", "math.isnan")),
    Op("logical_xor", "a b", y="np.logical_xor({a}, {b})", domain=TRUTH, result="bool", names=("np.logical_xor",)),
    Op("signbit", "x", y="np.signbit({x})", result="bool", names=("np.signbit",)),
    Op("isneginf", "x", y="np.isneginf({x})", result="bool", names=("np.isneginf",)),
    Op("isposinf", "x", y="np.isposinf({x})", result="bool", names=("np.isposinf",)),
    Op("isinf", "x", y="np.isinf({x})", result="bool", names=("np.isinf", "math.isinf")),
)

CASTS = (
    Op("int", "x", y="int({x})", result="int", names=("int", "np.int64")),
    Op("float", "x", y="float({x})", d=("1.0",), names=("float",)),
    Op("float64", "x", y="{x}.astype(np.float64)", scalar="np.float64({x})", d=("1.0",), result="double",
       names=("np.float64",)),
    Op("float32", "x", y="{x}.astype(np.float32)", scalar="np.float32({x})", d=("1.0",), result="single",
       names=("np.float32",), why="what flows back is cast to the type of the operand"),
    Op("bool", "x", y="bool({x})", domain=TRUTH, result="bool", names=("bool", "np.bool_")),
)

ROUNDINGS = (
    Op("floor", "x", y="np.floor({x})", names=("np.floor",)),
    Op("ceil", "x", y="np.ceil({x})", names=("np.ceil",)),
    Op("trunc", "x", y="np.trunc({x})", names=("np.trunc",)),
    Op("rint", "x", y="np.rint({x})", names=("np.rint",)),
    Op("around", "x n", y="np.round({x}, {n})", names=("np.round", "np.around"), domain=(REAL, WHOLE)),
    Op("sign", "x", y="np.sign({x})", result="same", names=("np.sign",)),
    Op("floor_int", "x", y="math.floor({x})", result="int", names=("math.floor",)),
    Op("ceil_int", "x", y="math.ceil({x})", result="int", names=("math.ceil",)),
    Op("trunc_int", "x", y="math.trunc({x})", result="int", names=("math.trunc",)),
    Op("round_int", "x", y="round({x})", result="int", names=("round",)),
)
# fmt: on

ROWS = OPERATORS + COMPARISONS + LOGIC + CASTS + ROUNDINGS
