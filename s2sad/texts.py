"""The texts of functions: as their files have them, or as they came along with a pickle from another process."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from types import CodeType, FunctionType
from typing import TypeAlias

from s2sad.source import Source

Mark: TypeAlias = tuple[object, ...]
_came: dict[Mark, Source] = {}


def source_of_code(code: CodeType) -> Source:
    """The text that code was compiled from.

    Errors: OSError where there is none
    """
    came = _came.get(_mark(code))
    if came is not None:
        return came
    try:
        lines, first = inspect.getsourcelines(code)
    except TypeError:
        raise OSError(f"no text of {code.co_name}") from None
    return Source(code.co_filename, "".join(lines), max(first, 1))


def texts_of(functions: Iterable[FunctionType]) -> dict[Mark, Source]:
    """The texts of functions, to be sent; those without one are left out."""
    found: dict[Mark, Source] = {}
    for function in functions:
        try:
            found[_mark(function.__code__)] = source_of_code(function.__code__)
        except OSError:
            continue
    return found


def arrived(texts: Mapping[Mark, Source]) -> None:
    """Know the texts that another process sent."""
    _came.update(texts)


def _mark(code: CodeType) -> Mark:
    """What code has in common with its copy in another process; the name of its file may get lost on the way."""
    return code.co_name, code.co_firstlineno, code.co_code, code.co_names, code.co_varnames
