"""Rows: elementwise functions of real numbers from NumPy and `math`, and choices between two values."""

from __future__ import annotations

from s2sad.ops.row import ABOVE_MINUS_ONE, ABOVE_ONE, NONZERO, POSITIVE, REAL, TRUTH, UNIT, WHOLE, Op

# fmt: off
CIRCLE = (
    Op("sin", "x", y="np.sin({x})", d=("cos(x)",), cost="dear", names=("np.sin", "math.sin")),
    Op("cos", "x", y="np.cos({x})", d=("-sin(x)",), cost="dear", names=("np.cos", "math.cos")),
    Op("tan", "x", y="np.tan({x})", d=("1.0 + y * y",), domain=UNIT, cost="dear",
       names=("np.tan", "math.tan")),
    Op("arcsin", "x", y="np.arcsin({x})", d=("1.0 / sqrt((1.0 - x) * (1.0 + x))",), domain=UNIT,
       cost="dear", guarded=True, names=("np.arcsin", "math.asin")),
    Op("arccos", "x", y="np.arccos({x})", d=("-1.0 / sqrt((1.0 - x) * (1.0 + x))",), domain=UNIT,
       cost="dear", guarded=True, names=("np.arccos", "math.acos")),
    Op("arctan", "x", y="np.arctan({x})", d=("1.0 / (1.0 + x * x)",), cost="dear",
       names=("np.arctan", "math.atan")),
    Op("arctan2", "a b", y="np.arctan2({a}, {b})", d=("b / r", "-a / r"), let={"r": "a * a + b * b"},
       domain=(REAL, NONZERO), cost="dear", guarded=True, names=("np.arctan2", "math.atan2")),
    Op("hypot", "a b", y="np.hypot({a}, {b})", d=("a / y", "b / y"), domain=(REAL, NONZERO), cost="dear",
       guarded=True, names=("np.hypot", "math.hypot")),
    Op("deg2rad", "x", y="np.deg2rad({x})", d=("0.017453292519943295",),
       names=("np.deg2rad", "np.radians", "math.radians"), why="pi / 180"),
    Op("rad2deg", "x", y="np.rad2deg({x})", d=("57.29577951308232",),
       names=("np.rad2deg", "np.degrees", "math.degrees"), why="180 / pi"),
)

HYPERBOLA = (
    Op("sinh", "x", y="np.sinh({x})", d=("cosh(x)",), cost="dear", names=("np.sinh", "math.sinh")),
    Op("cosh", "x", y="np.cosh({x})", d=("sinh(x)",), cost="dear", names=("np.cosh", "math.cosh")),
    Op("tanh", "x", y="np.tanh({x})", d=("1.0 - y * y",), cost="dear", names=("np.tanh", "math.tanh")),
    Op("arcsinh", "x", y="np.arcsinh({x})", d=("1.0 / sqrt(x * x + 1.0)",), cost="dear",
       names=("np.arcsinh", "math.asinh")),
    Op("arccosh", "x", y="np.arccosh({x})", d=("1.0 / sqrt((x - 1.0) * (x + 1.0))",), domain=ABOVE_ONE,
       cost="dear", guarded=True, names=("np.arccosh", "math.acosh")),
    Op("arctanh", "x", y="np.arctanh({x})", d=("1.0 / ((1.0 - x) * (1.0 + x))",), domain=UNIT, cost="dear",
       guarded=True, names=("np.arctanh", "math.atanh")),
)

EXPONENTIALS = (
    Op("exp", "x", y="np.exp({x})", d=("y",), cost="dear", names=("np.exp", "math.exp"), why="y' = y"),
    Op("expm1", "x", y="np.expm1({x})", d=("exp(x)",), cost="dear", names=("np.expm1", "math.expm1")),
    Op("exp2", "x", y="np.exp2({x})", d=("0.6931471805599453 * y",), cost="dear",
       names=("np.exp2", "math.exp2"), why="log(2)"),
    Op("log", "x", y="np.log({x})", d=("1.0 / x",), domain=POSITIVE, cost="dear", guarded=True,
       names=("np.log", "math.log")),
    Op("log1p", "x", y="np.log1p({x})", d=("1.0 / (1.0 + x)",), domain=ABOVE_MINUS_ONE, cost="dear",
       guarded=True, names=("np.log1p", "math.log1p")),
    Op("log2", "x", y="np.log2({x})", d=("1.4426950408889634 / x",), domain=POSITIVE, cost="dear",
       guarded=True, names=("np.log2", "math.log2"), why="1 / log(2)"),
    Op("log10", "x", y="np.log10({x})", d=("0.4342944819032518 / x",), domain=POSITIVE, cost="dear",
       guarded=True, names=("np.log10", "math.log10"), why="1 / log(10)"),
    Op("logaddexp", "a b", y="np.logaddexp({a}, {b})", d=("exp(a - y)", "exp(b - y)"), cost="dear",
       names=("np.logaddexp",)),
    Op("logaddexp2", "a b", y="np.logaddexp2({a}, {b})", d=("exp2(a - y)", "exp2(b - y)"), cost="dear",
       names=("np.logaddexp2",)),
    Op("ldexp", "x n", y="np.ldexp({x}, {n})", d=("ldexp(1.0, n)",), domain=(REAL, WHOLE),
       names=("np.ldexp", "math.ldexp")),
    Op("sinc", "x", y="np.sinc({x})", d=("-3.141592653589793 * spherical_j1(3.141592653589793 * x)",), cost="dear",
       names=("np.sinc",), why="sin(pi x) / (pi x)"),
    Op("spherical_j1", "z", result="double", y="special.spherical_j1({z})",
       d=("where(z == 0.0, 1.0 / 3.0, sinc(z / 3.141592653589793) - 2.0 * y / z)",), cost="dear",
       why="sin(z) / z**2 - cos(z) / z, the slope of sinc"),
    Op("erf", "x", y="math.erf({x})", d=("1.1283791670955126 * exp(-(x * x))",), cost="dear",
       names=("math.erf",), why="2 / sqrt(pi)"),
    Op("erfc", "x", y="math.erfc({x})", d=("-1.1283791670955126 * exp(-(x * x))",), cost="dear",
       names=("math.erfc",), why="-2 / sqrt(pi)"),
)

