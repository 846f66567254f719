"""Handlers applied to handlers: any tower of derivatives of one function, in a normal form.

A derivative of any order is one adjoint at most, applied first, and tangents on top of it: since the second
derivative of f is symmetric, the adjoint of an adjoint with cotangent w is the tangent of that adjoint in direction
w. So `grad(grad(f))`, `hvp`, `jvp(grad(f))`, `vjp(grad(f))` are all *tangents of the adjoint*, and nothing ever has
to run a reverse sweep backwards.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from s2sad.handlers.adjoint import Adjoint, adjoint
from s2sad.handlers.entities import Entities
from s2sad.handlers.kept import Keep
from s2sad.handlers.tangent import Tangent, tangent
from s2sad.handlers.tape import Record, Recording, recording
from s2sad.ir.nodes import Accumulate, Apply, Assign, Function, Load, Slice, Stmt, Turn, Var
from s2sad.ir.walk import nodes, statements, variables, writes
from s2sad.shapes.passes import shaped
from s2sad.tidy.copies import copies
from s2sad.tidy.dead import dead
from s2sad.tidy.zeros import zeros


@dataclass(frozen=True, slots=True)
class Derived:
    """A function derived from `primal`: an adjoint for `wrt` (None: none), then one tangent per level; or a recording.

    A *mask* names one of its outputs: bit k is set where it is a tangent of level k; 0 is the undifferentiated one.
    """

    primal: Function
    function: Function
    adjoint: Adjoint | None
    tangents: tuple[Tangent, ...]
    recording: Recording | None = None

    @property
    def turn(self) -> Turn | None:
        """The Turn of a function with a reverse sweep."""
        return next((s for s in self.function.body if isinstance(s, Turn)), None)

    def value(self, result: int, mask: int) -> int:
        """Position of a result (its tangent, ...) among the results of the forward sweep."""
        return mask * len(self.primal.results) + result

    def direction(self, param: str, level: int) -> str | None:
        """Name of the tangent parameter for `param` at a level; None where it has none there."""
        return self.tangents[level].tangents.get(param)

    def gradient(self, param: str, mask: int) -> str | int | None:
        """Where the adjoint of `param` is: the name of an array, or the position of a scalar result; None: it is zero."""
        assert self.adjoint is not None
        if not self.primal.kinds[param].is_array:
            scalars = [p for p in self.adjoint.gradients if not self.primal.kinds[p].is_array]
            return mask * len(scalars) + scalars.index(param)
        name: str | None = self.adjoint.shadows.get(param)
        for level, made in enumerate(self.tangents):
            if mask >> level & 1 and name is not None:
                name = made.partners.get(name)
        return name


def derive(
    fn: Function,
    wrt: Iterable[str] | None,
    levels: Iterable[Iterable[str]] = (),
    of: Iterable[int] | None = None,
    again: bool = False,
    passes: Iterable[str] | None = None,
) -> Derived:
    """The adjoint of results `of` for parameters `wrt` (None: the function itself), and its tangents, one per level.

    The reverse sweep gets its shape last, by the `passes` named (None: all).
    """
    made = None if wrt is None else adjoint(fn, wrt, of, again)
    function = fn if made is None else tidied(made.function)
    tangents = []
    for level in levels:
        tangents.append(tangent(function, level))
        function = tidied(tangents[-1].function)
    return Derived(fn, shaped(function, passes), made, tuple(tangents))


def record(fn: Function, wrt: Iterable[str], form: str = "jacobian") -> Derived:
    """The recording form of `fn` for parameters `wrt`, for a tape of "jacobian", "primal" or "entities" form."""
    made = recording(fn, wrt, {"jacobian": Record, "primal": Keep, "entities": Entities}[form])
    return Derived(fn, made.function, None, (), made)


def tidied(fn: Function) -> Function:
    """`fn` with its sweeps cleared of assignments that nobody reads, the reverse one of zeros and copies too."""
    k = next((i for i, s in enumerate(fn.body) if isinstance(s, Turn)), None)
    if k is None:
        return fn
    reverse = zeros(fn.body[k + 1 :])
    live = {name for e in fn.results for name in variables(e)}
    mine = frozenset(n for n in scalars(reverse) if not fn.kinds[n].is_array)
    reverse = dead(copies(dead(reverse, live, mine), mine), live, mine)
    forward = dead(fn.body[: k + 1], (), harmless(fn.body[:k]), strict=True)
    pairs = {name: tidied(pair) for name, pair in fn.pairs.items()}
    return replace(fn, body=(*forward, *reverse), pairs=pairs)


def scalars(body: Iterable[Stmt]) -> frozenset[str]:
    """Names that a reverse sweep assigns or adds to: all of them are s2sad's own."""
    found = {s.target for s in statements(body) if isinstance(s, Assign)}
    found |= {
        s.target.name for s in statements(body) if isinstance(s, Accumulate) and isinstance(s.target, Var)
    }
    return frozenset(found)


def harmless(body: Iterable[Stmt]) -> frozenset[str]:
    """Scalars that are only ever given sums and products of others: nothing can go wrong there."""
    risky: set[str] = set()
    found: set[str] = set()
    for stmt in statements(body):
        names = writes(stmt)
        if isinstance(stmt, Assign) and all(
            not isinstance(n, Load | Slice)
            and (not isinstance(n, Apply) or n.op in ("add", "sub", "mul", "neg"))
            for n in nodes(stmt.value)
        ):
            found.update(names)
        else:
            risky.update(names)
    return frozenset(found - risky)
