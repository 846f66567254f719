"""Tapes that keep values: slopes are formed chunk by chunk in every sweep, and the program can be evaluated again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from s2sad.arguments import brief, flatten, pack
from s2sad.drivers import leaves
from s2sad.errors import ArgumentError
from s2sad.tapes.stats import Stats
from s2sad.tapes.sweeps import rows
from s2sad.tapes.tape import Tape

Array = np.ndarray[Any, Any]
FIRST = 3  # sites before the program's own: copies, sums, products of vectors


class KeptTape(Tape):
    """A recorded run with the values that its statements overwrote.

    values, start  the vector of values at the end, and at the beginning (inputs alone)
    sites          the places in the program
    sweeps         the functions that form slopes, and that evaluate again
    """

    def __init__(
        self, *given: Any, values: Array, start: Array, sites: Sequence[Any], sweeps: Sequence[Callable[..., Any]]
    ) -> None:  # fmt: skip
        super().__init__(*given)
        self._values, self._sites = values, sites
        self._start = np.zeros(self._held.highest + 1)
        self._start[: start.size] = start
        self._slopes_back, self._again = sweeps
        checks = np.array([False] * FIRST + [s.check for s in sites])
        self._chunks, first = [], self._count + 1
        for c in self._held.chunks:
            check = checks[c.sites]
            left = c.left.astype(np.int64)
            if self.index == "linear":
                left = first + np.cumsum(~check) - 1
                first += int((~check).sum())
            left = np.where(check, 0, left)
            self._chunks.append((c.sites, left, c.before, c.operands, c.constants, check))
        self._sizes = [np.zeros(c.sites.size, np.int64) for c in self._held.chunks]
        self._kept_count = sum(int((~c[5]).sum()) for c in self._chunks)
        for _ in self._steps(back=True):
            pass  # (notes how many operands each statement has)

    def _vector(self, several: int) -> Array:
        return rows(self._held.highest + 2, several)  # (the last place is for checks: nothing flows there)

    def _steps(self, back: bool) -> Iterator[tuple[Any, int]]:
        """Every chunk with its slopes formed."""
        primal = (self._values if back else self._start).copy()
        order = list(zip(self._chunks, self._sizes, strict=True))
        for (sites, left, before, operands, constants, check), sizes in reversed(order) if back else order:
            partials = np.empty(operands.size)
            run = self._slopes_back if back else self._again
            kept = before if back else before.copy()
            with np.errstate(all="ignore"):
                run(sites, left, kept, operands, constants, primal, partials, sizes)
            yield (sizes, np.where(check, self._held.highest + 1, left), operands, partials), 0

    def primal(self, *args: Any) -> Any:
        """The value at other arguments, without recording; sweeps and Jacobians are at that point from then on.

        Integer arguments are given as they were, or as None.
        Errors:  ArgumentError S098 where a branch, a subscript or a count comes out otherwise; nothing changes then
        """
        trees = self._shape.arguments
        if len(args) != len(trees):
            raise ArgumentError(f"{len(trees)} arguments are needed, not {len(args)}", code="S090")
        start = self._start.copy()
        for name, tree, arg in zip(self._shape.params, trees, args, strict=True):
            names = leaves(tree)
            if not any(p in self._inputs for p in names):
                continue
            for p, v in zip(names, flatten(tree, arg, f"`{name}`"), strict=True):
                if p in self._inputs:
                    if np.shape(v) != self._inputs[p].shape:
                        raise ArgumentError(
                            f"`{name}` is {brief(v)}, and was recorded with shape {self._inputs[p].shape}",
                            code="S092",
                        )
                    start[self._inputs[p]] = v
        primal, logs = start.copy(), []
        for k, ((sites, left, before, operands, constants, _), sizes) in enumerate(
            zip(self._chunks, self._sizes, strict=True)
        ):
            logs.append(before.copy())
            with np.errstate(all="ignore"):
                wrong = self._again(
                    sites, left, logs[k], operands, constants, primal, np.empty(operands.size), sizes
                )
            if wrong >= 0:
                site = self._sites[int(sites[wrong]) - FIRST]
                raise ArgumentError(
                    f"`{self._shape.name}` goes another way at this point", code="S098", at=site.at
                )
        self._start, self._values = start, primal
        self._chunks = [(*c[:2], log, *c[3:]) for c, log in zip(self._chunks, logs, strict=True)]
        names = leaves(self._shape.returns)
        old = dict(zip(names, flatten(self._shape.returns, self.value, "the value"), strict=True))
        self.value = pack(self._shape.returns, {r: self._again_of(r, old[r]) for r in names})
        return self.value

    def _again_of(self, result: str, old: Any) -> Any:
        """A result after an evaluation: what has no index is as it was."""
        if result not in self._outputs:
            return old
        indices = self._outputs[result]
        new = np.where(indices != 0, self._values[indices], old)
        return float(new) if new.ndim == 0 else new

    def stats(self) -> Stats:
        """Counts and bytes; printed as a table."""
        chunks, highest = self._held.chunks, self._held.highest
        entries = sum(c.sites.size for c in chunks)
        operands, constants = (sum(a.size for a in part) for part in
                               ([c.operands for c in chunks], [c.constants for c in chunks]))  # fmt: skip
        logged = sum(c.before.size for c in chunks)
        left, counts = 4 * logged, 4 * (highest + 1) if self.index == "multiuse" else 0
        tape = 4 * entries + left + 8 * logged + 4 * operands + 8 * constants
        adjoints = values = 8 * (highest + 1)
        linear = self.index == "linear"
        return Stats(
            inputs=self._count, statements=self._kept_count, arguments=operands, copies_elided=self._held.copies,
            index_max=highest, index_live_max=highest if linear else self._held.most_live, adjoint_bytes=adjoints,
            index_bytes=left, use_count_bytes=counts, tape_bytes=tape, primal_bytes=values,
            total_bytes=tape + adjoints + counts + values, reserved_bytes=self._held.reserved,
            formula_bytes=adjoints + left + counts,
        )  # fmt: skip

    def save(self, path: str | Path) -> None:
        """A tape of values needs the code made for its program: it can't be written to a file."""
        raise ArgumentError(
            "a tape of values can't be saved", code="S097", hint='record with values="jacobian"'
        )

    def dot(self) -> str:
        """A graph is drawn of a tape of slopes."""
        raise ArgumentError(
            "a tape of values can't be drawn", code="S097", hint='record with values="jacobian"'
        )
