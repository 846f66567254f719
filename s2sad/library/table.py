"""The table of written-out functions: which name is which function, and for which calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Written:
    """A function, and the keywords by which it takes over from a shorter form in the front end (none: always).

    A tuple as `axis` counts as the keyword "axes".
    """

    function: Callable[..., Any]
    only: frozenset[str]


#: By dotted name, as users say it.
FUNCTIONS: dict[str, Written] = {}


def written(*names: str, only: str = "") -> Callable[[F], F]:
    """Enter a function under the names of what it is written for."""

    def enter(function: F) -> F:
        for name in names:
            FUNCTIONS[name] = Written(function, frozenset(only.split()))
        return function

    return enter


def room(shape: tuple[int, ...], *samples: Any) -> Any:
    """An array of this shape for elements of the kinds of all samples; its contents are undefined.

    >>> room((2, 3), 1, 0.5).dtype
    dtype('float64')
    """
    return np.empty(shape, np.result_type(*samples))


def cleared(shape: tuple[int, ...], *samples: Any) -> Any:
    """The same, filled with zeros."""
    return np.zeros(shape, np.result_type(*samples))


def axes(a: Any) -> tuple[int, ...]:
    """The numbers of an array's axes, for loops that are written out.

    >>> axes(np.ones((2, 3)))
    (0, 1)
    """
    return tuple(range(np.ndim(a)))
