"""How derivatives are made and compiled: what users chose, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from s2sad.shapes.passes import unfused
from s2sad.shapes.threads import How


@dataclass(frozen=True, slots=True)
class Options:
    """How derivatives are made and compiled.

    user    options as for `njit`: the primal and the forward sweep get them as they are
    passes  names of the passes that shape the reverse sweep; None: all
    deterministic  results don't depend on the number of threads
    """

    jit: bool = True
    strict: bool = False
    cache: bool = True
    user: Mapping[str, Any] = field(default_factory=dict, hash=False)
    passes: tuple[str, ...] | None = None
    deterministic: bool = False

    @property
    def threads(self) -> How:
        """How loops of `prange` are shared out."""
        asked = self.jit and bool(self.user.get("parallel"))
        return "" if not asked else "fixed" if self.deterministic else "any"

    @property
    def texts(self) -> dict[str, str]:
        """The user's options as text for decorators."""
        user = dict(self.user)
        if self.threads == "fixed":  # Numba's own sums of arrays depend on how many there are
            user["parallel"] = {"numpy": False, "reduction": False}
        texts = {k: repr(v) for k, v in sorted(user.items()) if v is not None and v is not False}
        return texts if self.cache else {**texts, "cache": "False"}

    @property
    def shaping(self) -> tuple[str, ...] | None:
        """The passes for this code. Array statements stay as they are where nothing is compiled, and where Numba shares
        them out to threads, unless `fuse` is asked for.
        """
        apart = not self.jit or bool(self.user.get("parallel"))
        return unfused(None) if self.passes is None and apart else self.passes

    @property
    def runtime(self) -> str:
        """Where the emitted file gets its runtime from."""
        return "s2sad_runtime" if self.jit else "s2sad_runtime.plain"
