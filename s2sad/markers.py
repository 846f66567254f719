"""Marks in user code that mean something to differentiation alone, and nothing when the program is run.

In plain Python, and inside `numba.njit` code that s2sad never sees, they cost nothing: `checkpoint_range(n)`
is `range(n)`, `stop_gradient(x)` is `x`, `checkpoint` returns its function, with a mark on it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar, overload

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


def stop_gradient(x: T) -> T:
    """`x` itself, with derivative zero.

    >>> stop_gradient(3.0)
    3.0
    """
    return x


def checkpoint_range(n: int, snapshots: int | None = None, schedule: Any = "revolve") -> range:
    """`range(n)` for a loop of which the reverse sweep keeps `snapshots` states at once and runs the rest again.

    The schedule is "revolve" (fewest steps run again), "uniform" (evenly spaced), "online" (n is a limit: for loops
    that `break`), "disk" (as "revolve", the states in a file), or one's own: a sequence of the actions of
    `s2sad.schedules`, or an array made of them by `s2sad.schedules.rows`. Without `snapshots` there are as many that
    no step is run more than three times: about the square root of 2 n.

    >>> list(checkpoint_range(3, snapshots=2))
    [0, 1, 2]
    """
    return range(n)


@overload
def checkpoint(function: F) -> F: ...
@overload
def checkpoint() -> AbstractContextManager[None]: ...
def checkpoint(function: F | None = None) -> F | AbstractContextManager[None]:
    """Mark a function, as a decorator, or a region, as `with checkpoint():`, whose inside is not stored.

    >>> @checkpoint
    ... def step(u):
    ...     return u * u
    >>> with checkpoint():
    ...     step(3.0)
    9.0
    """
    if function is None:
        return nullcontext()
    function.s2sad_checkpoint = True  # type: ignore[attr-defined]
    return function


if "numba" in sys.modules:  # Numba may have looked for its extensions before this module was there to extend
    from s2sad_runtime.numba_extension import init

    init()
