"""The checks themselves: they accept what is right, and say what is wrong."""

import math
import re

import numpy as np
import pytest

import s2sad
from s2sad import testing
from s2sad.complexstep import complex_step
from s2sad.errors import ArgumentError, GradientCheckError
from s2sad.testing import check_grads, differences, inner, random_like, taylor_remainders


def smooth(x, u):
    s = x
    for i in range(len(u)):
        s = s * np.sin(u[i]) + x
    return s * s


def pair(x, u):
    return u * x, math.exp(x)


def branchy(x, y):
    return abs(x) * max(x, y) if x > y else math.atan2(y, x)


POINT = (0.7, np.array([0.3, -0.5, 0.9]))


@pytest.mark.parametrize("f", [smooth, pair])
def test_accepts(f):
    before = POINT[1].copy()
    check_grads(f, POINT, jit=False)
    assert np.array_equal(POINT[1], before)


def test_exported():
    assert s2sad.check_grads is check_grads


def test_wrong_tangent_is_found(monkeypatch):
    def wrong(f, primals, tangents, **options):
        y, ydot = s2sad.jvp(f, primals, tangents, **options)
        return y, ydot * 1.001

    monkeypatch.setattr(testing, "jvp", wrong)
    with pytest.raises(GradientCheckError, match=r"`smooth`, argument `x`: jvp gives .*, complex step ") as e:
        check_grads(smooth, POINT, jit=False)
    one, two = map(float, re.search("jvp gives (.*), complex step (.*) along", str(e.value)).groups())
    assert one / two == pytest.approx(1.001)
    check_grads(smooth, POINT, modes=("rev",), order=1, jit=False)


def test_wrong_adjoint_is_found(monkeypatch):
    def wrong(f, *primals, **options):
        y, pullback = s2sad.vjp(f, *primals, **options)
        return y, lambda ybar: (pullback(ybar)[0], pullback(ybar)[1] * np.array([1.0, 1.0, 0.999]))

    monkeypatch.setattr(testing, "vjp", wrong)
    with pytest.raises(GradientCheckError, match=r"`smooth`, argument `u`: vjp gives .*, complex step "):
        check_grads(smooth, POINT, jit=False)
    check_grads(smooth, POINT, modes=("fwd",), order=1, jit=False)


def test_wrong_second_derivative_is_found(monkeypatch):
    monkeypatch.setattr(testing, "hvp", lambda f, p, t, **o: tuple(2.0 * h for h in s2sad.hvp(f, p, t, **o)))
    check_grads(smooth, POINT, order=1, jit=False)
    with pytest.raises(GradientCheckError, match="hvp gives"):
        check_grads(smooth, POINT, jit=False)


def test_unknown_mode():
    with pytest.raises(ArgumentError):
        check_grads(smooth, POINT, modes=("sideways",))
    with pytest.raises(ArgumentError):
        check_grads(smooth, POINT, order=3)


TABLE = np.array([1.0, 2.0])


def helper(a, u):
    u[0] = a * TABLE[1]
    return np.hypot(a, 1.0), math.tanh(a)


def every_swap(x, u):
    v = np.zeros(len(u))
    p, q = helper(x, v)
    t = TABLE.copy()
    t[0] = x * u[0]
    w = np.floor(3.3 * x) * x + np.maximum(x, u[1]) + np.cbrt(x) + np.exp2(x) + math.erf(x) + int(x + 1.0) * x
    return (
        p * q
        + np.sum(v) * t[0]
        + w
        + min(x, 3.0) ** 3
        + np.logaddexp(x, u[2])
        + float(np.sign(x)) * abs(u[1])
    )


@pytest.mark.parametrize("f", [every_swap, pair])
def test_complex_step_agrees_with_differences(f):
    directions = (0.6, np.array([0.1, -0.8, 0.4]))
    exact = complex_step(f, POINT, directions)
    close, error = differences(f, POINT, directions)
    assert error < 1e-8
    for a, b in zip(testing.leaves(exact), testing.leaves(close), strict=True):
        assert np.allclose(a, b, rtol=1e-9)


def test_complex_step_goes_the_way_of_the_real_numbers():
    assert complex_step(branchy, (0.7, 0.4), (1.0, 0.0)) == pytest.approx(2 * 0.7, rel=1e-15)
    assert complex_step(branchy, (0.2, 0.4), (1.0, 0.0)) == pytest.approx(-0.4 / (0.2**2 + 0.4**2), rel=1e-15)


def test_complex_step_refuses():
    with pytest.raises(TypeError):
        complex_step(lambda x: math.lgamma(x), (1.5,), (1.0,))


def test_taylor_remainders():
    good = taylor_remainders(smooth, POINT, (1.0, None), complex_step(smooth, POINT, (1.0, None)))
    assert good[-1].order == pytest.approx(2.0, abs=0.1)
    bad = taylor_remainders(smooth, POINT, (1.0, None), complex_step(smooth, POINT, (1.0, None)) + 0.01)
    assert bad[-1].order == pytest.approx(1.0, abs=0.1)


def test_random_like():
    rng = np.random.default_rng(0)
    x, n, (u, k) = random_like((1.0, 3, (np.zeros((2, 3)), True)), rng)
    assert isinstance(x, float)
    assert n is None
    assert k is None
    assert u.shape == (2, 3)
    assert random_like((1, 2), rng) is None
    assert inner((x, None, u), (2.0, 5, np.ones((2, 3)))) == pytest.approx(2.0 * x + u.sum())
