"""`register`: a function that is not read gets a row of the table, and a rule around it where it isn't a formula."""

from __future__ import annotations

import inspect
import linecache
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import FunctionType
from typing import Any

import numpy as np

from s2sad.errors import UnsupportedSyntaxError
from s2sad.fingerprint import fingerprint
from s2sad.frontend.kinds import kind_of_text
from s2sad.library import operation
from s2sad.ops.formula import parse
from s2sad.ops.registered import names_in
from s2sad.rules import FAMILY, RECORDS, REGISTERED, Given, Registered, python_of
from s2sad_runtime.plain_given import FUNCTIONS, NDIMS

MARKS: dict[str, str] = {}  # names of functions in emitted code -> what they were made from
RULES = '`s2sad.register(f, jvp=rule, returns="float64[:]")`, or `vjp=(fwd, bwd)`'
HINT = 'one formula per argument: `s2sad.register(f, partials=("2.0 * x * a", "x * x"))`'


def register(
    function: Callable[..., Any],
    partials: str | Sequence[str | None] | None = None,
    *,
    jvp: Callable[..., Any] | None = None,
    vjp: tuple[Callable[..., Any], Callable[..., Any]] | None = None,
    returns: str = "float64",
    arguments: str | Sequence[str] | None = None,
) -> None:
    """Say how a function is differentiated that s2sad can't read, or shouldn't: it is called as it is.

    partials   a formula per argument: over the arguments by their names, the result `y`, and functions of `np` and
               `math` that s2sad knows. None where nobody knows one: differentiating for that argument is refused.
    jvp        in their place, the rule of a `custom_jvp`: of the arguments and their tangents, each as a tuple, it gives
               the value and its tangent. For functions of arrays.
    vjp        or both halves of the rule of a `custom_vjp`: `(fwd, bwd)`
    returns    with a rule: the type of the result, "float64" or an array of them, "float64[:, :]"
    arguments  their names, where the function doesn't tell; those of NumPy's ufuncs are `x`, or `x1`, `x2`

    With partials the function takes numbers and gives a real number; one of NumPy's or Numba's ufuncs takes arrays, too.
    With a rule it takes numbers and arrays, leaves them as they are, and gives one number or an array of its own.
    Compiled code calls functions of Numba, and compiles those in Python; others need `jit=False`. Second derivatives
    differentiate the formulas, or the rule. Registered again, a function has the last rule.

    Errors: UnsupportedSyntaxError S077 for formulas and rules that don't fit.

    >>> register(np.cbrt, partials="1.0 / (3.0 * y * y)")
    """
    names = _names(function, arguments)
    label = getattr(function, "__name__", type(function).__name__)
    if sum(how is not None for how in (partials, jvp, vjp)) != 1:
        raise _refused(f"`{label}` is registered with partials, or with `jvp=`, or with `vjp=`")
    given = () if partials is None else (partials,) if isinstance(partials, str) else tuple(partials)
    if partials is not None:
        _check_partials(label, given, names)
    for known in (function, python_of(function)):
        REGISTERED.pop(id(known), None)
    call = _call(function, label)
    rule = None if partials is not None else _rule(label, jvp, vjp)
    ndim = 0 if rule is None else _ndim(label, returns)
    rules = dict.fromkeys(_marks(own) for own in RECORDS.values() if own.call == call)
    made = Registered(function, "", call, names, given, None, ndim)
    number = list(rules | {_marks(made): None}).index(_marks(made)) + 1
    key = f"{FAMILY} {call} {number}"
    stub = None if rule is None else _stub(label, names, key, rule)
    made = replace(made, key=key, stub=stub)
    if stub is not None and call.startswith("given."):
        NDIMS[call.removeprefix("given.")] = ndim
    RECORDS[made.key] = REGISTERED[id(function)] = REGISTERED[id(python_of(function))] = made


def _marks(own: Registered) -> tuple[Any, ...]:
    """What tells registrations of one function apart: those with a rule differ in what they return."""
    return (own.params, own.partials, own.ndim)


def _rule(label: str, jvp: Any, vjp: Any) -> Given:
    if jvp is not None and callable(jvp):
        return Given("jvp", jvp=jvp)
    if isinstance(vjp, tuple) and len(vjp) == 2 and all(map(callable, vjp)):
        return Given("vjp", fwd=vjp[0], bwd=vjp[1])
    raise _refused(f"the rule of `{label}` is `jvp=rule` or `vjp=(fwd, bwd)`", RULES)


def _ndim(label: str, returns: str) -> int:
    kind = kind_of_text(returns)
    if kind.base != "real":
        raise _refused(f"`{label}` is registered to return `{returns}`, not real numbers", RULES)
    return kind.ndim


def _stub(label: str, names: Sequence[str], key: str, rule: Given) -> FunctionType:
    """A function with the rule that calls the function, as a text: s2sad reads texts."""
    name = label if label.isidentifier() and label not in names else "called"
    text = f"def {name}({', '.join(names)}):\n    return operation({key!r}, {', '.join(names)})\n"
    file = f"<{key}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    space: dict[str, Any] = {"operation": operation, "__name__": __name__}
    exec(compile(text, file, "exec"), space)
    stub: FunctionType = space[name]
    stub.s2sad_rule = rule  # type: ignore[attr-defined]
    return stub


def _check_partials(label: str, given: Sequence[str | None], names: tuple[str, ...]) -> None:
    if len(given) != len(names):
        raise _refused(f"`{label}` has the arguments {', '.join(names)}, and there are {len(given)} partials")
    for formula in given:
        if formula is not None:
            _check(label, formula, names)


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