POWERS = (
    Op("sqrt", "x", y="np.sqrt({x})", d=("0.5 / y",), domain=POSITIVE, guarded=True,
       names=("np.sqrt", "math.sqrt")),
    Op("cbrt", "x", y="np.cbrt({x})", scalar="np.cbrt({x})", d=("1.0 / (3.0 * y * y)",), domain=NONZERO, cost="dear",
       guarded=True, names=("np.cbrt", "math.cbrt")),
    Op("square", "x", y="np.square({x})", d=("2.0 * x",), result="same", names=("np.square",)),
    Op("reciprocal", "x", y="np.reciprocal({x})", d=("-y * y",), domain=NONZERO, guarded=True,
       names=("np.reciprocal",)),
)

CHOICES = (
    Op("abs", "x", y="np.abs({x})", d=("sign(x)",), result="same",
       names=("abs", "np.abs", "np.fabs", "math.fabs"), why="0 at 0"),
    Op("copysign", "a b", y="np.copysign({a}, {b})", d=("sign(a) * copysign(1.0, b)",),
       domain=(NONZERO, NONZERO), names=("np.copysign", "math.copysign")),
    Op("maximum", "a b", y="np.maximum({a}, {b})",
       d=("where(a > b, 1.0, where(a == b, 0.5, 0.0))", "where(b > a, 1.0, where(b == a, 0.5, 0.0))"),
       result="same", names=("np.maximum", "max"), why="ties share evenly"),
    Op("minimum", "a b", y="np.minimum({a}, {b})",
       d=("where(a < b, 1.0, where(a == b, 0.5, 0.0))", "where(b < a, 1.0, where(b == a, 0.5, 0.0))"),
       result="same", names=("np.minimum", "min"), why="ties share evenly"),
    Op("fmax", "a b", y="np.fmax({a}, {b})",
       d=("where(a == b, 0.5, where(y == a, 1.0, 0.0))", "where(a == b, 0.5, where(y == b, 1.0, 0.0))"),
       names=("np.fmax",), why="as maximum; the other operand where one is not a number"),
    Op("fmin", "a b", y="np.fmin({a}, {b})",
       d=("where(a == b, 0.5, where(y == a, 1.0, 0.0))", "where(a == b, 0.5, where(y == b, 1.0, 0.0))"),
       names=("np.fmin",), why="as minimum; the other operand where one is not a number"),
    Op("clip", "x lo hi", y="np.clip({x}, {lo}, {hi})", scalar="np.minimum(np.maximum({x}, {lo}), {hi})",
       d=("where((lo < x) & (x < hi), 1.0, where(y == x, 0.5, 0.0))",
          "where((x < lo) & (lo < hi), 1.0, where((x <= lo) & (y == lo), 0.5, 0.0))",
          "where((hi < x) | (hi < lo), 1.0, where(y == hi, 0.5, 0.0))"),
       result="same", names=("np.clip",), why="lo <= hi; a bound and the value share evenly"),
    Op("where", "c a b", y="np.where({c}, {a}, {b})", scalar="{a} if {c} else {b}",
       d=("0.0", "where(c, 1.0, 0.0)", "where(c, 0.0, 1.0)"), domain=(TRUTH, REAL, REAL), result="same",
       names=("np.where",), why="a slope selects, it never multiplies"),
    Op("heaviside", "x h", result="double",
       y="np.where({x} == 0.0, {h}, np.where({x} < 0.0, 0.0, np.where({x} > 0.0, 1.0, {x})))",
       scalar="{h} if {x} == 0.0 else 0.0 if {x} < 0.0 else 1.0 if {x} > 0.0 else {x}",
       d=("0.0", "where(x == 0, 1.0, 0.0)"), names=("np.heaviside",)),
    Op("nan_to_num", "x", y="np.nan_to_num({x})", d=("where(isfinite(x), 1.0, 0.0)",), names=("np.nan_to_num",)),
)
# fmt: on

ROWS = CIRCLE + HYPERBOLA + EXPONENTIALS + POWERS + CHOICES
