"""Tangent of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of the result along directions of a, b.
"""

import numpy as np
from s2sad_runtime import jit, require

require(1)

NODES = np.array([-0.7745966692414834, 0.0, 0.7745966692414834])
WEIGHTS = np.array([0.5555555555555556, 0.8888888888888888, 0.5555555555555556])
GRAVITY = 9.81


@jit
def f(a, b):
    """Gauss' rule with three points."""
    s = 0.0
    for k in range(NODES.shape[0]):
        t = 0.5 * (a + b) + 0.5 * (b - a) * NODES[k]
        s += WEIGHTS[k] * np.sqrt(GRAVITY * t)
    return 0.5 * (b - a) * s


@jit
def f_d(a, b, a_d, b_d):
    """`f` and its tangent: the results, then their tangents."""
    s = 0.0
    s_d = 0.0
    for k in range(NODES.shape[0]):
        t = 0.5 * (a + b) + 0.5 * (b - a) * NODES[k]
        t_d = (0.5 - 0.5 * NODES[k]) * a_d + (0.5 + 0.5 * NODES[k]) * b_d
        s_d += np.true_divide(0.5 * WEIGHTS[k] * GRAVITY * t_d, np.sqrt(GRAVITY * t))
        s += WEIGHTS[k] * np.sqrt(GRAVITY * t)
    return 0.5 * (b - a) * s, 0.5 * s * b_d - 0.5 * s * a_d + 0.5 * (b - a) * s_d
