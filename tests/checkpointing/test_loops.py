"""Loops of `checkpoint_range`: the gradients of plain loops, in every mode; what they leave behind; what they refuse."""

import numpy as np
import pytest

import s2sad
from checkpointing import shapes
from s2sad import schedules
from s2sad.schedules import Restore, Reverse, Snapshot

PLAIN = {"jit": False}
ARGS = (shapes.START, 0.7)


@pytest.fixture(scope="session")
def plain(tmp_path_factory):
    return shapes.plain(tmp_path_factory.mktemp("shapes"))


def close(got, want, tolerance=1e-12):
    for a, b in zip(np.hstack(got), np.hstack(want), strict=True):
        assert abs(a - b) <= tolerance * max(1.0, abs(b))


@pytest.mark.parametrize("schedule", shapes.SCHEDULES)
@pytest.mark.parametrize("shape", shapes.SHAPES)
def test_gradients(shape, schedule, plain):
    """Thinned; tests/checkpointing/product.py is the whole of it."""
    want, got = (s2sad.grad(f, (0, 1), **PLAIN) for f in (plain[shape], shapes.made(shape, schedule)))
    for n, snapshots in ((0, 1), (1, 1), (2, 2), (5, 1), (6, 3), (9, 8), (11, 2)):
        close(got(*ARGS, n, snapshots), want(*ARGS, n, snapshots))


@pytest.mark.parametrize("shape", ["swapped", "calling"])
def test_compiled(shape, plain):
    got = s2sad.grad(shapes.made(shape, "revolve"), (0, 1))
    want = s2sad.grad(plain[shape], (0, 1), **PLAIN)
    for n, snapshots in ((0, 1), (7, 3)):
        close(got(*ARGS, n, snapshots), want(*ARGS, n, snapshots))


@pytest.mark.parametrize("shape", shapes.SHAPES)
def test_second_order_and_tangents(shape, plain):
    f, g = shapes.made(shape, "revolve"), plain[shape]
    directions = (np.array([0.3, -0.2, 0.5]), 0.9, None, None)
    for n in (3, 5):
        args = (*ARGS, n, 2)
        one, other = (s2sad.jvp(h, args, directions, **PLAIN) for h in (f, g))
        close(one, other)
        one, other = (s2sad.hvp(h, args, directions, **PLAIN)[:2] for h in (f, g))
        close(one, other, 1e-11)


@pytest.mark.parametrize("schedule", ["revolve", "disk"])
@pytest.mark.parametrize("shape", ["swapped", "leaving", "calling"])
def test_pullbacks_run_again(shape, schedule):
    f = shapes.made(shape, schedule)
    y, pullback = s2sad.vjp(f, *ARGS, 6, 2, **PLAIN)
    once = [g for g in pullback(1.0) if g is not None]
    twice = [g for g in pullback(2.0) if g is not None]
    close([2.0 * g for g in once], twice)
    close([g for g in pullback(1.0) if g is not None], once, 0.0)
    assert y == f(*ARGS, 6, 2)


def test_in_place_in_arguments():
    def f(u, x, n):
        for t in s2sad.checkpoint_range(n, 2):
            u[t % 3] = u[t % 3] * np.sin(u[1]) + x * t
        return np.sum(u * u)

    for n in (0, 1, 5):
        u, v = shapes.START.copy(), shapes.START.copy()
        y = f(v, 0.7, n)
        value, _ = s2sad.value_and_grad(f, (0, 1), **PLAIN)(u, 0.7, n)
        assert value == y
        assert np.array_equal(u, v)
        y, pullback = s2sad.vjp(f, shapes.START.copy(), 0.7, n, **PLAIN)
        _, dy = s2sad.jvp(f, (shapes.START.copy(), 0.7, n), (np.ones(3), 2.0, None), **PLAIN)
        a, b, _ = pullback(1.0)
        assert np.sum(a) + 2.0 * b == pytest.approx(dy, rel=1e-12)


class Latest:
    """A schedule of one's own: two snapshots, the second in the middle."""

    def __init__(self, n):
        self.n = n

    def __iter__(self):
        half = self.n // 2
        yield from (Snapshot(0), schedules.Advance(0, half), Snapshot(half))
        yield from (schedules.Advance(half, self.n - 1), Reverse(self.n - 1))
        for t in range(self.n - 2, -1, -1):
            start = half if t >= half else 0
            yield Restore(start)
            if t > start:
                yield schedules.Advance(start, t)
            yield Reverse(t)


OWN = Latest(6)
ROWS = schedules.rows(schedules.uniform(6, 3))


def own_object(x, n):
    for t in s2sad.checkpoint_range(n, schedule=OWN):
        x = np.sin(x) * (t + 1)
    return x


