"""Kept arrays: last in, first out, of every type, layout and rank, in both halves of the runtime."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2sad_runtime import plain


def test_slots_and_take(rt):
    new_arena, real_slots, int_slots, bit_slots = rt.new_arena, rt.real_slots, rt.int_slots, rt.bit_slots
    hold = rt.hold
    take_real, take_int, take_bit = rt.take_real, rt.take_int, rt.take_bit

    @rt.jit(cache=False)
    def program(n):
        arena = new_arena()
        x = real_slots(arena, (n, 3))
        k = int_slots(arena, (n,))
        b = bit_slots(arena, (2, n, 2))
        e = real_slots(arena, (-5, n))
        for i in range(n):
            x[i, :] = i + 0.5
            k[i] = i
            b[:, i, :] = i % 2 == 0
        hold(arena, x)
        hold(arena, k)
        hold(arena, b)
        hold(arena, e)
        e2 = take_real(arena, 2)
        b2 = take_bit(arena, 3)
        k2 = take_int(arena, 1)
        x2 = take_real(arena, 2)
        return e.shape, e2.shape, b2.copy(), k2.copy(), x2.copy()

    shape, shape2, b, k, x = program(4)
    assert shape == shape2 == (0, 4)
    assert [a.dtype for a in (b, k, x)] == [np.bool_, np.int64, np.float64]
    np.testing.assert_array_equal(x, np.repeat(np.arange(4) + 0.5, 3).reshape(4, 3))
    np.testing.assert_array_equal(k, np.arange(4))
    np.testing.assert_array_equal(b[1, :, 0], [True, False, True, False])


def test_a_scalar_is_an_array_of_no_dimensions(rt):
    new_arena, real_slots, take_real, hold = rt.new_arena, rt.real_slots, rt.take_real, rt.hold

    @rt.jit(cache=False)
    def program(v):
        arena = new_arena()
        x = real_slots(arena, ())
        x[()] = v
        hold(arena, x)
        return take_real(arena, 0)[()]

    assert program(2.5) == 2.5


LAYOUTS = {
    "C": lambda a: a.copy(),
    "F": lambda a: np.asfortranarray(a),
    "strided": lambda a: np.repeat(a, 2, axis=-1)[..., ::2],
    "reversed": lambda a: a[..., ::-1].copy()[..., ::-1],
}


CASES = [(layout, np.float64, shape) for layout in LAYOUTS for shape in [(7,), (3, 4)]] + [
    ("C", np.float32, (3, 4)),
    ("C", np.int64, (7,)),
    ("F", np.int32, (3, 4)),
    ("C", np.bool_, (7,)),
    ("strided", np.complex128, (3, 4)),
    ("F", np.float64, (2, 3, 4)),
]


@pytest.mark.parametrize(("layout", "dtype", "shape"), CASES)
def test_keep_and_restore(layout, dtype, shape):
    program = _keep_and_restore()
    a = LAYOUTS[layout]((np.arange(np.prod(shape)) % 5).reshape(shape).astype(dtype))
    before = a.copy()
    program(a, LAYOUTS[layout](a * 0))
    np.testing.assert_array_equal(a, before)


_made = []


def _keep_and_restore():
    if not _made:
        import s2sad_runtime as rt

        new_arena, keep, restore = rt.new_arena, rt.keep, rt.restore

        @rt.jit(cache=False)
        def program(a, other):
            arena = new_arena()
            keep(arena, a)
            keep(arena, other)
            a[...] = other
            restore(arena, other)
            restore(arena, a)

        _made.append(program)
    return _made[0]


def test_keep_makes_a_copy_and_hold_does_not(rt):
    new_arena, keep, hold, own, take_real = rt.new_arena, rt.keep, rt.hold, rt.own, rt.take_real

    @rt.jit(cache=False)
    def program(a):
        arena = new_arena()
        mine = own(arena, a.T)
        hold(arena, mine)
        keep(arena, mine)
        mine[0, 0] = 100.0
        kept = take_real(arena, 2)
        held = take_real(arena, 2)
        return kept.copy(), held.copy()

    a = np.arange(6.0).reshape(2, 3)
    kept, held = program(a)
    np.testing.assert_array_equal(kept, a.T)
    assert (held[0, 0], a[0, 0]) == (100, 0)
    np.testing.assert_array_equal(held[1:], a.T[1:])


def test_own_keeps_the_dtype(rt):
    new_arena, own = rt.new_arena, rt.own

    @rt.jit(cache=False)
    def program(a):
        return own(new_arena(), a)[0] + a[1]

    assert program(np.array([1, 2], np.int32)) == 3
    assert program(np.array([0.5, 2], np.float32)) == 2.5
    assert program(np.arange(8.0)[::2]) == 2


@pytest.mark.parametrize("make", [np.zeros, np.ones, lambda n: np.arange(n) > 1, lambda n: np.ones((n, 3))])
def test_slots_that_grow(rt, make):
    new_arena, own, grown, hold = rt.new_arena, rt.own, rt.grown, rt.hold

    @rt.jit(cache=False)
    def program(a):
        arena = new_arena()
        b = grown(arena, grown(arena, own(arena, a)))
        hold(arena, b)
        return b.copy()

    for n in (1, 3, 1000):
        made = program(make(n))
        assert made.shape == (4 * n, *make(n).shape[1:])
        np.testing.assert_array_equal(made[:n], make(n))


def test_narrow_integers_are_held_as_int64(rt):
    new_arena, own, hold, take_int = rt.new_arena, rt.own, rt.hold, rt.take_int

    @rt.jit(cache=False)
    def program(a):
        arena = new_arena()
        hold(arena, own(arena, a))
        return take_int(arena, 1).copy()

    made = program(np.array([3, -4], np.int32))
    assert made.dtype == np.int64
    np.testing.assert_array_equal(made, [3, -4])


def test_float32_is_kept_as_such(rt):
    new_arena, keep, take_single = rt.new_arena, rt.keep, rt.take_single

    @rt.jit(cache=False)
    def program(a):
        arena = new_arena()
        keep(arena, a)
        return take_single(arena, 1).copy()

    assert program(np.ones(2, np.float32)).dtype == np.float32


def test_a_record_taken_as_something_else_is_refused(rt):
    new_arena, keep, restore = rt.new_arena, rt.keep, rt.restore
    take_real, take_int = rt.take_real, rt.take_int

    @rt.jit(cache=False)
    def program(a, case):
        arena = new_arena()
        if case > 0:
            keep(arena, a)
        if case == 1:
            return take_int(arena, 1)[0] + 0.0
        if case == 2:
            return take_real(arena, 2)[0, 0]
        if case == 3:
            restore(arena, np.empty(7))
        if case == 4:
            restore(arena, np.empty((2, 2)))
        return take_real(arena, 1)[0]

    assert program(np.ones(2), 5) == 1
    for case in range(5):
        with pytest.raises(TypeError, match="the top record of the arena"):
            program(np.ones(2), case)


def test_a_shape_too_big_is_an_error():
    import s2sad_runtime as rt

    new_arena, real_slots = rt.new_arena, rt.real_slots

    @rt.jit(cache=False)
    def program(n, m):
        return real_slots(new_arena(), (n, m))[0, 0]

    for n, m in [(1 << 40, 1 << 40), (1 << 61, 1), (1 << 46, 1)]:
        with pytest.raises(MemoryError):
            program(n, m)


def test_big_arrays_start_at_a_cache_line():
    import s2sad_runtime as rt
    from s2sad_runtime.views import address

    new_arena, real_slots, keep, take_real = rt.new_arena, rt.real_slots, rt.keep, rt.take_real

    @rt.jit(cache=False)
    def program(n):
        arena = new_arena()
        one, two = address(real_slots(arena, (n,))), address(real_slots(arena, (n,)))
        keep(arena, np.zeros(n))
        return one % 64, two % 64, address(take_real(arena, 1)) % 64

    for n in (512, 1000, 100_000, 1_000_000):
        assert program(n) == (0, 0, 0)
    assert all(left % 8 == 0 for left in program(3))


def test_a_long_stack(rt):
    new_arena, keep, restore = rt.new_arena, rt.keep, rt.restore
    int_slots, take_int, hold = rt.int_slots, rt.take_int, rt.hold

    @rt.jit(cache=False)
    def program(n):
        arena = new_arena()
        a = np.zeros(5)
        for k in range(n):
            a[:] = k
            keep(arena, a)
            counts = int_slots(arena, (k % 7,))
            counts[:] = k
            hold(arena, counts)
        wrong = 0
        for k in range(n - 1, -1, -1):
            wrong += np.sum(take_int(arena, 1) != k)
            restore(arena, a)
            wrong += np.sum(a != k)
        return wrong

    assert program(20_000) == 0


SHAPES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 60)), max_size=12)


@settings(max_examples=25)
@given(SHAPES)
def test_any_order_of_puts_and_takes_agrees_with_the_plain_twin(steps):
    np.testing.assert_array_equal(_random(_compiled(), steps), _random(plain, steps))


def _compiled():
    """The jitted functions as something that can be called from here."""
    import s2sad_runtime as rt

    if "put" not in _callable:
        keep, take_real, new_arena, fork = rt.keep, rt.take_real, rt.new_arena, rt.fork

        class Compiled:
            pass

        @rt.jit(cache=False)
        def new():
            return new_arena()

        @rt.jit(cache=False)
        def put(arena, a):
            keep(arena, a)

        @rt.jit(cache=False)
        def take(arena):
            return take_real(arena, 1).copy()

        @rt.jit(cache=False)
        def forked(arena):
            return fork(arena)

        _callable["put"] = Compiled
        Compiled.new_arena, Compiled.keep, Compiled.fork = map(staticmethod, (new, put, forked))
        Compiled.take_real = staticmethod(lambda arena, ndim: take(arena))
    return _callable["put"]


_callable = {}


def _random(rt, steps):
    arenas, heights, out = [rt.new_arena()], [0], [np.zeros(1)]
    for number, (what, size) in enumerate(steps):
        which = number % len(arenas)
        if what == 3 and len(arenas) < 4:
            arenas.append(rt.fork(arenas[which]))
            heights.append(heights[which])
        elif what == 2 and heights[which]:
            out.append(np.array(rt.take_real(arenas[which], 1)))
            heights[which] -= 1
        else:
            rt.keep(arenas[which], np.arange(size * 50.0) + number)
            heights[which] += 1
    for arena, height in zip(arenas, heights, strict=True):
        out += [np.array(rt.take_real(arena, 1)) for _ in range(height)]
    return np.concatenate(out)
