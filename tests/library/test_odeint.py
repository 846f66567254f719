"""Solutions of initial value problems by SciPy's `odeint`: values its own, derivatives by equations of their own."""

import itertools
import types

import numpy as np
import pytest
from scipy.integrate import ODEintWarning, odeint

import s2sad

TIMES = np.array([0.0, 0.3, 0.5, 1.1])
MATRIX = np.array([[-0.4, 1.0, 0.2], [-1.3, -0.2, 0.1], [0.3, 0.0, -0.7]])
START = np.array([1.0, 0.5, -0.3])


def linear(y, t, A):
    return A @ y


def of_matrix(A, y0, t):
    return odeint(linear, y0, t, args=(A,), rtol=1e-11, atol=1e-12)


def swing(y, t, friction, pull):
    theta, omega = y
    return [omega, -friction * omega - pull * np.sin(theta)]


def pendulum(y0, friction, t):
    return odeint(swing, y0, t, args=(friction, 5.0), rtol=1e-11, atol=1e-12)


def of_two_numbers(theta, omega, pull):
    return odeint(swing, [theta, omega], [0.0, 0.2, 0.9], (0.25, pull), rtol=1e-11, atol=1e-12)


def time_first(y0, k, t):
    return odeint(lambda t, y, k: -k * t * y, y0, t, args=(k,), tfirst=True, rtol=1e-11, atol=1e-12)[-1]


def captured(y0, k, A, n):
    """What is around comes along: numbers, arrays, a function; an integer is an exponent."""
    scale = k * k

    def force(y, w):
        return scale * np.tanh(A @ y) - w * y**n

    def rate(y, t, w):
        return force(y, w) * np.cos(t)

    return odeint(rate, y0, np.linspace(0.0, 1.2, 4), (k,), rtol=1e-11, atol=1e-12) * A[0, 0]


def of_a_number(y0, r):
    """A number is a vector of one."""
    return odeint(lambda y, t: r * y * (1.0 - y), y0, [0.0, 0.4, 2.0], rtol=1e-11, atol=1e-12)


def backwards(y0, k):
    return odeint(lambda y, t, k: np.array([y[1], -k * y[0] + t]), y0, [1.0, 0.4, 0.0, -0.5], (k,), None, rtol=1e-11,
                  atol=1e-12)  # fmt: skip


def standing_still(y0, k):
    """A time that is there twice."""
    return odeint(lambda y, t: -k * y * y, y0, [0.0, 0.5, 0.5, 0.8, 0.8], rtol=1e-11, atol=1e-12)


def tuples(y0, pair):
    def rate(y, t, a, pair):
        w, b = pair
        return a * y - w * b[::-1] * y[0]

    return odeint(rate, y0, [0.0, 0.7], args=(0.5, pair), rtol=1e-11, atol=1e-12)


def in_a_loop(y0, k, n):
    """Start of the next where the last one ended; written in between."""
    y = y0.copy()
    s = 0.0
    for i in range(n):
        path = odeint(lambda y, t: -k * y**2 + s, y, np.array([0.0, 0.25, 0.5]), rtol=1e-11, atol=1e-12)
        y = path[-1]
        y[0] = y[0] * (1.0 + i)
        s += np.sum(path) * 0.1
    return s * y


def only_times(t):
    return odeint(
        lambda y, s: np.array([np.cos(s), y[0] * s]), np.array([0.2, 1.0]), t, rtol=1e-11, atol=1e-12
    )


def of_whole_numbers(k):
    """Starts and times that are integers."""
    return odeint(lambda y, t: -k * y, np.array([2, 1]), np.arange(3), rtol=1e-11, atol=1e-12)


def nothing_changes(y0, k):
    return odeint(lambda y, t: y, y0, [0.0, 1.0], rtol=1e-11, atol=1e-12) * k


def vector(y):
    """The library has another one of this name."""
    return y * y * 0.3


def names_of_its_own(y0, k):
    s = k * 2.0
    return odeint(lambda y, t: vector(y) * s, y0, [0.0, 0.6], rtol=1e-11, atol=1e-12)


