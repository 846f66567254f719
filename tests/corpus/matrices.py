"""Products of matrices and vectors, systems of equations, factorisations."""

import numpy as np

from corpus.case import case, matrix, vector


def shapes_of_products(A, B, v, u):
    return np.dot(A @ v, u) * np.dot(v, v) + np.sum((A @ B) * 0.5) + np.sum(np.outer(u, v) * A) + (u @ A) @ v


def gram(A):
    G = A @ A.T
    return np.sum(G * G) + np.trace(G)


def solved(A, b):
    M = A @ A.T + 2.0 * np.eye(A.shape[0])
    x = np.linalg.solve(M, b)
    y = np.linalg.solve(M, A)
    return np.dot(x, x) + np.sum(y * A)


def inverted(A):
    return np.sum(np.linalg.inv(A + 3.0 * np.eye(A.shape[0])) * A)


def factored(A):
    L = np.linalg.cholesky(A @ A.T + np.eye(A.shape[0]))
    s = 0.0
    for i in range(A.shape[0]):
        s += np.log(L[i, i])
    return s + np.sum(L * L * L)


def determinant(A):
    return np.linalg.det(A) * np.sum(A)


def steps(A, x, n):
    M = np.eye(A.shape[0]) + 0.1 * A
    for _ in range(n):
        x = np.linalg.solve(M, x + 0.1 * np.sin(x))
        M = M + 0.05 * np.outer(x, x)
    return np.sum(x)


def chained(A, u, v, n):
    """One matrix for all trips."""
    for _ in range(n):
        v = np.linalg.solve(A, v - u) + u
        v = A @ v * 0.5
    return np.sum(v * v)


def written_between(A, b):
    """The matrix is written after one solution, as a whole and through a view, and solved with again."""
    M = A.copy()
    row = M[0]
    x = np.linalg.solve(M, b)
    M[1, 1] += x[0]
    y = np.linalg.solve(M, b + x)
    row += 0.1 * y
    return np.sum(np.linalg.solve(M, np.outer(x, y))) + np.sum(np.linalg.solve(M, x))


def on_some_ways(A, b, n):
    """Solved in branches, in loops that may not run, and by two names of one matrix."""
    s = 0.0
    M = A
    for i in range(n):
        if b[i] > 0.0:
            s += np.sum(np.linalg.solve(M, b) ** 2)
        else:
            for _ in range(i):
                s += np.linalg.solve(A, b * s)[0]
    return s + np.sum(np.linalg.solve(A, b))


def swapped_matrices(A, B, b, n):
    """The names change their matrices."""
    A, B = A.copy(), B.copy()
    for _ in range(n):
        b = np.linalg.solve(A, b)
        A, B = B, A
    return np.sum(b * b)


CASES = [
    case(shapes_of_products, matrix(3, 4), matrix(4, 2), vector(4), vector(3), full=True),
    case(gram, matrix(3, 4)),
    case(solved, matrix(3, 3), vector(3)),
    case(inverted, matrix(3, 3)),
    case(factored, matrix(3, 3)),
    case(determinant, matrix(3, 3) + np.eye(3), order=1),
    case(
        determinant, np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 0.0, 1.0]]), order=1, note="singular"
    ),
    case(steps, matrix(3, 3), vector(3), 3, full=True),
    case(chained, matrix(3, 3) + 2.0 * np.eye(3), vector(3), vector(3), 3),
    case(written_between, matrix(3, 3) + 2.0 * np.eye(3), vector(3)),
    case(on_some_ways, matrix(3, 3) + 2.0 * np.eye(3), np.array([0.4, -0.3, -0.7]), 3),
    case(on_some_ways, matrix(3, 3) + 2.0 * np.eye(3), np.array([0.4, -0.3, -0.7]), 0, note="no trip"),
    case(swapped_matrices, matrix(3, 3) + 2.0 * np.eye(3), matrix(3, 3) + 3.0 * np.eye(3), vector(3), 3),
]
