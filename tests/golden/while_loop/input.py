"""A loop that ends when it has converged: its trips are counted, what each changes goes on a stack."""

import math

ARGNUMS = (0, 1)
ARGUMENTS = (2.0, 1.0)


def f(a, x):
    """A square root by Newton's rule."""
    while abs(x * x - a) > 1e-6:
        x = 0.5 * (x + a / x)
    return x * math.log(a)
