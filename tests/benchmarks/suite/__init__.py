"""The suite of benchmarks: small numeric programs, each with arguments of two sizes, and an adjoint written by hand.

`s2sad bench --suite` measures them. JAX and PyTorch versions of some are in `jaxed` and `torched`, under the same names.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks import workloads
from benchmarks.suite import grids, hand, programs

Draw = Callable[[np.random.Generator], tuple[Any, ...]]


@dataclass(frozen=True)
class Program:
    """f        the program, which returns one number
    argnums  what it is differentiated for
    small    random numbers -> arguments of test size
    full     the same, of the size that is measured
    """

    f: Callable[..., float]
    argnums: tuple[int, ...]
    small: Draw
    full: Draw

    @property
    def name(self) -> str:
        return self.f.__name__

    @property
    def by_hand(self) -> Callable[..., Any] | None:
        """value, gradients by the adjoint written by hand; None where there is none."""
        return getattr(grids, self.name, None) or getattr(hand, self.name, None)

    def arguments(self, size: str) -> tuple[Any, ...]:
        return {"small": self.small, "full": self.full}[size](np.random.default_rng(7))


def rod(n: int, steps: int) -> Draw:
    return lambda r: (r.random(n), 0.1 + 0.3 * r.random(n), r.random(n), steps)


def pond(n: int, steps: int) -> Draw:
    return lambda r: (r.random((n, n)), 0.1 + 0.2 * r.random((n, n)), steps)


def flow(n: int, steps: int) -> Draw:
    return lambda r: (
        1.0 + 0.1 * r.random((n, n)),
        1.0 + 0.1 * r.random((n, n)),
        5e-3,
        1.0 / n,
        0.1 / n,
        steps,
    )


def orbit(steps: int) -> Draw:
    return lambda r: (r.random(3) + 1.0, np.array([10.0, 28.0, 8.0 / 3.0]), 3e-5, steps)


def bodies(n: int, steps: int) -> Draw:
    return lambda r: (
        r.normal(size=(n, 3)),
        0.1 * r.normal(size=(n, 3)),
        (0.5 + r.random(n)) / n,
        0.05,
        0.01,
        steps,
    )


def mixture(points: int, dim: int, parts: int) -> Draw:
    return lambda r: (
        r.normal(size=parts),
        r.normal(size=(parts, dim)),
        0.3 * r.normal(size=(parts, dim * (dim + 1) // 2)),
        r.normal(size=(points, dim)),
    )


def prices(paths: int, dates: int) -> Draw:
    return lambda r: (np.array([100.0, 0.03, 0.25, 98.0, 1.0]), r.normal(size=(paths, dates)))


def variances(paths: int, dates: int) -> Draw:
    market = np.array([100.0, 0.03, 0.04, 1.5, 0.05, 0.4, -0.6, 100.0])
    return lambda r: (market, r.normal(size=(paths, dates)), r.normal(size=(paths, dates)), 1.0)


def matrix(r: np.random.Generator, n: int) -> Any:
    b = r.normal(size=(n, n))
    return b @ b.T / n + np.eye(n)


def vectors(n: int) -> Draw:
    return lambda r: (r.random(n), r.random(n))


def network(samples: int, width: int, hidden: int, classes: int) -> Draw:
    return lambda r: (
        r.normal(size=(width, hidden)) / np.sqrt(width),
        np.zeros(hidden),
        r.normal(size=(hidden, classes)) / np.sqrt(hidden),
        np.zeros(classes),
        r.normal(size=(samples, width)),
        np.eye(classes)[r.integers(0, classes, samples)],
    )


def implicit(n: int, steps: int) -> Draw:
    return lambda r: (r.random(n), 0.5 + r.random(n), steps)


def text(layers: int, bits: int, length: int) -> Draw:
    return lambda r: (
        0.3 * r.normal(size=(2 * layers, 4 * bits)),
        0.3 * r.normal(size=(3, bits)),
        0.1 * r.normal(size=(2, layers, bits)),
        1.0 * (r.random((length, bits)) < 0.3),
    )


def scene(cameras: int, points: int, seen: int) -> Draw:
    def drawn(r: np.random.Generator) -> tuple[Any, ...]:
        views = 0.1 * r.normal(size=(cameras, 11))
        views[:, 6] += 1.0
        views[:, 9:] *= 0.1
        places = 0.5 * r.normal(size=(points, 3)) + np.array([0.0, 0.0, 5.0])
        which = np.stack([r.integers(0, cameras, seen), r.integers(0, points, seen)], axis=1)
        return views, places, 0.5 + r.random(seen), which, 0.1 * r.normal(size=(seen, 2))

    return drawn


def orbits(n: int) -> Draw:
    return lambda r: (3.0 * r.random(n), 0.8 * r.random(n))


def curve(n: int) -> Draw:
    def drawn(r: np.random.Generator) -> tuple[Any, ...]:
        x = np.sort(10.0 * r.random(n))
        return (
            np.array([0.3, 0.1, -1.0]),
            (x[:, None] - x[None, :]) ** 2,
            np.sin(x) + 0.1 * r.normal(size=n),
        )

    return drawn


def systems(n: int, times: int) -> Draw:
    return lambda r: (
        2.0 * np.eye(n) + r.normal(size=(n, n)) / n,
        r.normal(size=n),
        r.normal(size=n),
        times,
    )


def chain(states: int, symbols: int, length: int) -> Draw:
    def drawn(r: np.random.Generator) -> tuple[Any, ...]:
        rows = (r.random(states), r.random((states, states)), r.random((states, symbols)))
        first, moves, emissions = (p / p.sum(axis=-1, keepdims=True) for p in rows)
        return first, moves, emissions, r.integers(0, symbols, length)

    return drawn


def series(n: int, m: int) -> Draw:
    return lambda r: (np.cumsum(r.normal(size=n)) / 5.0, np.cumsum(r.normal(size=m)) / 5.0, 0.5)


def galaxies(n: int) -> Draw:
    def drawn(r: np.random.Generator) -> tuple[Any, ...]:
        place = r.random((n, 3))
        return place[np.argsort(place[:, 0])], r.random(n), 0.1, 0.3

    return drawn


SUITE = {
    row.name: row
    for row in (
        Program(workloads.heat1d, (0, 1), rod(12, 5), rod(10_000, 1000)),
        Program(workloads.wave2d, (0, 1), pond(7, 4), pond(201, 200)),
        Program(workloads.burgers2d, (0, 1), flow(6, 3), flow(301, 64)),
        Program(workloads.rk4, (0, 1), orbit(6), orbit(200_000)),
        Program(workloads.nbody, (0, 1, 2), bodies(4, 3), bodies(400, 10)),
        Program(workloads.gmm, (0, 1, 2), mixture(5, 3, 3), mixture(2000, 10, 25)),
        Program(workloads.asian, (0,), prices(6, 5), prices(20_000, 52)),
        Program(programs.heston, (0,), variances(6, 5), variances(10_000, 64)),
        Program(workloads.cholesky, (0,), lambda r: (matrix(r, 6),), lambda r: (matrix(r, 400),)),
        Program(programs.thomas, (0, 1), implicit(8, 3), implicit(1000, 300)),
        Program(programs.elementwise, (0, 1), vectors(9), vectors(1_000_000)),
        Program(programs.elementwise_loop, (0, 1), vectors(9), vectors(1_000_000)),
        Program(programs.mlp, (0, 1, 2, 3), network(4, 5, 6, 3), network(256, 256, 512, 32)),
        Program(programs.lstm, (0, 1), text(2, 3, 5), text(2, 14, 4096)),
        Program(programs.bundle, (0, 1, 2), scene(2, 4, 6), scene(49, 7776, 100_000)),
        Program(programs.newton, (0, 1), orbits(5), orbits(50_000)),
        Program(programs.gaussian_process, (0,), curve(6), curve(500)),
        Program(programs.solve_chain, (0, 1, 2), systems(4, 3), systems(100, 50)),
        Program(programs.hmm, (0, 1, 2), chain(3, 4, 6), chain(64, 32, 2000)),
        Program(programs.dtw, (0, 1), series(5, 6), series(800, 900)),
        Program(programs.pairs, (0, 1), galaxies(9), galaxies(4000)),
    )
}
