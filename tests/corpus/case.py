"""What a case of the corpus is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Case:
    """A function and arguments.

    expected   the gradients by position, where a convention decides (at kinks); else the references do
    order      1 where a second derivative says nothing (at kinks)
    refused    the code of the refusal that is expected
    rounded    the value is the same but for rounding (derivatives inside, which have other ways to them)
    plain      only without Numba; compiled it is refused (S026, S029, S062)
    full       every mode is also compiled, not `value_and_grad` and `jvp` alone
    """

    f: Callable[..., Any]
    arguments: tuple[Any, ...]
    note: str
    expected: dict[int, Any] | None
    order: int
    refused: str
    full: bool
    rounded: bool
    plain: bool

    @property
    def name(self) -> str:
        theme = self.f.__module__.rsplit(".", 1)[-1]
        return f"{theme}.{self.f.__name__}" + (f"-{self.note}" if self.note else "")


def case(
    f: Callable[..., Any],
    *arguments: Any,
    note: str = "",
    expected: dict[int, Any] | None = None,
    order: int = 2,
    refused: str = "",
    full: bool = False,
    rounded: bool = False,
    plain: bool = False,
) -> Case:
    return Case(f, arguments, note, expected, order, refused, full, rounded, plain)


def vector(n: int, start: float = 0.3) -> np.ndarray:
    """Numbers between -1 and 1 without ties, the same every time."""
    return np.sin(start + 1.7 * np.arange(n)) * 0.9


def matrix(n: int, m: int, start: float = 0.8) -> np.ndarray:
    return vector(n * m, start).reshape(n, m)
