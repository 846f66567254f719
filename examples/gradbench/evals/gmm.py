"""A mixture of Gaussians with a Wishart prior on their precisions: the logarithm of the posterior probability."""

import math
from typing import NamedTuple

import numpy as np

from evals.task import Task, array
from s2sad import differentiate, stop_gradient


class Mixture(NamedTuple):
    """Per component: a weight, a mean, and the lower triangular matrix whose square is the precision.

    alpha  logarithms of weights; mu  means; q  logarithms of the diagonal; l  what is below, column by column
    """

    alpha: np.ndarray
    mu: np.ndarray
    q: np.ndarray
    l: np.ndarray  # noqa: E741


def logsumexp(v):
    """The logarithm of the sum of exp(v[k]); what is taken out of it for safety changes nothing, so has no derivative."""
    top = stop_gradient(np.max(v))
    total = 0.0
    for k in range(len(v)):
        total += np.exp(v[k] - top)
    return top + np.log(total)


@differentiate
def objective(p, x, m, gamma, constant):
    """The logarithm of the posterior; `constant` is what no parameter changes."""
    n, d = x.shape
    components = len(p.alpha)
    diagonal = np.exp(p.q)
    total = constant
    traces = np.empty(components)
    for k in range(components):
        traces[k] = np.sum(p.q[k])
        squares = 0.0
        for j in range(d):
            squares += diagonal[k, j] ** 2
        for j in range(p.l.shape[1]):
            squares += p.l[k, j] ** 2
        total += m * traces[k] - 0.5 * gamma * gamma * squares
    beta, off, turned = np.empty(components), np.empty(d), np.empty(d)
    for i in range(n):
        for k in range(components):
            for j in range(d):
                off[j] = x[i, j] - p.mu[k, j]
                turned[j] = diagonal[k, j] * off[j]
            at = 0
            for j in range(d):
                for r in range(j + 1, d):
                    turned[r] += p.l[k, at] * off[j]
                    at += 1
            square = 0.0
            for j in range(d):
                square += turned[j] * turned[j]
            beta[k] = p.alpha[k] + traces[k] - 0.5 * square
        total += logsumexp(beta)
    return total - n * logsumexp(p.alpha)


def read(given):
    """Parameters, points, prior, and the constant."""
    n, d, k, m, gamma = (given[name] for name in ("n", "d", "k", "m", "gamma"))
    degrees = d + m + 1
    log_gamma = d * (d - 1) / 4 * math.log(math.pi) + sum(math.lgamma((degrees - j) / 2) for j in range(d))
    constant = k * (degrees * d * math.log(gamma / math.sqrt(2)) - log_gamma) - n * d / 2 * math.log(
        2 * math.pi
    )
    l = array(given["l"]).reshape(k, d * (d - 1) // 2)  # noqa: E741
    mixture = Mixture(array(given["alpha"]), array(given["mu"]), array(given["q"]), l)
    return mixture, array(given["x"]), float(m), float(gamma), constant


TASKS = {"objective": Task(objective, read), "jacobian": Task(objective.grad, read)}
