"""The shape of a row of the table of operations.

A row says once what an operation is; tangent, adjoint, what has to be kept, the documentation and the tests
derive from it::

    Op("exp", "x", y="np.exp({x})", d=("y",), cost="dear")
    Op("arctan2", "a b", y="np.arctan2({a}, {b})", d=("b / r", "-a / r"), let={"r": "a * a + b * b"})

`y` is a template for the printer, with the operands in braces. The slopes `d` are formulas over the row's
parameters, its result `y`, the abbreviations in `let` and the keys of other rows, so a slope can itself be
differentiated, to any order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from s2sad.ir.nodes import Kind

Cost: TypeAlias = Literal["cheap", "dear"]
Result: TypeAlias = Literal["real", "single", "double", "same", "bool", "int", "complex", "text"]
Structure: TypeAlias = Literal[
    "", "sum", "amax", "new", "like", "copy", "shape", "index", "part", "matrix", "pick", "tape", "text"
]


@dataclass(frozen=True, slots=True)
class Domain:
    """Where an operand may lie: in words, and as the stretch from which tests draw."""

    text: str
    low: float
    high: float


REAL = Domain("real", -3.0, 3.0)
POSITIVE = Domain("> 0", 0.1, 4.0)
NONZERO = Domain("not 0", 0.2, 4.0)
UNIT = Domain("between -1 and 1", -0.9, 0.9)
ABOVE_ONE = Domain("> 1", 1.1, 4.0)
ABOVE_MINUS_ONE = Domain("> -1", -0.9, 4.0)
TRUTH = Domain("true or false", 0.0, 1.0)
WHOLE = Domain("whole", 1.0, 4.0)
ARRAY = Domain("an array", -3.0, 3.0)


@dataclass(frozen=True, slots=True)
class Op:
    """One operation.

    key         its name in the IR
    params      names of the operands, separated by blanks; a last `*name` stands for any number
    y           how it is printed, operands in braces: "np.exp({x})", "{a} + {b}"
    scalar      how it is printed where all operands are scalars, if not the same
    d           slope with respect to each operand, as formulas; operands past the end of `d` have slope zero
    let         abbreviations used in `d`, each may use the ones before it
    domain      of all operands, or one per operand
    names       how users call it, as dotted names ("np.exp", "math.exp", "abs")
    cost        "dear" for what costs like exp or sin: better kept than computed again
    result      kind of the value: "real" (float32 where all operands are), "single", "double" (float64 in compiled code,
                whatever the operands), "bool", "int", "complex", "text", or "same" as the operands (int if all are)
    guarded     a slope can be infinite: a zero adjoint must then contribute zero
    structural  "" for an elementwise operation, else its shape rule:
                "sum"    an array to a scalar; every element's slope is given by `d`
                "amax"   an array to a scalar; ties share evenly (`d` says the same elementwise)
                "new"    an array made from a shape (and a value, of slope one)
                "like"   an array of the shape of the first operand (and a value, of slope one)
                "copy"   the same values in memory of their own; slope one, elementwise
                "shape"  the length of one axis
                "index"  an index of the pool
                "matrix" a product or factorisation of matrices: `pull` and `push` instead of slopes, `ndim` axes
                "text"   what is said: in the arguments of an exception, in `print`
                "pick"   an array (and numbers) to an integer: nothing flows
                "tape"   a call of the runtime's tape, which gives an index (or an array of them)
                "part"   a part of a complex number, elementwise; linear over the reals alone
    ndim        of the result, where `structural` is "matrix"; -1: as the first operand
    results     names and kinds of the results, where there are several: the row is the function of a Call, the key
                its dotted name
    pull, push  what flows back to each operand, and what its tangent gives, where `structural` is "matrix"; with
                several results one formula per operand and result, operand by operand; "" where nothing flows.
                Parts that are used often have names: "k = over_gaps(w, y); k + T(k)". "!reason" refuses.
    opaque      what to say where somebody wants to differentiate through it, which nobody knows how to
    why         where the slope comes from, or what to mind
    """

    key: str
    params: str
    y: str
    scalar: str = ""
    d: tuple[str, ...] = ()
    let: Mapping[str, str] = field(default_factory=dict)
    domain: Domain | tuple[Domain, ...] = REAL
    names: tuple[str, ...] = ()
    cost: Cost = "cheap"
    result: Result = "real"
    guarded: bool = False
    structural: Structure = ""
    ndim: int = 0
    results: Mapping[str, Kind] = field(default_factory=dict)
    pull: tuple[str, ...] = ()
    push: tuple[str, ...] = ()
    opaque: str = ""
    why: str = ""

    @property
    def fixed(self) -> tuple[str, ...]:
        """The names of the operands that are always there."""
        return tuple(p for p in self.params.split() if not p.startswith("*"))

    @property
    def rest(self) -> str:
        """The name that stands for any number of further operands, or ""."""
        return "".join(p[1:] for p in self.params.split() if p.startswith("*"))

    def flows(self, i: int, result: int = 0) -> bool:
        """Whether derivatives flow through operand `i` (to one of the results): its slope isn't zero everywhere."""
        slopes = self.d or self.push
        if self.rest and self.push:
            i = min(i, len(self.fixed))  # all others are like the first of them
        k = i * max(1, len(self.results)) + result
        return k < len(slopes) and slopes[k] not in ("0.0", "")

    @property
    def domains(self) -> tuple[Domain, ...]:
        """The domain of each fixed operand."""
        return self.domain if isinstance(self.domain, tuple) else (self.domain,) * len(self.fixed)

    def takes(self, count: int) -> bool:
        """Whether `count` operands fit."""
        return count >= len(self.fixed) if self.rest else count == len(self.fixed)
