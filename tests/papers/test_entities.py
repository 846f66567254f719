"""M. Sagebaum, N. Gauger, "Algorithmic differentiation for domain specific languages in C++ with expression templates":
operations on matrices as single statements. (Their figures stand in docs/papers.md.)
"""

import numpy as np
import pytest
from benchmarks.workloads import burgers2d

import s2sad
from papers.programs import OPERATIONS, operands
from papers.tables import FORMS, carried


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("k", [2, 10])
def test_operations(name, k):
    """Entities, elements and loops give the same; an operation is a statement whose size doesn't grow."""
    whole, loops, _ = OPERATIONS[name]
    args = operands(name, k)
    recorded = ((whole, {"entities": True}), (whole, {}), (loops, {}))
    tapes = [s2sad.record(f, jit=False, **options)(*args) for f, options in recorded]
    w = np.cos(np.arange(tapes[0].value.size)).reshape(tapes[0].value.shape)
    first, *others = (t.reverse(w) for t in tapes)
    for other in others:
        for a, b in zip(first, other, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-12)
    stats, *more = (t.stats() for t in tapes)
    assert stats.statements == 1
    assert stats.tape_bytes == 8 + 4 * (len(args) + 1) <= {2: 96, 3: 104}[len(args)]
    assert stats.primal_bytes == sum(a.nbytes for a in (*args, tapes[0].value))
    assert all(s.tape_bytes > 5 * stats.tape_bytes for s in more)


def test_burgers():
    """A program of elements gives the same on every tape; whole arrays are fewer operands than elements."""
    args = carried(9, 4)
    got = [s2sad.record(burgers2d, jit=False, **o)(*args) for o in FORMS.values()]
    first, *others = (t.reverse(1.0) for t in got)
    for other in others:
        for a, b in zip(first[:5], other[:5], strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-14)
    _, values, entities = (t.stats() for t in got)
    assert entities.arguments < values.arguments
