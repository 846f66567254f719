"""What the adjoint handler makes."""

from __future__ import annotations

from dataclasses import dataclass

from s2sad.ir.nodes import Function
from s2sad.plan.slots import Decision


@dataclass(frozen=True, slots=True)
class Adjoint:
    """The adjoint of a function.

    function   body with a Turn; params are the primal's; results are the adjoints of the active scalar parameters
    shadows    active array parameter -> name of its adjoint array, a parameter of the reverse sweep, added to
    seeds      per result: the name of its cotangent, a parameter of the reverse sweep; None where it has none
    gradients  active parameter -> name of its adjoint, in order
    once       the reverse sweep can be run once only: it undoes arrays that several names may share
    report     the storage decisions
    """

    function: Function
    shadows: dict[str, str]
    seeds: tuple[str | None, ...]
    gradients: dict[str, str]
    once: bool
    report: tuple[Decision, ...]
