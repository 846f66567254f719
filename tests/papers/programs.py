"""Programs of the papers on tapes, and stand-ins for those that are too large: Burgers' equations, Euler's equations with
states that are handed around by value, operations on matrices and the same written out in loops.
"""

import math
from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    """A gas in a cell: density, momentum along x and y, energy."""

    rho: float
    mx: float
    my: float
    e: float


GAMMA = 1.4


def state(q, i, j):
    """The state of a cell, by value."""
    return State(q[0, i, j], q[1, i, j], q[2, i, j], q[3, i, j])


def put(q, i, j, s):
    """A state into a cell."""
    q[0, i, j], q[1, i, j], q[2, i, j], q[3, i, j] = s


def pressure(s):
    """The pressure of a state."""
    return (GAMMA - 1.0) * (s.e - 0.5 * (s.mx * s.mx + s.my * s.my) / s.rho)


def turned(s):
    """A state with x and y exchanged."""
    return State(s.rho, s.my, s.mx, s.e)


def flux(s):
    """What a state carries along x."""
    u, p = s.mx / s.rho, pressure(s)
    return State(s.mx, s.mx * u + p, s.my * u, (s.e + p) * u)


def faster(one, other):
    """The larger of the speeds of two states: the flow's along x, and that of sound."""
    a = abs(one.mx / one.rho) + math.sqrt(GAMMA * pressure(one) / one.rho)
    b = abs(other.mx / other.rho) + math.sqrt(GAMMA * pressure(other) / other.rho)
    return max(a, b)


def between(one, other):
    """Rusanov's flux between two cells along x."""
    f, g, s = flux(one), flux(other), faster(one, other)
    return State(
        0.5 * (f.rho + g.rho) - 0.5 * s * (other.rho - one.rho),
        0.5 * (f.mx + g.mx) - 0.5 * s * (other.mx - one.mx),
        0.5 * (f.my + g.my) - 0.5 * s * (other.my - one.my),
        0.5 * (f.e + g.e) - 0.5 * s * (other.e - one.e),
    )


def moved(s, west, east, south, north, c):
    """The state of a cell after a step, from the fluxes through its sides."""
    return State(
        s.rho - c * (east.rho - west.rho + north.rho - south.rho),
        s.mx - c * (east.mx - west.mx + north.mx - south.mx),
        s.my - c * (east.my - west.my + north.my - south.my),
        s.e - c * (east.e - west.e + north.e - south.e),
    )


def euler2d(q0, c, steps):
    """Finite volumes for Euler's equations in two dimensions on a torus: the energy's variation at the end."""
    rows, columns = q0.shape[1], q0.shape[2]
    q = q0.copy()
    then = q0.copy()
    for _ in range(steps):
        for i in range(rows):
            for j in range(columns):
                here = state(q, i, j)
                west, east = state(q, i - 1, j), state(q, (i + 1) % rows, j)
                south, north = state(q, i, j - 1), state(q, i, (j + 1) % columns)
                side = here
                w = between(west, side)
                e = between(side, east)
                s = turned(between(turned(south), turned(side)))
                n = turned(between(turned(side), turned(north)))
                put(then, i, j, moved(here, w, e, s, n, c))
        q, then = then, q
    total = 0.0
    for i in range(rows):
        for j in range(columns):
            total += q[3, i, j] ** 2
    return total


def gas(n):
    """A gas at rest with a denser spot, on n x n cells."""
    x = np.arange(n) / n
    rho = 1.0 + 0.3 * np.exp(-40.0 * ((x[:, None] - 0.5) ** 2 + (x[None, :] - 0.4) ** 2))
    return np.stack([rho, 0.1 * rho, 0.05 * rho, 2.5 * rho])


# ----- operations on matrices, whole and in loops ---------------------------------------------------------------


def product(A, x):
    """T1: a matrix times a vector."""
    return A @ x


def product_of_matrices(A, B):
    """T2: a matrix times a matrix."""
    return A @ B


def solution(M, b):
    """T3: a linear system."""
    return np.linalg.solve(M, b)


def shifted(M, v1, v2):
    """T4: a linear system for a difference, and a sum."""
    return np.linalg.solve(M, v2 - v1) + v1


def product_by_elements(A, x):
    """T1 in loops."""
    k = len(x)
    y = np.zeros(k)
    for i in range(k):
        for j in range(k):
            y[i] += A[i, j] * x[j]
    return y


def product_of_matrices_by_elements(A, B):
    """T2 in loops."""
    k = len(A)
    C = np.zeros((k, k))
    for i in range(k):
        for j in range(k):
            for n in range(k):
                C[i, j] += A[i, n] * B[n, j]
    return C


def eliminated(M, b):
    """T3 in loops: elimination with the largest pivot of a column, then from the last unknown up."""
    k = len(b)
    a, x = M.copy(), b.copy()
    for j in range(k):
        p = j
        for i in range(j + 1, k):
            if abs(a[i, j]) > abs(a[p, j]):
                p = i
        if p != j:
            for n in range(k):
                a[j, n], a[p, n] = a[p, n], a[j, n]
            x[j], x[p] = x[p], x[j]
        for i in range(j + 1, k):
            w = a[i, j] / a[j, j]
            for n in range(j + 1, k):
                a[i, n] -= w * a[j, n]
            x[i] -= w * x[j]
    for i in range(k - 1, -1, -1):
        for n in range(i + 1, k):
            x[i] -= a[i, n] * x[n]
        x[i] /= a[i, i]
    return x


def shifted_by_elements(M, v1, v2):
    """T4 in loops."""
    k = len(v1)
    d = np.empty(k)
    for i in range(k):
        d[i] = v2[i] - v1[i]
    x = eliminated(M, d)
    for i in range(k):
        x[i] += v1[i]
    return x


OPERATIONS = {  # on matrices; the same by elements; are the other arguments vectors (how many)?
    "T1": (product, product_by_elements, 1),
    "T2": (product_of_matrices, product_of_matrices_by_elements, 0),
    "T3": (solution, eliminated, 1),
    "T4": (shifted, shifted_by_elements, 2),
}


def operands(name, k):
    """Arguments of size k: matrices well away from singular ones."""
    r = np.random.default_rng(k)
    matrix = r.normal(size=(k, k)) + 2.0 * k**0.5 * np.eye(k)
    vectors = OPERATIONS[name][2]
    if vectors:
        return matrix, *(r.normal(size=k) for _ in range(vectors))
    return matrix, r.normal(size=(k, k))
