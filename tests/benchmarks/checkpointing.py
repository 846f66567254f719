"""Memory and time of `checkpoint_range` against the plain loop: a state of 200 000 numbers, 300 steps, 5 snapshots.

    python tests/benchmarks/checkpointing.py

Each case runs in a process of its own; memory is the peak of the process above that of the function alone, in
states. Time is held against what the schedule says: forward steps and 300 storing steps, of the times measured for
one of each.
"""

import json
import resource
import subprocess
import sys
import time

import numpy as np

import s2sad
from s2sad import schedules

CELLS, STEPS, SNAPSHOTS = 200_000, 300, 5


def advance(u, v, dt):
    for i in range(1, len(u) - 1):
        v[i] = u[i] + dt * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i]


def plain(u0, dt, n, snapshots):
    u = u0.copy()
    v = u0.copy()
    for _ in range(n):
        advance(u, v, dt)
        u, v = v, u
    return np.sum(u * u)


def revolved(u0, dt, n, snapshots):
    u = u0.copy()
    v = u0.copy()
    for _ in s2sad.checkpoint_range(n, snapshots):
        advance(u, v, dt)
        u, v = v, u
    return np.sum(u * u)


def on_disk(u0, dt, n, snapshots):
    u = u0.copy()
    v = u0.copy()
    for _ in s2sad.checkpoint_range(n, snapshots, "disk"):
        advance(u, v, dt)
        u, v = v, u
    return np.sum(u * u)


FUNCTIONS = {f.__name__: f for f in (plain, revolved, on_disk)}


def peak():
    """The peak memory of this process in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def best(run, times=3):
    """The shortest time of a few runs."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        found.append(time.perf_counter() - start)
    return min(found)


def measured(name):
    """What one process finds out about one function."""
    f = s2sad.differentiate(FUNCTIONS[name])
    u = 0.5 + 0.4 * np.sin(np.arange(CELLS) * 0.01)
    f.value_and_grad(u[:64], 0.1, 3, 2)  # compiled, with all its steps
    f(u, 0.1, 3, 1)
    before = peak()
    gradient = f.grad(u, 0.1, STEPS, SNAPSHOTS)
    above = (peak() - before) / u.nbytes
    step = best(lambda: f(u, 0.1, STEPS, 1)) / STEPS
    both = best(lambda: f.grad(u, 0.1, 40, 40)) / 40  # a plain step and a storing one, each
    seconds = best(lambda: f.grad(u, 0.1, STEPS, SNAPSHOTS))
    storing = both - step
    return {
        "states": above,
        "step": step,
        "storing": storing,
        "seconds": seconds,
        "sum": float(np.sum(gradient)),
    }


def main():
    found = {}
    for name in FUNCTIONS:
        run = subprocess.run([sys.executable, __file__, name], capture_output=True, text=True, check=True)
        found[name] = json.loads(run.stdout)
    steps = schedules.revolve(STEPS, SNAPSHOTS).forward_steps
    for name, row in found.items():
        line = f"{name:9} peak {row['states']:6.1f} states, {row['seconds']:.3f} s"
        if name != "plain":
            expected = steps * row["step"] + STEPS * row["storing"]
            line += f", {steps} forward steps: {expected:.3f} s expected"
        print(line)
    sums = [row["sum"] for row in found.values()]
    assert np.allclose(sums, sums[0], rtol=1e-12)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(measured(sys.argv[1])))
    else:
        main()
