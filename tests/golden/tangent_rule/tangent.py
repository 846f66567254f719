"""Tangent of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of s along directions of w.
"""

import math

from s2sad_runtime import jit, require

require(1)


@jit(inner=True)
def logistic(x):
    return 1.0 / (1.0 + math.exp(-x))


@jit(inner=True)
def logistic_tangent(primals_0, tangents_0):
    x = primals_0
    x_d = tangents_0
    t = logistic(x)
    y = t
    return y, y * (1.0 - y) * x_d


@jit
def f(w, x, n):
    s = 0.0
    for k in range(n):
        t = w[0] + w[1] * x[k]
        t_2 = logistic(t)
        s += t_2
    return s


@jit
def f_d(w, x, n, w_d):
    """`f` and its tangent: the results, then their tangents."""
    s = 0.0
    s_d = 0.0
    for k in range(n):
        t = w[0] + w[1] * x[k]
        t_d = w_d[0] + x[k] * w_d[1]
        t_2, t_2_d = logistic_tangent(t, t_d)
        s_d += t_2_d
        s += t_2
    return s, s_d
