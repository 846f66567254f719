"""Jacobians of a tape: dense, or sparse by colours."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sad.arguments import brief, pack
from s2sad.drivers import leaves
from s2sad.errors import ArgumentError
from s2sad.tapes.sparse import Sparsity, coloured, filled, pattern_of
from s2sad.tapes.sweeps import TOGETHER, Sweeps


class Jacobians(Sweeps):
    """A recorded run, and its Jacobian."""

    def jacobian(self, *, sparsity: Any = None) -> Any:
        """The derivative of every result by every real argument, several directions a sweep.

        Shapes:    result shape + argument shape; a tuple over results where there are several, of a tuple over arguments
                   (as `reverse` gives them) where several are real
        sparsity:  "detect", or what `tape.sparsity()` gave: one scipy.sparse.csr_array, all results (flat) by all
                   real arguments (flat)
        """
        if sparsity is None:
            return self._split(self._dense())
        known = self.sparsity() if isinstance(sparsity, str) else sparsity
        if not isinstance(known, Sparsity) or (isinstance(sparsity, str) and sparsity != "detect"):
            raise ArgumentError(
                f"a pattern is needed, not {brief(sparsity)}", code="S097", hint='sparsity="detect"'
            )
        if known.pattern.shape[0] != self._flat.size or known.inputs.max(initial=-1) >= self._count:
            raise ArgumentError(
                f"the pattern has shape {known.pattern.shape}, the Jacobian {(self._flat.size, self._count)}",
                code="S097", hint="take the pattern of this function, for arguments of these shapes",
            )  # fmt: skip
        return filled(known, self._swept(known))

    def sparsity(self, argnums: int | None = None) -> Sparsity:
        """Which elements of the Jacobian (by one argument) are not zero, with a colouring.

        It serves any tape of the same program on which no branch went another way.
        """
        held, trees = self._held, self._shape.arguments
        names = [p for tree in (trees if argnums is None else [trees[argnums]]) for p in leaves(tree)]
        inputs = [i.reshape(-1) - 1 for p, i in self._inputs.items() if p in names]
        chunks = [chunk for chunk, _ in self._steps(back=False)]
        pattern = pattern_of(chunks, self._count, held.highest, self._flat, self._compiled)
        return coloured(pattern, np.concatenate([*inputs, np.empty(0, np.int64)]).astype(int))

    @property
    def _flat(self) -> np.ndarray[Any, Any]:
        """The indices of all real results, one after the other."""
        return np.concatenate(
            [i.reshape(-1) for i in self._outputs.values()] + [np.empty(0, np.int64)]
        ).astype(int)

    def _swept(self, known: Sparsity) -> np.ndarray[Any, Any]:
        """What the sweeps along the colours give: results by colours, or colours by inputs."""
        flat, made = self._flat, []
        for start in range(0, known.directions, TOGETHER):
            d = min(TOGETHER, known.directions - start)
            vector = self._vector(d)
            mine = (known.colours >= start) & (known.colours < start + d)
            if known.by == "columns":
                vector[1 + known.inputs[mine], known.colours[mine] - start] = 1.0
                self._sweep("forward", vector)
                vector[0] = 0.0
                made.append(vector[flat, :d])
            else:
                np.add.at(vector, (flat[mine], known.colours[mine] - start), 1.0)
                vector[0] = 0.0
                self._sweep("reverse", vector)
                made.append(vector[1 + known.inputs, :d].T)
        if not made:
            return np.zeros((flat.size, 0) if known.by == "columns" else (0, known.inputs.size))
        return np.concatenate(made, 1 if known.by == "columns" else 0)

    def _dense(self) -> np.ndarray[Any, Any]:
        """All real results by all inputs, by whichever are fewer."""
        results, inputs = self._flat.size, self._count
        by = "rows" if results < inputs else "columns"
        colours = np.arange(min(results, inputs))
        return self._swept(Sparsity(None, np.arange(inputs), by, colours))

    def _split(self, matrix: np.ndarray[Any, Any]) -> Any:
        """Blocks by results and arguments."""
        rows: dict[str, Any] = {}
        real = [tree for tree in self._shape.arguments if any(p in self._inputs for p in leaves(tree))]
        at = 0
        for name, r in self._outputs.items():
            blocks = {}
            for p, i in self._inputs.items():
                block = matrix[at : at + r.size, i.reshape(-1) - 1].reshape(r.shape + i.shape)
                blocks[p] = float(block) if block.ndim == 0 else block
            args = tuple(pack(tree, blocks) for tree in self._shape.arguments)
            rows[name] = pack(real[0], blocks) if len(real) == 1 else args
            at += r.size
        whole = set(rows) == set(leaves(self._shape.returns))
        return pack(self._shape.returns, rows) if whole else tuple(rows.values())
