"""The memory that gradients keep between calls: how much there is, and how to give it back."""

from __future__ import annotations

from typing import NamedTuple


class Memory(NamedTuple):
    """Bytes lent to gradients under way; bytes kept for the next ones, in how many blocks; the most that is kept."""

    lent: int
    kept: int
    blocks: int
    cap: int


def memory() -> Memory:
    """What compiled gradients hold now: fresh pages cost more than the arithmetic, so blocks are kept and used again.

    What is lent belongs to gradients that run, to pullbacks and tapes that are still referred to.

    >>> now = memory()
    >>> now.kept <= now.cap
    True
    """
    import s2sad_runtime

    return Memory(*s2sad_runtime.memory())


def release_memory() -> int:
    """Return what is kept for the next gradient to the system; gives the number of bytes.

    Call it after a large problem in a process that goes on. The next gradient pays for fresh pages once.

    >>> _ = release_memory()
    >>> memory().kept
    0
    """
    import s2sad_runtime

    return int(s2sad_runtime.release_memory())
