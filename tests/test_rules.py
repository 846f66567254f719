"""Rules of users and derivatives taken inside, where the corpus doesn't come: rules that differ from what a body says,
compiled code around them, calls of many arguments."""

import operator

import numpy as np
import pytest
from numba import njit
from scipy import linalg

import s2sad


@s2sad.custom_vjp
def passed(x):
    """A step, with the slope that straight-through estimators give it."""
    return np.floor(x)


passed.defvjp(lambda x: (np.floor(x), x), lambda x, y_b: (0.5 * x * y_b,))


@s2sad.custom_jvp
def other(x):
    return x * x


@other.defjvp
def other_tangent(primals, tangents):
    (x,), (x_d,) = primals, tangents
    return x * x, 7.0 * x * x_d


@s2sad.custom_vjp
def halved(A):
    """The elements of a matrix, rounded; half of what comes back goes on."""
    return np.floor(A * 1.0)


halved.defvjp(lambda A: (np.floor(A), None), lambda kept, B_b: (0.5 * B_b,))


def called(x):
    return passed(x) * 1.0


def around(x):
    return other(x * 1.0) + 0.0 * x


@pytest.mark.parametrize("jit", [False, True], ids=["plain", "compiled"])
@pytest.mark.parametrize(
    ("f", "value", "slope", "second"),
    [
        (passed, 3.0, 1.75, 0.5),
        (called, 3.0, 1.75, 0.5),
        (other, 12.25, 24.5, 7.0),
        (around, 12.25, 24.5, 7.0),
    ],
)
def test_the_rule_decides(f, value, slope, second, jit):
    x = 3.5
    assert s2sad.value_and_grad(f, jit=jit)(x) == (value, slope)
    assert s2sad.jvp(f, (x,), (2.0,), jit=jit) == (value, 2.0 * slope)
    assert s2sad.vjp(f, x, jit=jit)[1](2.0) == (2.0 * slope,)
    assert s2sad.jacfwd(f, jit=jit)(x) == s2sad.jacrev(f, jit=jit)(x) == slope
    tape = s2sad.record(f, jit=jit)(x)
    assert (tape.value, tape.reverse(2.0), tape.forward(2.0)) == (value, (2.0 * slope,), 2.0 * slope)
    assert s2sad.hessian(f, jit=jit)(x) == s2sad.hvp(f, (x,), (1.0,), jit=jit) == second
    assert s2sad.grad(s2sad.grad(f, jit=jit), jit=jit)(x) == second
    whole = s2sad.record(f, jit=jit, entities=True)(x)
    assert (whole.value, whole.reverse(2.0), whole.forward(2.0)) == (value, (2.0 * slope,), 2.0 * slope)
    with pytest.raises(s2sad.UnsupportedSyntaxError, match="S075"):
        s2sad.record(f, jit=jit, values="primal")(x)


@pytest.mark.parametrize("jit", [False, True], ids=["plain", "compiled"])
def test_matrices(jit):
    """A matrix to a matrix, in either memory layout; on a tape as well."""

    def f(A, x):
        B = halved(A * x)
        return np.sum(B * B) + np.sum(halved(B * x))

    for A in (np.arange(6.0).reshape(2, 3) + 0.3, np.asfortranarray(np.arange(6.0).reshape(2, 3) + 0.3)):
        x = 1.7
        B = np.floor(A * x)
        B_b = 2.0 * B + 0.5 * x
        want = 0.5 * B_b * x, np.sum(0.5 * B_b * A) + np.sum(0.5 * B)
        got = s2sad.grad(f, (0, 1), jit=jit)(A, x)
        recorded = s2sad.record(f, jit=jit)(A, x).reverse(1.0)
        for found in (got, recorded):
            assert np.allclose(found[0], want[0], rtol=1e-13)
            assert np.isclose(found[1], want[1], rtol=1e-13)


def energy(u, p):
    s = 0.0
    for i in range(len(u)):
        s += np.sin(u[i] * p) * u[i - 1] ** 2
    return s


slope = s2sad.grad(energy)
curved = s2sad.grad(lambda p, u: np.sum(slope(u, p) ** 2))


