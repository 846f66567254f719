"""Many directions in one sweep: unit directions in groups, and what comes out put together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, Any]
WIDTH = 64  # directions in one sweep, at most
KEEPING = 16  # of one that keeps something for each of them


def groups(shape: tuple[int, ...], width: int = WIDTH) -> Iterator[Array]:
    """The unit directions of an array of that shape, last axis, at most `width` together.

    >>> [d.shape for d in groups((10, 10))]
    [(10, 10, 64), (10, 10, 36)]
    """
    count = int(np.prod(shape))
    for first in range(0, count, width):
        some = np.eye(count, min(width, count - first), -first)
        yield some.reshape(*shape, some.shape[1])


def gathered(
    shape: tuple[int, ...], run: Callable[[Array], tuple[Sequence[Any], Sequence[Any]]], width: int = WIDTH
) -> list[Array]:
    """For each value that a run gives, what it gives for it in all unit directions of `shape`, as a last axis.

    run: directions -> values, and for each what has its shape and an axis of directions (not where all are the same)
    """
    found: list[list[Array]] = []
    for directions in groups(shape, width):
        values, along = run(directions)
        found = found or [[] for _ in values]
        for blocks, value, got in zip(found, values, along, strict=True):
            wanted = (*np.shape(value), directions.shape[-1])
            got = np.asarray(got)
            blocks.append(got if got.shape == wanted else np.broadcast_to(got[..., None], wanted))
    return [np.concatenate(blocks, -1) for blocks in found]
