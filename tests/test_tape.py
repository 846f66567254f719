"""Tapes: what they give for one run, in how many bytes, and what is refused. (The corpus is recorded in checks.py.)"""

import gc
import os
import runpy
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest

import s2sad
import s2sad_runtime

MANAGERS = ("linear", "reuse", "multiuse")


def model(x, w, n):
    y = x.copy()
    for k in range(n):
        z = y
        y = np.tanh(w * z) + 0.1 * k
    return y, np.sum(y) * w


def model_slopes(x, w, n, direction):
    """The tangent of `model` along (direction of x, 1.0), by hand."""
    y, y_d = x.copy(), direction.copy()
    for k in range(n):
        t = np.tanh(w * y)
        y, y_d = t + 0.1 * k, (1.0 - t * t) * (w * y_d + y)
    return y_d, np.sum(y_d) * w + np.sum(y)


X = np.array([0.3, -0.7, 1.1])


@pytest.fixture(params=[False, True], ids=["plain", "compiled"])
def jit(request):
    return request.param


@pytest.mark.parametrize("index", MANAGERS)
def test_forward_is_what_it_is_by_hand(index, jit):
    direction = np.array([1.0, 0.5, -2.0])
    tape = s2sad.record(model, index=index, jit=jit)(X, 0.8, 3)
    got = tape.forward(direction, 1.0, None)
    for a, b in zip(got, model_slopes(X, 0.8, 3, direction), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-13)


@pytest.mark.parametrize("index", MANAGERS)
def test_reverse_is_the_transpose_of_forward_again_and_again(index, jit):
    tape = s2sad.record(model, index=index, jit=jit)(X, 0.8, 3)
    bar = (np.array([1.0, 2.0, 3.0]), 0.5)
    first = tape.reverse(bar)
    assert first[2] is None
    direction = np.array([1.0, 0.5, -2.0])
    y_d, s_d = tape.forward(direction, 1.0, None)
    assert first[0] @ direction + first[1] == pytest.approx(bar[0] @ y_d + bar[1] * s_d, rel=1e-13)
    tape.reverse((np.ones(3), 7.0))
    np.testing.assert_array_equal(tape.reverse(bar)[0], first[0])


@pytest.mark.parametrize("index", MANAGERS)
def test_several_directions_in_one_sweep(index, jit):
    tape = s2sad.record(model, index=index, jit=jit)(X, 0.8, 3)
    bars = (np.arange(12.0).reshape(4, 3), np.arange(4.0))
    x_b, w_b, _ = tape.reverse(bars)
    assert x_b.shape == (4, 3)
    for k in range(4):
        one = tape.reverse((bars[0][k], bars[1][k]))
        np.testing.assert_allclose(x_b[k], one[0], rtol=1e-13)
        np.testing.assert_allclose(w_b[k], one[1], rtol=1e-13)
    y_d, _ = tape.forward(np.eye(3), None, None)
    for k in range(3):
        np.testing.assert_allclose(y_d[k], tape.forward(np.eye(3)[k], None, None)[0], rtol=1e-13)


@pytest.mark.parametrize("values", ["jacobian", "primal"])
@pytest.mark.parametrize("count", [1, 2, 5, 9, 16, 19, 33])
def test_any_number_of_directions(count, values, jit):
    """Rows of lanes are as wide as there is code for, and more than sixteen directions go one after the other."""
    tape = s2sad.record(directed, values=values, jit=jit)(X, 0.8)
    bars = np.cos(np.arange(3.0 * count)).reshape(count, 3)
    x_b, w_b = tape.reverse(bars)
    x_d = tape.forward(bars, np.ones(count))
    assert (x_b.shape, w_b.shape, x_d.shape) == ((count, 3), (count,), (count, 3))
    slope = 0.8 * (1.0 - np.tanh(0.8 * X) ** 2)
    np.testing.assert_allclose(x_b, bars * slope, rtol=1e-13)
    np.testing.assert_allclose(w_b, bars @ (slope / 0.8 * X), rtol=1e-13)
    np.testing.assert_allclose(x_d, bars * slope + slope / 0.8 * X, rtol=1e-13)


def directed(x, w):
    y = np.zeros_like(x)
    for i in range(len(x)):
        if x[i] * w > -100.0:
            y[i] = np.tanh(w * x[i])
    return y


