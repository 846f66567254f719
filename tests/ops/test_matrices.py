"""Every matrix operation by itself: value, tangent, dot product, second order, to tight limits."""

import copy

import numpy as np
import pytest

import s2sad
from s2sad.testing import differences, inner, leaves, random_like


def draw(*shape, seed=0):
    return np.random.default_rng([seed, *shape]).uniform(-1.0, 1.0, shape)


def positive(n, seed=0):
    a = draw(n, n, seed=seed)
    return a @ a.T + np.eye(n)


def eigenvalues(A, c):
    w, _ = np.linalg.eigh(A)
    return np.sum(w * w * w * c)


def eigenvectors(A, C):
    _, v = np.linalg.eigh(A)
    return np.sum(v * v * C)


def spectral(A, C):
    w, v = np.linalg.eigh(A)
    return np.sum((v * np.exp(w)) @ v.T * C)


def singular_values(A, c):
    _, s, _ = np.linalg.svd(A)
    return np.sum(s * s * s * c)


def thin(A, B, C):
    u, s, vt = np.linalg.svd(A, full_matrices=False)
    return np.sum(u * u * B) + np.sum(vt * vt * C) + np.sum(((u * s) @ vt) ** 3)


def full(A, B, C):
    u, s, vt = np.linalg.svd(A)
    return np.sum(u * u * B) * s[0] + np.sum(vt * vt * C)


def null_space(A, C):
    u, s, _ = np.linalg.svd(A, full_matrices=True)
    n = len(s)
    return np.sum(u[:, n:] @ u[:, n:].T * C)


def cholesky(A, C):
    return np.sum(np.linalg.cholesky(A) ** 3 * C)


CASES = [
    (eigenvalues, positive(4), draw(4)),
    (eigenvectors, positive(4), draw(4, 4)),
    (spectral, positive(3), draw(3, 3)),
    (singular_values, draw(3, 4), draw(3)),
    (singular_values, draw(4, 2), draw(2)),
    (thin, draw(3, 3), draw(3, 3, seed=1), draw(3, 3, seed=2)),
    (thin, draw(5, 2), draw(5, 2, seed=1), draw(2, 2)),
    (thin, draw(3, 4), draw(3, 3), draw(3, 4, seed=1)),
    (full, draw(4, 3), draw(4, 4), draw(3, 3)),
    (full, draw(3, 4), draw(3, 3), draw(4, 4)),
    (null_space, draw(4, 2), draw(4, 4)),
    (cholesky, positive(4), draw(4, 4)),
]


@pytest.mark.parametrize(
    ("f", "args"), [(f, args) for f, *args in CASES], ids=lambda v: getattr(v, "__name__", "")
)
def test_matrix_operation(f, args):
    assert_derivatives(f, args, jit=False)


def assert_derivatives(f, args, jit, second=True):
    args = tuple(args)
    rng = np.random.default_rng(7)
    v = tuple(random_like(a, rng) if np.asarray(a).dtype.kind == "f" else None for a in args)
    active = tuple(k for k, d in enumerate(v) if d is not None)
    value = f(*copy.deepcopy(args))
    y, ydot = s2sad.jvp(f, copy.deepcopy(args), v, jit=jit)
    assert np.array_equal(y, value) if not jit else np.allclose(y, value, rtol=1e-12, atol=1e-12)
    want, error = differences(f, args, v)
    assert error < 1e-9, "the reference is not good enough here"
    assert near(ydot, want, 1e-9)
    seed = random_like(value, rng)
    _, pull = s2sad.vjp(f, *copy.deepcopy(args), jit=jit)
    back = pull(seed)
    left, right = inner(tuple(back[k] for k in active), tuple(v[k] for k in active)), inner(seed, ydot)
    assert abs(left - right) <= 1e-10 * (1.0 + abs(right))
    if second:
        slope = s2sad.grad(f, argnums=active, jit=jit)
        want, error = differences(lambda *a: slope(*a), args, v)
        assert error < 1e-7, "the reference is not good enough here"
        got = s2sad.hvp(f, copy.deepcopy(args), v, jit=jit)
        got = (got,) if len(args) == 1 else tuple(got[k] for k in active)
        assert near(got, want, 1e-7)


def near(got, want, limit):
    pairs = list(zip(leaves(got), leaves(want), strict=True))
    return all(
        np.shape(a) == np.shape(b) and np.all(np.abs(a - b) <= limit * (1.0 + np.abs(b))) for a, b in pairs
    )


# ----- equal eigenvalues and singular values ---------------------------------------------------------------


def test_equal_eigenvalues_by_themselves():
    g = s2sad.grad(lambda a: np.sum(np.linalg.eigh(a)[0] ** 2), jit=False)(np.eye(3))
    assert np.allclose(g, 2.0 * np.eye(3))


def test_vectors_of_equal_values_have_no_derivative():
    g = s2sad.grad(lambda a: np.sum(np.linalg.eigh(a)[1] * 0.3), jit=False)(np.eye(3))
    assert np.isnan(g).any()
    g = s2sad.grad(lambda a: np.sum(np.linalg.svd(a)[0] * 0.3), jit=False)(np.eye(3))
    assert np.isnan(g).any()


def test_the_gradient_is_in_the_triangle_that_is_read():
    def by_eigh(a):
        return np.sum(np.linalg.eigh(a)[0] ** 3)

    def by_cholesky(a):
        return np.sum(np.linalg.cholesky(a))

    for f in (by_eigh, by_cholesky):
        g = s2sad.grad(f, jit=False)(positive(3))
        assert np.all(np.triu(g, 1) == 0.0)


def test_nothing_of_nothing():
    g = s2sad.grad(lambda a: np.sum(np.linalg.eigh(a)[0]), jit=False)(np.empty((0, 0)))
    assert g.shape == (0, 0)
