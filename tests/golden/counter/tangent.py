"""Tangent of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of s along directions of packed.
"""

import numpy as np
from s2sad_runtime import jit, require

require(1)


@jit
def f(packed, n):
    """A quadratic form, its upper triangle packed by rows."""
    s = 0.0
    p = 0
    for i in range(n):
        for j in range(i, n):
            s += packed[p] * packed[p] * (i + 1.0) / (j + 2.0)
            p += 1
    return s


@jit
def f_d(packed, n, packed_d):
    """`f` and its tangent: the results, then their tangents."""
    s = 0.0
    s_d = 0.0
    p = 0
    for i in range(n):
        for j in range(i, n):
            s_d += np.true_divide(2.0 * packed[p] * (i + 1.0) * packed_d[p], j + 2.0)
            s += packed[p] * packed[p] * (i + 1.0) / (j + 2.0)
            p += 1
    return s, s_d