@njit
def compiled_around(u, p):
    return curved(p, u) + energy_slope(u, p)[0]


energy_slope = s2sad.grad(energy)


def test_compiled_inside_compiled():
    """A derivative in a function that is differentiated, called in Numba code: against differences of its own formula."""
    u, p, h = np.array([0.3, -0.8, 1.1]), 0.7, 1e-5

    def g(p):
        n = len(u)
        back, on = np.roll(u, 1), np.roll(u, -1)
        return np.cos(u * p) * p * back**2 + np.sin(on * p) * 2.0 * u if n else u

    def f(p):
        return np.sum(g(p) ** 2)

    want = (8.0 * (f(p + h) - f(p - h)) - (f(p + 2 * h) - f(p - 2 * h))) / (12.0 * h)
    assert np.isclose(compiled_around(u, p), want + g(p)[0], rtol=1e-9)


def many(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23,
         a24, a25, a26, a27, a28, a29, a30, a31, a32, a33):  # fmt: skip
    s = a0 * a33
    for k in range(3):
        s = s * a1 + a17 * s * s
    return s


def test_calls_of_many_arguments():
    """Numba makes a tuple of more than thirty; none that begins with a function, which it would warn of."""
    args = tuple(0.1 + 0.02 * k for k in range(34))
    places = (0, 1, 17, 33)
    want = s2sad.grad(many, places, jit=False)(*args)
    assert np.allclose(s2sad.grad(many, places)(*args), want, rtol=1e-14)
    assert np.allclose(
        s2sad.record(many)(*args).reverse(1.0), s2sad.vjp(many, *args, jit=False)[1](1.0), rtol=1e-14
    )


def made(scale):
    def g(x):
        return scale * x * x

    s2sad.register(g, partials=f"{2.0 * scale} * x")
    return lambda x: g(x) * x


def test_registered_functions_of_one_name():
    """Each keeps its own rule, in compiled code as well; the same one again has the same name."""
    one, other, again = made(1.0), made(3.0), made(1.0)
    for jit in (False, True):
        assert [s2sad.value_and_grad(f, jit=jit)(2.0) for f in (one, other, again)] == [
            (8.0, 12.0), (24.0, 36.0), (8.0, 12.0)
        ]  # fmt: skip
    assert s2sad.differentiate(one).emit("adjoint") == s2sad.differentiate(again).emit("adjoint")


def test_registered_again():
    """The last rule counts, though the function is the same."""

    def g(x):
        return x * x

    def f(x):
        return g(x) + x

    s2sad.register(g, partials="2.0 * x")
    assert s2sad.grad(f, jit=False)(3.0) == 7.0
    s2sad.register(g, partials="5.0 * x")
    assert s2sad.grad(f, jit=False)(3.0) == s2sad.grad(f)(3.0) == 16.0
    assert s2sad.grad(g)(3.0) == 15.0
    assert s2sad.hessian(f)(3.0) == 5.0


def test_what_numba_cannot_call():
    """Functions of C are called with `jit=False`; their arguments are named."""
    with pytest.raises(s2sad.UnsupportedSyntaxError, match="arguments="):
        s2sad.register(max, partials="1.0")
    s2sad.register(operator.mul, partials=("b", "a"), arguments="a b")

    def f(x):
        return operator.mul(x, x * x)

    assert s2sad.grad(f, jit=False)(2.0) == 12.0
    with pytest.raises(s2sad.KindError, match="S062"):
        s2sad.grad(f)(2.0)


@pytest.mark.parametrize("jit", [False, True], ids=["plain", "compiled"])
def test_no_solution(jit):
    """What doesn't converge raises, and nothing wrong comes back."""
    away = s2sad.root(lambda x, a: x * x + a)
    growing = s2sad.fixed_point(lambda x, a: a * x + 1.0, most=20)

    for solve in (away, growing):

        def f(a):
            return solve(1.0, a)

        for way in (f, s2sad.grad(f, jit=jit), s2sad.differentiate(f, jit=jit)):
            with pytest.raises(ArithmeticError, match="no solution found"):
                way(2.0)


