import numpy as np

import s2sad


def residual(x, u):
    u[0] = u[0] + 1.0
    return x * x - u[0]


solve = s2sad.root(residual)


def f(u: "float64[:]"):
    v = u.copy()
    return solve(1.0, v) * v[0]
