"""What tapes cost, compiled, on one thread: recording and sweeps as ratios to the program itself, managers to each other.

    python tests/benchmarks/tapes.py [--programs burgers2d,rk4] [--rounds 15] [--operations]

What is compared takes turns, and the shortest times count, since whatever else a machine does only adds to them. Printed
are quotients, and whether they keep to their marks; the exit status is 1 where one doesn't.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

import s2sad

sys.path.insert(0, str(Path(__file__).parents[1]))
from papers.programs import OPERATIONS, operands
from reference import compiled

from benchmarks.workloads import burgers2d, cholesky, nbody, rk4


def clocked(call):
    """The time of one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def quotients(rounds, base, *calls):
    """The shortest times of calls over that of `base`; they take turns."""
    for call in (base, *calls):
        call()
    found = [[clocked(call) for call in (base, *calls)] for _ in range(rounds)]
    best, *others = (min(column) for column in zip(*found, strict=True))
    return [other / best for other in others]


def carried(r):
    """A grid of 301 x 301, 64 steps."""
    u, v = 1.0 + 0.1 * r.random((2, 301, 301))
    return u, v, 5e-3, 1.0 / 300, 0.1 / 300, 64


def orbit(r):
    """300 000 steps."""
    return np.array([1.0, 1.5, 20.0]), np.array([10.0, 28.0, 8.0 / 3.0]), 3e-5, 300_000


def stars(r):
    """400 bodies, 10 steps."""
    return r.normal(size=(400, 3)), 0.1 * r.normal(size=(400, 3)), (0.5 + r.random(400)) / 400, 0.05, 0.01, 10


def positive(r):
    """400 x 400."""
    b = r.normal(size=(400, 400))
    return (b @ b.T / 400 + np.eye(400),)


PROGRAMS = {  # arguments; record and reverse over the program, at most
    burgers2d: (carried, 64.0),
    rk4: (orbit, 19.0),
    nbody: (stars, 30.0),
    cholesky: (positive, 28.0),
}
MULTI, SEVERAL, WHOLE = 1.1, 5.0, 1.1


def swept(recorder, args, ybar=1.0):
    """Record and reverse."""
    return lambda: recorder(*args).reverse(ybar)


def whole(f, drawn, most, rounds):
    """(what, ratio, mark) of a program."""
    args = drawn(np.random.default_rng(3))
    program = compiled(f)
    recorders = {index: s2sad.record(f, index=index) for index in ("linear", "reuse", "multiuse")}
    ratios = quotients(rounds, lambda: program(*args), *(swept(r, args) for r in recorders.values()))
    for index, ratio in zip(recorders, ratios, strict=True):
        yield f"record and reverse over the program, {index}", ratio, most if index == "multiuse" else None
    yield "multi-use over reuse", ratios[2] / ratios[1], MULTI
    tape = recorders["multiuse"](*args)
    (several,) = quotients(rounds, lambda: tape.reverse(1.0), lambda: tape.reverse(np.ones(16)))
    yield "16 directions over one", several, SEVERAL


def entities(rounds):
    """The tape of entities on a program of elements, over the tape that keeps values of elements."""
    args = carried(np.random.default_rng(3))
    recorders = [s2sad.record(burgers2d, values="primal"), s2sad.record(burgers2d, entities=True)]
    (ratio,) = quotients(rounds, *(swept(r, args) for r in recorders))
    yield "tape of entities over tape of values", ratio, WHOLE


def operations(rounds):
    """Operations on matrices: the tape of entities against elements, and against loops."""
    for name, (f, loops, _) in OPERATIONS.items():
        recorders = [s2sad.record(f, entities=True), s2sad.record(f), s2sad.record(loops)]
        for k in (2, 10, 50, 100):
            args = operands(name, k)
            w = np.ones(np.shape(f(*args)))
            ratios = quotients(rounds, compiled_call(f, args), *(swept(r, args, w) for r in recorders))
            yield name, k, ratios


def compiled_call(f, args):
    """The operation itself, compiled."""
    program = compiled(f)
    return lambda: program(*args)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", type=lambda s: s.split(","), default=[f.__name__ for f in PROGRAMS])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument(
        "--operations", action="store_true", help="operations on matrices in place of programs"
    )
    o = parser.parse_args()
    if o.operations:
        print("record and reverse over the operation: entities, elements, loops")
        for name, k, ratios in operations(o.rounds):
            print(f"{name}, k = {k:3}" + "".join(f"{x:12,.0f}" for x in ratios), flush=True)
        return 0
    met = True
    for f, (drawn, most) in PROGRAMS.items():
        if f.__name__ not in o.programs:
            continue
        found = [*whole(f, drawn, most, o.rounds), *(entities(o.rounds) if f is burgers2d else ())]
        for what, ratio, mark in found:
            kept = mark is None or ratio <= mark
            met &= kept
            say = "" if mark is None else f"  ({'' if kept else 'MISSED: '}at most {mark:g})"
            print(f"{f.__name__:10} {what:50} {ratio:6.2f}{say}", flush=True)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
