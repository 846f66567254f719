"""Memory of a long loop: a state of 200 000 numbers, 300 steps, 5 snapshots; the plain loop keeps a state per step."""

import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import s2sad

CELLS, STEPS, SNAPSHOTS = 200_000, 300, 5
MOST, TIMES = 40, 4  # states above those of the function; how many times as many the plain loop takes
BENCHMARK = Path(__file__).parents[1] / "benchmarks" / "checkpointing.py"


def plain(u0, dt, n, snapshots):
    u = u0.copy()
    v = u0.copy()
    for _ in range(n):
        v[1:-1] = u[1:-1] + dt * (u[:-2] - 2.0 * u[1:-1] + u[2:]) * u[1:-1]
        u, v = v, u
    return np.sum(u * u)


def revolved(u0, dt, n, snapshots):
    u = u0.copy()
    v = u0.copy()
    for _ in s2sad.checkpoint_range(n, snapshots):
        v[1:-1] = u[1:-1] + dt * (u[:-2] - 2.0 * u[1:-1] + u[2:]) * u[1:-1]
        u, v = v, u
    return np.sum(u * u)


def on_the_way(call, *args):
    """The result of a call, and the most that NumPy had at once while it ran, in states."""
    tracemalloc.start()
    try:
        result = call(*args)
        return result, tracemalloc.get_traced_memory()[1] / (8 * CELLS)
    finally:
        tracemalloc.stop()


def test_a_long_loop_in_plain_python():
    u = 0.5 + 0.4 * np.sin(np.arange(CELLS) * 0.01)
    gradients, above = [], []
    for f in (plain, revolved):
        df = s2sad.grad(f, jit=False)
        df(u[:9], 0.1, 2, 1)  # made
        _, own = on_the_way(f, u, 0.1, STEPS, SNAPSHOTS)
        gradient, most = on_the_way(df, u, 0.1, STEPS, SNAPSHOTS)
        gradients.append(gradient)
        above.append(most - own)
    assert np.max(np.abs(gradients[0] - gradients[1])) <= 1e-12 * np.max(np.abs(gradients[0]))
    assert above[1] <= MOST
    assert above[0] >= TIMES * above[1]


@pytest.mark.skipif("S2SAD_FULL" not in os.environ, reason="compiles two large functions: S2SAD_FULL=1")
def test_a_long_loop_compiled():
    """The peak of a process, above what the function alone takes."""
    above = [
        float(
            subprocess.run(
                [sys.executable, str(BENCHMARK), name, "--memory"], capture_output=True, text=True, check=True
            ).stdout
        )
        for name in ("plain", "revolved")
    ]
    assert above[1] <= MOST
    assert above[0] >= TIMES * above[1]
