"""What a Hessian-vector product costs beside the gradient, compiled, on one thread: at most 4 times as much.

    python tests/benchmarks/second.py

Two workloads at the size of benchmarks. Both are timed in turn; the median of the quotients of neighbours counts. The
exit status is 1 where it is above the mark.
"""

import statistics
import sys
import time
from pathlib import Path

import numpy as np

import s2sad

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.workloads import gmm, rk4

MOST, PAIRS = 4.0, 15


def clocked(call, *args):
    """The time of one call."""
    start = time.perf_counter()
    call(*args)
    return time.perf_counter() - start


def mixture(r):
    """1000 points in 10 dimensions, 25 parts: 1900 numbers to differentiate for."""
    dim, parts = 10, 25
    scales = 0.3 * r.normal(size=(parts, dim * (dim + 1) // 2))
    return r.normal(size=parts), r.normal(size=(parts, dim)), scales, r.normal(size=(1000, dim))


def orbit(r):
    """300 000 steps of Lorenz' equations: 6 numbers to differentiate for."""
    return np.array([1.0, 1.5, 20.0]), np.array([10.0, 28.0, 8.0 / 3.0]), 3e-5, 300_000


def quotient(f, args, count):
    """Gradient and Hessian-vector product for the first `count` arguments: the median times, and of their quotients."""
    r = np.random.default_rng(7)
    gradient = s2sad.grad(f, tuple(range(count)))
    tangents = tuple(r.normal(size=np.shape(a)) if k < count else None for k, a in enumerate(args))
    product = lambda *args: s2sad.hvp(f, args, tangents)  # noqa: E731
    gradient(*args), product(*args)
    found = [(clocked(gradient, *args), clocked(product, *args)) for _ in range(PAIRS)]
    one, two = zip(*found, strict=True)
    return statistics.median(one), statistics.median(two), statistics.median(b / a for a, b in found)


def main():
    met = True
    for f, drawn, count in ((gmm, mixture, 3), (rk4, orbit, 2)):
        one, two, ratio = quotient(f, drawn(np.random.default_rng(3)), count)
        met &= ratio <= MOST
        print(f"{f.__name__:4} gradient {1e3 * one:7.2f} ms, product {1e3 * two:7.2f} ms: {ratio:.2f} times")
    print("met" if met else f"MISSED: at most {MOST} times")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
