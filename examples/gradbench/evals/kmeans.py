"""Clusters: the sum of squared distances to the nearest centre, and a step of Newton's method."""

import numpy as np

import s2sad
from evals.task import Task, array


@s2sad.differentiate(argnums=1)
def cost(points, centres):
    """The sum over points of the squared distance to the nearest centre.

    Which one that is has no derivative, so nothing of the search is run backwards.
    """
    n, d = points.shape
    total = 0.0
    for i in range(n):
        nearest, shortest = 0, np.inf
        for j in range(len(centres)):
            distance = 0.0
            for c in range(d):
                distance += (points[i, c] - centres[j, c]) ** 2
            if distance < shortest:
                nearest, shortest = j, distance
        for c in range(d):
            total += (points[i, c] - centres[nearest, c]) ** 2
    return total


@s2sad.differentiate
def step(points, centres):
    """The gradient over the second derivative, which has nothing outside its diagonal."""
    gradient, diagonal = s2sad.jvp(s2sad.grad(cost, 1), (points, centres), (None, np.ones_like(centres)))
    return gradient / diagonal


def read(given):
    """Points and centres, one per row."""
    return array(given["points"]), array(given["centroids"])


TASKS = {"cost": Task(cost, read), "dir": Task(step, read)}
