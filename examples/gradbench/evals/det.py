"""The determinant by expansion of minors: a recursion over the columns that are left, in a linked list."""

import numpy as np

import s2sad
from evals.task import Task, array

SMALL = 7


def expand(a, row, after):
    """The determinant of the rows from `row` on and of the columns that are left; of two, at once.

    after  the column after each, in order; behind the last entry, at len(a), the first
    """
    n = len(a)
    column = after[n]
    if row == n - 1:
        return a[row, column]
    if row == n - 2:
        other = after[column]
        return a[row, column] * a[row + 1, other] - a[row, other] * a[row + 1, column]
    total = 0.0
    before = n
    for k in range(n - row):
        column = after[before]
        after[before] = after[column]
        rest = minor(a, row + 1, after) if n - row == SMALL else expand(a, row + 1, after)
        after[before] = column
        if k % 2 == 0:
            total += a[row, column] * rest
        else:
            total -= a[row, column] * rest
        before = column
    return total


@s2sad.checkpoint
def minor(a, row, after):
    """A small determinant, of which nothing is kept: there are very many."""
    return expand(a, row, after)


@s2sad.differentiate
def determinant(a):
    """The determinant of a square matrix."""
    n = len(a)
    after = np.arange(1, n + 2)
    after[n] = 0
    return expand(a, 0, after)


def read(given):
    """The matrix."""
    return (array(given["A"]).reshape(given["ell"], given["ell"]),)


TASKS = {
    "primal": Task(determinant, read),
    "gradient": Task(determinant.grad, read, lambda gradient: gradient.ravel()),
}
