"""Numbers and arrays of the module are part of what is emitted."""

import numpy as np

GRAVITY = 9.81
NODES = np.array([-0.7745966692414834, 0.0, 0.7745966692414834])
WEIGHTS = np.array([5.0, 8.0, 5.0]) / 9.0
ARGNUMS = (0, 1)
ARGUMENTS = (0.3, 1.7)


def f(a, b):
    """Gauss' rule with three points."""
    s = 0.0
    for k in range(len(NODES)):
        t = 0.5 * (a + b) + 0.5 * (b - a) * NODES[k]
        s += WEIGHTS[k] * np.sqrt(GRAVITY * t)
    return 0.5 * (b - a) * s