def test_roots_at_the_edge():
    """A start at the solution has slopes all the same; third order; a residual of no parameters."""
    solve = s2sad.root(lambda x, a: x**3 - a)

    def f(a):
        return solve(2.0, a)

    third = s2sad.grad(s2sad.grad(s2sad.grad(f, jit=False), jit=False), jit=False)
    assert s2sad.grad(f, jit=False)(8.0) == pytest.approx(1.0 / 12.0, rel=1e-14)
    assert third(8.0) == pytest.approx(10.0 / 27.0 * 8.0 ** (-8.0 / 3.0), rel=1e-12)
    start = s2sad.fixed_point(lambda x, a: a * 0.5 + 0.25 * x * x)
    x = 2.0 - 2.0 * (1.0 - 0.5 * 0.8) ** 0.5
    assert s2sad.grad(lambda a: start(x, a), jit=False)(0.8) == pytest.approx(
        0.5 / (1.0 - 0.5 * x), rel=1e-12
    )


# ----- functions of arrays that are registered ----------------------------------------------------------------------


def below(A, b):
    """A function of SciPy's, taken as it is."""
    return linalg.solve_triangular(A, b, lower=True)


def above(A, b):
    return linalg.solve_triangular(A.T, b)


def halves(solve, other, turned):
    """The rule of one, by the other."""

    def forward(A, b):
        x = solve(A, b)
        return x, (A, x)

    def backward(kept, w):
        A, x = kept
        v = other(A, w)
        return -np.tril(np.outer(x, v) if turned else np.outer(v, x)), v

    return forward, backward


s2sad.register(below, vjp=halves(below, above, False), returns="float64[:]")
s2sad.register(above, vjp=halves(above, below, True), returns="float64[:]")


def through_below(A, b):
    x = below(A, b * b)
    return np.sum(x * x) * b[0]


def through_solve(A, b):
    x = np.linalg.solve(np.tril(A), b * b)
    return np.sum(x * x) * b[0]


def test_a_function_of_scipy_by_its_rule():
    """The gradient, the tangent and second derivatives are those of a solution that is read."""
    r = np.random.default_rng(2)
    A, b = np.tril(r.normal(size=(4, 4))) + 4.0 * np.eye(4), r.normal(size=4)
    directions = (np.tril(r.normal(size=(4, 4))), r.normal(size=4))
    for got, want in zip(
        s2sad.grad(through_below, (0, 1), jit=False)(A, b),
        s2sad.grad(through_solve, (0, 1), jit=False)(A, b),
        strict=True,
    ):
        assert got == pytest.approx(want, rel=1e-12, abs=1e-14)
    one, other = (s2sad.jvp(f, (A, b), directions, jit=False) for f in (through_below, through_solve))
    assert one == pytest.approx(other, rel=1e-13)
    one, other = (s2sad.hvp(f, (A, b), directions, jit=False) for f in (through_below, through_solve))
    for got, want in zip(one, other, strict=True):
        assert got == pytest.approx(want, rel=1e-11, abs=1e-13)


def test_what_a_registered_function_returns_is_looked_at():
    def itself(u):
        return u if {0} else u * u

    def turned(u):
        return u.reshape(1, -1) if {0} else u

    for f, error, text in (
        (itself, ValueError, "an array of its own"),
        (turned, TypeError, "to return 1 dim"),
    ):
        s2sad.register(f, jvp=lambda p, t: (p[0] * 1.0, t[0]), returns="float64[:]")
        with pytest.raises(error, match=text):
            s2sad.value_and_grad(f_of(f), jit=False)(np.ones(2))


def f_of(f):
    """The sum of what a function gives."""

    def summed(u):
        return np.sum(f(u))

    return summed


def test_one_way_to_register():
    def f(u):
        return {0: u}[0]

    for given in ({}, {"partials": "1.0", "jvp": f}, {"vjp": f}, {"jvp": f, "returns": "int64"}):
        with pytest.raises(s2sad.UnsupportedSyntaxError) as e:
            s2sad.register(f, **given)
        assert e.value.code == "S077"
