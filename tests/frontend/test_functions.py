"""Calls that stay calls: how many functions they make, what they cost, and what they save."""

import numpy as np
import pytest

import s2sad
import s2sad_runtime
from s2sad.frontend.lower import lower
from s2sad.ir import spec
from s2sad.ir.interpret import run
from s2sad.ir.nodes import INT, REAL, Call, Region
from s2sad.ir.walk import statements
from s2sad.pipeline import emit_text


def power(x, n):
    return 1.0 if n == 0 else x * power(x, n - 1)


def both_kinds(x, n):
    return power(x, n) + power(n, 2) * power(2, n) + power(x * x, 3)


def test_one_function_per_kinds():
    fn = lower(both_kinds, (REAL, INT))
    assert {n: [f.kinds[p] for p in f.params] for n, f in fn.callees.items()} == {
        "power": [REAL, INT],
        "power_2x": [INT, INT],
    }
    for f in (fn, *fn.callees.values()):
        assert spec.check(f) == []
    assert run(fn, [1.5, 3]) == [both_kinds(1.5, 3)]


def test_names_stay_clear_of_what_handlers_make():
    text = emit_text(power, (REAL, INT))
    assert "def power_self(x, n):" in text
    assert "def power_fwd(" in text
    assert "def power_self_rev(" in text


def writes(a, b, i):
    a[i] = b[i]
    return a[i] if i == 0 else writes(a, b, i - 1)


def test_calls_tell_exactly_what_is_written():
    fn = lower(writes, (s2sad.frontend.kinds.kind_of_text("float64[:]"),) * 2 + (INT,))
    calls = [s for f in (fn, *fn.callees.values()) for s in statements(f.body) if isinstance(s, Call)]
    assert [c.writes for c in calls] == [("a",), ("a",)]


@pytest.mark.parametrize("jit", [False, True])
def test_a_deep_recursion_is_run_once(jit):
    """The text of the reverse sweep calls each half once: no step is run again by those around it."""
    text = emit_text(power, (REAL, INT))
    assert text.count("power_self_fwd(x, t_2") + text.count("power_self_fwd(x, t,") == 2
    grad = s2sad.grad(power, jit=jit)
    assert grad(1.001, 200) == pytest.approx(200 * 1.001**199, rel=1e-12)


@s2sad.checkpoint
def step(u, v, dt):
    for _ in range(20):
        for i in range(len(u)):
            v[i] = v[i] - dt * np.sin(u[i])
        for i in range(len(u)):
            u[i] = u[i] + dt * v[i] * v[i]


def by_function(u0, dt, n):
    u = u0.copy()
    v = u0 * 0.5
    for _ in range(n):
        step(u, v, dt)
    return np.sum(u)


def by_region(u0, dt, n):
    u = u0.copy()
    v = u0 * 0.5
    for _ in range(n):
        with s2sad.checkpoint():
            for _ in range(20):
                for i in range(len(u)):
                    v[i] = v[i] - dt * np.sin(u[i])
                for i in range(len(u)):
                    u[i] = u[i] + dt * v[i] * v[i]
    return np.sum(u)


def plainly(u0, dt, n):
    u = u0.copy()
    v = u0 * 0.5
    for _ in range(n):
        for _ in range(20):
            for i in range(len(u)):
                v[i] = v[i] - dt * np.sin(u[i])
            for i in range(len(u)):
                u[i] = u[i] + dt * v[i] * v[i]
    return np.sum(u)


def test_what_is_run_again_is_not_kept():
    assert any(isinstance(s, Region) for s in statements(lower(by_region, KINDS).body))
    assert [s.joint for s in statements(lower(by_function, KINDS).body) if isinstance(s, Call)] == [True]
    u = np.linspace(0.0, 1.0, 2000)
    kept, gradients = [], []
    for f in (by_function, by_region, plainly):
        grad = s2sad.grad(f)
        grad(u[:3], 0.01, 1)
        s2sad_runtime.release_memory()
        gradients.append(grad(u, 0.01, 50))
        kept.append(s2sad_runtime.memory().kept)
    s2sad_runtime.release_memory()
    np.testing.assert_allclose(gradients[0], gradients[2], rtol=1e-10)
    np.testing.assert_allclose(gradients[1], gradients[2], rtol=1e-10)
    assert max(kept[:2]) * 4 < kept[2]


KINDS = (s2sad.frontend.kinds.kind_of_text("float64[:]"), REAL, INT)


def raising(x, n):
    if n > 4:
        raise ValueError("too deep")
    return x if n == 0 else x * raising(x, n - 1)


@pytest.mark.parametrize("jit", [False, True])
def test_exceptions_come_through(jit):
    grad = s2sad.grad(raising, jit=jit)
    assert grad(2.0, 3) == 32.0
    with pytest.raises(ValueError, match="too deep"):
        grad(2.0, 5)
    assert grad(2.0, 3) == 32.0


def test_a_mark_changes_nothing_else():
    assert step.s2sad_checkpoint
    assert not hasattr(plainly, "s2sad_checkpoint")


def base(x):
    return x * x * x


def times(inner):
    def f(x):
        return inner(x) * x

    return f


def test_derivatives_are_told_apart():
    """The gradient and the second derivative of one function, in functions of one text."""
    slope = s2sad.grad(base, jit=False)
    found = [s2sad.grad(times(d), jit=False)(2.0) for d in (slope, s2sad.grad(slope, jit=False))]
    assert found == [36.0, 24.0]
