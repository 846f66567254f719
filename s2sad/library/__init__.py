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

import fnmatch
import sys
import types
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from s2sad.library.table import (
    FUNCTIONS,
    Written,
    cleared,
    early,
    is_complex,
    operation,
    room,
    solution,
    unsupported,
    written,
)
from s2sad.ops.table import resolve
from s2sad.source import Source

MODULES = ("moving", "joining", "choosing", "reducing", "ordering", "signals", "making", "asking", "ufuncs")
#: Read when their package is loaded, since they use it.
OF_SCIPY = ("special", "statistics", "signal", "integration")

__all__ = [
    "FUNCTIONS",
    "MODULES",
    "OF_SCIPY",
    "Written",
    "belongs",
    "cleared",
    "early",
    "find",
    "has_methods",
    "holds",
    "is_complex",
    "names",
    "operation",
    "room",
    "solution",
    "table",
    "unsupported",
    "written",
]


@cache
def table(scipy: bool = True) -> dict[str, Written]:
    """All functions by name; without those of SciPy where it isn't wanted."""
    for module in (*MODULES, *(OF_SCIPY if scipy else ())):
        import_module(f"{__name__}.{module}")
    _named.cache_clear()
    return FUNCTIONS


def names(pattern: str = "") -> list[str]:
    """The names that contain `pattern`, or match it where it has a *, ? or [.

    >>> names("np.roll*")
    ['np.roll', 'np.rollaxis']
    """
    wild = pattern if any(c in pattern for c in "*?[") else f"*{pattern}*"
    return [name for name in table() if fnmatch.fnmatchcase(name, wild)]


def find(target: Any) -> Written | None:
    """What a function object is written out as; None where it isn't.

    >>> import numpy as np
    >>> find(np.roll).function.__name__, find(np.sin)
    ('roll', None)
    """
    table("scipy.special" in sys.modules)
    for name, found in _named(getattr(target, "__name__", "")):
        function = resolve(name)
        if function is target or (isinstance(target, METHODS) and function == target):
            return found
    return None


#: Functions that are made anew each time they are asked for.
METHODS = (types.MethodType, types.BuiltinMethodType)


def has_methods(target: Any) -> bool:
    """Whether methods of an object stand in the library: of NumPy's elementwise functions, of SciPy's distributions."""
    return isinstance(target, np.ufunc) or type(target).__module__.startswith("scipy.stats.")


@cache
def _named(last: str) -> tuple[tuple[str, Written], ...]:
    """The entries whose dotted name ends so."""
    return tuple((name, found) for name, found in FUNCTIONS.items() if name.rpartition(".")[2] == last)


def belongs(function: Any) -> bool:
    """Whether a function stands in the library, or is one of `s2sad.implicit`."""
    module = getattr(function, "__module__", None) or ""
    return module.startswith(f"{__name__}.") or module == "s2sad.implicit"


def holds(source: Source | None) -> bool:
    """Whether a text is of the library."""
    return source is not None and Path(source.file).parent == Path(__file__).parent
