"""A charged particle between two fixed charges: where one of them has to be, for it to pass through the origin."""

import numpy as np

from evals.descent import forward, lowest, reverse
from evals.task import Task
from s2sad import differentiate

STEP = 0.1


def potential(x, w):
    """Of both charges, at a point."""
    far = np.sqrt((x[0] - 10.0) ** 2 + (x[1] - 10.0 + w) ** 2)
    near = np.sqrt((x[0] - 10.0) ** 2 + x[1] ** 2)
    return 1.0 / far + 1.0 / near


def miss(gradient, w):
    """The square of the place where the particle crosses the axis: steps in time, the last one of the length it takes."""
    x, v = np.array([0.0, 8.0]), np.array([0.75, 0.0])
    while True:
        there = x + STEP * v
        if there[1] <= 0.0:
            break
        v = v - STEP * gradient(lambda y: potential(y, w), x)
        x = there
    return (x[0] - x[1] / v[1] * v[0]) ** 2


def controlled(outer, inner, w):
    """The w for which it misses the origin by least."""
    return lowest(outer, lambda u: miss(inner, u[0]), np.array([w]))[0]


@differentiate
def ff(w):
    """Both gradients forwards."""
    return controlled(forward, forward, w)


@differentiate
def fr(w):
    """The outer gradient forwards, the inner one backwards."""
    return controlled(forward, reverse, w)


@differentiate
def rf(w):
    """The outer gradient backwards, the inner one forwards."""
    return controlled(reverse, forward, w)


@differentiate
def rr(w):
    """Both backwards."""
    return controlled(reverse, reverse, w)


def read(given):
    """The first w."""
    return (float(given["w"]),)


TASKS = {f.__name__: Task(f, read) for f in (ff, fr, rf, rr)}
