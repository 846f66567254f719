"""A square, and its derivative."""

from evals.task import Task
from s2sad import differentiate


@differentiate
def square(x):
    """The square of x."""
    return x * x


TASKS = {
    "square": Task(square, lambda given: (float(given),)),
    "double": Task(square.grad, lambda given: (float(given),)),
}
