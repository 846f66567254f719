"""Minima by steps downhill, with gradients taken inside, forwards or backwards."""

import numpy as np

from s2sad import grad, jvp

NEAR = 1e-5


def forward(f, x):
    """The gradient of f at x, one direction at a time."""
    slopes, unit = np.empty_like(x), np.zeros_like(x)
    for k in range(len(x)):
        unit[k] = 1.0
        _, slopes[k] = jvp(f, (x,), (unit,))
        unit[k] = 0.0
    return slopes


def reverse(f, x):
    """The gradient of f at x, at once."""
    return grad(f)(x)


def lowest(gradient, f, x):
    """Where f is lowest, from x on: steps are doubled after ten that lead down, and halved after one that doesn't."""
    step, good = NEAR, 0
    value, slopes = f(x), gradient(f, x)
    while np.sqrt(np.sum(slopes * slopes)) > NEAR:
        if good == 10:
            step, good = 2.0 * step, 0
            continue
        there = x - step * slopes
        if np.sqrt(np.sum((there - x) ** 2)) <= NEAR:
            break
        below = f(there)
        if below < value:
            x, value, slopes = there, below, gradient(f, there)
            good += 1
        else:
            step, good = 0.5 * step, 0
    return x
