"""The programs of J. Sigal, "Automatic differentiation via effects and handlers" (PEPM 2021), in our terms.

`evaluate` is the function itself, `diff` the tangent (`jvp`), `reverse` the adjoint (`vjp`), `d` the
derivative of a function of one variable, which nests; the secondary program of `reverse` is the pullback.
"""

import math

import pytest

import s2sad

modes = pytest.mark.parametrize("jit", [False, True], ids=["plain", "compiled"])


def term(x, y):
    """1 + x³ + (-y²), in the additions, products and negations of the paper."""
    return 1.0 + (((x * x) * x) + (-(y * y)))


def test_evaluate():
    assert term(2.0, 4.0) == -7.0


@modes
def test_evaluate_is_what_every_transform_returns(jit):
    assert s2sad.value_and_grad(term, jit=jit)(2.0, 4.0)[0] == -7.0
    assert s2sad.jvp(term, (2.0, 4.0), (1.0, 0.0), jit=jit)[0] == -7.0
    assert s2sad.vjp(term, 2.0, 4.0, jit=jit)[0] == -7.0


@modes
def test_diff(jit):
    """Dual numbers `dual 2 1` and `dual 4 0` give `dual -7 12`."""
    assert s2sad.jvp(term, (2.0, 4.0), (1.0, 0.0), jit=jit) == (-7.0, 12.0)
    assert s2sad.jvp(term, (2.0, 4.0), (1.0, None), jit=jit) == (-7.0, 12.0)
    assert s2sad.jvp(term, (2.0, 4.0), (0.0, 1.0), jit=jit) == (-7.0, -8.0)


@modes
def test_reverse(jit):
    assert s2sad.grad(term, jit=jit)(2.0, 4.0) == 12.0
    assert s2sad.grad(term, argnums=(0, 1), jit=jit)(2.0, 4.0) == (12.0, -8.0)


@modes
def test_secondary_program_run_twice(jit):
    """The captured secondary program: it can be run again, and again with another cotangent."""
    value, pullback = s2sad.vjp(term, 2.0, 4.0, jit=jit)
    assert value == -7.0
    assert pullback(1.0) == (12.0, -8.0)
    assert pullback(1.0) == (12.0, -8.0)
    assert pullback(-0.5) == (-6.0, 4.0)
    assert pullback(1.0) == (12.0, -8.0)


def sum_of(y, x):
    return x + y


d_sum = s2sad.grad(sum_of, jit=False)
d_sum_compiled = s2sad.grad(sum_of)


def confusing(x):
    """x · d/dy (x + y): its slope is 1; it is 2 where the two perturbations are confused."""
    return x * d_sum(1.0, x)


def confusing_compiled(x):
    return x * d_sum_compiled(1.0, x)


def test_nested_d():
    assert confusing(1.0) == 1.0
    assert s2sad.grad(confusing, jit=False)(1.0) == 1.0
    assert s2sad.jvp(confusing, (1.0,), (1.0,), jit=False) == (1.0, 1.0)


def test_nested_d_compiled():
    assert s2sad.grad(confusing_compiled)(1.0) == 1.0
    assert s2sad.jvp(confusing_compiled, (1.0,), (1.0,)) == (1.0, 1.0)


def power(x):
    return x * x * x * x


@modes
def test_d_of_d(jit):
    """Each handler handles the commands of the one inside it: forward in reverse, and the other ways."""
    d = s2sad.grad(power, jit=jit)
    dd = s2sad.grad(d, jit=jit)
    assert d(2.0) == 32.0
    assert dd(2.0) == 48.0
    assert s2sad.jvp(d, (2.0,), (1.0,), jit=jit) == (32.0, 48.0)
    assert s2sad.hvp(power, (2.0,), (1.0,), jit=jit) == 48.0


def test_d_of_d_of_d():
    d3 = s2sad.grad(s2sad.grad(s2sad.grad(power, jit=False), jit=False), jit=False)
    assert d3(2.0) == 48.0


def mixed(x, y):
    return x * math.sin(y) * y


@modes
def test_d_in_one_variable_then_in_the_other(jit):
    """d/dy (d/dx f) = d/dx (d/dy f)."""
    xy = s2sad.grad(s2sad.grad(mixed, argnums=0, jit=jit), argnums=1, jit=jit)(0.7, 0.4)
    yx = s2sad.grad(s2sad.grad(mixed, argnums=1, jit=jit), argnums=0, jit=jit)(0.7, 0.4)
    want = math.sin(0.4) + 0.4 * math.cos(0.4)
    assert xy == pytest.approx(want, rel=1e-14)
    assert yx == pytest.approx(want, rel=1e-14)
