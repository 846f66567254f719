"""Kinds of values, of type names, and guesses."""

from typing import NamedTuple

import numpy as np
import pytest

from s2sad.errors import ArgumentError, KindError
from s2sad.frontend.kinds import guess_kinds, kind_of_text, kind_of_value, kinds_of_text


class Point(NamedTuple):
    x: float
    n: int


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (1.0, "real"), (np.float64(1.0), "real"), (1, "int"), (np.int32(1), "int"), (True, "bool"),
        (np.bool_(True), "bool"), (None, "none"), ("a", "text"), (len, "function"), (np.sin, "function"),
        (np.ones(3), "real[:]"), (np.ones((2, 3), dtype=np.int64), "int[:, :]"), (np.array(1.0), "real"),
        (np.ones(2) > 0, "bool[:]"), (np.ones((2, 3)).T, "real[:, :]"), (Point(1.0, 2), "(real, int)"),
        ((1.0, (2, np.ones(1))), "(real, (int, real[:]))"), (np.float32(1.0), "float32"),
        (np.ones(2, dtype=np.float32), "float32[:]"),
    ],
)  # fmt: skip
def test_of_value(value, kind):
    assert str(kind_of_value(value)) == kind


@pytest.mark.parametrize(
    "value",
    [
        np.float16(1.0),
        np.ones(2, dtype=np.float16),
        np.ones((1, 1)).view(np.matrix),
        np.ma.array([1.0], mask=[True]),
        1j,
        np.ones(2) * 1j,
        [1j],
        {1.0},
        object(),
        np.ones(2).astype(">f8"),
    ],
)
def test_of_value_refused(value):
    with pytest.raises(KindError) as caught:
        kind_of_value(value)
    assert caught.value.code == "S062"


def test_of_text():
    assert str(kind_of_text("float64[:, :]")) == "real[:, :]"
    assert [str(k) for k in kinds_of_text("float64, int64[:], (float, bool[:]), none")] == [
        "real", "int[:]", "(real, bool[:])", "none",
    ]  # fmt: skip
    assert str(kind_of_text("float32[:, :]")) == "float32[:, :]"
    assert kinds_of_text("") == ()


@pytest.mark.parametrize("text", ["float65", "float64[", "float64[0]", "float64[:][:]", "float64, int64"])
def test_of_text_refused(text):
    with pytest.raises(ArgumentError) as caught:
        kind_of_text(text)
    assert caught.value.code == "S095"


def by_body(a, b, c, d, n, x, k):
    rows, cols = b.shape
    s = len(c) * x * rows * cols
    for i in range(n):
        s += a[i, 0] * c[k[i]]
    return s + d.shape[2]


def by_reductions(x, y, z, b):
    return np.mean(x) + np.dot(y, z) + max(b, 1.0)


def by_callee(p, y0, n, m, data, dt, k):
    def slope(v):
        return p * v[0] + v[1]

    y = y0
    for _ in range(m):
        y = y + dt * slope(y)
    return by_reductions(data, y, y, dt) + np.sum(np.sin(p) ** 2) + by_body(data, data, y, data, n, dt, k)


def by_annotation(x: float, n: int, a: "float64[:, :]", b: np.ndarray, w=None, flag=True):  # noqa: F821
    return x * b[n]


def test_guesses():
    assert [str(k) for k in guess_kinds(by_body)] == [
        "real[:, :]", "real[:, :]", "real[:]", "real[:, :, :]", "int", "real", "int[:]",
    ]  # fmt: skip
    assert [str(k) for k in guess_kinds(by_reductions)] == ["real[:]", "real[:]", "real[:]", "real"]
    assert [str(k) for k in guess_kinds(by_callee)] == [
        "real[:]", "real[:]", "int", "int", "real[:, :, :]", "real", "int[:]",
    ]  # fmt: skip
    assert [str(k) for k in guess_kinds(by_annotation)] == [
        "real",
        "int",
        "real[:, :]",
        "real[:]",
        "none",
        "bool",
    ]
