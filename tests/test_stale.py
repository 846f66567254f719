"""A pullback reads its arrays again: it refuses when one has changed, and leaves alone what f left."""

import numpy as np
import pytest

import s2sad


def spread(x, a):
    for i in range(x.shape[0]):
        x[i] = x[i] * a[0] + x[i] * x[i]
    return np.sum(x)


@pytest.mark.parametrize("jit", [False, True])
def test_changed_input_is_refused(jit):
    x, a = np.array([1.0, 2.0, 3.0]), np.array([2.0])
    _, pullback = s2sad.vjp(spread, x, a, jit=jit)
    left = x.copy()
    for ybar in (1.0, 2.0):
        x_b, a_b = pullback(ybar)
        np.testing.assert_allclose(x_b, ybar * np.array([4.0, 6.0, 8.0]))
        np.testing.assert_allclose(a_b, [6.0 * ybar])
    np.testing.assert_array_equal(x, left)
    a[0] = 5.0
    with pytest.raises(s2sad.StaleInputError, match="`a` has changed"):
        pullback(1.0)
    a[0] = 2.0
    x[1] += 1.0
    with pytest.raises(s2sad.StaleInputError, match="`x` has changed"):
        pullback(1.0)


def test_not_looking():
    x, a = np.array([1.0, 2.0, 3.0]), np.array([2.0])
    _, pullback = s2sad.vjp(spread, x, a, jit=False, check_inputs=False)
    a[0] = 5.0
    pullback(1.0)
