"""What a gradient costs, measured: the program itself, its gradient, their ratio, memory, compilation.

Times are medians of runs that alternate between the two, so that a busy machine slows both; only their ratio says
something on another machine.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Cost:
    """Times in seconds, memory in bytes.

    primal, gradient   medians of one call of the compiled program, and of `value_and_grad` of it
    ratio              gradient / primal
    first_primal, first_gradient   the first call of each, which compiles or loads from the cache
    kept               what the reverse sweep needed at the most, in blocks of the arena's pool
    calls              how often each was called
    """

    primal: float
    gradient: float
    ratio: float
    first_primal: float
    first_gradient: float
    kept: int
    calls: int


def cost(
    f: Callable[..., Any],
    args: tuple[Any, ...],
    argnums: int | tuple[int, ...] = 0,
    seconds: float = 2.0,
) -> Cost:
    """Measure `f` and its gradient at `args`, for about `seconds` after compilation. Arguments are copied for each call.

    Errors: those of `value_and_grad`, before anything runs.

    >>> cost(lambda x: np.sum(x * x), (np.ones(10),), seconds=0.01).calls > 0
    True
    """
    import s2sad_runtime
    from s2sad.api import value_and_grad
    from s2sad.dense import compiled
    from s2sad.requests import request_of

    program = f if hasattr(f, "py_func") else compiled(request_of(f, {}), args)
    gradient = value_and_grad(f, argnums)
    s2sad_runtime.release_memory()
    first_gradient = clocked(gradient, args)
    kept = s2sad_runtime.memory().kept
    first_primal = clocked(program, args)
    primals: list[float] = []
    gradients: list[float] = []
    end = time.perf_counter() + seconds
    while not primals or time.perf_counter() < end:
        primals.append(clocked(program, args))
        gradients.append(clocked(gradient, args))
    one, other = statistics.median(primals), statistics.median(gradients)
    return Cost(one, other, other / one, first_primal, first_gradient, kept, len(primals))


def clocked(f: Callable[..., Any], args: tuple[Any, ...]) -> float:
    """Seconds of one call, with fresh arguments."""
    fresh = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    start = time.perf_counter()
    f(*fresh)
    return time.perf_counter() - start
