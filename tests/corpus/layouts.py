"""Arrays that lie in memory column by column: the value is the program's own to the last digit."""

import numpy as np

from corpus.case import case, matrix


def computed_from_a_transpose(A):
    B = A.T * 2.0
    return np.sum(B) + np.sum(B * B)


def written_after(A):
    B = np.exp(A.T)
    B[0, 0] = A[1, 1] * B[1, 0]
    return np.sum(B)


def bound_anew_in_a_loop(A, steps):
    B = A.T
    for k in range(steps):
        B = B * 1.3
    return np.sum(B)


def part_of_a_transpose(A, steps):
    B = A.T[1:, ::-1]
    for k in range(steps):
        B = np.sin(B)
    return np.sum(B)


def in_its_own_shape(A, n, m):
    B = A.T.reshape(n, m)
    return np.sum(B) + np.sum(B * B)


def copied(A):
    B = A.T.copy()
    C = np.copy(A.T)
    return np.sum(B) * np.sum(C)


def made_like_a_transpose(A):
    B = np.zeros_like(A.T)
    B += A.T
    return np.sum(B) + np.sum(np.where(A.T > 0.0, A.T, B * B))


def shared_by_two_names(A, k):
    B = A.T * A[0, 0]
    C = B
    if k > 0:
        C = B * 1.5
    C[1, 0] *= B[0, 1]
    return np.sum(B) + np.sum(C)


def of_conditions(A, steps):
    c = A.T > 0.1
    for k in range(steps):
        c = c & (A.T < 0.5)
    d = c.T
    if steps > 0:
        d = ~d
    return np.sum(A[d] * A[d])


BIG = matrix(5, 7)
CASES = [
    case(computed_from_a_transpose, BIG, full=True),
    case(written_after, BIG),
    case(bound_anew_in_a_loop, BIG, 2, full=True),
    case(bound_anew_in_a_loop, BIG, 0, note="no trips"),
    case(part_of_a_transpose, BIG, 0),
    case(in_its_own_shape, BIG, 7, 5),
    case(in_its_own_shape, BIG, 5, 7, note="another"),
    case(copied, BIG),
    case(made_like_a_transpose, BIG),
    case(shared_by_two_names, BIG, 0, full=True),
    case(shared_by_two_names, BIG, 1, note="bound anew"),
    case(of_conditions, BIG, 1),
]
