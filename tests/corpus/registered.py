"""Functions that are registered: called as they are, of Numba and in Python, for numbers and for arrays."""

import math

import numba
import numpy as np

import s2sad
from corpus.case import case, vector


@numba.njit
def kepler(M, e):
    """E - e sin E = M, by Newton's method until it stands still."""
    E = M
    while True:
        step = (E - e * math.sin(E) - M) / (1.0 - e * math.cos(E))
        E -= step
        if abs(step) < 1e-14:
            return E


s2sad.register(kepler, partials=("1.0 / (1.0 - e * np.cos(y))", "np.sin(y) / (1.0 - e * np.cos(y))"))


def powers(x, n):
    """x^2/2 - 0.1 x^n, by a set, which nobody differentiates."""
    total = 0.0
    for k in {2, n}:
        total += x**k * (0.5 if k == 2 else -0.1)
    return total


s2sad.register(powers, partials=("x - 0.1 * n * x**(n - 1)", None))


@numba.vectorize(["float64(float64, float64)"])
def ratio(a, b):
    return a / (a + b)


s2sad.register(ratio, partials=("(1.0 - y) / (a + b)", "-y / (a + b)"))
s2sad.register(np.spacing, partials="0.0")


@numba.njit
def settled(A, b):
    """The solution of A x = b for a dominant diagonal, by iteration: sets of what changed are nobody's business."""
    x = b.copy()
    while True:
        change = 0.0
        for i in range(len(b)):
            s = b[i]
            for j in range(len(b)):
                if j != i:
                    s -= A[i, j] * x[j]
            change = max(change, abs(s / A[i, i] - x[i]))
            x[i] = s / A[i, i]
        if change < 1e-15 * np.max(np.abs(x)):
            return x


def settled_rule(primals, tangents):
    (A, b), (A_d, b_d) = primals, tangents
    x = settled(A, b)
    return x, np.linalg.solve(A, b_d - A_d @ x)


s2sad.register(settled, jvp=settled_rule, returns="float64[:]")


def energy(u, k):
    """The energy of a chain, by numbers in a dict."""
    total = {0: 0.0}
    for i in range(len(u) - 1):
        total[0] += 0.5 * k * (u[i + 1] - u[i]) ** 2
    return total[0]


def energy_fwd(u, k):
    return energy(u, k), (u, k)


def energy_bwd(kept, w):
    u, k = kept
    force = np.zeros_like(u)
    force[1:] += k * w * (u[1:] - u[:-1])
    force[:-1] -= k * w * (u[1:] - u[:-1])
    return force, w * 0.5 * np.sum((u[1:] - u[:-1]) ** 2)


s2sad.register(energy, vjp=(energy_fwd, energy_bwd))


def solutions(A, b, n):
    s = 0.0
    for k in range(n):
        x = settled(A, b * (k + 1.0))
        s += np.sum(x * x) * b[0]
    return s


def chain(u, k, n):
    """Written in place between the calls."""
    v = u.copy()
    s = 0.0
    for i in range(n):
        s += energy(v, k * v[i]) * s + energy(v, 1.5)
        v[i] = np.sin(v[i]) * s
    return s + energy(k=k, u=v)


def numbers(x, e):
    s = 0.0
    for k in range(3):
        s += kepler(x + s, e) * x
    return s


def one_alone(x, n):
    return powers(x * x, n) * x


def arrays(u, x):
    w = ratio(u * u, x) * x
    s = 0.0
    for i in range(len(w)):
        s += ratio(w[i], u[i] * u[i])
    return s + np.sum(w)


def kept_in_a_loop(u, e, n):
    v = u.copy()
    for k in range(n):
        for i in range(len(v)):
            v[i] = kepler(v[i] * v[i - 1], e)
    return np.sum(v * v)


def flat(u):
    return np.sum((u + np.spacing(u)) * u)


CASES = [
    case(numbers, 0.7, 0.3, full=True),
    case(one_alone, 0.6, 3),
    case(arrays, vector(3) + 1.0, 0.8),
    case(kept_in_a_loop, vector(3) + 1.0, 0.4, 2),
    case(flat, vector(3)),
    case(solutions, np.array([[4.0, 0.3], [-0.2, 3.0]]), vector(2) + 1.0, 2),
    case(chain, vector(4), 0.8, 3),
    case(energy, vector(4), 0.8),
    case(kepler, 0.7, 0.3),
]
