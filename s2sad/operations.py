"""Types of users: values with one identity for differentiation, and operations on them with an adjoint per argument.

They mean nothing when the program is run: `entity` and `operation` give the class and the function themselves back,
with a mark on them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from s2sad.errors import ArgumentError
from s2sad.forms import ENTITY, is_named
from s2sad.rules import python_of, ruled_by

C = TypeVar("C", bound=type)
F = TypeVar("F", bound=Callable[..., Any])
ENTITIES: tuple[type, ...] = (complex, np.ndarray)  # as they are
STARS = 0x04 | 0x08  # flags of code with `*` parameters


@dataclass(eq=False)
class Operation:
    """The rule of an operation: a function for the adjoint of each parameter that has one."""

    how = "operation"
    adjoints: dict[str, Callable[..., Any]] = field(default_factory=dict)

    @property
    def functions(self) -> tuple[Callable[..., Any], ...]:
        """Its functions."""
        return tuple(self.adjoints.values())


def entity(cls: C) -> C:
    """Mark a class: its values are one value for differentiation, and `operation` says what is done to them.

    The class is a NamedTuple of numbers, arrays and entities; its subclasses are entities as well. Complex numbers and
    arrays are entities as they are.
    Errors: ArgumentError S092 for other classes

    >>> from typing import NamedTuple
    >>> @entity
    ... class Point(NamedTuple):
    ...     x: float
    ...     y: float
    """
    if not is_named(cls) and cls not in ENTITIES:
        raise ArgumentError(
            f"`{getattr(cls, '__name__', cls)}` can't be an entity", code="S092",
            hint="make it a NamedTuple of numbers and arrays",
        )  # fmt: skip
    if cls not in ENTITIES:
        setattr(cls, ENTITY, True)
    return cls


def operation(function: F) -> F:
    """Mark a function as one operation on entities: its call stays a call, and is one statement of an entity tape.

    `@f.adjoint("x")` gives the adjoint for a parameter: a function of the adjoint of the result (a tuple for several
    results) and of the parameters of `f`, by their names. It returns what the parameter's adjoint grows by, of the form
    of the parameter, or None for nothing, and has to be linear in its first argument. The adjoints of other parameters
    come from the body of `f`. A method is an operation as well.
    Errors: ArgumentError S092 for what is no function in Python, or has `*` parameters; for a name that is none of its
    parameters. UnsupportedSyntaxError S077 for an adjoint that doesn't fit, S078 for one that isn't linear, when
    derivatives are made.

    >>> @operation
    ... def scaled(a, x):
    ...     return a * x
    >>> @scaled.adjoint("a")
    ... def _(r_b, a, x):
    ...     return r_b * x
    """
    inner = python_of(function)
    if not hasattr(inner, "__code__"):
        raise ArgumentError(
            f"`{getattr(function, '__name__', function)}` is not a function in Python", code="S092",
            hint="write a function that calls it; `s2sad.register` is for functions of numbers",
        )  # fmt: skip
    code = inner.__code__
    params = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    if code.co_flags & STARS:
        raise ArgumentError(f"the operation `{inner.__name__}` has `*` parameters", code="S092",
                            hint="give each of them a name")  # fmt: skip
    rule = Operation()

    def adjoint(name: str) -> Callable[[F], F]:
        """Give the adjoint for a parameter."""
        if name not in params:
            raise ArgumentError(
                f"`{inner.__name__}` has no parameter {name!r}",
                code="S092",
                hint=f"it has {', '.join(params)}",
            )

        def given(made: F) -> F:
            rule.adjoints[name] = made
            return made

        return given

    ruled_by(function, rule)
    function.adjoint = adjoint  # type: ignore[attr-defined]
    return function
