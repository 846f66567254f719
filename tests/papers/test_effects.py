"""The programs of J. Sigal, "Automatic differentiation via effects and handlers" (PEPM 2021), in our terms.

`evaluate` is the function itself, `diff` the tangent (`jvp`), `reverse` the adjoint (`vjp`), `d` the
derivative of a function of one variable, which nests; the secondary program of `reverse` is the pullback.
"""

import math

import numpy as np
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


# ----- perturbation confusion (Siskind and Pearlmutter 2005): inner and outer derivative in every mode -------------


def by_grad(f, x):
    return s2sad.grad(f, jit=False)(x)


def by_value_and_grad(f, x):
    _, slope = s2sad.value_and_grad(f, jit=False)(x)
    return slope


def by_jvp(f, x):
    _, slope = s2sad.jvp(f, (x,), (1.0,), jit=False)
    return slope


def by_vjp(f, x):
    _, pull = s2sad.vjp(f, x, jit=False)
    return pull(1.0)[0]


MODES = {d.__name__: d for d in (by_grad, by_value_and_grad, by_jvp, by_vjp)}
outer_modes, inner_modes = (pytest.mark.parametrize(name, MODES) for name in ("outer", "inner"))


@outer_modes
@inner_modes
def test_perturbations_are_not_confused(outer, inner):
    """d/dx x · (d/dy (x + y) at 1) = 1; and with x² y³ inside: d/dx x · 3 x² 4 = 36 x²."""
    inner, outer = MODES[inner], MODES[outer]
    assert outer(lambda x: x * inner(lambda y: x + y, 1.0), 1.0) == 1.0
    assert outer(lambda x: x * inner(lambda y: x * x * y * y * y, 2.0), 0.5) == pytest.approx(9.0, rel=1e-15)


@outer_modes
@inner_modes
def test_perturbations_in_a_program_are_not_confused(outer, inner):
    """The same, taken inside of a function, which is differentiated by each transform and at second order."""
    inner, outer = MODES[inner], MODES[outer]

    def nested(a):
        return outer(lambda x: x * inner(lambda y: x * x * y * y * y * a, a), a)  # 9 a^5

    assert nested(0.8) == pytest.approx(9.0 * 0.8**5, rel=1e-14)
    assert s2sad.value_and_grad(nested, jit=False)(0.8) == pytest.approx(
        (9.0 * 0.8**5, 45.0 * 0.8**4), rel=1e-13
    )
    assert s2sad.jvp(nested, (0.8,), (1.0,), jit=False)[1] == pytest.approx(45.0 * 0.8**4, rel=1e-13)
    assert s2sad.hvp(nested, (0.8,), (1.0,), jit=False) == pytest.approx(180.0 * 0.8**3, rel=1e-13)


def higher(f, x, n):
    """The n-th derivative of f at x, by derivatives of derivatives."""
    if n == 0:
        return f(x)
    return higher(lambda y: s2sad.grad(f, jit=False)(y), x, n - 1)


def test_a_derivative_that_is_captured():
    """Three levels, each of which sees the variables of those around it: d/dx d/dy d/dz of x y² z³ + x³ z y."""

    def f(x):
        def g(y):
            return by_grad(lambda z: x * y**2 * z**3 + x**3 * z * y, 2.0)

        return by_jvp(g, 3.0)

    x = 0.7
    assert f(x) == pytest.approx(2 * 3 * x * 12 + x**3, rel=1e-14)
    assert by_vjp(f, x) == pytest.approx(72 + 3 * x**2, rel=1e-14)
    assert s2sad.hvp(f, (x,), (1.0,), jit=False) == pytest.approx(6 * x, rel=1e-13)


def test_third_order_of_arrays():
    """The third derivative of sum u^4 k along one direction, by each tower: 24 k sum u d^3."""
    u, d, k = np.array([0.3, -0.8, 1.2]), np.array([1.0, 0.5, -0.7]), 1.5
    want = 24.0 * k * np.sum(u * d**3)

    def f(v):
        return k * np.sum(v**4)

    def along(t):
        return f(u + t * d)

    assert higher(along, 0.0, 3) == pytest.approx(want, rel=1e-12)

    def slope_of_product(t):
        return np.sum(s2sad.hvp(f, (u + t * d,), (d,), jit=False) * d)

    assert s2sad.grad(slope_of_product, jit=False)(0.0) == pytest.approx(want, rel=1e-12)
    assert s2sad.jvp(slope_of_product, (0.0,), (1.0,), jit=False)[1] == pytest.approx(want, rel=1e-12)

    def twice(v):
        return np.sum(s2sad.jvp(lambda w: s2sad.grad(f, jit=False)(w), (v,), (d,), jit=False)[1] * d)

    assert np.sum(s2sad.grad(twice, jit=False)(u) * d) == pytest.approx(want, rel=1e-12)


def test_third_order_compiled():
    """x e^(x²) by three derivatives, the inner two taken inside."""

    def f(x):
        return x * math.exp(x * x)

    def second(x):
        return s2sad.grad(lambda y: s2sad.grad(f, jit=False)(y) * 1.0, jit=False)(x)

    x = 0.4
    want = (8.0 * x**4 + 24.0 * x * x + 6.0) * math.exp(x * x)
    assert s2sad.grad(second)(x) == pytest.approx(want, rel=1e-12)
    assert s2sad.grad(s2sad.grad(s2sad.grad(f)))(x) == pytest.approx(want, rel=1e-12)
