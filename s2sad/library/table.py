"""The table of written-out functions: which name is which function, for which calls; and what they alone call.

What is known when a function is read (numbers of axes, options) is worked out then: by folding, or by functions
marked `early`, which are plain Python and get constants. An array, or a number that is not known yet, is `...` to
them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Written:
    """A function, and the keywords by which it takes over from a shorter form in the front end (none: always).

    Some are no keywords: "axes", a tuple as axis; "none", an argument that is None; "2", just two arguments by
    position, "2+", two or more.
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


def early(function: F) -> F:
    """Mark a function that is run when its call is read, on what is known then."""
    function.s2sad_early = True  # type: ignore[attr-defined]
    return function


# ----- what is made ----------------------------------------------------------------------------------------


def room(shape: Any, *samples: Any) -> Any:
    """An array of this shape for elements of the kinds of all samples; its contents are undefined.

    >>> room((2, 3), 1, 0.5).dtype
    dtype('float64')
    """
    return np.empty(shape, np.result_type(*samples))


def cleared(shape: Any, *samples: Any) -> Any:
    """The same, filled with zeros."""
    return np.zeros(shape, np.result_type(*samples))


def operation(key: str, *operands: Any) -> Any:
    """The operation of the table with this key.

    >>> float(operation("square", 3.0))
    9.0
    """
    from s2sad.ops.evaluate import function

    return function(key)(*operands)


def solution(
    rate: Any, func: Any, y0: Any, t: Any, args: Any, rtol: float, atol: float, hmax: float, mxstep: int
) -> Any:
    """The solution of y' = rate(y, t, args) at the times `t`, the first of which is that of `y0`; a row per time.

    `func`, of which the rate is made, gives names.
    """
    from scipy.integrate import odeint

    return odeint(rate, y0, t, (args,), rtol=rtol, atol=atol, hmax=hmax, mxstep=mxstep)


def is_complex(x: Any) -> bool:
    """Whether numbers are complex, as far as is known when their function is read.

    >>> is_complex(1j), is_complex(np.zeros(2))
    (True, False)
    """
    return bool(np.iscomplexobj(x))


def unsupported(text: str) -> None:
    """Refuse the call that is being read."""
    raise ValueError(text)


# ----- what is known early ---------------------------------------------------------------------------------


@early
def several(value: Any) -> bool:
    """Whether an option is a tuple."""
    return isinstance(value, tuple | list)


@early
def times(count: int) -> tuple[int, ...]:
    """What a loop that is written out goes over."""
    return tuple(range(count))


@early
def axes_of(axis: Any, ndim: int) -> tuple[int, ...]:
    """Axes counted from the front, last first; all of them for None.

    >>> axes_of((0, -1), 3), axes_of(-2, 3), axes_of(None, 2)
    ((2, 0), (1,), (1, 0))
    """
    given = range(ndim) if axis is None else axis if several(axis) else (axis,)
    found = sorted((k % ndim for k in given if -ndim <= k < ndim), reverse=True)
    if len(set(found)) < len(given):
        raise ValueError("an axis that the array has not, or one twice")
    return tuple(found)


@early
def pair(value: Any) -> tuple[Any, Any]:
    """A pair: itself, or one value twice."""
    return tuple(value) if several(value) else (value, value)
