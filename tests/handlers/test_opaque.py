"""What nobody knows how to differentiate is refused when it is asked for, not taken for constant."""

import numpy as np
import pytest

import s2sad


def determinant(A):
    return np.linalg.det(A)


@pytest.mark.parametrize("jit", [False, True])
def test_second_derivative_of_a_determinant(jit):
    A = np.array([[1.0, 2.0], [2.0, 4.0]])
    np.testing.assert_allclose(s2sad.grad(determinant, jit=jit)(A), [[4.0, -2.0], [-2.0, 1.0]], atol=1e-14)
    with pytest.raises(s2sad.MissingRuleError, match="no second derivative"):
        s2sad.hvp(determinant, (A,), (A,), jit=jit)
