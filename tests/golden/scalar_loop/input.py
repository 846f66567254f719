"""A loop over scalars: what each trip changes is kept in slots, the rest formed again."""

import numpy as np

ARGNUMS = (0, 1)
ARGUMENTS = (0.7, 0.3, 4)


def f(x, rate, steps):
    """A damped pendulum, with explicit steps."""
    v = 0.0
    for _ in range(steps):
        v = v - 0.1 * (np.sin(x) + rate * v)
        x = x + 0.1 * v
    return x * x + v
