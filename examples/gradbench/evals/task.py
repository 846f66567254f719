"""What every module offers: functions that can be run on inputs in JSON."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Task(NamedTuple):
    """`run` is what is timed: it gets the arguments that `read` makes of the input; `write` makes its result JSON."""

    run: Callable[..., Any]
    read: Callable[[Any], tuple[Any, ...]]
    write: Callable[[Any], Any] = lambda result: result


def array(values: Any) -> np.ndarray:
    """An array of reals."""
    return np.array(values, dtype=np.float64)


def plain(value: Any) -> Any:
    """Numbers and lists of them for arrays, and for tuples with names dictionaries."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, tuple):
        return {name: plain(part) for name, part in zip(value._fields, value, strict=True)}
    return {key: plain(part) for key, part in value.items()} if isinstance(value, dict) else value
