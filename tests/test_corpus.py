"""Every case of the corpus in every mode, against references that s2sad has no part in."""

import numpy as np
import pytest
from corpus import CASES
from reference import assert_close, assert_same, directional, directions_like, gradient, weights_like

import s2sad
from s2sad.testing import differences, inner

each = pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
jitted = pytest.mark.parametrize("case", [c for c in CASES if c.full], ids=lambda c: c.name)


def is_scalar(value):
    return not isinstance(value, tuple) and np.ndim(value) == 0


def check_gradient(case, jit):
    """Value, gradient, arguments as f leaves them, and the same once more."""
    left = case.fresh()
    want = case.f(*left)
    if not is_scalar(want):
        check_pullback(case, jit)
        return
    derivative = s2sad.value_and_grad(case.f, argnums=case.active, jit=jit)
    for _ in range(2):
        args = case.fresh()
        value, got = derivative(*args)
        assert_same(value, want, "value")
        assert_same(args, left, "arguments afterwards")
        for k, g in zip(case.active, got, strict=True):
            if case.expected is not None:
                assert_close(g, case.expected[k], 1e-12, f"gradient of argument {k}")
            else:
                assert_close(g, *gradient(case.f, case.fresh(), k), f"gradient of argument {k}")


def check_tangent(case, jit):
    left = case.fresh()
    want = case.f(*left)
    tangents = directions_like(case.arguments)
    args = case.fresh()
    y, ydot = s2sad.jvp(case.f, args, tangents, jit=jit)
    assert_same(y, want, "value")
    assert_same(args, left, "arguments afterwards")
    if case.expected is not None:
        assert_close(
            ydot, inner(tuple(case.expected.values()), [tangents[k] for k in case.expected]), 1e-12, "jvp"
        )
    else:
        assert_close(ydot, *directional(case.f, case.fresh(), tangents), "jvp")


def check_pullback(case, jit):
    """The pullback: called twice, with the cotangents left alone, and dual to the tangent."""
    left = case.fresh()
    want = case.f(*left)
    weights = weights_like(want)
    args = case.fresh()
    y, pullback = s2sad.vjp(case.f, *args, jit=jit)
    assert_same(y, want, "value")
    assert_same(args, left, "arguments afterwards")
    first = pullback(weights)
    assert_same(weights, weights_like(want), "cotangents afterwards")
    assert_same(
        [g for g in pullback(weights) if g is not None], [g for g in first if g is not None], "second call"
    )
    assert len(first) == len(case.arguments)
    for k, g in enumerate(first):
        if k not in case.active:
            assert g is None
        elif case.expected is None:
            assert_close(g, *gradient(case.f, case.fresh(), k, weights), f"vjp of argument {k}")
    tangents = directions_like(case.arguments)
    _, ydot = s2sad.jvp(case.f, case.fresh(), tangents, jit=jit)
    assert_close(inner(first, tangents), inner(weights, ydot), 1e-11, "dot product")


def check_second_order(case, jit):
    """hvp against differences of the gradient."""
    if case.order < 2 or not is_scalar(case.f(*case.fresh())):
        pytest.skip("a kink, or not a scalar")
    tangents = directions_like(case.arguments)
    first = s2sad.grad(case.f, argnums=case.active, jit=jit)
    want = differences(lambda *args: first(*args), case.arguments, tangents)[0]
    args = case.fresh()
    left = case.fresh()
    case.f(*left)
    got = s2sad.hvp(case.f, args, tangents, jit=jit)
    assert_same(args, left, "arguments afterwards")
    got = (got,) if len(case.arguments) == 1 else tuple(got[k] for k in case.active)
    assert_close(got, want, 1e-6, "hvp")


@each
def test_gradient(case):
    check_gradient(case, jit=False)


@each
def test_tangent(case):
    check_tangent(case, jit=False)


@each
def test_pullback(case):
    check_pullback(case, jit=False)


@each
def test_second_order(case):
    check_second_order(case, jit=False)


@each
def test_gradient_compiled(case):
    check_gradient(case, jit=True)


@jitted
def test_tangent_compiled(case):
    check_tangent(case, jit=True)


@jitted
def test_pullback_compiled(case):
    check_pullback(case, jit=True)


@jitted
def test_second_order_compiled(case):
    check_second_order(case, jit=True)
