"""Measure one program, in this process; prints one JSON object. `s2sad bench --suite` runs one such process for each.

    python -m benchmarks.suite heat1d --size small        (in tests/)

Gradients that disagree are not timed: exit status 1, and which one it was.
"""

import argparse
import importlib
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np

import s2sad

sys.path.insert(0, str(Path(__file__).parents[2]))
from reference import compiled

from benchmarks.suite import SUITE, Program

LIKE_HAND, LIKE_OTHERS = 1e-10, 1e-8  # how far gradients may be apart, of the largest entry
LEAST, MOST = 5, 200  # rounds


def others(program: Program, args: tuple[Any, ...]) -> dict[str, Callable[[], Any]]:
    """Calls of value and gradients in other frameworks, as far as these are installed."""
    found = {}
    for framework, own in (("jax", "jaxed"), ("torch", "torched")):
        try:
            module = importlib.import_module(f"benchmarks.suite.{own}")
        except ImportError:
            continue
        if (f := getattr(module, program.name, None)) is not None:
            found[framework] = module.gradient(f, program.argnums, args)
    return found


def apart(one: Any, other: Any) -> float:
    """How far two results (value, gradients) are apart, of the largest entry of each."""
    (value, gradients), (other_value, other_gradients) = one, other
    pairs = [(value, other_value), *zip(gradients, other_gradients, strict=True)]
    worst = 0.0
    for a, b in pairs:
        a, b = (
            np.asarray(getattr(a, "detach", lambda a=a: a)()),
            np.asarray(getattr(b, "detach", lambda b=b: b)()),
        )
        worst = max(worst, float(np.max(np.abs(a - b)) / max(np.max(np.abs(a)), 1e-300)))
    return worst


def clocked(call: Callable[[], Any]) -> float:
    """Seconds that this process works in one call: waiting for others on the machine doesn't count."""
    start = time.process_time()
    call()
    return time.process_time() - start


def rounds(calls: dict[str, Callable[[], Any]], seconds: float) -> dict[str, list[float]]:
    """Times of calls that take turns, for about so many seconds."""
    found: dict[str, list[float]] = {name: [] for name in calls}
    end = time.perf_counter() + seconds
    for k in range(MOST):
        if k >= LEAST and time.perf_counter() > end:
            break
        for name, call in calls.items():
            found[name].append(clocked(call))
    return found


def measured(program: Program, size: str, seconds: float) -> dict[str, Any]:
    """Quotients of times: the gradient over the program, over the adjoint by hand, over other frameworks."""
    args = program.arguments(size)
    primal = compiled(program.f)
    gradient = s2sad.value_and_grad(program.f, program.argnums)
    calls = {"gradient": lambda: gradient(*args), "primal": lambda: primal(*args)}
    if program.by_hand is not None:
        by_hand = compiled(program.by_hand)
        calls["hand"] = lambda: by_hand(*args)
    calls |= others(program, args)
    ours = calls["gradient"]()
    for name, call in calls.items():
        if name == "primal":
            far = abs(call() - ours[0]) / abs(ours[0])
        else:
            far = apart(ours, call())
        if not far <= (LIKE_OTHERS if name in ("jax", "torch") else LIKE_HAND):
            sys.exit(f"{program.name}: the gradient and {name} are {far:.1e} apart")
    found = rounds(calls, seconds)
    row: dict[str, Any] = {"program": program.name, "size": size, "rounds": len(found["primal"])}
    for name in ("primal", "hand", "jax", "torch"):
        if name in found:
            quotients = (a / b for a, b in zip(found["gradient"], found[name], strict=True))
            row[name] = statistics.median(quotients)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", choices=SUITE)
    parser.add_argument("--size", choices=("small", "full"), default="full")
    parser.add_argument("--seconds", type=float, default=2.0)
    o = parser.parse_args()
    numba.set_num_threads(1)
    print(json.dumps(measured(SUITE[o.program], o.size, o.seconds)))


if __name__ == "__main__":
    main()
