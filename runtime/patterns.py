"""Which inputs a statement depends on: sets of indices carried through a tape, chunk by chunk.

A set is a stretch of a pool: `begin[index]` and `count[index]`. Plain Python, compiled where tapes are.
"""

import numpy as np


def spread_chunk(sizes, left, arguments, begin, count, pool, top, first, seen, stamp):
    """Carry the sets through a chunk: (pool, the end of what is in use, the last stamp given out)."""
    linear = left.size == 0
    start = 0
    for k in range(sizes.size):
        end = start + sizes[k]
        need = 0
        for j in range(start, end):
            need += count[arguments[j]]
        if top + need > pool.size:
            larger = np.empty(2 * (top + need), pool.dtype)
            for i in range(top):
                larger[i] = pool[i]
            pool = larger
        stamp += 1
        at = top
        for j in range(start, end):
            source = arguments[j]
            for i in range(begin[source], begin[source] + count[source]):
                if seen[pool[i]] != stamp:
                    seen[pool[i]] = stamp
                    pool[at] = pool[i]
                    at += 1
        index = first + k if linear else left[k]
        begin[index] = top
        count[index] = at - top
        top = at
        start = end
    return pool, top, stamp