def own_array(x, n):
    for t in s2sad.checkpoint_range(n, schedule=ROWS):
        x = np.sin(x) * (t + 1)
    return x


def own_argument(x, n, rows):
    for t in s2sad.checkpoint_range(n, schedule=rows):
        x = np.sin(x) * (t + 1)
    return x


def plain_steps(x, n):
    for t in range(n):
        x = np.sin(x) * (t + 1)
    return x


def test_schedules_of_ones_own():
    want = s2sad.grad(plain_steps, **PLAIN)(0.7, 6)
    assert s2sad.grad(own_object, **PLAIN)(0.7, 6) == pytest.approx(want, rel=1e-14)
    assert s2sad.grad(own_array, **PLAIN)(0.7, 6) == pytest.approx(want, rel=1e-14)
    assert s2sad.grad(own_argument, **PLAIN)(0.7, 6, ROWS) == pytest.approx(want, rel=1e-14)
    with pytest.raises(ValueError, match="another number of steps"):
        s2sad.grad(own_object, **PLAIN)(0.7, 7)


def test_arrays_keep_their_shape():
    def f(u, n):
        for _ in s2sad.checkpoint_range(n, 2):
            u = np.concatenate((u, u))
        return np.sum(u * u)

    with pytest.raises(ValueError, match="has to keep its shape"):
        s2sad.grad(f, **PLAIN)(shapes.START, 4)


def test_a_number_that_only_the_loop_gives():
    def f(x, n):
        for t in s2sad.checkpoint_range(n, 2):
            y = x * t
            x = np.sin(x) + y
        return x * y

    def g(x, n):
        for t in range(n):
            y = x * t
            x = np.sin(x) + y
        return x * y

    for n in (1, 4):
        assert s2sad.grad(f, **PLAIN)(0.7, n) == pytest.approx(s2sad.grad(g, **PLAIN)(0.7, n), rel=1e-14)
    with pytest.raises(UnboundLocalError):
        s2sad.grad(f, **PLAIN)(0.7, 0)


def test_steps_are_run_as_often_as_the_schedule_says():
    """Counted in the emitted code, run without Numba."""
    from s2sad.ir.nodes import INT, REAL
    from s2sad.options import Options
    from s2sad.pipeline import Request, gradient

    def f(x, n, snapshots):
        for t in s2sad.checkpoint_range(n, snapshots):
            x = np.sin(x) * (t + 1)
        return x

    built = gradient(Request(f, 0, options=Options(jit=False)), (REAL, INT, INT))
    space = {}
    exec(compile(built.text, "emitted", "exec"), space)
    calls = {"f_step": 0, "f_step_fwd": 0}

    def counted(name):
        inner = space[name]

        def call(*args):
            calls[name] += 1
            return inner(*args)

        return call

    space |= {name: counted(name) for name in calls}
    for n, snapshots in ((1, 1), (10, 3), (23, 4)):
        calls.update(dict.fromkeys(calls, 0))
        space[built.entry](0.7, n, snapshots)
        assert calls == {"f_step": schedules.revolve(n, snapshots).forward_steps, "f_step_fwd": n}


# Functions with the names that steps and regions of others would have.


@s2sad.checkpoint
def advance_step(u, x):
    u[0] = np.sin(u[1] * x)
    u[1] = u[0] * u[1]


@s2sad.checkpoint
def advance(u, x, n):
    for t in s2sad.checkpoint_range(n, 2):
        advance_step(u, x * (t + 1))
    with s2sad.checkpoint():
        advance_region(u, x)
    return u[0]


@s2sad.checkpoint
def advance_region(u, x):
    u[0] = np.cos(u[0] * u[1]) * x


def top(u0, x, n):
    u = u0.copy()
    s = advance(u, x, n) + advance(u, x * 0.5, n)
    advance_step(u, x)
    advance_region(u, s)
    return np.sum(u * u) * s


def plain_step(u, x):
    u[0] = np.sin(u[1] * x)
    u[1] = u[0] * u[1]


def plain_region(u, x):
    u[0] = np.cos(u[0] * u[1]) * x


def plain_advance(u, x, n):
    for t in range(n):
        plain_step(u, x * (t + 1))
    plain_region(u, x)
    return u[0]


def top_plain(u0, x, n):
    u = u0.copy()
    s = plain_advance(u, x, n) + plain_advance(u, x * 0.5, n)
    plain_step(u, x)
    plain_region(u, s)
    return np.sum(u * u) * s


def test_names_of_steps_are_nobody_elses():
    u = np.array([0.5, 0.7])
    got, want = (s2sad.grad(f, (0, 1), **PLAIN)(u, 0.7, 3) for f in (top, top_plain))
    close(got, want)
