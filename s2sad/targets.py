"""What the command line names: functions in files, and arguments as Python."""

from __future__ import annotations

import difflib
import importlib.util
import math
import sys
import traceback
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from s2sad.errors import ArgumentError
from s2sad.source import NOWHERE, Source, Span


def load(target: str) -> tuple[Callable[..., Any], ModuleType]:
    """Import `FILE.py:FUNC`; FUNC may be dotted.

    Errors: ArgumentError S110 for a file or a function that is not there, S111 where the import fails.
    """
    name, colon, attribute = target.rpartition(":")
    path = Path(name)
    if not colon or not attribute or not name:
        raise ArgumentError(f"`{target}` does not name a function", code="S110")
    if not path.is_file():
        raise ArgumentError(f"there is no file `{name}`", code="S110")
    module = _import(path.resolve())
    try:
        function: Callable[..., Any] = attrgetter(attribute)(module)
    except AttributeError:
        known = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
        near = difflib.get_close_matches(attribute, known, n=1) or known[:1]
        hint = f"did you mean `{name}:{near[0]}`?" if near else ""
        raise ArgumentError(f"`{name}` has no function `{attribute}`", code="S110", hint=hint) from None
    return function, module


def _import(path: Path) -> ModuleType:
    """The module of a file, imported with its folder on the path, as `python FILE.py` would."""
    name = path.stem if path.stem not in sys.modules else f"{path.stem}_file"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ArgumentError(f"`{path.name}` is not a Python file", code="S110")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        message = f"importing `{path.name}` raised {type(error).__name__}"
        label = error.msg if isinstance(error, SyntaxError) else str(error)
        raise ArgumentError(message, code="S111", at=_place(path, error), label=label) from None
    finally:
        sys.path.remove(str(path.parent))
    return module


def _place(path: Path, error: Exception) -> Span:
    """Where in the file an exception arose."""
    source = Source(str(path), path.read_text(encoding="utf-8", errors="replace"))
    if isinstance(error, SyntaxError) and error.lineno:
        return Span(source, error.lineno, max((error.offset or 1) - 1, 0), error.lineno, 0)
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename == str(path) and frame.lineno:
            end = frame.end_lineno or frame.lineno
            return Span(source, frame.lineno, frame.colno or 0, end, frame.end_colno or 0)
    return NOWHERE


def evaluate(text: str, module: ModuleType) -> tuple[Any, ...]:
    """The values of `--args`, an argument list in which `np`, `math` and the names of the file are known.

    >>> evaluate("np.ones(2), 2.0", ModuleType("m"))
    (array([1., 1.]), 2.0)
    """
    names = {**vars(module), "np": np, "math": math}
    try:
        values: tuple[Any, ...] = eval(f"(lambda *values: values)({text})", names)
    except Exception as error:
        message = f"evaluating `{text}` raised {type(error).__name__}: {error}"
        raise ArgumentError(message, code="S112") from None
    return values
