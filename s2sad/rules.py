"""Rules that users give: how a function of their own is differentiated.

They mean nothing when the program is run: `custom_jvp` and `custom_vjp` give the function itself back, with a mark
on it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


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


def custom_jvp(function: F) -> F:
    """Mark a function as one whose tangent is given, by `f.defjvp(rule)`.

    The rule takes the arguments and their tangents, each as a tuple, and returns the value and its tangent. It has to
    be linear in the tangents: reverse mode is made from it, by transposition. An integer's tangent is 0.0, that of an
    array of integers None.

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

    function.s2sad_rule = given  # type: ignore[attr-defined]
    function.defjvp = defjvp  # type: ignore[attr-defined]
    return function


def custom_vjp(function: F) -> F:
    """Mark a function as one whose pullback is given, by `f.defvjp(fwd, bwd)`.

    `fwd` takes the arguments, and returns the value and what the way back needs; `bwd` takes that and the cotangent of
    the value, and returns a tuple: one adjoint per argument, None where there is none. It has to be linear in the
    cotangent: forward mode is made from it, by transposition.

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

    function.s2sad_rule = given  # type: ignore[attr-defined]
    function.defvjp = defvjp  # type: ignore[attr-defined]
    return function
