"""The logarithm of a sum of exponentials, without overflow."""

import numpy as np

from evals.task import Task, array
from s2sad import differentiate, stop_gradient


@differentiate
def logsumexp(x):
    """The logarithm of the sum of exp(x[i]); what is taken out of it for safety changes nothing, so has no derivative."""
    top = stop_gradient(np.max(x))
    total = 0.0
    for i in range(len(x)):
        total += np.exp(x[i] - top)
    return top + np.log(total)


def read(given):
    """The vector."""
    return (array(given["x"]),)


TASKS = {"primal": Task(logsumexp, read), "gradient": Task(logsumexp.grad, read)}
