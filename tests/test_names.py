"""Names of the user's that mean something in emitted files as well: all of them work, and keep their keywords."""

import importlib

import numpy as np
import pytest

import s2sad
from s2sad import pipeline
from s2sad.ir.nodes import INT, REAL, Kind

RUNTIME = (
    "accumulate", "arena", "distinct", "fork", "frame", "guarded", "hold", "jit", "keep", "kept", "mark", "math",
    "new_arena", "np", "numba", "own", "own_arena", "release", "require", "restore", "total", "zeros_of",
)  # fmt: skip
OWN = (
    "f",
    "f_fwd",
    "f_rev",
    "f_grad",
    "f_d",
    "f_open",
    "f_pull",
    "s",
    "x_b",
    "x_d",
    "w",
    "y",
    "g",
    "arrays",
    "it",
)
BUILTINS = ("abs", "len", "sum", "int", "print", "__file__", "type", "match", "_")
NAMES = (*RUNTIME, *OWN, *BUILTINS)

PARAMETER = """\
def f({name}, b):
    c = {name}.copy()
    for i in range(3):
        c[i] = c[i] * b
        {name}[i] = c[i]
    q = 0.0
    for i in range(3):
        q += c[i] * c[i] * {name}[i] * b
    return q
"""
LOCAL = """\
def f(x, b):
    {name} = x
    for i in range(3):
        {name} = {name} * b * x
    return {name} * x
"""
FUNCTION = """\
def {name}(x, b):
    q = x
    for i in range(3):
        q = q * b * x
    return q * x
"""
CONSTANT = """\
{name} = 3.0


def main(x, b):
    q = x
    for i in range(3):
        q = q * b * {name}
    return q * x
"""


@pytest.fixture
def made(tmp_path, monkeypatch, request):
    """The function of a text, in a module of its own."""
    monkeypatch.syspath_prepend(tmp_path)

    def make(text, name):
        stem = f"names_{abs(hash(request.node.name))}_{len(list(tmp_path.iterdir()))}"
        (tmp_path / f"{stem}.py").write_text(text, encoding="utf-8")
        return getattr(importlib.import_module(stem), name)

    return make


def check(f, x, names, jit=False):
    """First and second derivatives for b of a function that is b's power times something."""

    def args():
        return {names[0]: np.copy(x) if np.ndim(x) else x, names[1]: 2.0}

    value = f(**args())
    power = round(np.log2(f(*args().values()) / f(*{**args(), names[1]: 1.0}.values())))
    slope, bend = power * value / 2.0, power * (power - 1) * value / 4.0
    got, gradient = s2sad.value_and_grad(f, 1, jit=jit)(**args())
    assert (got, gradient) == (value, pytest.approx(slope))
    assert s2sad.grad(f, (0, 1), jit=jit)(**args())[1] == pytest.approx(slope)
    primals = tuple(args().values())
    assert s2sad.jvp(f, primals, (None, 1.0), jit=jit)[1] == pytest.approx(slope)
    assert s2sad.vjp(f, *args().values(), jit=jit)[1](1.0)[1] == pytest.approx(slope)
    assert s2sad.hvp(f, tuple(args().values()), (None, 1.0), jit=jit)[1] == pytest.approx(bend)


@pytest.mark.parametrize("name", NAMES)
def test_parameters(name, made):
    check(made(PARAMETER.format(name=name), "f"), np.array([1.0, 2.0, 3.0]), (name, "b"))


@pytest.mark.parametrize("name", NAMES)
def test_locals(name, made):
    check(made(LOCAL.format(name=name), "f"), 1.5, ("x", "b"))


@pytest.mark.parametrize("name", [n for n in NAMES if n != "__file__"])
def test_functions(name, made):
    check(made(FUNCTION.format(name=name), name), 1.5, ("x", "b"))


@pytest.mark.parametrize("name", [n for n in NAMES if n != "__file__"])
def test_constants(name, made):
    check(made(CONSTANT.format(name=name), "main"), 1.5, ("x", "b"))


COMPILED = """\
new_arena = 3.0


def jit(guarded, np, zeros_of, jit_fwd=2):
    fork = guarded[0]
    for total in range(jit_fwd):
        fork = fork * np * new_arena + guarded[total]
        guarded[total] = fork
    return fork * zeros_of
"""


def test_compiled(made):
    f = made(COMPILED, "jit")
    x = np.array([1.0, 2.0])
    value, (g, slope) = s2sad.value_and_grad(f, (0, 1))(guarded=x.copy(), np=0.5, zeros_of=2.0)
    assert value == f(x.copy(), 0.5, 2.0)
    assert slope == pytest.approx((f(x.copy(), 0.501, 2.0) - f(x.copy(), 0.499, 2.0)) / 0.002)
    assert g == pytest.approx([(1.5**2 + 1.5) * 2.0, 2.0])


def test_drivers_of_emitted_files_take_other_names_where_they_must(made):
    f = made(COMPILED, "jit")
    text = pipeline.emit_text(f, (Kind("real", 1), REAL, REAL, INT), "adjoint", (0,))
    assert "def jit_grad(guarded_2, np_2, zeros_of_2, jit_fwd=2):" in text


def turned_over(u, n):
    a = u.copy()
    u *= 2.0
    for _ in range(n):
        a = np.tanh(np.arctan(np.tanh(a)))
        if n > 0:
            a = u
    return np.sum(a)


def test_versions_that_numba_would_mix_up_have_other_names():
    """`a_2` beside the second value of `a` in one array expression: Numba's own names for them are the same."""
    u = np.linspace(0.1, 0.9, 3)
    text = pipeline.emit_text(turned_over, (Kind("real", 1), INT), "adjoint", (0,), ())
    assert "seen = a_2" in text
    assert "a_2 * a_2" not in text
    assert s2sad.grad(turned_over, cache=False, passes=())(u, 2).tolist() == [2.0] * 3
