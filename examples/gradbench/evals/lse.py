"""The logarithm of a sum of exponentials, without overflow."""

import numpy as np

from evals.task import Task, array
from s2sad import differentiate


@differentiate
def logsumexp(x):
    """The logarithm of the sum of exp(x[i])."""
    top = np.max(x)
    total = 0.0
    for i in range(len(x)):
        total += np.exp(x[i] - top)
    return top + np.log(total)


def read(given):
    """The vector."""
    return (array(given["x"]),)


TASKS = {"primal": Task(logsumexp, read), "gradient": Task(logsumexp.grad, read)}
