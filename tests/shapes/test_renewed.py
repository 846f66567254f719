"""Arrays that nests overwrite are kept as they lie; where that could be seen they are copied."""

import inspect
from pathlib import Path

import numpy as np
import pytest
from checks import Run
from hypothesis import given, settings
from hypothesis import strategies as st

import s2sad_runtime
from s2sad import pipeline
from s2sad.frontend.kinds import kind_of_value
from s2sad_runtime import plain

FOLDER = Path(__file__).parent.parent / "golden" / "passes" / "renew"
U = np.linspace(0.3, 0.9, 30).reshape(5, 6)


def stepped(u0, c):
    u, new = u0.copy(), u0.copy()
    for _ in range(3):
        for i in range(1, u.shape[0] - 1):
            for j in range(2, u.shape[1]):
                new[i, j] = u[i, j] + c * np.sin(u[i - 1, j] * u[i, j - 2])
        u, new = new, u
    return np.sum(u * u)


def three_names(u0, c):
    """A wave: three buffers in turn, the outermost cells of each stay as they began."""
    old, u, new = u0.copy(), 0.9 * u0, u0.copy()
    for _ in range(4):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                new[i, j] = 2.0 * u[i, j] - old[i, j] + c * u[i, j] * (u[i + 1, j] + u[i, j - 1])
        old, u, new = u, new, old
    return np.sum(u * old)


def read_in_the_nest(u0, c):
    u, new = u0.copy(), u0.copy()
    for _ in range(3):
        for i in range(1, u.shape[0]):
            for j in range(u.shape[1]):
                new[i, j] = u[i, j] * new[i - 1, j] * c
        u, new = new, u
    return np.sum(u * u)


def not_everywhere(u0, c):
    u, new = u0.copy(), u0.copy()
    for _ in range(3):
        for i in range(u.shape[0]):
            for j in range(u.shape[1]):
                if u[i, j] > 0.5:
                    new[i, j] = c * u[i, j] * u[i, j]
        u, new = new, u
    return np.sum(u * new)


def looked_into(u0, c):
    u, new = u0.copy(), u0.copy()
    row = new[0]
    for _ in range(2):
        for i in range(u.shape[0]):
            for j in range(u.shape[1]):
                new[i, j] = c * u[i, j] * u[i, j]
        for i in range(u.shape[0]):
            for j in range(u.shape[1]):
                u[i, j] = new[i, j] * row[j]
    return np.sum(u * row)


def emitted(f):
    text = pipeline.emit_text(f, tuple(map(kind_of_value, (U, 0.4))), "adjoint", (0, 1))
    return text[text.index(f"def {f.__name__}_fwd") : text.index("@jit", text.index(f"def {f.__name__}_fwd"))]


def test_text(golden):
    golden(
        FOLDER / "stepped.py",
        f"# {inspect.getsource(stepped).rstrip()}".replace("\n", "\n# ") + f"\n\n{emitted(stepped)}",
    )


@pytest.mark.parametrize("f", [stepped, three_names])
def test_renewed(f):
    assert "renewed(arena, new" in emitted(f)
    assert "keep(" not in emitted(f)


@pytest.mark.parametrize("f", [read_in_the_nest, not_everywhere, looked_into])
def test_copied(f):
    assert "renewed" not in emitted(f)


@pytest.mark.parametrize("f", [stepped, three_names, read_in_the_nest, not_everywhere, looked_into])
def test_gradient(f):
    Run.of(f, (U, 0.4), jit=False, cache=False).gradient()


@pytest.mark.parametrize("shape", [(5, 6), (2, 2), (3, 0)], ids=str)
def test_compiled(shape):
    u = np.resize(U, shape)
    Run.of(three_names, (u, 0.4), jit=True).gradient()


@s2sad_runtime.jit(cache=False)
def one(a, box):
    arena = s2sad_runtime.new_arena()
    mine = s2sad_runtime.own(arena, a)
    other = s2sad_runtime.renewed(arena, mine, box)
    return other.copy(), s2sad_runtime.take_real(arena, a.ndim).copy()


@settings(max_examples=60)
@given(st.data())
def test_what_is_around_the_box(data):
    shape = tuple(data.draw(st.integers(0, 4)) for _ in range(data.draw(st.integers(1, 2))))
    box = tuple(data.draw(st.integers(-2, 6)) for _ in range(2 * len(shape)))
    a = np.arange(1.0, 1.0 + np.prod(shape)).reshape(shape)
    compiled, kept = one(a, box)
    arena = []
    expected = plain.renewed(arena, a, box)
    around = ~np.isnan(expected)
    np.testing.assert_array_equal(compiled[around], a[around])
    np.testing.assert_array_equal(expected[around], a[around])
    np.testing.assert_array_equal(kept, a)
    assert arena[0] is a
