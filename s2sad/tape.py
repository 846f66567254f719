"""`record`: a run of a function on a tape, for any number of sweeps in any direction without running it again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from s2sad import pipeline
from s2sad.api import _entry, _made, request_of
from s2sad.arguments import bind, brief, flatten, leaf_values, pack
from s2sad.drivers import leaves
from s2sad.errors import ArgumentError, KindError
from s2sad.ir.nodes import Function, Kind, Leaf, Node, Tree
from s2sad.ops.kinds import kind_of

MANAGERS = {"linear": 1, "reuse": 2, "multiuse": 3}
TOGETHER = 16  # directions in one sweep


def record(
    f: Callable[..., Any], *, index: str = "multiuse", values: str = "jacobian", **options: Any
) -> Any:
    """A function that runs `f` once, records it, and gives the Tape.

    index    "linear", "reuse" or "multiuse": which manager hands out the indices of values
    values   "jacobian": the partial derivatives of statements are stored
    Errors:  ArgumentError for another index or values; UnsupportedSyntaxError for what a tape can't record

    >>> tape = record(lambda x, y: (x * y, x + y), jit=False)(3.0, 4.0)
    >>> tape.value, tape.reverse((1.0, 0.0)), tape.reverse((0.0, 1.0)), tape.forward(1.0, None)
    ((12.0, 7.0), (4.0, 3.0), (1.0, 1.0), (4.0, 1.0))
    """
    if index not in MANAGERS:
        raise ArgumentError(
            f"there is no index manager {index!r}", code="S097", hint=f"{', '.join(MANAGERS)}"
        )
    if values != "jacobian":
        raise ArgumentError(f"a tape can't store {values!r}", code="S097", hint='values="jacobian"')
    request = request_of(f, options)
    if request.argnums is not None:
        raise KindError(
            "a tape records a function, not a gradient", code="S061", hint="pass the function itself"
        )
    check = int(bool(options.get("check", False)))

    def recorder(*args: Any, **kwargs: Any) -> Tape:
        full = bind(request.f, args, kwargs)

        def make(kinds: tuple[Kind, ...]) -> Any:
            built = pipeline.recorder(request, kinds)
            return built, _entry(built, built.entry, request.options.jit)

        built, entry = _made(request, "tape", full, make)
        given = leaf_values(built.fn, full)
        with np.errstate(all="ignore"):
            out = entry(*(given[p] for p in built.fn.params), MANAGERS[index], check)
        return _taken(built, given, out, index, bool(check))

    return recorder


def _taken(
    built: pipeline.Built, given: Mapping[str, Any], out: Sequence[Any], index: str, check: bool
) -> Tape:
    """The Tape of what a recording function gives."""
    from s2sad_runtime.contents import contents

    fn, record = built.fn, built.derived.recording
    assert record is not None
    n, *rest = len(fn.results), *out
    *rest, tape = rest
    results = rest[:n]
    real = [k for k, e in enumerate(fn.results) if kind_of(e, fn.kinds).base == "real"]
    found = dict(zip(real, rest[n : n + len(real)], strict=True))
    inputs, first = {}, 1
    for p in record.indices:
        size = int(np.size(given[p]))
        inputs[p] = np.arange(first, first + size).reshape(np.shape(given[p]))
        first += size
    held = contents(tape)
    if check and index != "linear":
        scalars = [i for p, i in inputs.items() if i.ndim == 0 and p not in record.ended]
        left = [*found.values(), *rest[n + len(real) :], *scalars]
        _nothing_forgotten(fn, left, held)
    names = leaves(fn.returns)
    outputs = {names[k]: np.asarray(i) for k, i in found.items()}
    value = pack(fn.returns, dict(zip(names, (_own(r) for r in results), strict=True)))
    shape = _Shape(
        fn.name, tuple(p.name for p in fn.signature), tuple(p.tree for p in fn.signature), fn.returns
    )
    return Tape(value, shape, inputs, outputs, index, first - 1, held, tape)


def _nothing_forgotten(fn: Function, left: Sequence[Any], held: Any) -> None:
    """With a checking manager: at the end nobody holds an index but arguments and results."""
    known = {int(i) for array in left for i in np.ravel(array) if i != 0}
    if len(known) != held.live:
        raise RuntimeError(f"{held.live - len(known)} indices of `{fn.name}` were not freed")


def _own(value: Any) -> Any:
    return np.array(value) if isinstance(value, np.ndarray) else value


@dataclass(frozen=True, slots=True)
class _Shape:
    """Names and structures of arguments, and of the result."""

    name: str
    params: tuple[str, ...]
    arguments: tuple[Tree, ...]
    returns: Tree


@dataclass(frozen=True, slots=True)
class Stats:
    """What is on a tape. Bytes count entries in use; `reserved_bytes` is the memory that the tape holds.

    inputs          real numbers among the arguments
    statements      recorded, without inputs and copies elided
    arguments       of all statements
    copies_elided   copies of active values that needed no statement
    index_max       the highest index given out; `index_live_max` as many were in use at once
    adjoint_bytes   the adjoint vector of one direction; index_bytes: left-hand indices
    formula_bytes   adjoints, left-hand indices and use counts by the managers' formulas
    """

    inputs: int
    statements: int
    arguments: int
    copies_elided: int
    index_max: int
    index_live_max: int
    adjoint_bytes: int
    index_bytes: int
    use_count_bytes: int
    tape_bytes: int
    primal_bytes: int
    total_bytes: int
    reserved_bytes: int
    formula_bytes: int

    def __str__(self) -> str:
        width = max(len(f.name) for f in fields(self))
        return "\n".join(f"{f.name:{width}} {getattr(self, f.name):>14,}" for f in fields(self))


class Tape:
    """A recorded run. Sweeps change nothing on it, so there may be any number of them, on any thread.

    value   what the function returned
    """

    def __init__(
        self, value: Any, shape: _Shape, inputs: dict[str, Any], outputs: dict[str, Any], index: str, count: int,
        held: Any, owner: Any,
    ) -> None:  # fmt: skip
        self.value = value
        self.index = index
        self._shape, self._inputs, self._outputs, self._count = shape, inputs, outputs, count
        self._held, self._owner = held, owner
        self._compiled = type(owner).__name__ != "PlainTape"

    # ----- sweeps

    def reverse(self, ybar: Any) -> tuple[Any, ...]:
        """The adjoints of the arguments, one per argument (None for one that is not real); again and again.

        Shapes:  `ybar` has the structure and shapes of the value; with one leading axis more in every leaf, several
                 directions are taken in one sweep, and the adjoints have that axis too
        """
        several, seeds = self._given(
            self._shape.returns, ybar, self.value, self._outputs, "the cotangent", "S092"
        )
        vector = self._vector(several)
        for leaf, seed in seeds.items():
            where = self._outputs[leaf].reshape(-1)
            np.add.at(vector, where, seed.reshape(where.size, *vector.shape[1:]))
        vector[0] = 0.0
        self._sweep("reverse", vector, several)
        gathered = {p: self._taken(vector, i, several) for p, i in self._inputs.items()}
        return tuple(pack(tree, gathered) for tree in self._shape.arguments)

    def forward(self, *tangents: Any) -> Any:
        """The derivative of the value along tangents: one per argument, None for zero.

        Shapes:  those of the arguments; with one leading axis more in every leaf, several directions in one sweep
        """
        if len(tangents) != len(self._shape.arguments):
            raise ArgumentError(
                f"{len(self._shape.arguments)} arguments need as many tangents, not {len(tangents)}",
                code="S090", hint="None stands for zero",
            )  # fmt: skip
        given: dict[str, Any] = {}
        counts: set[int] = set()
        for name, tree, tangent in zip(self._shape.params, self._shape.arguments, tangents, strict=True):
            if tangent is not None:
                like = pack(tree, {p: np.zeros(i.shape) for p, i in self._inputs.items()})
                several, found = self._given(
                    tree, tangent, like, self._inputs, f"the tangent of `{name}`", "S091"
                )
                given |= found
                counts.add(several)
        if len(counts) > 1:
            raise ArgumentError("all tangents have to have the same number of directions", code="S091")
        several = counts.pop() if counts else 0
        vector = self._vector(several)
        for leaf, tangent in given.items():
            where = self._inputs[leaf].reshape(-1)
            vector[where] = tangent.reshape(where.size, *vector.shape[1:])
        self._sweep("forward", vector, several)
        vector[0] = 0.0
        return pack(
            self._shape.returns, {r: self._taken(vector, i, several) for r, i in self._outputs.items()}
        )

    def _given(
        self, tree: Tree, value: Any, like: Any, known: Mapping[str, Any], what: str, code: str
    ) -> tuple[int, dict[str, Any]]:
        """Number of directions (0: one, without an axis of its own); leaf -> numbers, directions last."""
        names, counts, found = leaves(tree), set[int](), {}
        for name, v, x in zip(
            names, flatten(tree, value, what, code), flatten(tree, like, what, code), strict=True
        ):
            if name not in known or v is None:
                continue
            try:
                array = np.asarray(v, np.float64)
            except (TypeError, ValueError):
                raise KindError(f"{what} has to be real numbers, not {brief(v)}", code="S062") from None
            shape = np.shape(x)
            if array.shape != shape and array.shape[1:] != shape:
                raise ArgumentError(f"{what} has shape {array.shape}, and has to have {shape}", code=code)
            several = array.shape != shape
            counts.add(array.shape[0] if several else 0)
            found[name] = np.moveaxis(array, 0, -1) if several else array
        if len(counts) > 1:
            raise ArgumentError(f"{what}: all leaves have to have the same number of directions", code=code)
        return (counts.pop() if counts else 0), found

    def _vector(self, several: int) -> np.ndarray[Any, Any]:
        size = self._held.highest + 1
        return np.zeros((size, several) if several else size)

    def _taken(self, vector: np.ndarray[Any, Any], where: np.ndarray[Any, Any], several: int) -> Any:
        got = vector[where]
        if several:
            return np.ascontiguousarray(np.moveaxis(got, -1, 0))
        return float(got) if got.ndim == 0 else got

    def _sweep(self, which: str, vector: np.ndarray[Any, Any], several: int) -> None:
        if self._compiled:
            from s2sad_runtime import compiled_sweeps as sweeps
        else:
            from s2sad_runtime import sweeps
        step = getattr(sweeps, f"{which}_several" if several else which)
        more = (np.empty(several),) if several else ()
        firsts, first = [], self._count + 1
        for chunk in self._held.chunks:
            firsts.append(first)
            first += chunk.sizes.size
        steps = list(zip(self._held.chunks, firsts, strict=True))
        with np.errstate(all="ignore"):
            for chunk, first in reversed(steps) if which == "reverse" else steps:
                step(*chunk, vector, first, *more)

    # ----- what is on it

    def stats(self) -> Stats:
        """Counts and bytes; printed as a table."""
        chunks = self._held.chunks
        statements = sum(c.sizes.size for c in chunks)
        highest, linear = self._held.highest, self.index == "linear"
        adjoints = 8 * (highest + 1)
        arguments, left = sum(c.arguments.size for c in chunks), 4 * sum(c.left.size for c in chunks)
        counts = 4 * (highest + 1) if self.index == "multiuse" else 0
        tape = left + statements + 12 * arguments
        formula = (
            8 * (self._count + statements + 1) if linear else 8 * (highest + 1) + 4 * statements + counts
        )
        return Stats(
            inputs=self._count, statements=statements, arguments=arguments,
            copies_elided=self._held.copies, index_max=highest,
            index_live_max=highest if linear else self._held.most_live,
            adjoint_bytes=adjoints, index_bytes=left, use_count_bytes=counts, tape_bytes=tape, primal_bytes=0,
            total_bytes=tape + adjoints + counts, reserved_bytes=self._held.reserved, formula_bytes=formula,
        )  # fmt: skip

    def __repr__(self) -> str:
        return f"<Tape of {self._shape.name}: {self.stats().statements} statements, {self.index}>"


__all__ = ["Leaf", "Node", "Stats", "Tape", "record"]
