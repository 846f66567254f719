"""Functions of NumPy and SciPy written out in the language that s2sad reads, and so differentiated like the user's own.

A row of the table (`s2sad.ops`) is an operation with a slope. What is an arrangement of such operations is a
function here, under the name that users call it by; a call of it is written out in place::

    @written("np.trapezoid")
    def trapezoid(y, x=None, dx=1.0, axis=-1): ...

These functions run as they stand, too: the tests hold them against NumPy's. While one is read, integers known then
are worked out (`axis % a.ndim`), so that what is chosen by shape or option is chosen then, and nothing of it is left
in the emitted code.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from s2sad.library.table import FUNCTIONS, Written, axes, cleared, room, written
from s2sad.ops.table import resolve

MODULES = ("moving",)

__all__ = ["FUNCTIONS", "MODULES", "Written", "axes", "belongs", "cleared", "find", "room", "table", "written"]


@cache
def table() -> dict[str, Written]:
    """All functions by name."""
    for module in MODULES:
        import_module(f"{__name__}.{module}")
    return FUNCTIONS


def find(target: Any) -> Written | None:
    """What a function object is written out as; None where it isn't.

    >>> import numpy as np
    >>> find(np.roll).function.__name__, find(np.sin)
    ('roll', None)
    """
    name = getattr(target, "__name__", "")
    return next((w for w in _named(name) if w[1] is not None and resolve(w[0]) is target), ("", None))[1]


@cache
def _named(last: str) -> tuple[tuple[str, Written], ...]:
    """The entries whose dotted name ends so."""
    return tuple((name, found) for name, found in table().items() if name.rpartition(".")[2] == last)


def belongs(function: Any) -> bool:
    """Whether a function stands in the library."""
    return (getattr(function, "__module__", None) or "").startswith(f"{__name__}.")