def test_the_value_is_a_copy():
    x = X.copy()
    tape = s2sad.record(model, jit=False)(x, 0.8, 0)
    x[:] = 0.0
    np.testing.assert_array_equal(tape.value[0], X)


def test_an_adjoint_of_zero_passes_nothing_on(jit):
    """The slope of the root at 0 is infinite, and the untaken arm of a `where` doesn't spoil the taken one."""

    tape = s2sad.record(root_beside, jit=jit)(0.0)
    assert tape.reverse((1.0, 0.0)) == (1.0,)


def root_beside(x):
    return 3.0 * x - 2.0 * x, np.sqrt(x)


# ----- copies ------------------------------------------------------------------------------------------------


def copies(x, n):
    a = x
    for _ in range(n):
        b = a
        c = b
        a = c * 0.5
    return a


def test_copies_are_elided(jit):
    tapes = {index: s2sad.record(copies, index=index, jit=jit, check=True)(3.0, 10) for index in MANAGERS}
    stats = {index: tape.stats() for index, tape in tapes.items()}
    assert {tape.reverse(1.0)[0] for tape in tapes.values()} == {0.5**10}
    assert stats["reuse"].copies_elided == 0
    for index in ("linear", "multiuse"):
        assert stats[index].copies_elided == stats["reuse"].statements - stats[index].statements == 21
        assert stats[index].statements == 10
    assert stats["multiuse"].index_max <= 3


def copies_in_arrays(x, n):
    a = x.copy()
    b = np.zeros_like(x)
    for k in range(n):
        b[...] = a
        b[0] = b[0]
        a = b.copy()
        a[k % 3] = a[k % 3] * b[1]
    return np.sum(a)


@pytest.mark.parametrize("index", MANAGERS)
def test_copies_of_arrays_and_self_copies(index, jit):
    _, pull = s2sad.vjp(copies_in_arrays, X, 4, jit=False)
    tape = s2sad.record(copies_in_arrays, index=index, jit=jit, check=True)(X, 4)
    np.testing.assert_allclose(tape.reverse(1.0)[0], pull(1.0)[0], rtol=1e-13)
    if index == "multiuse":
        assert tape.stats().statements == 5  # four products and the sum
        assert tape.stats().copies_elided == 31


# ----- bytes -------------------------------------------------------------------------------------------------


def test_bytes_follow_the_formulas(jit):
    for index in MANAGERS:
        s = s2sad.record(model, index=index, jit=jit)(X, 0.8, 5).stats()
        left = 0 if index == "linear" else 4 * s.statements
        counts = 4 * (s.index_max + 1) if index == "multiuse" else 0
        assert s.tape_bytes == 12 * s.arguments + s.statements + left
        assert (s.index_bytes, s.use_count_bytes) == (left, counts)
        assert s.adjoint_bytes == 8 * (s.index_max + 1)
        assert s.formula_bytes == s.adjoint_bytes + left + counts
        assert s.total_bytes == s.tape_bytes + s.adjoint_bytes + counts
        if index == "linear":
            assert s.index_max == s.inputs + s.statements
        assert str(s).splitlines()[1].split() == ["statements", f"{s.statements:,}"]


def long_sum(x):
    return np.sum(x) * np.dot(x, x)


def test_a_statement_of_many_arguments_is_put_down_in_parts(jit):
    x = np.linspace(0.1, 1.0, 1000)
    want = np.dot(x, x) + 2.0 * x * np.sum(x)
    for index in MANAGERS:
        tape = s2sad.record(long_sum, index=index, jit=jit, check=True)(x)
        np.testing.assert_allclose(tape.reverse(1.0)[0], want, rtol=1e-12)


def many(x, n):
    s = x
    for k in range(n):
        s = s * 0.999 + x * 0.001
    return s


def test_many_chunks():
    tape = s2sad.record(many)(2.0, 200_000)
    assert tape.reverse(1.0)[0] == pytest.approx(1.0, rel=1e-9)
    assert len(tape._held.chunks) > 3
    assert tape.stats().index_max == 2


def lent():
    gc.collect()
    return s2sad_runtime.memory().lent


