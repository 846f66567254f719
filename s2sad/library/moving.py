"""Elements moved about: rolled, repeated, padded; axes that come and go."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sad.library.table import axes, room, written


@written("np.roll")
def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    if axis is None:
        return np.reshape(_roll(np.ravel(a), shift, 0), np.shape(a))
    return _roll(a, shift, axis)


def _roll(a: Any, shift: Any, axis: Any) -> Any:
    out = np.empty_like(a)
    n = np.shape(a)[axis]
    k = shift % max(n, 1)
    to, come = np.moveaxis(out, axis, 0), np.moveaxis(a, axis, 0)
    to[k:] = come[: n - k]
    to[:k] = come[n - k :]
    return out