CASES = [
    (of_matrix, MATRIX, START, TIMES),
    (pendulum, np.array([3.0, 0.1]), 0.25, TIMES),
    (of_two_numbers, 3.0, 0.1, 5.0),
    (time_first, START, 0.8, TIMES),
    (captured, START, 0.7, MATRIX, 2),
    (of_a_number, 0.3, 1.4),
    (backwards, START[:2], 0.7),
    (standing_still, START[:2], 0.7),
    (tuples, START[:2], (0.6, np.array([0.3, 0.9]))),
    (in_a_loop, START + 1.0, 0.4, 3),
    (only_times, TIMES + 0.2),
    (of_whole_numbers, 0.3),
    (nothing_changes, START, 1.3),
    (names_of_its_own, START, 0.7),
]


def rk(func, y0, t, args=(), Dfun=None, tfirst=False, rtol=0.0, atol=0.0):
    """Runge and Kutta's method with small steps, for complex numbers as well."""
    t = np.asarray(t)
    rows = [np.atleast_1d(np.asarray(y0) * (1.0 + 0j))]

    def f(y, s):
        return np.asarray(func(s, y, *args) if tfirst else func(y, s, *args))

    for a, b in itertools.pairwise(t):
        y, h = rows[-1], (b - a) / 400
        for k in range(400):
            s = a + k * h
            k1 = f(y, s)
            k2 = f(y + 0.5 * h * k1, s + 0.5 * h)
            k3 = f(y + 0.5 * h * k2, s + 0.5 * h)
            k4 = f(y + h * k3, s + h)
            y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        rows.append(y)
    return np.array(rows)


def reference(f):
    """The same function with that method."""
    return types.FunctionType(
        f.__code__, {**globals(), "odeint": rk}, f.__name__, f.__defaults__, f.__closure__
    )


def real(value):
    return not isinstance(value, tuple) and np.asarray(value).dtype.kind == "f"


def mapped(f, *values):
    """A function of leaves, over tuples; None for those that are integers."""
    if isinstance(values[0], tuple):
        return tuple(mapped(f, *items) for items in zip(*values, strict=True))
    return f(*values) if real(values[0]) else None


def drawn(args, seed):
    rng = np.random.default_rng(seed)
    return mapped(lambda v: rng.standard_normal(np.shape(v))[()], args)


def along(args, directions, h):
    return tuple(
        tuple(along(v, d, h)) if isinstance(v, tuple) else v if d is None else v + h * d
        for v, d in zip(args, directions, strict=True)
    )


def dotted(one, other):
    if isinstance(one, tuple):
        return sum(dotted(a, b) for a, b in zip(one, other, strict=True))
    return 0.0 if one is None else float(np.sum(one * other))


def name(case):
    return case[0].__name__


def pushed(f, args, directions):
    """By a complex step."""
    h = 1e-30
    return np.imag(reference(f)(*along(args, directions, 1j * h))) / h


@pytest.mark.parametrize("case", CASES, ids=name)
def test_forward_and_back(case):
    f, *args = case
    args = tuple(args)
    directions = drawn(args, 3)
    expected = pushed(f, args, directions)
    value, slope = s2sad.jvp(f, args, directions, jit=False)
    assert np.array_equal(value, f(*args))
    assert np.allclose(slope, expected, rtol=1e-7, atol=1e-8)
    value, pull = s2sad.vjp(f, *args, jit=False)
    assert np.array_equal(value, f(*args))
    w = np.random.default_rng(4).standard_normal(value.shape)
    for weight in (w, w * (np.arange(len(w)) == 1).reshape(-1, *[1] * (w.ndim - 1))):
        assert dotted(pull(weight), directions) == pytest.approx(
            np.sum(weight * expected), rel=1e-7, abs=1e-8
        )