KEEPS_ITS_TAPE = """
import s2sad

def model(x):
    return x * x

tape = s2sad.record(model, jit=False)(3.0)
"""


def test_a_module_that_keeps_its_tape_can_go(tmp_path):
    """Nothing of s2sad refers to a function for good: it would refer to all that is in its module."""
    (tmp_path / "program.py").write_text(KEEPS_ITS_TAPE)
    tape = weakref.ref(runpy.run_path(str(tmp_path / "program.py"))["tape"])
    gc.collect()
    assert tape() is None


def test_memory_comes_back():
    before = lent()
    tape = s2sad.record(many)(2.0, 50_000)
    assert lent() > before
    del tape
    assert lent() == before


def may_raise(x, n):
    y = np.zeros(1000)
    s = x
    for k in range(n):
        s = s * x
        y[k % 1000] = s
        if k == 40_000:
            raise ValueError("too far")
    return s + y[0]


def test_exceptions_come_through_and_lose_nothing():
    recorder = s2sad.record(may_raise, check=True)
    assert recorder(1.0, 3).reverse(1.0) == (6.0, None)  # of x**4 + x**2
    before = lent()
    for _ in range(3):
        with pytest.raises(ValueError, match="too far"):
            recorder(1.0, 50_000)
    assert lent() == before


def test_sweeps_on_several_threads():
    tape = s2sad.record(model)(X, 0.8, 50)
    want = tape.reverse((np.ones(3), 1.0))[0]
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(tape.reverse((np.ones(3), 1.0))[0])) for _ in range(8)
    ]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for got in found:
        np.testing.assert_array_equal(got, want)


LOADED = """
import numpy as np
import s2sad

tape = s2sad.Tape.load("t.npz")
assert tape.reverse(1.0)[0] == 0.125
assert np.array_equal(tape.reverse(np.array([2.0, 4.0]))[0], [0.25, 0.5])
assert tape.forward(8.0, None) == 1.0
"""


@pytest.mark.parametrize("off", ["0", "1"])
def test_a_tape_of_another_process(off, tmp_path):
    """Where Numba compiles nothing as well."""
    s2sad.record(copies, jit=False)(8.0, 3).save(tmp_path / "t.npz")
    environment = os.environ | {"NUMBA_DISABLE_JIT": off}
    subprocess.run([sys.executable, "-c", LOADED], cwd=tmp_path, env=environment, check=True, timeout=300)


# ----- what is refused -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "call"),
    [
        ("S097", lambda: s2sad.record(model, index="stack")),
        ("S097", lambda: s2sad.record(model, values="none")),
        ("S061", lambda: s2sad.record(s2sad.grad(copies, jit=False))),
        ("S094", lambda: s2sad.record(model, fast=True)),
        ("S092", lambda: s2sad.record(copies, jit=False)(3.0, 1).reverse(np.ones((2, 2)))),
        ("S092", lambda: s2sad.record(model, jit=False)(X, 0.8, 1).reverse(1.0)),
        ("S092", lambda: s2sad.record(model, jit=False)(X, 0.8, 1).reverse((np.ones((2, 3)), np.ones(3)))),
        ("S090", lambda: s2sad.record(copies, jit=False)(3.0, 1).forward(1.0)),
        ("S091", lambda: s2sad.record(model, jit=False)(X, 0.8, 1).forward(np.ones(4), None, None)),
        ("S091", lambda: s2sad.record(model, jit=False)(X, 0.8, 1).forward(np.ones((2, 3)), 1.0, None)),
        ("S062", lambda: s2sad.record(copies, jit=False)(3.0, 1).reverse("one")),
    ],
)  # fmt: skip
def test_refused(code, call):
    with pytest.raises(s2sad.S2sadError) as e:
        call()
    assert e.value.code == code


def test_the_decorator_records(jit):
    square = s2sad.differentiate(copies, jit=jit)
    assert square.record(8.0, 3).reverse(2.0) == (0.25, None)


def test_defaults_and_keywords(jit):
    assert s2sad.record(with_default, jit=jit)(3.0).reverse(1.0) == (2.0, 3.0)
    assert s2sad.record(with_default, jit=jit)(3.0, k=4.0).reverse(1.0) == (4.0, 3.0)


def with_default(x, k=2.0):
    return x * k
