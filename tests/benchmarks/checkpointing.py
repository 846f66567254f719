"""Memory and time of `checkpoint_range` against the plain loop: a state of 200 000 numbers, 300 steps, 5 snapshots.

    python tests/benchmarks/checkpointing.py

Each case runs in a process of its own; memory is the peak of the process above that of the function alone, in states.
Time is held against the plan: so many plain steps and 300 that store and are reversed, of the times of one of each. A
plain step is timed in the function itself; the other, and what a gradient takes besides its steps, in two shorter
gradients with as many snapshots. All take turns, and medians are compared. The exit status is 1 where a mark is missed.
"""

import json
import resource
import statistics
import subprocess
import sys
import time

import numpy as np

import s2sad
from s2sad import schedules

CELLS, STEPS, SNAPSHOTS, SHORT = 200_000, 300, 5, (40, 120)


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


def medians(*runs, times=9):
    """The median times of runs that take turns."""
    found = [[] for _ in runs]
    for _ in range(times):
        for run, seconds in zip(runs, found, strict=True):
            start = time.perf_counter()
            run()
            seconds.append(time.perf_counter() - start)
    return [statistics.median(seconds) for seconds in found]


START = 0.5 + 0.4 * np.sin(np.arange(CELLS) * 0.01)


def states(name):
    """The function differentiated, its gradient, and the peak memory above that of the function, in states."""
    f = s2sad.differentiate(FUNCTIONS[name])
    f.value_and_grad(START[:64], 0.1, 3, 2)  # compiled, with all its steps
    f(START, 0.1, 3, 1)
    before = peak()
    gradient = f.grad(START, 0.1, STEPS, SNAPSHOTS)
    return f, gradient, (peak() - before) / START.nbytes


def measured(name):
    """What one process finds out about one function."""
    f, gradient, above = states(name)
    u = START
    seconds, whole, *short = medians(
        lambda: f.grad(u, 0.1, STEPS, SNAPSHOTS),
        lambda: f(u, 0.1, STEPS, 1),
        *(lambda n=n: f.grad(u, 0.1, n, SNAPSHOTS) for n in SHORT),
    )
    step = whole / STEPS
    one, other = (
        s - schedules.revolve(n, SNAPSHOTS).forward_steps * step for s, n in zip(short, SHORT, strict=True)
    )
    storing = (other - one) / (SHORT[1] - SHORT[0])
    return {
        "states": above,
        "step": step,
        "storing": storing,
        "besides": one - SHORT[0] * storing,
        "seconds": seconds,
        "sum": float(np.sum(gradient)),
    }


def main():
    found = {}
    for name in FUNCTIONS:
        run = subprocess.run([sys.executable, __file__, name], capture_output=True, text=True, check=True)
        found[name] = json.loads(run.stdout)
    steps = schedules.revolve(STEPS, SNAPSHOTS).forward_steps
    most = found["revolved"]["states"]
    marks = {
        "plain takes 4 times the memory": found["plain"]["states"] >= 4 * most,
        "at most 40 states": most <= 40,
    }
    for name, row in found.items():
        line = f"{name:9} peak {row['states']:6.1f} states, {row['seconds']:.3f} s"
        if name != "plain":
            expected = steps * row["step"] + STEPS * row["storing"] + row["besides"]
            line += (
                f", {steps} plain steps: {expected:.3f} s by the plan, {row['seconds'] / expected - 1:+.0%}"
            )
            marks[f"{name}: time within 15 %"] = abs(row["seconds"] / expected - 1) <= 0.15
        print(line)
    sums = [row["sum"] for row in found.values()]
    marks["the same gradient"] = bool(np.allclose(sums, sums[0], rtol=1e-12))
    for mark, met in marks.items():
        print(f"{'met' if met else 'MISSED':7} {mark}")
    return 0 if all(marks.values()) else 1


if __name__ == "__main__":
    match sys.argv[1:]:
        case [name, "--memory"]:
            print(states(name)[2])
        case [name]:
            print(json.dumps(measured(name)))
        case _:
            sys.exit(main())
