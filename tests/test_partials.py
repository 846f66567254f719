"""Partials: what they bind is fixed, what they leave free is what the derivative takes."""

import functools

import numba
import numpy as np
import pytest

import s2sad


def weighted(x, a=2.0, n=3):
    s = 0.0
    for i in range(n):
        s += x[i % x.shape[0]] * a**i
    return s


@pytest.mark.parametrize("jit", [False, True])
def test_partials(jit):
    x = np.array([0.5, 1.5])
    fixed = functools.partial(weighted, n=2)
    np.testing.assert_allclose(s2sad.grad(fixed, jit=jit)(x), [1.0, 2.0])
    np.testing.assert_allclose(s2sad.grad(fixed, jit=jit)(x, 3.0), [1.0, 3.0])
    assert s2sad.grad(fixed, 1, jit=jit)(x, a=3.0) == pytest.approx(1.5)
    np.testing.assert_allclose(s2sad.grad(functools.partial(fixed, a=3.0), jit=jit)(x), [1.0, 3.0])
    assert s2sad.grad(functools.partial(weighted, x), jit=jit)(2.0, 2) == pytest.approx(1.5)
    assert s2sad.jvp(fixed, (x, 2.0), (None, 1.0), jit=jit)[1] == pytest.approx(1.5)


def powers(x, *, n=2, scale=1.0):
    return scale * np.sum(x**n)


def scaled(x, *, scale, n=2):
    return scale * x**n


def late(x, a=2.0, *, scale):
    return scale * a * x


@numba.njit
def calling(x):
    return keyword_only(x), keyword_only(x, scale=2.0)


keyword_only = s2sad.grad(powers)


@pytest.mark.parametrize("jit", [False, True])
def test_keyword_only_parameters(jit):
    x = np.array([0.5, 1.5])
    gradient = s2sad.grad(powers, jit=jit)
    np.testing.assert_allclose(gradient(x), [1.0, 3.0])
    np.testing.assert_allclose(gradient(x, n=3), [0.75, 6.75])
    np.testing.assert_allclose(gradient(x, scale=2.0), [2.0, 6.0])
    assert s2sad.grad(scaled, jit=jit)(3.0, scale=2.0) == pytest.approx(12.0)
    assert s2sad.grad(late, jit=jit)(3.0, 5.0, scale=2.0) == pytest.approx(10.0)
    with pytest.raises(TypeError, match=r"scale|not enough"):
        s2sad.grad(late, jit=jit)(3.0, 5.0)
    decorated = s2sad.differentiate(powers, jit=jit)
    assert decorated(x) == pytest.approx(2.5)
    np.testing.assert_allclose(decorated.grad(x), [1.0, 3.0])


def test_keyword_only_parameters_in_nopython_code():
    for found, expected in zip(calling(np.array([0.5, 1.5])), [[1.0, 3.0], [2.0, 6.0]], strict=True):
        np.testing.assert_allclose(found, expected)
