"""Tuples: states, swaps of scalars, tuple parameters and results."""

from typing import NamedTuple

import numpy as np

from corpus.case import case, vector


class State(NamedTuple):
    position: float
    speed: float


def state_chain(x, n):
    state = (x, x * x, 1.0)
    for k in range(n):
        a, b, c = state
        state = (b * c, c + a, a * 0.5)
    return state[0] * state[1] + state[2]


def pair_parameter(p, x):
    a, b = p
    return a * b * x + np.sin(a)


def nested_parameter(p):
    u, (x, y) = p
    return np.sum(u * x) * y


def pair_result(x, y):
    return x * y, np.sin(x)


def nested_result(x, u):
    v = u * x
    return (x * x, v), np.sum(v)


def step(state, h):
    x, v = state
    return x + h * v, v - h * np.sin(x)


def state_through_callee(x, v, h, n):
    state = (x, v)
    for k in range(n):
        state = step(state, h)
    return state[0] * state[1]


def simultaneous(x, y):
    x, y = y * x, x + y
    x, y = x - y, x * y
    return x * y


def named_parameter(s, h):
    return s.position * h + s.speed**2


def elements_swapped(u):
    for i in range(len(u) - 1):
        u[i], u[i + 1] = u[i + 1], u[i] * u[i]
    return u[0] * u[1] + u[-1]


def items_at_places(x, y, n):
    p = (x * y, y, x)
    s = 0.0
    for i in range(n):
        s += p[i % 3] * p[-1 - i % 2] * (1, 2, 3)[i % 3]
    return s


CASES = [
    case(items_at_places, 0.7, 0.4, 5),
    case(state_chain, 0.7, 3),
    case(state_chain, 0.7, 0, note="no trips"),
    case(pair_parameter, (0.7, 0.4), 0.5),
    case(nested_parameter, (vector(3), (0.7, 0.4))),
    case(pair_result, 0.7, 0.4, full=True),
    case(nested_result, 0.7, vector(3)),
    case(state_through_callee, 0.7, 0.4, 0.1, 3),
    case(simultaneous, 0.7, 0.4),
    case(named_parameter, State(0.7, 0.4), 0.5, full=True),
    case(elements_swapped, vector(4)),
]
