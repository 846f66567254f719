"""Gradients of loops in threads: the same on one thread and on two, in one run, call by call.

python -m benchmarks.threads        (in tests/)
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import numba
import numpy as np

import s2sad


def burgers2d(u0, v0, viscosity, h, dt, steps):
    """Two velocities that carry each other along, upwind, row by row in threads; the root of their energy."""
    rows, columns = u0.shape
    u, v, u_next, v_next = u0.copy(), v0.copy(), u0.copy(), v0.copy()
    carry = dt / h
    spread = viscosity * dt / (h * h)
    for _ in range(steps):
        for i in numba.prange(1, rows - 1):
            for j in range(1, columns - 1):
                u_next[i, j] = (
                    u[i, j]
                    - carry * (u[i, j] * (u[i, j] - u[i - 1, j]) + v[i, j] * (u[i, j] - u[i, j - 1]))
                    + spread * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j])
                )
                v_next[i, j] = (
                    v[i, j]
                    - carry * (u[i, j] * (v[i, j] - v[i - 1, j]) + v[i, j] * (v[i, j] - v[i, j - 1]))
                    + spread * (v[i - 1, j] + v[i + 1, j] + v[i, j - 1] + v[i, j + 1] - 4.0 * v[i, j])
                )
        u, u_next = u_next, u
        v, v_next = v_next, v
    energy = 0.0
    for i in numba.prange(rows):
        for j in range(columns):
            energy += u[i, j] ** 2 + v[i, j] ** 2
    return math.sqrt(energy)


def pair_counts(stars, weight, width):
    """Weighted pairs of points, each counted as far as the two are near each other: a soft count within `width`."""
    points = len(weight)
    total = 0.0
    for i in numba.prange(points):
        near = 0.0
        for j in range(points):
            dx, dy, dz = stars[j, 0] - stars[i, 0], stars[j, 1] - stars[i, 1], stars[j, 2] - stars[i, 2]
            near += weight[j] * np.exp(-(dx * dx + dy * dy + dz * dz) / (width * width))
        total += weight[i] * near
    return total


def workloads(size: float = 1.0) -> dict[str, tuple[Callable[..., Any], tuple[int, ...], tuple[Any, ...]]]:
    """name -> function, argnums, arguments."""
    r = np.random.default_rng(7)
    n, points = int(450 * size), int(1500 * size)
    fields = (r.uniform(0.0, 1.0, (n, n)), r.uniform(0.0, 1.0, (n, n)))
    return {
        "burgers2d": (burgers2d, (0, 1), (*fields, 0.01, 1.0 / n, 1e-4, int(60 * size))),
        "pair_counts": (pair_counts, (0, 1, 2), (r.normal(size=(points, 3)), r.uniform(size=points), 0.3)),
    }


def measured(
    f: Callable[..., Any], arguments: Sequence[Any], threads: Sequence[int], rounds: int
) -> list[float]:
    """Milliseconds on each number of threads: medians of calls taken in turn."""
    times: list[list[float]] = [[] for _ in threads]
    for _ in range(rounds + 1):
        for k, number in enumerate(threads):
            numba.set_num_threads(number)
            start = time.perf_counter()
            f(*arguments)
            times[k].append(1e3 * (time.perf_counter() - start))
    return [statistics.median(some[1:]) for some in times]


def main() -> None:
    print(f"{'':12} {'1 thread':>10} {'2 threads':>10} {'ratio':>6}   {'primal, 1 and 2':>16}")
    for name, (f, argnums, arguments) in workloads().items():
        one, two = measured(s2sad.value_and_grad(f, argnums, parallel=True), arguments, (1, 2), 9)
        first, second = measured(numba.njit(parallel=True)(f), arguments, (1, 2), 9)
        print(f"{name:12} {one:8.1f}ms {two:8.1f}ms {one / two:6.2f}   {first:6.1f}ms {second:6.1f}ms")


if __name__ == "__main__":
    main()
