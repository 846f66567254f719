"""Every row over its domain: value and slopes, to second order, against mpmath with 40 digits."""

import random

import mpmath
import numpy as np
import pytest
from mpmath import mp
from ops.references import SPECIAL

from s2sad.ir.nodes import Apply, Const, Var
from s2sad.ops import OPS, partial, partials
from s2sad.ops.evaluate import evaluate
from s2sad.ops.row import TRUTH, WHOLE
from s2sad.ops.table import resolve
from s2sad.testing import differences

mp.dps = 40


def _sign(x):
    return mpmath.sign(x)


def _trunc(x):
    return mpmath.floor(x) if x >= 0 else mpmath.ceil(x)


def _choose(c, a, b):
    return a if c else b


# independent values; slopes of operations without an entry are held against differences of their own values
REFERENCE = {
    **{f"special.{name}": f for name, f in SPECIAL.items()},
    "gamma": mpmath.gamma,
    "lgamma": mpmath.loggamma,
    "float_power": mpmath.power,
    "remainder": lambda a, b: a - mpmath.nint(a / b) * b,
    "logaddexp2": lambda a, b: mpmath.log(mpmath.mpf(2) ** a + mpmath.mpf(2) ** b, 2),
    "ldexp": lambda x, n: x * mpmath.mpf(2) ** n,
    "sinc": mpmath.sincpi,
    "spherical_j1": lambda z: mpmath.sin(z) / z**2 - mpmath.cos(z) / z,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "mod": lambda a, b: a - mpmath.floor(a / b) * b,
    "fmod": lambda a, b: a - _trunc(a / b) * b,
    "pow": mpmath.power,
    "math_pow": mpmath.power,
    "neg": lambda x: -x,
    "pos": lambda x: +x,
    "float": lambda x: x,
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "tan": mpmath.tan,
    "arcsin": mpmath.asin,
    "arccos": mpmath.acos,
    "arctan": mpmath.atan,
    "arctan2": mpmath.atan2,
    "hypot": mpmath.hypot,
    "deg2rad": mpmath.radians,
    "rad2deg": mpmath.degrees,
    "sinh": mpmath.sinh,
    "cosh": mpmath.cosh,
    "tanh": mpmath.tanh,
    "arcsinh": mpmath.asinh,
    "arccosh": mpmath.acosh,
    "arctanh": mpmath.atanh,
    "exp": mpmath.exp,
    "expm1": mpmath.expm1,
    "exp2": lambda x: mpmath.mpf(2) ** x,
    "log": mpmath.log,
    "log1p": mpmath.log1p,
    "log2": lambda x: mpmath.log(x, 2),
    "log10": mpmath.log10,
    "logaddexp": lambda a, b: mpmath.log(mpmath.exp(a) + mpmath.exp(b)),
    "erf": mpmath.erf,
    "erfc": mpmath.erfc,
    "sqrt": mpmath.sqrt,
    "root": mpmath.sqrt,
    "root_of_order": lambda s, p: s ** (1 / p),
    "cbrt": mpmath.cbrt,
    "square": lambda x: x * x,
    "reciprocal": lambda x: 1 / x,
    "abs": abs,
    "copysign": lambda a, b: abs(a) * _sign(b),
    "maximum": max,
    "minimum": min,
    "fmax": max,
    "fmin": min,
    "clip": lambda x, lo, hi: min(max(x, lo), hi),
    "where": _choose,
    "heaviside": lambda x, h: mpmath.mpf(0) if x < 0 else mpmath.mpf(1),
}

SMOOTH = [
    key for key, op in OPS.items() if op.d and not op.structural and op.result != "single"
]  # which rounds
DRAWS = 7


def draws(key):
    """Points in the domain of a row, the same ones each time."""
    rng = random.Random(key)
    for _ in range(DRAWS):
        yield [_drawn(d, rng) for d in OPS[key].domains]


