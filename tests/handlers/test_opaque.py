"""Determinants of singular matrices have derivatives of first and second order."""

import numpy as np
import pytest

import s2sad


def determinant(A):
    return np.linalg.det(A)


@pytest.mark.parametrize("jit", [False, True])
def test_second_derivative_of_a_determinant(jit):
    A = np.array([[1.0, 2.0], [2.0, 4.0]])
    cofactors = [[4.0, -2.0], [-2.0, 1.0]]  # linear in A, so that the product with A itself is the same again
    np.testing.assert_allclose(s2sad.grad(determinant, jit=jit)(A), cofactors, atol=1e-14)
    np.testing.assert_allclose(s2sad.hvp(determinant, (A,), (A,), jit=jit), cofactors, atol=1e-14)
