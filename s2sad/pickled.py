"""Functions in pickles: by name where another process can import them, else as they are, with the texts that s2sad reads.

A function of a script, of a notebook or made by another one reaches a process that has neither its file nor its name.

    def __reduce__(self):
        return reduced(Plain, self.request)
"""

from __future__ import annotations

import importlib
import pickle
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

from s2sad.fingerprint import reached
from s2sad.texts import arrived, texts_of


def reduced(make: Callable[..., Any], *parts: Any) -> tuple[Any, ...]:
    """What `__reduce__` gives for an object that `make(*parts)` makes again."""
    functions = [f for f in reached(parts) if not _importable(f)]
    data = (_by_value if functions else pickle.dumps)(parts)
    return _again, (make, data, texts_of(functions))


def _again(make: Callable[..., Any], data: bytes, texts: Any) -> Any:
    arrived(texts)
    return make(*pickle.loads(data))


def _importable(function: FunctionType) -> bool:
    """Does its module have it under its name?"""
    found: Any = sys.modules.get(function.__module__)
    for name in function.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is function and function.__module__ != "__main__"


def _by_value(value: Any) -> bytes:
    """A pickle by cloudpickle, or by Numba's copy of it: the one that needn't be loaded first."""
    names = ["cloudpickle", "numba.cloudpickle"]
    for name in reversed(names) if "numba" in sys.modules else names:
        try:
            data: bytes = importlib.import_module(name).dumps(value)
        except ImportError:
            continue
        return data
    return pickle.dumps(value)
