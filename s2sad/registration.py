"""`register`: a function that is not read gets a row of the table."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from s2sad.errors import UnsupportedSyntaxError
from s2sad.fingerprint import fingerprint
from s2sad.ops.formula import parse
from s2sad.ops.registered import names_in
from s2sad.rules import FAMILY, RECORDS, REGISTERED, Registered, python_of
from s2sad_runtime.plain_given import FUNCTIONS

MARKS: dict[str, str] = {}  # names of functions in emitted code -> what they were made from
HINT = 'one formula per argument: `s2sad.register(f, partials=("2.0 * x * a", "x * x"))`'


def register(
    function: Callable[..., Any],
    partials: str | Sequence[str | None],
    *,
    arguments: str | Sequence[str] | None = None,
) -> None:
    """Say how a function is differentiated that s2sad can't read, or shouldn't: it is called as it is.

    partials   a formula per argument: over the arguments by their names, the result `y`, and functions of `np` and
               `math` that s2sad knows. None where nobody knows one: differentiating for that argument is refused.
    arguments  their names, where the function doesn't tell; those of NumPy's ufuncs are `x`, or `x1`, `x2`

    The function takes numbers and gives a real number; one of NumPy's or Numba's ufuncs takes arrays, too. Compiled code
    calls functions of Numba, and compiles those in Python; others need `jit=False`. Second derivatives differentiate
    the formulas. Registered again, a function has the last rule.

    Errors: UnsupportedSyntaxError S077 for formulas that don't fit.

    >>> register(np.cbrt, partials="1.0 / (3.0 * y * y)")
    """
    names = _names(function, arguments)
    given = (partials,) if isinstance(partials, str) else tuple(partials)
    label = getattr(function, "__name__", type(function).__name__)
    if len(given) != len(names):
        raise _refused(f"`{label}` has the arguments {', '.join(names)}, and there are {len(given)} partials")
    for formula in given:
        if formula is not None:
            _check(label, formula, names)
    for known in (function, python_of(function)):
        REGISTERED.pop(id(known), None)
    call = _call(function, label)
    rules = dict.fromkeys((own.params, own.partials) for own in RECORDS.values() if own.call == call)
    number = list(rules | {(names, given): None}).index((names, given)) + 1
    made = Registered(function, f"{FAMILY} {call} {number}", call, names, given)
    RECORDS[made.key] = REGISTERED[id(function)] = REGISTERED[id(python_of(function))] = made


def _names(function: Callable[..., Any], arguments: str | Sequence[str] | None) -> tuple[str, ...]:
    if arguments is not None:
        return tuple(arguments.replace(",", " ").split() if isinstance(arguments, str) else arguments)
    python = python_of(function)
    count = getattr(function, "nin", 0) if python is function else 0
    if count:
        return ("x",) if count == 1 else tuple(f"x{k + 1}" for k in range(count))
    try:
        found = inspect.signature(python).parameters
    except (TypeError, ValueError):
        raise _refused(f"`{function}` doesn't tell its arguments", 'name them: `arguments="x a"`') from None
    return tuple(found)


def _check(label: str, formula: str, names: tuple[str, ...]) -> None:
    try:
        parse(formula)
        other = names_in(formula) - {*names, "y"}
    except (SyntaxError, ValueError) as error:
        raise _refused(f"a partial of `{label}`: {error}") from None
    if other:
        raise _refused(f"a partial of `{label}` speaks of `{min(other)}`, which is no argument of it")


def _call(function: Callable[..., Any], label: str) -> str:
    """What emitted code calls the function; the runtime is told."""
    for module, home in (("np", np), ("math", math)):
        if getattr(home, label, None) is function:
            return f"{module}.{label}"
    mark, length = fingerprint(function), 4
    stem = label if label.isidentifier() else "f"
    while MARKS.setdefault(name := f"{stem}_{mark[:length]}", mark) != mark:
        length += 1
    FUNCTIONS[name] = function  # (another one with this mark is the same)
    return f"given.{name}"


def _refused(message: str, hint: str = HINT) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(message, code="S077", hint=hint)
