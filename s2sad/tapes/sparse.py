"""Sparse Jacobians: which elements are not zero, which columns (rows) go in one direction, values from few sweeps.

The pattern is read off a tape: sets of inputs are carried from statement to statement. Columns that share no row can be
swept together, so the number of directions is that of the colours of a graph, whatever the number of columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Sparsity:
    """A pattern with its colouring: made once, used for any number of Jacobians.

    pattern   scipy.sparse.csr_array of ones: results by inputs
    inputs    which of all inputs the columns are
    by        "columns" (forward sweeps) or "rows" (reverse sweeps), whichever need fewer directions
    colours   the colour of every column (row)
    """

    pattern: Any
    inputs: Array
    by: str
    colours: Array

    @property
    def directions(self) -> int:
        """How many directions a Jacobian takes."""
        return int(self.colours.max(initial=-1)) + 1

    def __repr__(self) -> str:
        m, n = self.pattern.shape
        return (
            f"<Sparsity of {m} x {n}: {self.pattern.nnz} elements, {self.directions} directions by {self.by}>"
        )


def coloured(pattern: Any, inputs: Array) -> Sparsity:
    """The pattern of these inputs with the better of a colouring of its columns and one of its rows."""
    pattern = pattern[:, inputs]
    columns, rows = _colours(pattern), _colours(pattern.T.tocsr())
    fewer = columns.max(initial=-1) <= rows.max(initial=-1)
    return Sparsity(pattern, inputs, "columns" if fewer else "rows", columns if fewer else rows)


def _colours(pattern: Any) -> Array:
    """A colour for every column, so that columns of one colour share no row."""
    import networkx

    n = pattern.shape[1]
    shared = (pattern.T @ pattern).tocoo()
    graph = networkx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from((int(i), int(j)) for i, j in zip(shared.row, shared.col, strict=True) if i < j)
    found = networkx.greedy_color(graph, strategy="largest_first")
    return np.array([found[k] for k in range(n)], np.int64)


def pattern_of(chunks: Sequence[Any], inputs: int, highest: int, outputs: Array, compiled: bool) -> Any:
    """The pattern of a tape: a csr_array of ones, results by inputs."""
    from scipy.sparse import csr_array

    if compiled:
        from s2sad_runtime.compiled_sweeps import spread_chunk
    else:
        from s2sad_runtime.patterns import spread_chunk
    begin, count = np.zeros(highest + 1, np.int64), np.zeros(highest + 1, np.int64)
    begin[1 : inputs + 1], count[1 : inputs + 1] = np.arange(inputs), 1
    pool, seen = np.arange(max(inputs, 1), dtype=np.int64), np.zeros(inputs, np.int64)
    top, stamp, first = inputs, 0, inputs + 1
    for chunk in chunks:
        given = (chunk.sizes, chunk.left, chunk.arguments)
        pool, top, stamp = spread_chunk(*given, begin, count, pool, top, first, seen, stamp)
        first += chunk.sizes.size
    rows = [np.sort(pool[begin[i] : begin[i] + count[i]]) for i in outputs]
    ends = np.concatenate([[0], np.cumsum([r.size for r in rows])]).astype(np.int64)
    columns = np.concatenate([*rows, np.empty(0, np.int64)])
    return csr_array((np.ones(columns.size), columns, ends), shape=(outputs.size, inputs))


def filled(sparsity: Sparsity, swept: Array) -> Any:
    """The Jacobian from what the sweeps gave: per colour a combination of columns (of rows)."""
    from scipy.sparse import csr_array

    pattern = sparsity.pattern.tocoo()
    if sparsity.by == "columns":  # swept: results by colours
        values = swept[pattern.row, sparsity.colours[pattern.col]]
    else:  # swept: colours by inputs
        values = swept[sparsity.colours[pattern.row], pattern.col]
    made = csr_array((values, (pattern.row, pattern.col)), shape=pattern.shape)
    made.sort_indices()
    return made