@pytest.mark.parametrize("case", [c for c in CASES if c[0] is not in_a_loop], ids=name)
def test_second_order(case):
    """The tangent of a gradient, against differences of the gradient."""
    f, *args = case
    args = tuple(args)
    w = np.random.default_rng(4).standard_normal(f(*args).shape)
    places = tuple(k for k, a in enumerate(args) if not isinstance(a, int))
    u, v = drawn(args, 5), drawn(args, 6)

    def one(a):
        return np.sum(w * np.sin(f(a)))

    def two(a, b):
        return np.sum(w * np.sin(f(a, b)))

    def three(a, b, c):
        return np.sum(w * np.sin(f(a, b, c)))

    def four(a, b, c, d):
        return np.sum(w * np.sin(f(a, b, c, d)))

    weighted = (one, two, three, four)[len(args) - 1]
    slopes = s2sad.grad(weighted, places, jit=False)
    products = s2sad.hvp(weighted, args, u, jit=False)
    products = products if len(args) > 1 else (products,)
    h = 1e-4
    ahead, behind = (slopes(*along(args, u, step)) for step in (h, -h))
    ahead, behind = (dict(zip(places, s, strict=True)) for s in (ahead, behind))
    left = sum(dotted(products[k], v[k]) for k in places)
    right = sum(dotted(ahead[k], v[k]) - dotted(behind[k], v[k]) for k in places) / (2 * h)
    assert left == pytest.approx(right, rel=1e-5, abs=1e-6)
    turned = s2sad.hvp(weighted, args, v, jit=False)
    turned = turned if len(args) > 1 else (turned,)
    assert left == pytest.approx(sum(dotted(turned[k], u[k]) for k in places), rel=1e-6, abs=1e-7)


def decay(y0, k):
    return np.sum(odeint(lambda y, t: -k * y, y0, [0.0, 0.5, 1.0], rtol=1e-11, atol=1e-12) ** 2)


def test_any_order():
    """Against the closed form: y = exp(-k t) y0."""
    t, y0, k = np.array([0.0, 0.5, 1.0]), np.array([1.0, 2.0]), 0.7
    of_k = s2sad.grad(decay, 1, jit=False)
    for order in (1, 2, 3):
        expected = 5.0 * np.sum((-2.0 * t) ** order * np.exp(-2.0 * k * t))
        assert of_k(y0, k) == pytest.approx(expected, rel=1e-8)
        of_k = s2sad.grad(of_k, 1, jit=False)


def test_derivatives_inside():
    def squared(y0, k):
        return np.sum(s2sad.grad(decay)(y0, k) ** 2)

    y0, k, t = np.array([1.0, 2.0]), 0.7, np.array([0.0, 0.5, 1.0])
    both = 2.0 * np.sum(np.exp(-2.0 * k * t))
    of_y, of_k = s2sad.grad(squared, (0, 1), jit=False)(y0, k)
    assert np.allclose(of_y, 2.0 * both**2 * y0, rtol=1e-8)
    assert of_k == pytest.approx(10.0 * both * 2.0 * np.sum(-2.0 * t * np.exp(-2.0 * k * t)), rel=1e-8)


def of_a_gradient(q0, k):
    """The flow of an energy; what solves is a derivative itself."""
    return odeint(lambda q, t: -energy(q, k), q0, [0.0, 0.6], rtol=1e-11, atol=1e-12)


energy = s2sad.grad(lambda q, k: 0.25 * k * np.sum(q**4) + 0.5 * np.sum(q[1:] * q[:-1]), jit=False)


energy = s2sad.grad(lambda q, k: 0.25 * k * np.sum(q**4) + 0.5 * np.sum(q[1:] * q[:-1]), jit=False)


def test_a_derivative_is_solved():
    def flow(q, k):
        slope = -k * q**3
        slope[1:] -= 0.5 * q[:-1]
        slope[:-1] -= 0.5 * q[1:]
        return slope

    args, directions = (START, 0.9), (np.array([0.3, -1.0, 0.4]), 0.7)
    h = 1e-30
    expected = rk(lambda q, t: flow(q, 0.9 + h * 0.7j), START + 1j * h * directions[0], [0.0, 0.6]).imag / h
    _, slope = s2sad.jvp(of_a_gradient, args, directions, jit=False)
    assert np.allclose(slope, expected, rtol=1e-8, atol=1e-9)
    w = np.array([[0.0, 0.0, 0.0], [1.0, 0.4, -0.3]])
    q_b, k_b = s2sad.vjp(of_a_gradient, *args, jit=False)[1](w)
    assert np.sum(q_b * directions[0]) + k_b * 0.7 == pytest.approx(np.sum(w * expected), rel=1e-8)


