"""Least squares: a polynomial that is to resemble a step."""

import numpy as np

from evals.task import Task, array
from s2sad import differentiate


@differentiate
def objective(x, n):
    """Half the squared distance from sign(t) at n points t of the polynomial with coefficients x."""
    total = 0.0
    for i in range(n):
        t = -1.0 + i * 2.0 / (n - 1)
        miss = np.sign(t)
        power = 1.0
        for j in range(len(x)):
            miss -= x[j] * power
            power *= t
        total += miss * miss
    return total / 2.0


def read(given):
    """Coefficients, number of points."""
    return array(given["x"]), given["n"]


TASKS = {"primal": Task(objective, read), "gradient": Task(objective.grad, read)}
