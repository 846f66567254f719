"""Rules that users give: how a function of their own is differentiated.

They mean nothing when the program is run: `custom_jvp` and `custom_vjp` give the function itself back, with a mark
on it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
FAMILY = "registered"  # of the rows of registered functions


@dataclass(eq=False)
class Given:
    """The rule of a function: `jvp`, or `fwd` and `bwd`; None until it is given."""

    how: str
    jvp: Callable[..., Any] | None = None
    fwd: Callable[..., Any] | None = None
    bwd: Callable[..., Any] | None = None

    @property
    def functions(self) -> tuple[Callable[..., Any], ...]:
        """Its functions, as far as they are given."""
        return tuple(f for f in (self.jvp, self.fwd, self.bwd) if f is not None)

    def hint(self, name: str) -> str:
        """What gives the rule."""
        return f"`{name}.defjvp(rule)`" if self.how == "jvp" else f"`{name}.defvjp(fwd, bwd)`"


@dataclass(frozen=True, eq=False)
class Registered:
    """A function that is called as it is, and never read.

    key       of its row in the table of operations
    call      what emitted code calls it
    params    names of its parameters
    partials  per parameter a formula; None where nobody knows one; none at all where a rule is given
    stub      with a rule: a function with the rule, which does nothing but call it
    ndim      of what it returns, then
    """

    function: Callable[..., Any]
    key: str
    call: str
    params: tuple[str, ...]
    partials: tuple[str | None, ...]
    stub: FunctionType | None = None
    ndim: int = 0

    @property
    def elementwise(self) -> bool:
        """Whether it takes arrays, element by element: NumPy's and Numba's ufuncs do."""
        return type(self.function).__name__ in ("ufunc", "DUFunc")

    @property
    def compiles(self) -> bool:
        """Whether Numba can call it: a function in Python or of Numba, NumPy or `math`."""
        own = isinstance(self.function, FunctionType) or hasattr(self.function, "py_func")
        return own or not self.call.startswith("given.") or type(self.function).__name__ == "DUFunc"


REGISTERED: dict[int, Registered] = {}  # by id of the function
RECORDS: dict[str, Registered] = {}  # by key


def python_of(function: Any) -> Any:
    """The function of Python that one of Numba, or a ufunc of Numba, is made of; else the function itself."""
    inner = getattr(function, "py_func", function)
    return getattr(inner, "__wrapped__", inner) if type(inner).__name__ == "DUFunc" else inner


def registered(function: Any) -> Registered | None:
    """What is registered of a function, or of one of Numba's that is made of it."""
    found = REGISTERED.get(id(function))
    own = found is not None and (found.function is function or python_of(found.function) is function)
    return found if own else None


def ruled_by(function: Any, rule: Any) -> None:
    """Put the mark on a function; on the one in Python as well that Numba made it of."""
    function.s2sad_rule = python_of(function).s2sad_rule = rule


def custom_jvp(function: F) -> F:
    """Mark a function as one whose tangent is given, by `f.defjvp(rule)`.

    The rule takes the arguments and their tangents, each as a tuple, and returns the value and its tangent. It has to
    be linear in the tangents: reverse mode is made from it, by transposition. An integer's tangent is 0.0, that of an
    array of integers None.
    Errors: UnsupportedSyntaxError S077 for a rule that doesn't fit, S078 for one that isn't linear, when derivatives
    are made.

    >>> @custom_jvp
    ... def clamped_log(x):
    ...     return math.log(x)
    >>> @clamped_log.defjvp
    ... def _(primals, tangents):
    ...     (x,), (x_d,) = primals, tangents
    ...     return math.log(x), x_d / max(x, 1e-3)
    """
    given = Given("jvp")

    def defjvp(rule: F) -> F:
        """Give the rule; as a decorator, too."""
        given.jvp = rule
        return rule

    ruled_by(function, given)
    function.defjvp = defjvp  # type: ignore[attr-defined]
    return function


def custom_vjp(function: F) -> F:
    """Mark a function as one whose pullback is given, by `f.defvjp(fwd, bwd)`.

    `fwd` takes the arguments, and returns the value and what the way back needs; `bwd` takes that and the cotangent of
    the value, and returns a tuple: one adjoint per argument, None where there is none. It has to be linear in the
    cotangent: forward mode is made from it, by transposition.
    Errors: UnsupportedSyntaxError S077 for a rule that doesn't fit, S078 for one that isn't linear, when derivatives
    are made.

    >>> @custom_vjp
    ... def clipped(x):
    ...     return x
    >>> def forward(x):
    ...     return x, None
    >>> def backward(kept, y_b):
    ...     return (0.5 * y_b,)
    >>> clipped.defvjp(forward, backward)
    """
    given = Given("vjp")

    def defvjp(fwd: Callable[..., Any], bwd: Callable[..., Any]) -> None:
        """Give both halves of the rule."""
        given.fwd, given.bwd = fwd, bwd

    ruled_by(function, given)
    function.defvjp = defvjp  # type: ignore[attr-defined]
    return function
