"""A saddle point: the minimum of a maximum, each found by gradient descent, the outer one through the inner one."""

import numpy as np

from evals.descent import forward, lowest, reverse
from evals.task import Task, array
from s2sad import differentiate


def height(p, q):
    """The function whose saddle point is looked for."""
    return p[0] ** 2 + p[1] ** 2 - (q[0] ** 2 + q[1] ** 2)


def saddle(outer, inner, start):
    """The point that makes the maximum lowest, and the one where that maximum is."""

    def highest(p):
        return height(p, lowest(inner, lambda q: -height(p, q), start))

    p = lowest(outer, highest, start)
    q = lowest(outer, lambda q: -height(p, q), start)
    return np.concatenate((p, q))


@differentiate
def ff(start):
    """Both forwards."""
    return saddle(forward, forward, start)


@differentiate
def fr(start):
    """The outer gradient forwards, the inner one backwards."""
    return saddle(forward, reverse, start)


@differentiate
def rf(start):
    """The outer gradient backwards, the inner one forwards."""
    return saddle(reverse, forward, start)


@differentiate
def rr(start):
    """Both backwards."""
    return saddle(reverse, reverse, start)


def read(given):
    """Where all descents start."""
    return (array(given["start"]),)


TASKS = {f.__name__: Task(f, read) for f in (ff, fr, rf, rr)}
