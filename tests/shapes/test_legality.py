"""What the passes must leave alone, and the smallest sizes of what they don't."""

import numpy as np
import pytest
from checks import Run

from s2sad import pipeline
from s2sad.frontend.kinds import kind_of_value
from s2sad.shapes.passes import PASSES

X, Y = np.array([0.7, -0.4, 0.9, 0.3, -0.6]), np.array([0.2, 0.5, -0.8, 0.6, 0.1])
TABLE = np.array([0, 2, 2, 1, 4])


def periodic(x, y):
    u = x.copy()
    for i in range(len(x)):
        u[i] = x[i] * x[i - 1] + y[i]
    return np.sum(u * u)


def in_place(x, y):
    u = x.copy()
    for i in range(1, len(x)):
        u[i] = u[i] * u[i - 1] + y[i]
    return np.sum(u * u)


def indirect(x, y):
    s = 0.0
    for i in range(len(x)):
        s += x[TABLE[i]] * x[TABLE[i]] * y[i]
    return s


def overlapping_views(x, y):
    left, right = x[:-1], x[1:]
    for i in range(1, len(left)):
        right[i] = left[i - 1] * y[i]
    return np.sum(x * x)


def from_anywhere(x, y, low):
    u = x.copy()
    for i in range(low, len(x) - 1):
        u[i] = x[i + 1] * x[i - 1] + y[i]
    return np.sum(u * u)


def carried(x, y):
    s = 0.0
    for i in range(1, len(x)):
        s = 0.5 * s * y[i] + x[i] * x[i - 1]
    return s


def triangle(x, y):
    s = 0.0
    for i in range(1, len(x)):
        for j in range(1, i):
            s += x[j] * x[j - 1] * y[i]
    return s


STAYS = {
    "periodic": (periodic, (X, Y)),
    "in_place": (in_place, (X, Y)),
    "indirect": (indirect, (X, Y)),
    "overlapping_views": (overlapping_views, (X, Y)),
    "from_anywhere": (from_anywhere, (X, Y, 0)),
    "carried": (carried, (X, Y)),
}
DOWNWARDS = ("in_place", "overlapping_views", "from_anywhere", "carried")


@pytest.mark.parametrize("name", STAYS)
def test_stays(name):
    f, arguments = STAYS[name]
    text = pipeline.emit_text(f, tuple(map(kind_of_value, arguments)), "adjoint", (0, 1))
    assert "gathers" not in text
    assert (", -1)" in text.partition("_rev(")[2]) == (name in DOWNWARDS)
    Run.of(f, arguments, jit=False, cache=False).gradient()


def elsewhere(x, y, n, k):
    s = y[0]
    for i in range(n):
        s += y[i] * x[k]
    return s


@pytest.mark.parametrize(("n", "k"), [(0, 9), (0, -9), (3, 4)])
def test_no_element_is_touched_that_was_not(n, k):
    """The element outside of the array is met by no iteration."""
    assert "x_sum" in pipeline.emit_text(
        elsewhere, tuple(map(kind_of_value, (X, Y, n, k))), "adjoint", (0, 1)
    )
    Run.of(elsewhere, (X, Y, n, k), jit=False, cache=False).gradient()


def test_rows_of_a_triangle_are_gathered_one_by_one():
    kinds = tuple(map(kind_of_value, (X, Y)))
    assert "frame_of_x_b(" in pipeline.emit_text(triangle, kinds)
    Run.of(triangle, (X, Y), jit=False, cache=False).gradient()


def smoothed(x, k, far):
    u = x.copy()
    n, m = x.shape
    for i in range(1, n - far):
        for j in range(2, m - 1):
            u[i, j] = x[i, j - 2] * k + x[i - 1, j + 1] * x[i + far, j]
    return np.sum(u * u)


@pytest.mark.parametrize("far", [0, 3])
@pytest.mark.parametrize("shape", [(0, 0), (1, 1), (2, 3), (2, 4), (3, 4), (4, 4), (5, 5), (5, 8), (8, 5)])
def test_small_boxes(shape, far):
    """Down to a box without iterations, and a core without cells: then the frame is all there is, or nothing."""
    x = np.random.default_rng(3).uniform(-1.0, 1.0, shape)
    Run.of(smoothed, (x, 0.3, far), jit=False, cache=False).gradient()
    Run.of(near, (x, 0.3), jit=False, cache=False).gradient()


def near(x, k):
    u = x.copy()
    n, m = x.shape
    for i in range(1, n - 2):
        for j in range(2, m - 1):
            u[i, j] = x[i, j - 2] * k + x[i - 1, j + 1] * x[i + 2, j]
    return np.sum(u * u)


def test_shares_at_a_known_distance_are_gathered():
    """Of `smoothed` two; the third, at a distance that a variable tells, stays where it is."""
    for f, arguments, stays in ((near, (0.3,), False), (smoothed, (0.3, 1), True)):
        text = pipeline.emit_text(f, tuple(map(kind_of_value, (np.ones((3, 3)), *arguments))))
        assert "frame_of_x_b" in text
        assert ("x_b[i + far, j" in text) == stays


def buffer_read_behind(x, y):
    """What is left in the other buffer counts, too: its adjoint is not zero when the reverse loop begins."""
    u, new = x.copy(), x.copy()
    for _ in range(3):
        for i in range(1, len(x) - 1):
            new[i] = u[i] + 0.1 * y[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1])
        u, new = new, u
    s = 0.0
    for i in range(len(x)):
        s += u[i] * new[i]
    return s


@pytest.mark.parametrize("jit", [False, True], ids=["plain", "compiled"])
def test_buffer_read_behind(jit):
    Run.of(buffer_read_behind, (X, Y), jit=jit, cache=False, passes=tuple(PASSES)).gradient()
