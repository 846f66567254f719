"""Every matrix operation by itself: value, tangent, dot product, second order, to tight limits."""

import copy

import numpy as np
import pytest
from scipy.linalg import expm, solve_banded, solve_sylvester, solve_triangular, sqrtm

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


def pseudoinverse(A, C):
    return np.sum(np.linalg.pinv(A) ** 2 * C)


def orthogonal(A, B, C):
    q, r = np.linalg.qr(A)
    return np.sum(q**3 * B) + np.sum(r**2 * C)


def log_determinant(A):
    sign, logdet = np.linalg.slogdet(A)
    return sign * logdet**2


def eigen(A, c):
    w, v = np.linalg.eig(A @ np.diag(np.array([1.0, 2.0, 3.0])))
    return (
        np.sum(w**2 * c)
        + np.sum(v**2 * c)
        + np.sum(np.linalg.eigvals(A) * c)
        + np.sum(np.linalg.eigvalsh(A) * c)
    )


def least_squares(A, b, B):
    x, _, rank, s = np.linalg.lstsq(A, b, rcond=None)
    X = np.linalg.lstsq(A, B)[0]
    return np.sum(x**2) * rank + np.sum(s * s * s) + np.sum(X**3)


def power(A, n):
    return np.sum(np.linalg.matrix_power(A, n) ** 2)


def exponential(A, C):
    return np.sum(expm(A) ** 2 * C)


def determinant(A):
    return np.linalg.det(A) ** 2


def values_alone(A, c):
    s = np.linalg.svd(A, compute_uv=False)
    return np.sum(s**3 * c) + np.sum(np.linalg.svdvals(A.T) ** 2 * c)


def triangles(A, n):
    return np.sum(np.tril(A) ** 2) * np.sum(np.triu(A, 1) ** 3) + np.sum(np.tril(A, -1) * np.triu(A, n))


def kronecker(A, B, v):
    return (
        np.sum(np.kron(A, B) ** 2)
        + np.sum(np.kron(v, v) ** 3)
        + np.sum(np.kron(v, A) ** 2) * np.sum(np.kron(v[0], v))
    )


def crossed(u, v, A):
    c = np.cross(u, v)
    return np.sum(c**3) + np.sum(np.cross(A, u) ** 2) + np.sum(np.cross(A, A[::-1]) ** 3)


def dotted(A, B, v):
    return (
        np.vdot(A, A) * np.inner(v, v) + np.sum(np.inner(A, B) ** 2) + np.sum(np.inner(A, v) * np.vdot(v, v))
    )


def contracted(T, A, B):
    S = np.tensordot(T, A, axes=((1, 2), (1, 0)))
    return (
        np.sum(np.tensordot(T, B, axes=1) ** 2)
        + np.sum(S**3)
        + np.tensordot(A, A, 2)
        + np.sum(np.tensordot(S, S, 0))
    )


def many_products(T, U, A, v):
    P = T @ U
    return (
        np.sum(P**2)
        + np.sum((T @ A) ** 2)
        + np.sum((A.T @ U) ** 3)
        + np.sum((T @ v) ** 2)
        + np.sum((v @ U) ** 3)
    )


def one_for_all(T, U):
    return np.sum((T @ U) ** 3) + np.sum(np.matmul(U, T) ** 2) + np.sum(np.dot(T, U) ** 2)


def many_systems(T, B):
    return np.sum(np.linalg.solve(T, B) ** 2)


def quadratic(M, x):
    quad = np.einsum("nd,nm,md->", x, M, x)
    col = np.einsum("nd,nn->d", x, M)
    return (
        quad
        + np.einsum("ii", M @ M)
        + np.sum(col * col)
        + np.sum(np.einsum("ij->i", M) ** 2 * np.einsum("i...->i...", x)[:, 0])
    )


def labelled(T, A, v):
    R = np.einsum("ijk,kl", T, A)
    return (
        np.sum(R**2)
        + np.sum(np.einsum("...k,kl->...l", T, A) ** 3)
        + np.einsum("ij,ij", A, A)
        + np.sum(np.einsum("i,j->ij", v, v) ** 2)
        + np.sum(np.einsum("ijk->kij", T)[0] ** 2)
        + np.sum(np.einsum("bij,bjk->bik", T, np.einsum("bij->bji", T)) ** 2)
        + np.sum(np.einsum(",i->i", v[0], v))
    )


def norms(x, A):
    s = np.linalg.norm(x) * np.linalg.norm(x, 1) + np.linalg.norm(x, np.inf) + np.linalg.norm(x, -np.inf) ** 2
    s += np.linalg.norm(x, 3) ** 2 + np.linalg.norm(x, 0) + np.linalg.norm(x, 2.5) + np.linalg.norm(A, "fro")
    s += np.linalg.norm(A, 2) * np.linalg.norm(A, "nuc") + np.linalg.norm(A, -2) ** 2 + np.linalg.norm(A)
    s += np.linalg.norm(A, 1) * np.linalg.norm(A, -1) + np.linalg.norm(A, np.inf) * np.linalg.norm(A, -np.inf)
    return s + np.linalg.cond(A)