def _drawn(domain, rng):
    if domain is TRUTH:
        return rng.random() < 0.5
    return (
        rng.randint(int(domain.low), int(domain.high))
        if domain is WHOLE
        else rng.uniform(domain.low, domain.high)
    )


def smooth(key):
    """The operands that a row has slopes for."""
    op = OPS[key]
    unknown = [k for k, text in enumerate(op.d) if text == "unknown"]
    return [k for k, d in enumerate(op.domains) if d not in (TRUTH, WHOLE) and k not in unknown]


def slope(f, point, k, order=1):
    """The derivative of f by its k-th argument."""
    return mpmath.diff(lambda t: f(*point[:k], t, *point[k + 1 :]), point[k], order)


def close(found, expected):
    return abs(found - float(expected)) <= 1e-11 + 1e-11 * abs(float(expected))


def test_references_are_of_rows():
    assert set(REFERENCE) <= set(SMOOTH)


@pytest.mark.parametrize("key", [key for key in SMOOTH if key not in REFERENCE])
def test_slopes_of_rows_without_a_reference(key):
    """Against differences of the row's own value."""
    op = OPS[key]
    expr = Apply(key, tuple(map(Var, op.fixed)))
    for point in draws(key):
        env = dict(zip(op.fixed, point, strict=True))
        for k in smooth(key):
            along = tuple(1.0 if m == k else None for m in range(len(point)))
            expected, _ = differences(
                lambda *x: evaluate(expr, dict(zip(op.fixed, x, strict=True))), tuple(point), along
            )
            assert evaluate(partial(expr, k), env) == pytest.approx(expected, rel=1e-7, abs=1e-7)


KNOWN = [key for key in SMOOTH if key in REFERENCE]


@pytest.mark.parametrize("key", KNOWN)
def test_value_and_slopes(key):
    op, f = OPS[key], REFERENCE[key]
    names = tuple(map(Var, op.fixed))
    expr = Apply(key, names)
    for point in draws(key):
        env = dict(zip(op.fixed, point, strict=True))
        exact = [p if isinstance(p, bool | int) else mpmath.mpf(p) for p in point]
        env["result"] = value = evaluate(expr, env)
        assert close(value, f(*exact))
        for k in smooth(key):
            expected = slope(f, exact, k)
            for y in (None, Var("result")):
                assert close(evaluate(partial(expr, k, y), env), expected), (k, env)


@pytest.mark.parametrize("key", KNOWN)
def test_second_order(key):
    op, f = OPS[key], REFERENCE[key]
    names = tuple(map(Var, op.fixed))
    for point in draws(key):
        env = dict(zip(op.fixed, point, strict=True))
        exact = [p if isinstance(p, bool | int) else mpmath.mpf(p) for p in point]
        for k, by in enumerate(names):
            if k not in smooth(key):
                continue
            gradient = partials(partial(Apply(key, names), k), [names[m] for m in smooth(key)].__contains__)
            for m, other in enumerate(names):
                if m not in smooth(key):
                    continue
                if m == k:
                    expected = slope(f, exact, k, order=2)
                else:
                    low, high = sorted((k, m))

                    def both(s, t, low=low, high=high):
                        return f(*exact[:low], s, *exact[low + 1 : high], t, *exact[high + 1 :])

                    expected = mpmath.diff(both, (exact[low], exact[high]), (1, 1))
                found = evaluate(gradient.get(other, Const(0.0)), env)
                assert close(found, expected), (by, other, env)


FLAT = [key for key, op in OPS.items() if not op.d and op.structural == "" and op.domains]


@pytest.mark.parametrize("key", FLAT)
def test_flat_rows_let_nothing_through(key):
    op = OPS[key]
    expr = Apply(key, tuple(map(Var, op.fixed)))
    assert all(partial(expr, k) == Const(0.0) for k in range(len(op.fixed)))
    assert partials(expr, lambda leaf: True) == {}


