"""NamedTuples, lists, dicts and dataclasses as arguments and results."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from corpus.case import case, matrix, vector


class Body(NamedTuple):
    place: float
    speed: np.ndarray


class System(NamedTuple):
    body: Body
    mass: float


@dataclass
class Layer:
    weights: np.ndarray
    bias: float


@dataclass(frozen=True)
class Positive:
    value: float

    def __post_init__(self):
        if self.value <= 0.0:
            raise ValueError("not positive")


def moved(b, h):
    return Body(b.place + h * b.speed[0], speed=b.speed * (1.0 - h * b.place))


def simulated(s, h, n):
    b = s.body
    for _ in range(n):
        b = moved(b, h)
    return s.mass * b.place + np.sum(b.speed)


def body_of_bodies(b, h):
    return moved(b, h), Body(h * b.place, b.speed * 2.0)


def energy(b, m):
    b.speed[0] = b.speed[0] * m
    return 0.5 * m * np.sum(b.speed**2) + b.place * b[0]


def list_of_arrays(xs, a):
    s = 0.0
    for k, x in enumerate(xs):
        s += np.sum(x * x) * (k + 1)
    first, last = xs[0], xs[-1]
    first[0] = a * last[1]
    return s * first[0] + len(xs)


def list_of_numbers(p, n):
    s = 0.0
    for k in range(n):
        s += p[k] * p[k]
    return s * p[0]


def dict_of_parameters(d, x):
    total = 0.0
    for name, w in d["layers"].items():
        total += np.sum(w * x) * (2.0 if name == "second" else 1.0)
    return np.tanh(total + d["bias"]) * d["bias"]


def dataclass_of_parameters(layer, x):
    y = layer.weights @ x + layer.bias
    layer.weights[0, 0] = y[1]
    return np.sum(np.tanh(y)) * layer.weights[0, 0]


def with_a_rule(p, x):
    return p.value * x


def structures_out(d, x):
    return [d["a"] * x, Body(x, d["b"] * x)]


CASES = [
    case(simulated, System(Body(0.7, vector(3)), 1.3), 0.2, 3, full=True),
    case(simulated, System(Body(0.7, vector(3)), 1.3), 0.2, 0, note="no trips"),
    case(body_of_bodies, Body(0.7, vector(3)), 0.2, full=True),
    case(energy, Body(0.7, vector(3)), 0.6, full=True),
    case(list_of_arrays, [vector(3), vector(4, 0.9)], 0.7, plain=True),
    case(list_of_numbers, [0.7, 0.4, 1.5], 3, plain=True),
    case(
        dict_of_parameters,
        {"layers": {"first": vector(3), "second": matrix(2, 3)}, "bias": 0.3},
        vector(3, 0.9),
        plain=True,
    ),
    case(dataclass_of_parameters, Layer(matrix(2, 3), 0.3), vector(3), plain=True),
    case(with_a_rule, Positive(0.7), 0.4, plain=True),
    case(structures_out, {"a": 0.7, "b": vector(3)}, 0.4, plain=True),
]
