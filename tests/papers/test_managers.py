"""M. Sagebaum, J. Blühdorn, N. Gauger, "Index handling and assign optimization for algorithmic differentiation reuse
index managers": what they say of memory and of the managers, and the tables of docs/papers.md.
"""

from pathlib import Path

import numpy as np
import pytest

import s2sad
from papers.counting import counts
from papers.tables import MANAGERS, PROGRAMS, TABLES, bookkeeping, held, memory, recorded

PAGE = Path(__file__).parents[2] / "docs" / "papers.md"


@pytest.mark.parametrize("name", TABLES)
def test_the_page_shows_what_comes_out(name, golden):
    text = PAGE.read_text(encoding="utf-8")
    start, mark, rest = text.partition(f"<!-- {name} -->\n")
    assert mark
    golden(PAGE, start + mark + TABLES[name]() + "\n" + rest[rest.index("<!-- end -->") :])


@pytest.fixture(scope="module")
def stats():
    return {name: {index: recorded(name, index) for index in MANAGERS} for name in PROGRAMS}


def test_copies_are_statements_under_reuse_alone(stats):
    for of in stats.values():
        copies = of["reuse"].statements - of["multiuse"].statements
        assert of["linear"].copies_elided == of["multiuse"].copies_elided == copies
        assert of["linear"].statements == of["multiuse"].statements
        assert of["multiuse"].index_max <= of["reuse"].index_max


@pytest.mark.parametrize("directions", [1, 4, 16])
def test_memory_follows_equations_13_to_15(stats, directions):
    """Linear: d (s - s_c) adjoints. Reuse: d i_max adjoints, s indices. Multi-use: no indices of copies, i_max counts.

    (i_max counts index 0 as well, which is nobody's.)
    """
    for of in stats.values():
        copies, inputs = of["multiuse"].copies_elided, of["linear"].inputs
        every = inputs + of["reuse"].statements + 1
        assert memory(of["linear"])(directions) == 8 * directions * (every - copies)
        reuse, multi = of["reuse"], of["multiuse"]
        assert memory(reuse)(directions) == 8 * directions * (reuse.index_max + 1) + 4 * reuse.statements
        assert memory(multi)(directions) == (
            8 * directions * (multi.index_max + 1)
            + 4 * (reuse.statements - copies)
            + 4 * (multi.index_max + 1)
        )


def copied(x, copies):
    """Copies among elements of an array that have their indices: i_max is the same under reuse and multi-use."""
    n = len(x)
    y = 2.0 * x
    s = y[0] * y[1]
    for k in range(copies):
        y[k % n] = y[(k + 1) % n]
    for k in range(n):
        s = s + y[k]
    return s


@pytest.mark.parametrize("n", [2, 5, 20])
def test_multi_use_needs_less_exactly_when_there_are_fewer_indices_than_copies(n):
    recorders = {index: s2sad.record(copied, index=index, jit=False) for index in MANAGERS}
    x = np.linspace(1.0, 2.0, n)
    indices = 2 * n + 1 + 1  # (with index 0)
    seen = set()
    for copies in (0, indices - 2, indices - 1, indices, indices + 1, indices + 2, 4 * indices):
        reuse, multi = (recorders[index](x, copies).stats() for index in ("reuse", "multiuse"))
        assert reuse.index_max + 1 == multi.index_max + 1 == indices
        assert multi.copies_elided == copies
        for directions in (1, 4, 16):
            less = memory(multi)(directions) < memory(reuse)(directions)
            assert less == (indices < copies)
            seen.add(less)
    assert seen == {True, False}


def test_one_program_on_either_side_of_the_crossover(stats):
    """In one direction Burgers' equations have too few copies for multi-use to pay, Euler's equations enough."""
    less = {name: memory(of["multiuse"])(1) < memory(of["reuse"])(1) for name, of in stats.items()}
    assert less == {"Burgers": False, "Euler": True}


def test_a_vector_of_counts_takes_less_than_counted_references():
    for f, args in PROGRAMS.values():
        names, indices = held(f, args)
        plain, references, counted = bookkeeping(names, indices)
        assert plain < counted < references
        assert names >= indices


def test_the_linear_manager_looks_nothing_up():
    found = {m: counts(m) for m in ("LINEAR", "REUSE", "MULTI")}
    assert all(look_ups == 0 for _, look_ups in found["LINEAR"].values())
    assert found["REUSE"]["a statement"][1] == 0
    assert found["MULTI"]["a copy"] == (2, 2)
