"""The storage report, whole."""

import numpy as np

import s2sad


@s2sad.differentiate(argnums=(0, 1), jit=False)
def heat(u0, k, steps):
    u = u0.copy()
    un = u0.copy()
    for _ in range(steps):
        for i in range(1, u.shape[0] - 1):
            un[i] = u[i] + k[i] * (u[i + 1] - 2.0 * u[i] + u[i - 1])
        u, un = un, u
    return np.sum(u * u)


@s2sad.differentiate(jit=False)
def relaxed(x, steps):
    u = x.copy()
    v = x.copy()
    for _ in range(steps):
        for i in range(3):
            v[i] = u[i + 1] * v[i]
        u = v
    return np.sum(u * v)


def test_buffers_that_are_swapped():
    assert heat.explain(np.ones(5), np.ones(5), 3) == HEAT


def test_names_that_share():
    assert "u, v: by pool index, as many as are alive at once" in relaxed.explain(np.ones(4), 2)


HEAT = """\
line  value  how       places             why
14    un     snapshot  un.size each time  the nest overwrites it as a whole

adjoint arrays, whatever the number of steps:
  u0: 1
  k: 1
  u, un: 2, exchanged with their names
  t: 1
"""
