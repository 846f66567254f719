"""The tape as users have it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from s2sad.arguments import flatten, pack
from s2sad.drivers import leaves
from s2sad.errors import ArgumentError
from s2sad.tapes.files import drawn, read, tree_from_data, tree_to_data, write
from s2sad.tapes.jacobians import Jacobians
from s2sad.tapes.stats import Stats, stats_of
from s2sad.tapes.sweeps import Shape


def _plain(value: np.ndarray[Any, Any]) -> Any:
    return value.item() if value.ndim == 0 else value


class Tape(Jacobians):
    """A recorded run. Sweeps change nothing on it, so there may be any number of them, on any thread.

    value   what the function returned
    """

    # ----- files and drawings

    def save(self, path: str | Path) -> None:
        """Write the tape to a .npz file."""
        every = [np.concatenate([c[k] for c in self._held.chunks] or [np.empty(0)]) for k in range(4)]
        shape, held = self._shape, self._held
        meta = {
            "name": shape.name, "params": shape.params, "arguments": [tree_to_data(t) for t in shape.arguments],
            "returns": tree_to_data(shape.returns), "index": self.index, "count": self._count,
            "held": [held.manager, held.highest, held.live, held.most_live, held.copies], "inputs": list(self._inputs),
            "outputs": list(self._outputs),
        }  # fmt: skip
        arrays = dict(zip(("sizes", "left", "arguments", "partials"), every, strict=True))
        arrays |= {f"input {p}": i for p, i in self._inputs.items()}
        arrays |= {f"output {r}": i for r, i in self._outputs.items()}
        flat = flatten(shape.returns, self.value, "the value")
        arrays |= {f"value {k}": np.asarray(v) for k, v in enumerate(flat)}
        write(path, meta, arrays)

    @staticmethod
    def load(path: str | Path) -> Tape:
        """The tape in a file that `save` wrote."""
        from s2sad_runtime import jit_is_off
        from s2sad_runtime.contents import loaded
        from s2sad_runtime.plain_tape import PlainTape

        meta, arrays = read(path)
        trees = [tree_from_data(t) for t in meta["arguments"]]
        shape = Shape(meta["name"], tuple(meta["params"]), tuple(trees), tree_from_data(meta["returns"]))
        names = leaves(shape.returns)
        values = {r: _plain(arrays[f"value {k}"]) for k, r in enumerate(names)}
        held = loaded(*meta["held"], *(arrays[k] for k in ("sizes", "left", "arguments", "partials")))
        inputs = {p: arrays[f"input {p}"] for p in meta["inputs"]}
        outputs = {r: arrays[f"output {r}"] for r in meta["outputs"]}
        owner = PlainTape() if jit_is_off() else None
        return Tape(
            pack(shape.returns, values), shape, inputs, outputs, meta["index"], meta["count"], held, owner
        )

    def dot(self) -> str:
        """The tape as a graph in the DOT language: for small ones."""
        return "\n".join(drawn(self._held.chunks, self._inputs, self._outputs, self._count + 1))

    # ----- what is on it

    def stats(self) -> Stats:
        """Counts and bytes; printed as a table."""
        return stats_of(self._held, self._count, self.index)

    def primal(self, *args: Any) -> Any:
        """The value at other arguments, without recording: of tapes with values="primal" alone."""
        raise ArgumentError("this tape keeps slopes only", code="S097", hint='record with values="primal"')

    def __repr__(self) -> str:
        return f"<Tape of {self._shape.name}: {self.stats().statements} statements, {self.index}>"