def norms_along(A, T):
    s = np.sum(np.linalg.norm(A, axis=0) ** 3) + np.sum(np.linalg.norm(A, 1, axis=1) ** 2)
    s += np.sum(np.linalg.norm(A, np.inf, axis=1, keepdims=True) * A) + np.sum(np.linalg.norm(A, 3, 0) ** 2)
    s += np.sum(np.linalg.norm(T, axis=(0, 2)) ** 3) + np.sum(np.linalg.norm(T, 1, axis=(1, 2)) ** 2)
    return s + np.sum(np.linalg.norm(T, "fro", (0, 1), True) * T)


def diagonals(A, v, T, k):
    s = (
        np.sum(np.diag(A, 1) ** 3)
        + np.sum(np.diag(v, -1) * np.diag(v, k)[:4, :4])
        + np.trace(A, offset=-1) ** 2
    )
    s += (
        np.sum(np.diagonal(A, k) ** 2)
        + np.sum(np.diagonal(T, 0, 0, 2) ** 3)
        + np.sum(np.trace(T, axis1=2, axis2=0) ** 2)
    )
    return (
        s
        + np.sum(np.diagflat(A) ** 2)
        + np.trace(A) * np.sum(np.diag(A, 7))
        + np.sum(A.diagonal(0, 1, 0) ** 3)
    )


def turned(A, T):
    B = np.einsum("ij->ji", A)
    C = np.einsum("ijk->kij", T)
    A[0, 1] = A[0, 1] * 2.0
    return np.sum(B * B * B) + np.sum(C[0] ** 3)


def triangular(A, b, B):
    s = np.sum(solve_triangular(A, b) ** 2) + np.sum(solve_triangular(A, B, lower=True, trans=1) ** 3)
    s += np.sum(solve_triangular(A, B, "T", unit_diagonal=True) ** 2) + np.sum(
        solve_triangular(A, B, lower=True) ** 2
    )
    return s + np.sum(solve_triangular(A, b, 0, True, True) ** 2)


def sylvester(A, B, Q):
    return np.sum(solve_sylvester(A, B, Q) ** 3)


def square_root(A, C):
    return np.sum(sqrtm(A) ** 2 * C)


def banded(ab, b, B):
    return np.sum(solve_banded((1, 2), ab, b) ** 2) + np.sum(solve_banded((1, 2), ab, B) ** 3)


def symmetric_values(A, c):
    return np.sum(np.linalg.eigvalsh(A) ** 3 * c)


CASES = [
    (symmetric_values, positive(4), draw(4)),
    (banded, draw(4, 5) + np.array([[0.0], [0.0], [4.0], [0.0]]), draw(5), draw(5, 2)),
    (triangular, draw(3, 3) + 2.0 * np.eye(3), draw(3), draw(3, 2)),
    (sylvester, positive(3), positive(2), draw(3, 2)),
    (square_root, positive(3), draw(3, 3)),
    (diagonals, draw(3, 4), draw(3), draw(2, 3, 2), 1),
    (diagonals, draw(4, 3), draw(3), draw(2, 3, 2), -1),
    (turned, draw(2, 3), draw(2, 3, 2)),
    (pseudoinverse, draw(4, 3), draw(3, 4)),
    (pseudoinverse, draw(2, 4), draw(4, 2)),
    (orthogonal, draw(3, 3), draw(3, 3, seed=1), draw(3, 3, seed=2)),
    (orthogonal, draw(5, 3), draw(5, 3, seed=1), draw(3, 3, seed=2)),
    (orthogonal, draw(2, 4), draw(2, 2), draw(2, 4, seed=1)),
    (log_determinant, draw(3, 3)),
    (eigen, positive(3), draw(3)),
    (least_squares, draw(5, 3), draw(5), draw(5, 2)),
    (least_squares, draw(3, 4), draw(3), draw(3, 2)),
    (power, draw(3, 3), 5),
    (power, draw(3, 3), 0),
    (power, draw(3, 3) + 2.0 * np.eye(3), -3),
    (exponential, draw(3, 3), draw(3, 3, seed=1)),
    (exponential, 6.0 * draw(2, 2), draw(2, 2, seed=1) * 1e-4),
    (determinant, draw(3, 3)),
    (determinant, np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 0.0, 1.0]])),
    (determinant, np.outer(np.arange(1.0, 4.0), np.arange(2.0, 5.0)) * 0.3),
    (values_alone, draw(4, 3), draw(3)),
    (triangles, draw(4, 3), 1),
    (kronecker, draw(2, 3), draw(3, 2), draw(2)),
    (crossed, draw(3), draw(3, seed=1), draw(4, 3)),
    (dotted, draw(2, 3), draw(4, 3), draw(3)),
    (contracted, draw(2, 3, 4), draw(4, 3), draw(4, 2)),
    (many_products, draw(2, 3, 4), draw(2, 4, 3), draw(4, 2), draw(4)),
    (one_for_all, draw(1, 3, 3), draw(2, 1, 3, 3)),
    (many_systems, draw(2, 3, 3) + 2.0 * np.eye(3), draw(2, 3, 2)),
    (quadratic, draw(3, 3), draw(3, 2)),
    (labelled, draw(2, 3, 4), draw(4, 2), draw(3)),
    (norms, draw(4), draw(3, 2)),
    (norms_along, draw(3, 4), draw(2, 3, 4)),
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
