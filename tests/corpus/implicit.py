"""Roots and fixed points: of numbers and arrays, with parameters of all kinds, in loops, one in another."""

import numpy as np

import s2sad
from corpus.case import case, vector

cubic = s2sad.root(lambda x, a, b: x**3 + a * x - b)
kepler = s2sad.fixed_point(lambda E, M, e: M + e * np.sin(E))


def balance(x, A, b, n):
    return A @ x + 0.1 * x**n - b


def layer(x, pair):
    A, b = pair
    return 0.3 * np.tanh(A @ x) + b


def plate(T, heat, source):
    R = 4.0 * T + heat * T**3 - source
    R[1:] -= T[:-1]
    R[:-1] -= T[1:]
    return R


balanced = s2sad.root(balance)
steady = s2sad.fixed_point(layer)
warm = s2sad.root(plate)
nested = s2sad.root(lambda x, a: x * x - kepler(0.5, a, 0.3) * a)
sloped = s2sad.root(lambda x, a: s2sad.grad(lambda y: y**4 / 4.0 + a * y * y / 2.0 - y, jit=False)(x))
constant = s2sad.root(lambda x: x * x - 2.0)

MATRIX = np.array([[2.0, 0.3], [0.1, 1.5]])


def numbers(a, b):
    return cubic(1.0, a, b) * a


def from_an_integer(a, n):
    return cubic(1, a, n) * n


def guessed(x, a):
    return kepler(x, a, 0.4) * x


def in_a_loop(M, e, n):
    s = 0.0
    for k in range(n):
        s += kepler(0.0, M + s, e) * M
    return s


def arrays(A, b, n):
    return np.sum(balanced(np.ones(2), A, b, n) ** 2 * b)


def tuples(A, b):
    return steady(np.zeros(2), (A, b))


def of_two_axes(heat, source):
    T = warm(np.ones_like(source), heat, source)
    return np.sum(T * T * source)


def one_in_another(a):
    return nested(1.0, a * a) * a


def of_a_derivative(a):
    return sloped(0.5, a) * a


def of_nothing(x):
    return constant(1.0) * x


@s2sad.checkpoint
def stretch(u, a):
    u[0] = kepler(u[0], a, 0.3)
    return cubic(1.0, a, u[0])


def run_again(u, a):
    v = u.copy()
    return stretch(v, a) * v[0]


CASES = [
    case(numbers, 2.0, 5.0, rounded=True, full=True),
    case(from_an_integer, 2.0, 5, rounded=True),
    case(guessed, 0.3, 0.8, rounded=True),
    case(in_a_loop, 0.7, 0.3, 2, rounded=True),
    case(arrays, MATRIX, np.array([1.0, 2.0]), 3, rounded=True),
    case(tuples, MATRIX, np.array([0.4, -0.2]), rounded=True),
    case(of_two_axes, 0.2, vector(6).reshape(3, 2) + 2.0, rounded=True),
    case(one_in_another, 0.9, rounded=True),
    case(of_a_derivative, 0.8, rounded=True),
    case(of_nothing, 0.8, rounded=True),
    case(run_again, vector(2), 0.9, rounded=True),
]
