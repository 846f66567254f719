"""The index managers, compiled and plain: who has which index, and what the checking ones find."""

import numpy as np
import pytest

import s2sad_runtime
from s2sad_runtime import plain
from s2sad_runtime.contents import contents
from s2sad_runtime.plain_tape import LINEAR, MULTI, REUSE


def steps(rt):
    """A small run: two inputs, a product, a copy, the copy overwritten, ends."""
    tape_arena, new_tape, seal, jit = rt.tape_arena, rt.new_tape, rt.seal, rt.jit
    input_index, record, copy_index, free = rt.input_index, rt.record, rt.copy_index, rt.free

    @jit
    def run(manager, check):
        arena = tape_arena()
        tape = new_tape(arena, manager, check)
        x, y = input_index(tape), input_index(tape)
        p = record(tape, 0, x, 2.0, y, 3.0)
        c = copy_index(tape, 0, p)
        same = copy_index(tape, c, c)
        q = record(tape, c, x, 1.0)
        passive = record(tape, q, 0, 1.0)
        free(tape, p)
        z = record(tape, 0, y, 1.0, 0, 5.0)
        seal(tape)
        return (x, y, p, c, same, q, passive, z), arena

    return run


@pytest.mark.parametrize(
    ("manager", "indices", "statements", "copies"),
    [
        (LINEAR, (1, 2, 3, 3, 3, 4, 0, 5), 3, 2),
        (REUSE, (1, 2, 3, 4, 4, 4, 0, 3), 4, 0),
        (MULTI, (1, 2, 3, 3, 3, 4, 0, 3), 3, 2),
    ],
)
def test_who_has_which_index(rt, manager, indices, statements, copies):
    given, arena = steps(rt)(manager, 1)
    held = contents(arena)
    assert given == indices
    assert sum(c.sizes.size for c in held.chunks) == statements
    assert held.copies == copies
    assert held.highest == (5 if manager == LINEAR else 4)
    if manager != LINEAR:
        assert (held.live, held.most_live) == (3, 4)
    chunk = held.chunks[0]
    assert list(chunk.left) == {LINEAR: [], REUSE: [3, 4, 4, 3], MULTI: [3, 4, 3]}[manager]
    assert [int(s) for s in chunk.sizes] == ([2, 1, 1, 1] if manager == REUSE else [2, 1, 1])


def faulty(rt, fault):
    tape_arena, new_tape, jit, guarded = rt.tape_arena, rt.new_tape, rt.jit, rt.guarded
    input_index, record, copy_index, free = rt.input_index, rt.record, rt.copy_index, rt.free

    @jit
    def run(arena, manager):
        tape = new_tape(arena, manager, 1)
        x = input_index(tape)
        y = record(tape, 0, x, 1.0)
        free(tape, y)
        if fault == 0:
            free(tape, y)
        if fault == 1:
            copy_index(tape, 0, y)
        if fault == 2:
            record(tape, 0, y, 1.0)
        if fault == 3:
            record(tape, 0, y + 7, 1.0)
        return 0

    @jit
    def drive(manager):
        arena = tape_arena()
        return guarded(run, (arena,), arena, manager)

    return drive


@pytest.mark.parametrize("manager", [REUSE, MULTI])
@pytest.mark.parametrize("fault", range(4))
def test_the_checking_managers_find_faults(rt, manager, fault):
    with pytest.raises(RuntimeError, match="nobody holds"):
        faulty(rt, fault)(manager)


@pytest.mark.parametrize("manager", [LINEAR, REUSE, MULTI])
def test_compiled_and_plain_put_down_the_same(manager):
    """A random program of births, copies and ends."""

    def program(rt):
        tape_arena, new_tape, seal, jit = rt.tape_arena, rt.new_tape, rt.seal, rt.jit
        input_index, record, copy_index, free = rt.input_index, rt.record, rt.copy_index, rt.free

        @jit
        def run(manager, what, one, other):
            arena = tape_arena()
            tape = new_tape(arena, manager, 1)
            names = np.zeros(8, np.int64)
            names[0] = input_index(tape)
            for k in range(what.size):
                i, j = one[k], other[k]
                if what[k] == 0:
                    names[i] = copy_index(tape, names[i], names[j])
                elif what[k] == 1:
                    free(tape, names[i])
                    names[i] = 0
                else:
                    names[i] = record(tape, names[i], names[j], 0.5, names[0], 2.0)
                if k % 50 == 0:
                    free(tape, names[0])
                    names[0] = input_index(tape) if manager != 1 else names[0]
            seal(tape)
            return names, arena

        return run

    rng = np.random.default_rng(3)
    given = (rng.integers(0, 4, 3000), rng.integers(1, 8, 3000), rng.integers(0, 8, 3000))
    one, arena = program(s2sad_runtime)(manager, *given)
    other, tape = program(plain)(manager, *given)
    a, b = contents(arena), contents(tape)
    np.testing.assert_array_equal(one, other)
    for k in range(4):
        both = (np.concatenate([c[k] for c in held.chunks]) for held in (a, b))
        np.testing.assert_array_equal(*both)
    assert (a.live, a.most_live, a.highest, a.copies) == (
        (b.live, b.most_live, b.highest, b.copies) if manager != LINEAR else (0, 0, b.highest, b.copies)
    )
