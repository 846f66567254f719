"""Systems solved with kept factors: the bits of `np.linalg.solve`, its errors, and the transposed matrix."""

import numpy as np
import pytest
from numba import njit

from s2sad_runtime import plain, room_for_factors, solve_by, with_factors

RANDOM = np.random.default_rng(4)


@njit
def compiled(a, b):
    lu, pivots = room_for_factors(a)
    first, second = solve_by(a, lu, pivots, b), solve_by(a, lu, pivots, b)
    return first, second, with_factors(lu, pivots, b), with_factors(lu, pivots, b, True)


def by_python(a, b):
    lu, pivots = plain.room_for_factors(a)
    first, second = plain.solve_by(a, lu, pivots, b), plain.solve_by(a, lu, pivots, b)
    return first, second, plain.with_factors(lu, pivots, b), plain.with_factors(lu, pivots, b, True)


@njit
def itself(a, b):
    return np.linalg.solve(a, b)


@njit
def too_early(a, b):
    lu, pivots = room_for_factors(a)
    return with_factors(lu, pivots, b)


@pytest.mark.parametrize("n", [0, 1, 2, 7, 199, 200])  # from 200 on LAPACK may use threads
@pytest.mark.parametrize("columns", [None, 0, 3])
def test_solutions(n, columns):
    a = RANDOM.standard_normal((n, n)) + n * np.eye(n)
    b = RANDOM.standard_normal(n if columns is None else (n, columns))
    for four, reference in ((compiled, itself), (by_python, np.linalg.solve)):
        first, second, again, turned = four(a, b)
        expected = reference(a, b)
        assert np.array_equal(first, expected)
        assert np.array_equal(second, expected)
        assert first.flags.c_contiguous == expected.flags.c_contiguous
        assert np.allclose(a @ again, b, rtol=1e-12, atol=1e-12)
        assert np.allclose(a.T @ turned, b, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (np.ones((3, 3)), np.ones(3)),
        (np.full((3, 3), np.nan), np.ones(3)),
        (np.eye(3), np.ones(4)),
        (np.eye(3), np.array([1.0, np.inf, 0.0])),
        (np.ones((2, 3)), np.ones(2)),
    ],
    ids=["singular", "nan", "lengths", "inf", "not square"],
)
def test_errors_are_its_own(a, b):
    with pytest.raises(np.linalg.LinAlgError) as expected:
        itself(a, b)
    with pytest.raises(np.linalg.LinAlgError) as caught:
        compiled(a, b)
    assert str(caught.value) == str(expected.value)


def test_no_factors_yet():
    with pytest.raises(RuntimeError, match="no factors"):
        too_early(np.eye(2), np.ones(2))
    with pytest.raises(RuntimeError, match="no factors"):
        plain.with_factors(*plain.room_for_factors(np.eye(2)), np.ones(2))
