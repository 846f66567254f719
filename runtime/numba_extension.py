"""Numba's extension point: `checkpoint_range` and `stop_gradient` in plain `@njit` code.

Numba calls `init` once, before it compiles anything. The marks are registered only when `s2sad.markers`
is loaded, so that a program without s2sad pays nothing; a later import of it calls `init` again.
"""

import sys

_registered = False


def init():
    """Give the marks of s2sad their meaning in compiled code: `range(n)` and `x`."""
    global _registered
    markers = sys.modules.get("s2sad.markers")
    if markers is None or _registered:
        return
    _registered = True

    from numba.extending import overload

    @overload(markers.checkpoint_range, inline="always")
    def _checkpoint_range(n, snapshots=None, schedule="revolve"):
        def plain(n, snapshots=None, schedule="revolve"):
            return range(n)

        return plain

    @overload(markers.stop_gradient, inline="always")
    def _stop_gradient(x):
        def plain(x):
            return x

        return plain