@pytest.mark.parametrize(
    ("key", "point", "value"),
    [
        ("floordiv", (7.5, 2.0), 3.0),
        ("floordiv", (-7.5, 2.0), -4.0),
        ("floor", (-1.5,), -2.0),
        ("ceil", (-1.5,), -1.0),
        ("trunc", (-1.5,), -1.0),
        ("rint", (2.5,), 2.0),
        ("sign", (-3.0,), -1.0),
        ("floor_int", (-1.5,), -2),
        ("ceil_int", (-1.5,), -1),
        ("trunc_int", (-1.5,), -1),
        ("round_int", (2.5,), 2),
        ("int", (-1.5,), -1),
        ("bool", (2.0,), True),
        ("lt", (1.0, 2.0), True),
        ("le", (2.0, 2.0), True),
        ("gt", (1.0, 2.0), False),
        ("ge", (2.0, 2.0), True),
        ("eq", (2.0, 2.0), True),
        ("ne", (2.0, 2.0), False),
        ("and", (True, False), False),
        ("or", (True, False), True),
        ("not", (True,), False),
        ("logical_and", (True, False), False),
        ("logical_or", (True, False), True),
        ("logical_not", (True,), False),
        ("isfinite", (np.inf,), False),
        ("isnan", (np.nan,), True),
        ("isinf", (-np.inf,), True),
        ("trips", (1, 8, 3), 3),
        ("stop_gradient", (2.5,), 2.5),
    ],
)
def test_values_of_flat_rows(key, point, value):
    assert evaluate(Apply(key, tuple(map(Const, point))), {}) == value


@pytest.mark.parametrize("key", [key for key in FLAT if OPS[key].names])
def test_flat_rows_have_the_value_of_what_they_are_called(key):
    op = OPS[key]
    for point in draws(key):
        expected = resolve(op.names[0])(*point)
        assert evaluate(Apply(key, tuple(map(Const, point))), {}) == expected


def test_and_leaves_its_second_operand_alone_where_the_first_decides():
    assert evaluate(Apply("and", (Const(False), Var("unbound"))), {}) is False
    assert evaluate(Apply("or", (Const(True), Var("unbound"))), {}) is True


def test_arrays():
    x = np.array([[1.0, 3.0], [3.0, 2.0]])
    env = {"x": x, "n": 2}

    def run(key, *args):
        return evaluate(Apply(key, args), env)

    X, N = Var("x"), Var("n")
    assert run("sum", X) == 9.0
    assert run("amax", X) == 3.0
    assert run("amin", X) == 1.0
    assert run("shape", X, Const(1)) == 2
    assert run("item", Apply("zeros", (Const(1),))) == 0.0
    assert np.array_equal(run("zeros", N, N), np.zeros((2, 2)))
    assert np.array_equal(run("ones", N), np.ones(2))
    assert run("empty", N, Const(3)).shape == run("slots", N, Const(3)).shape == (2, 3)
    assert np.array_equal(run("full", Const(2.5), N), [2.5, 2.5])
    assert np.array_equal(run("full_like", X, Const(2.5)), np.full((2, 2), 2.5))
    assert np.array_equal(run("zeros_like", X), np.zeros((2, 2)))
    assert np.array_equal(run("ones_like", X), np.ones((2, 2)))
    assert run("empty_like", X).shape == (2, 2)
    for copied in (run("copy", X), run("own", X)):
        assert np.array_equal(copied, x)
        assert not np.shares_memory(copied, x)


def test_slopes_of_reductions_per_element():
    x = np.array([1.0, 3.0, 3.0, 2.0])
    env = {"x": x}
    X = Var("x")
    for key, shares in (("sum", 1.0), ("amax", [0, 0.5, 0.5, 0]), ("amin", [1, 0, 0, 0])):
        assert np.array_equal(evaluate(partial(Apply(key, (X,)), 0), env), shares)
    assert partial(Apply("full", (Var("v"), Var("n"))), 0) == Const(1.0)
    assert partial(Apply("full", (Var("v"), Var("n"))), 1) == Const(0.0)