@pytest.mark.parametrize("entities", [False, True], ids=["elements", "entities"])
def test_on_a_tape(entities):
    y0, k = np.array([1.0, 2.0]), 0.7
    of_y, of_k = s2sad.grad(decay, (0, 1), jit=False)(y0, k)
    tape = s2sad.record(decay, jit=False, entities=entities)(y0, k)
    y_b, k_b = tape.reverse(1.0)
    assert np.allclose(y_b, of_y, rtol=1e-8)
    assert k_b == pytest.approx(of_k, rel=1e-8)
    assert tape.forward(np.array([1.0, 0.0]), 2.0) == pytest.approx(of_y[0] + 2.0 * of_k, rel=1e-8)


def test_run_again():
    """In a stretch that isn't stored."""

    @s2sad.checkpoint
    def step(y, k):
        return odeint(lambda y, t: -k * y * y, y, [0.0, 0.25], rtol=1e-11, atol=1e-12)[-1]

    def steps(y0, k):
        y = y0
        for _ in range(4):
            y = step(y, k)
        return np.sum(y)

    y0, k = np.array([1.0, 2.0]), 0.7
    of_y, of_k = s2sad.grad(steps, (0, 1), jit=False)(y0, k)
    assert np.allclose(of_y, (1.0 + k * y0) ** -2.0, rtol=1e-8)
    assert of_k == pytest.approx(np.sum(-(y0**2) * (1.0 + k * y0) ** -2.0), rel=1e-8)


def test_the_solvers_own_tolerances():
    """As they are by themselves: the value is the same, derivatives are as exact as they let it be."""

    def usual(y0, k):
        return odeint(swing, y0, TIMES, (k, 5.0))

    args, directions = (np.array([3.0, 0.1]), 0.25), (np.array([1.0, -0.4]), 2.0)
    value, slope = s2sad.jvp(usual, args, directions, jit=False)
    assert np.array_equal(value, usual(*args))
    tight = s2sad.jvp(lambda y0, k: pendulum(y0, k, TIMES), args, directions, jit=False)[1]
    assert np.allclose(slope, tight, rtol=1e-5, atol=1e-5)

    def options(y0, k, tolerance):
        return odeint(swing, y0, TIMES, (k, 5.0), rtol=tolerance, atol=tolerance, hmax=0.1, mxstep=2000)

    value, slope = s2sad.jvp(options, (*args, 1e-11), (*directions, 1.0), jit=False)
    assert np.array_equal(value, options(*args, 1e-11))
    assert np.allclose(slope, tight, rtol=1e-8, atol=1e-8)


def test_no_derivative_of_what_is_no_solution():
    """SciPy warns that it did not get to the end; a derivative of that would be anything."""

    def infinite(y0):
        return odeint(lambda y, t: y * y, y0, [0.0, 2.0])[-1, 0]

    y0 = np.array([1.0])
    with pytest.warns(ODEintWarning):
        infinite(y0)
    with pytest.warns(ODEintWarning), pytest.raises(ArithmeticError, match="odeint"):
        s2sad.grad(infinite, jit=False)(y0)


def test_exceptions_come_through():
    def bounded(y, t):
        if y[0] < 0.7:
            raise ValueError("too small")
        return -y

    def f(y0):
        return odeint(bounded, y0, [0.0, 1.0])[-1, 0]

    with pytest.raises(ValueError, match="too small"):
        s2sad.grad(f, jit=False)(np.array([1.0]))
    with pytest.raises(ValueError, match="monotonically"):
        s2sad.vjp(only_times, np.array([0.0, 1.0, 0.5]), jit=False)


def test_what_needs_plain_python():
    with pytest.raises(s2sad.KindError, match="S062"):
        s2sad.grad(decay)(np.array([1.0]), 0.7)


def test_rules_that_would_have_to_be_transposed():
    @s2sad.custom_jvp
    def solved(y0):
        return decay(y0, 0.5)

    @solved.defjvp
    def tangent(primals, tangents):
        path = odeint(lambda y, t: -0.5 * y, tangents[0], [0.0, 1.0])
        return solved(*primals), path[-1, 0]

    with pytest.raises(s2sad.UnsupportedSyntaxError, match="S078"):
        s2sad.grad(lambda y0: solved(y0) * 2.0, jit=False)(np.array([1.0]))
