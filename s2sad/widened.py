"""A program that computes in float32, as if it said float64: what its derivatives are compared with.

In float32 differences are noise, and a complex step is not possible through casts. The derivatives of the same
program in float64 are those of the float32 one up to rounding.
"""

from __future__ import annotations

from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from s2sad.forms import items_of, like

OURS = ("s2sad.api", "s2sad.dense", "s2sad.implicit", "s2sad.tapes")  # what is none of the program's
SINGLE = 2e-5  #: what derivatives in float32 are accurate to, relative to the largest


def is_single(f: Any, args: Any = ()) -> bool:
    """Does a program compute in float32: an argument is, or it (or what it calls) says so?

    >>> is_single(lambda x: x * np.float32(2.0)), is_single(abs, (1.0, np.ones(2)))
    (True, False)
    """
    if (inside := items_of(args)) is not None:
        return any("float32" in g.__code__.co_names for g in _program(f)) or any(
            is_single(None, a) for a in inside
        )
    return getattr(args, "dtype", None) == np.float32


def widened(value: Any) -> Any:
    """A function with float64 for float32, also in what it calls by name; or arguments in float64.

    >>> widened(lambda x: x * np.float32(0.1))(1.0)
    np.float64(0.1)
    """
    if isinstance(value, FunctionType):
        made = {
            f: FunctionType(f.__code__, dict(f.__globals__), f.__name__, f.__defaults__, f.__closure__)
            for f in _program(value)
        }
        for f, new in made.items():
            for name, known in f.__globals__.items():
                if known is np:
                    new.__globals__[name] = _WIDE
                elif isinstance(known, FunctionType):
                    new.__globals__[name] = made.get(known, known)
        return made[value]
    if (inside := items_of(value)) is not None:
        return like(value, list(map(widened, inside)))
    if getattr(value, "dtype", None) == np.float32:
        return np.float64(value) if np.ndim(value) == 0 else value.astype(np.float64)
    return value


def _program(f: Any, known: tuple[FunctionType, ...] = ()) -> tuple[FunctionType, ...]:
    """A function, and those that it calls by name, transforms left out."""
    if not isinstance(f, FunctionType) or f in known or (f.__module__ or "").startswith(OURS):
        return known
    known = (*known, f)
    for name in f.__code__.co_names:
        known = _program(f.__globals__.get(name), known)
    return known


_WIDE = ModuleType("numpy")
_WIDE.__dict__.update({**vars(np), "float32": np.float64})
