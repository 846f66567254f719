"""Many random programs, the same for the same seed: right, refused by code, wrong.

    python -m tests.fuzz --programs 2000 [--jit] [--aliasing] [--regions] [--taped] [--checks NAMES] [--jobs 2] ...

A wrong answer is printed with a program cut down to what is needed for it; the exit status is 1.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

from checks import ALL, FIRST_ORDER, PASSES, QUICK, TAPED  # noqa: E402
from judge import Verdict, judge, smaller  # noqa: E402
from strategies import Choices, Program, build  # noqa: E402

T = TypeVar("T")


def program(seed: int, number: int, aliasing: bool = False, regions: bool = False) -> Program:
    """Program `number` of a seed."""
    return build(Choices(random.Random(f"{seed}:{number}").randint), aliasing, regions)


@dataclass(frozen=True)
class Series:
    """Which programs, and how they are judged."""

    seed: int
    jit: bool
    checks: Sequence[str]
    aliasing: bool
    regions: bool = False

    def program(self, number: int) -> Program:
        return program(self.seed, number, self.aliasing, self.regions)

    def judged(self, program: Program) -> Verdict:
        return judge(program, jit=self.jit, checks=self.checks)

    def run(self, number: int) -> tuple[int, Verdict]:
        return number, self.judged(self.program(number))


def describe(number: int, series: Series, verdict: Verdict, cut: bool) -> str:
    """A wrong program, cut down, with its arguments and what was wrong."""
    p = series.program(number)
    if cut:

        def still(q: Program) -> bool:
            v = series.judged(q)
            return (v.kind, v.code) == (verdict.kind, verdict.code)

        p = smaller(p, still, 40 if series.jit else 400)
        verdict = series.judged(p)
    arguments = ", ".join(repr(a) for a in p.arguments)
    title = f"---- program {number} of seed {series.seed}: {verdict.code}"
    return f"{title}\n{p.source}\n# f({arguments})\n{verdict.detail}\n"


def until(late: Callable[[Any], bool], items: Iterable[T]) -> Iterator[T]:
    """The items up to the first that comes late."""
    for item in items:
        yield item
        if late(item):
            return


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="number of the first program")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--checks", type=lambda s: tuple(s.split(",")), help=f"some of {', '.join((*ALL, *PASSES))}"
    )
    parser.add_argument("--jit", action="store_true")
    parser.add_argument("--aliasing", action="store_true", help="programs that give arrays many names")
    parser.add_argument("--regions", action="store_true", help="programs with stretches that are run again")
    parser.add_argument("--taped", action="store_true", help="tapes of every kind under every index manager")
    parser.add_argument("--show", type=int, help="print this program and what becomes of it")
    parser.add_argument("--wrong", type=int, default=5, help="how many wrong programs to cut down and print")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="start no program after that")
    o = parser.parse_args()
    usual = TAPED if o.taped else QUICK if o.jit else FIRST_ORDER
    series = Series(o.seed, o.jit, o.checks or usual, o.aliasing, o.regions)
    if o.show is not None:
        verdict = series.run(o.show)[1]
        print(describe(o.show, series, verdict, cut=False))
        print(verdict.kind, verdict.code)
        return 0
    start = time.perf_counter()
    one = series.run
    numbers = range(o.first, o.first + o.programs)
    late = lambda _: time.perf_counter() - start > o.seconds  # noqa: E731
    if o.jobs > 1:
        with multiprocessing.get_context("spawn").Pool(o.jobs) as pool:
            verdicts = dict(until(late, pool.imap(one, numbers, chunksize=2)))
    else:
        verdicts = dict(until(late, map(one, numbers)))
    kinds = Counter(v.kind for v in verdicts.values())
    codes = Counter(v.code for v in verdicts.values() if v.kind == "refused")
    seconds = time.perf_counter() - start
    print(
        f"{kinds['right']} right, {kinds['refused']} refused, {kinds['wrong']} wrong"
        f" ({kinds['unusable']} unusable) of {len(verdicts)} programs, seed {o.seed}, {seconds:.0f} s"
    )
    without = Counter(
        k for v in verdicts.values() if v.kind == "right" and v.detail for k in v.detail.split(", ")
    )
    for what, count in without.most_common():
        print(f"  {count} of those that are right have no tape of {what}")
    for code, count in codes.most_common():
        example = next(n for n, v in verdicts.items() if v.kind == "refused" and v.code == code)
        print(f"  refused {code}: {count}, as program {example}: {verdicts[example].detail.splitlines()[0]}")
    wrong = [n for n, v in verdicts.items() if v.kind == "wrong"]
    for check, count in Counter(verdicts[n].code for n in wrong).most_common():
        examples = [n for n in wrong if verdicts[n].code == check]
        print(f"  WRONG {check}: {count}, as programs {examples[:8]}")
    for n in wrong[: o.wrong]:
        print(describe(n, series, verdicts[n], cut=True))
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
