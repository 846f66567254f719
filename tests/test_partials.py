"""Partials: what they bind is fixed, what they leave free is what the derivative takes."""

import functools

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
