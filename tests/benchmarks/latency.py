"""How long one waits before anything is computed: imports, first calls, calls of next to nothing.

    python tests/benchmarks/latency.py [--programs burgers2d,rk4] [--rounds 3] [--only import,first,call]

Every figure is from a process of its own, with caches of its own on disk; what is compared takes turns, and medians
count. `cold` is making the gradient and calling it once, where the disk holds the runtime's machine code but has nothing
of the program (`first ever`: nor the runtime's); `warm` is the same in a process after that. Numba has compiled something else before in
each of them, s2sad is imported, and nothing more: whatever it leaves for later counts here. The exit status is 1 where a mark is missed.
"""

import argparse
import os
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
    """Make its gradient, compile that and call it."""
    import s2sad

    return clocked(lambda: s2sad.value_and_grad(program.f, program.argnums)(*args))


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
    print((first_primal if what == "primal" else first_gradient)(program, args))


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
    return float(process(__file__, "--measure", what, "--programs", name, cache=cache)[0])


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


def first_calls(name, rounds, runtime):
    """The first call of a gradient over that of the program; in a second process over the first."""
    found = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            primal = inside("primal", name, folder)
            ever = inside("gradient", name, folder) 
        with tempfile.TemporaryDirectory() as folder:
            cold = inside("gradient", name, folder)
            warm = inside("gradient", name, folder)
        found.append((cold / primal, warm / cold, primal, cold, warm))
    cold, warm, *seconds = (statistics.median(column) for column in zip(*found, strict=True))
    print(f"{name}: primal {seconds[0]:.2f} s, cold {seconds[1]:.2f} s, warm {seconds[2]:.2f} s")
    kept = said(f"{name}: cold gradient / program", cold, COLD)
    return said(f"{name}: warm / cold", warm, WARM) and kept


def calls(rounds, cache):
    """A call of a gradient of one number, in microseconds above Numba's own."""
    found = [
        1e6 * (inside("call of a gradient", "", cache) - inside("call of Numba", "", cache))
        for _ in range(rounds)
    ]
    return said("scalar gradient call - Numba's own, us", statistics.median(found), CALL)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", default="heat1d,burgers2d,rk4,nbody,gmm,asian,cholesky,thomas,newton,mlp")
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
                met &= first_calls(name, o.rounds, cache)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
