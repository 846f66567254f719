"""Arguments that don't lie row by row in memory: gradients are those of the same numbers that do."""

import numpy as np
import pytest

import s2sad

M = np.linspace(0.3, 1.7, 12).reshape(3, 4)
LAYOUTS = {
    "fortran": np.asfortranarray,
    "strided": lambda m: np.repeat(np.repeat(m, 2, 0), 3, 1)[::2, ::3],
    "backwards": lambda m: m[::-1, ::-1].copy()[::-1, ::-1],
}
PROGRAMS = {
    "elements": lambda a: np.sum(a**3) + a[1, 2] * a[0, 1],
    "raveled": lambda a: np.sum(a.ravel()[1:] * a.ravel()[:-1]),
    "flattened": lambda a: np.sum(np.sin(a.flatten()) * a.flatten()[::-1]),
    "reshaped": lambda a: np.sum(a.reshape(2, 6) @ np.ones(6)) + np.sum(np.reshape(a, (4, 3))[1] ** 2),
    "reshaped what is computed": lambda a: np.sum((a * a).reshape(6, 2)[2] ** 2),
    "reshaped a section": lambda a: np.sum(a[1:].reshape(2, 4)[1] ** 2),
    "rolled": lambda a: np.sum(np.roll(a, 1) * a**2),
    "along axes": lambda a: np.sum(np.sum(a, 0) ** 2) + np.sum(np.cumsum(a, 1) ** 2) + a.mean() * a.max(),
    "products": lambda a: np.sum(a.T @ a) + np.sum((a @ a.T)[0] ** 2),
    "joined": lambda a: np.sum(np.concatenate((a, a[:1])) ** 2) + np.sum(np.hstack((a, a * a))[1]),
    "sorted": lambda a: np.sum(np.sort(a, axis=0)[0] ** 2),
}


@pytest.mark.filterwarnings("ignore:.*faster on contiguous arrays")
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(
    ("layout", "jit"), [*((name, False) for name in LAYOUTS), ("fortran", True), ("strided", True)]
)
def test_layouts(program, layout, jit):
    f, given = PROGRAMS[program], LAYOUTS[layout](M)
    assert not given.flags.c_contiguous
    derivative = s2sad.value_and_grad(f, jit=jit)
    value, gradient = derivative(given)
    expected = derivative(M)
    assert value == pytest.approx(f(given), rel=1e-14)
    assert value == pytest.approx(expected[0], rel=1e-14)
    np.testing.assert_allclose(gradient, expected[1], rtol=1e-13)
    tangent = s2sad.jvp(f, (given,), (given,), jit=False)[1]
    assert tangent == pytest.approx(np.sum(M * gradient), rel=1e-12)
    assert np.array_equal(given, M)
