"""How long one waits before anything is computed: imports, first calls, calls of next to nothing.

    python tests/benchmarks/latency.py [--programs burgers2d,rk4] [--rounds 3] [--only import,first,call]

Every figure is from a process of its own, with caches of its own on disk; what is compared takes turns, and medians of
the seconds that processes work count. Numba has compiled something else before. `first call` is that of a gradient that
is made and has not been called: kinds, text, and machine code, where the disk has nothing of the program, but the
machine code of the runtime; `warm` is the same in the next process; `making` is what `value_and_grad` does before,
importing the generator, and `first ever` is the first call where the disk has nothing at all. The exit status is 1
where a mark is missed.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TESTS = Path(__file__).parents[1]
IMPORT, COLD, WARM, CALL = 1.3, 4.0, 0.35, 1.0
CALLS = 20_000


# ----- in a process of its own


def clocked(call):
    """Seconds that this process works in one call: waiting for others on the machine doesn't count."""
    start = time.process_time()
    call()
    return time.process_time() - start


def first_primal(program, args):
    """Compile the program and call it."""
    from reference import compiled

    return clocked(lambda: compiled(program.f)(*args))


def first_gradient(program, args):
    """Make its gradient; compile that and call it."""
    import s2sad

    made = []
    making = clocked(lambda: made.append(s2sad.value_and_grad(program.f, program.argnums)))
    return making, clocked(lambda: made[0](*args))


def one_call(make):
    """The least time of a call with one number, of many in a row."""
    compiled = make(lambda x: x * x)
    compiled(2.0)
    return min(clocked(lambda: [compiled(2.0) for _ in range(CALLS)]) for _ in range(7)) / CALLS


def measure(what, name):
    """What the process was started for: prints seconds."""
    import numba

    if what.startswith("call"):
        import s2sad

        print(one_call(s2sad.grad if what == "call of a gradient" else numba.njit))
        return
    sys.path.insert(0, str(TESTS))
    from benchmarks.suite import SUITE

    program = SUITE[name]
    args = program.arguments("small")
    numba.njit(lambda x: x + 1.0)(1.0)
    if what == "primal":
        print(first_primal(program, args))
    else:
        print(*first_gradient(program, args))


# ----- around it


def process(*command, cache):
    """Run Python, all caches in that folder; its output, and the seconds that it worked."""
    env = {k: v for k, v in os.environ.items() if k not in ("NUMBA_CACHE_DIR", "S2SAD_CACHE_DIR")}
    env |= {"XDG_CACHE_HOME": str(cache)}
    before = os.times()
    done = subprocess.run([sys.executable, *command], env=env, check=True, capture_output=True, text=True)
    after = os.times()
    return done.stdout, sum(after[2:4]) - sum(before[2:4])


def inside(what, name, cache):
    """Seconds that `measure` prints."""
    printed = process(__file__, "--measure", what, "--programs", name, cache=cache)[0]
    return [float(seconds) for seconds in printed.split()]


def said(what, ratio, mark=None):
    """Print a ratio; whether it keeps to its mark."""
    kept = mark is None or ratio <= mark
    say = "" if mark is None else f"  ({'' if kept else 'MISSED: '}at most {mark:g})"
    print(f"{what:50} {ratio:6.2f}{say}", flush=True)
    return kept


def imports(rounds, cache):
    """`import s2sad` over `import numba`."""
    found = []
    for _ in range(4 * rounds + 1):
        bare, ours, theirs = (
            process("-c", line, cache=cache)[1] for line in ("pass", "import s2sad", "import numba")
        )
        found.append((ours - bare) / (theirs - bare))
    return said("import s2sad / import numba", statistics.median(found[1:]), IMPORT)


def first_calls(name, rounds):
    """The first call of a gradient over that of the program; in a second process over the first."""
    found = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            (primal,) = inside("primal", name, folder)
            _, ever = inside("gradient", name, folder)
            shutil.rmtree(Path(folder) / "s2sad")
            making, cold = inside("gradient", name, folder)
            _, warm = inside("gradient", name, folder)
        found.append((cold / primal, warm / cold, primal, making, cold, warm, ever))
    cold, warm, *seconds = (statistics.median(column) for column in zip(*found, strict=True))
    figures = zip(("program", "making", "first call", "warm", "first ever"), seconds, strict=True)
    print(f"{name}, seconds: " + ", ".join(f"{what} {figure:.2f}" for what, figure in figures))
    kept = said(f"{name}: first call of the gradient / of the program", cold, COLD)
    return said(f"{name}: warm / first call", warm, WARM) and kept


def calls(rounds, cache):
    """A call of a gradient of one number, in microseconds above Numba's own."""
    found = []
    for _ in range(rounds):
        (ours,), (theirs,) = (inside(what, "", cache) for what in ("call of a gradient", "call of a program"))
        found.append(1e6 * (ours - theirs))
    return said("call of a gradient of one number - Numba's own, us", statistics.median(found), CALL)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--programs", default="heat1d,burgers2d,rk4,nbody,gmm,asian,cholesky,thomas,newton,mlp"
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="import,first,call")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    o = parser.parse_args()
    if o.measure:
        measure(o.measure, o.programs)
        return 0
    met, what = True, o.only.split(",")
    with tempfile.TemporaryDirectory() as cache:
        if "import" in what:
            met &= imports(o.rounds, cache)
        if "call" in what:
            met &= calls(o.rounds, cache)
        if "first" in what:
            for name in o.programs.split(","):
                met &= first_calls(name, o.rounds)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
