"""Steps downhill, by the gradient of an energy, and what they lead to differentiated."""

import numpy as np

import s2sad


def energy(u, p):
    s = 0.0
    for i in range(1, len(u)):
        s += p * (u[i] - u[i - 1]) ** 2 + u[i] ** 4
    return s


slope = s2sad.grad(energy, jit=False)


def f(u, p, n):
    v = u.copy()
    for k in range(n):
        v -= 0.1 * slope(v, p)
    return energy(v, p)


ARGUMENTS = (np.array([0.3, -0.7, 1.1]), 0.8, 3)
ARGNUMS = (0, 1)
