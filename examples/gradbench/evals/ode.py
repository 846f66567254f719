"""A chain of differential equations by the classical Runge-Kutta method."""

import numpy as np

from evals.task import Task, array
from s2sad import differentiate


def rates(x, y, k):
    """The derivative of y, into k: each part grows with the one before it."""
    k[0] = x[0]
    for i in range(1, len(x)):
        k[i] = x[i] * y[i - 1]


@differentiate
def solve(x, steps):
    """The state at time 2, from 0."""
    n = len(x)
    h = 2.0 / steps
    half, sixth = h / 2.0, h / 6.0
    y = np.zeros(n)
    y2, y3, y4 = np.empty(n), np.empty(n), np.empty(n)
    k1, k2, k3, k4 = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    for _ in range(steps):
        rates(x, y, k1)
        for i in range(n):
            y2[i] = y[i] + half * k1[i]
        rates(x, y2, k2)
        for i in range(n):
            y3[i] = y[i] + half * k2[i]
        rates(x, y3, k3)
        for i in range(n):
            y4[i] = y[i] + h * k3[i]
        rates(x, y4, k4)
        for i in range(n):
            y[i] += sixth * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i])
    return y


@differentiate
def last(x, steps):
    """The last part of that state."""
    return solve(x, steps)[-1]


def read(given):
    """Coefficients, number of steps."""
    return array(given["x"]), given["s"]


TASKS = {"primal": Task(solve, read), "gradient": Task(last.grad, read)}
