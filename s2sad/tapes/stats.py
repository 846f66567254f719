"""Counts and bytes of a tape."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any


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


def stats_of(held: Any, inputs: int, index: str) -> Stats:
    """The statistics of what a tape holds, with so many inputs, under an index manager."""
    chunks = held.chunks
    statements = sum(c.sizes.size for c in chunks)
    highest, linear = held.highest, index == "linear"
    adjoints = 8 * (highest + 1)
    arguments, left = sum(c.arguments.size for c in chunks), 4 * sum(c.left.size for c in chunks)
    counts = 4 * (highest + 1) if index == "multiuse" else 0
    tape = left + statements + 12 * arguments
    formula = 8 * (inputs + statements + 1) if linear else 8 * (highest + 1) + 4 * statements + counts
    return Stats(
        inputs=inputs, statements=statements, arguments=arguments,
        copies_elided=held.copies, index_max=highest,
        index_live_max=highest if linear else held.most_live,
        adjoint_bytes=adjoints, index_bytes=left, use_count_bytes=counts, tape_bytes=tape, primal_bytes=0,
        total_bytes=tape + adjoints + counts, reserved_bytes=held.reserved, formula_bytes=formula,
    )  # fmt: skip
