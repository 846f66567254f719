"""Sweeps over a tape, backwards and forwards, in one direction or several."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2sad.arguments import brief, flatten, pack
from s2sad.drivers import leaves
from s2sad.errors import ArgumentError, KindError
from s2sad.ir.nodes import Tree

Array = np.ndarray[Any, Any]
TOGETHER = 16  # directions in one sweep, at most
LINE = 8  # numbers in a line of the cache


@dataclass(frozen=True, slots=True)
class Shape:
    """Names and structures of arguments, and of the result."""

    name: str
    params: tuple[str, ...]
    arguments: tuple[Tree, ...]
    returns: Tree


class Sweeps:
    """A recorded run: what it depends on, what came out, and the statements between."""

    def __init__(
        self, value: Any, shape: Shape, inputs: dict[str, Any], outputs: dict[str, Any], index: str, count: int,
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
        gathered = self._adjoints(seeds, several)
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
        return pack(self._shape.returns, self._tangents(given, several))

    def _adjoints(self, seeds: Mapping[str, Any], several: int) -> dict[str, Any]:
        """What sweeps back give for every input: directions are the last axis of seeds, and the first of adjoints."""
        if several > TOGETHER:
            return in_parts(self._adjoints, seeds, several)
        vector = self._vector(several)
        lanes = vector[:, :several] if several else vector
        for leaf, seed in seeds.items():
            where = self._outputs[leaf].reshape(-1)
            np.add.at(lanes, where, seed.reshape(where.size, *lanes.shape[1:]))
        vector[0] = 0.0
        self._sweep("reverse", vector)
        return {p: self._taken(vector, i, several) for p, i in self._inputs.items()}

    def _tangents(self, given: Mapping[str, Any], several: int) -> dict[str, Any]:
        """What sweeps forward give for every result."""
        if several > TOGETHER:
            return in_parts(self._tangents, given, several)
        vector = self._vector(several)
        lanes = vector[:, :several] if several else vector
        for leaf, tangent in given.items():
            where = self._inputs[leaf].reshape(-1)
            lanes[where] = tangent.reshape(where.size, *lanes.shape[1:])
        self._sweep("forward", vector)
        vector[0] = 0.0
        return {r: self._taken(vector, i, several) for r, i in self._outputs.items()}

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

    def _vector(self, several: int) -> Array:
        """Adjoints or tangents by index: zeros."""
        return rows(self._held.highest + 1, several)

    def _taken(self, vector: Array, where: Array, several: int) -> Any:
        """What is in a vector at indices; directions are the first axis."""
        got = vector[where]
        if several:
            return np.ascontiguousarray(np.moveaxis(got[..., :several], -1, 0))
        return float(got) if got.ndim == 0 else got

    def _sweep(self, which: str, vector: Array) -> None:
        if self._compiled:
            from s2sad_runtime import compiled_sweeps as sweeps
        else:
            from s2sad_runtime import sweeps
        step = getattr(sweeps, which) if vector.ndim == 1 else sweeps.several(which, vector.shape[1])
        with np.errstate(all="ignore"):
            for chunk, first in self._steps(which == "reverse"):
                step(*chunk, vector, first)

    def _steps(self, back: bool) -> Iterator[tuple[Any, int]]:
        """The chunks, each with the index of its first statement (on a linear tape), in order or last first."""
        firsts, first = [], self._count + 1
        for chunk in self._held.chunks:
            firsts.append(first)
            first += chunk.sizes.size
        steps = list(zip(self._held.chunks, firsts, strict=True))
        yield from reversed(steps) if back else steps


def rows(size: int, several: int) -> Array:
    """Zeros per index: one each, or a row as wide as there is code for, beginning where a line of the cache does."""
    from s2sad_runtime.sweeps import LANES

    if not several:
        return np.zeros(size)
    lanes = next(n for n in LANES if n >= several)
    whole = np.zeros(size * lanes + LINE)
    start = -whole.ctypes.data // whole.itemsize % LINE
    return whole[start : start + size * lanes].reshape(size, lanes)


def in_parts(
    sweep: Callable[[Mapping[str, Any], int], dict[str, Any]], given: Mapping[str, Any], several: int
) -> dict[str, Any]:
    """What sweeps give for many directions: so many together, then the next ones."""
    parts = []
    for start in range(0, several, TOGETHER):
        end = min(start + TOGETHER, several)
        parts.append(sweep({leaf: seed[..., start:end] for leaf, seed in given.items()}, end - start))
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
