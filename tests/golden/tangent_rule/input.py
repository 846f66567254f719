"""A function with a tangent of its own: the logistic function, whose tangent needs its value alone."""

import math

import numpy as np

import s2sad


@s2sad.custom_jvp
def logistic(x):
    return 1.0 / (1.0 + math.exp(-x))


@logistic.defjvp
def logistic_tangent(primals, tangents):
    (x,), (x_d,) = primals, tangents
    y = logistic(x)
    return y, y * (1.0 - y) * x_d


def f(w, x, n):
    s = 0.0
    for k in range(n):
        s += logistic(w[0] + w[1] * x[k])
    return s


ARGUMENTS = (np.array([0.3, -0.7]), np.array([0.1, 0.8, 1.9]), 3)
ARGNUMS = (0,)
