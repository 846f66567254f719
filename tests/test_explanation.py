"""The storage report, whole."""

import numpy as np
import pytest

import s2sad
from s2sad_runtime import plain


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


@pytest.mark.parametrize("steps", [1, 2, 7])
def test_names_that_share(steps, monkeypatch):
    """There are as many adjoint arrays as the report says, whatever the number of steps."""
    made = []

    class Counted(plain.Places):
        def at(self, index, like, layer):
            made.append(index)
            return super().at(index, like, layer)

    assert "u, v: 2 at most, by pool index" in relaxed.explain(np.ones(4), steps)
    monkeypatch.setattr(plain.Pool, "places", lambda self: Counted())
    relaxed.grad(np.linspace(0.5, 1.0, 4), steps)
    assert len({*made}) <= 2
    assert made


HEAT = """\
line  value  how       places             why
16    un     snapshot  un.size each time  the nest overwrites it as a whole

adjoint arrays, whatever the number of steps:
  u0: 1
  k: 1
  u, un: 2, exchanged with their names
  t: 1
"""
