"""A slope that nobody has a formula for is refused at the call, where it is asked for and only there."""

import numpy as np
import pytest
from scipy import special, stats

import s2sad


def bessel(v, x):
    return special.jv(v, x) * 2.0


def distribution(x, a):
    return np.sum(stats.gamma.cdf(x, a))


@pytest.mark.parametrize("jit", [False, True])
def test_by_the_order_of_a_bessel_function(jit):
    with pytest.raises(s2sad.MissingRuleError, match=r"scipy\.special\.jv") as e:
        s2sad.grad(bessel, argnums=0, jit=jit)(1.5, 2.0)
    assert e.value.at.line == 11
    slope = 0.5 * (special.jv(0.5, 2.0) - special.jv(2.5, 2.0)) * 2.0
    assert s2sad.grad(bessel, argnums=1, jit=jit)(1.5, 2.0) == pytest.approx(slope, rel=1e-14)


def test_by_the_shape_of_a_distribution():
    x = np.array([0.5, 1.5])
    for transform in (lambda: s2sad.grad(distribution, 1, jit=False)(x, 2.0),
                      lambda: s2sad.jvp(distribution, (x, 2.0), (None, 1.0), jit=False)):  # fmt: skip
        with pytest.raises(s2sad.MissingRuleError) as e:
            transform()
        assert e.value.code == "S070"
        assert e.value.at.line == 15
    np.testing.assert_allclose(
        s2sad.grad(distribution, jit=False)(x, 2.0), stats.gamma.pdf(x, 2.0), rtol=1e-13
    )
