"""Products where they are wanted: against NumPy, for every layout, shape and overlap."""

import numpy as np
import pytest

import s2sad_runtime
from s2sad_runtime import plain
from s2sad_runtime.compiled import jit


@jit
def add_product(x_b, a, b, scale):
    s2sad_runtime.add_product(x_b, a, b, scale)


@jit
def add_outer(x_b, a, b, scale):
    s2sad_runtime.add_outer(x_b, a, b, scale)


@jit
def product_in(a, b):
    arena = s2sad_runtime.new_arena()
    return s2sad_runtime.product_in(arena, a, b).copy(), a @ b


def laid(a, layout):
    if layout == "A":
        return np.repeat(a, 2, axis=0)[::2]
    return np.asfortranarray(a) if layout == "F" else np.ascontiguousarray(a)


SIZES = [(3, 4, 5), (1, 4, 5), (3, 4, 1), (1, 4, 1), (3, 0, 2), (0, 3, 2), (3, 1, 2), (2, 3, 0)]


@pytest.mark.filterwarnings("ignore::numba.core.errors.NumbaPerformanceWarning")
@pytest.mark.parametrize("layouts", ["CC", "FC", "CF", "AF", "FA"])
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_products(size, layouts):
    m, k, n = size
    rng = np.random.default_rng(1)
    a, b = (laid(rng.normal(size=s), order) for s, order in zip(((m, k), (k, n)), layouts, strict=True))
    made, wanted = product_in(a, b)
    assert np.array_equal(made, wanted)
    np.testing.assert_allclose(made, a @ b, rtol=1e-13)
    for x in (np.ones((m, n)), np.asfortranarray(np.ones((m, n))), np.ones((1, n)), np.ones((m, 1))):
        once = [axis for axis in range(2) if x.shape[axis] == 1 != (m, n)[axis]]
        wanted = 1 - 2.5 * (a @ b).sum(axis=tuple(once), keepdims=True)
        for add in (add_product, plain.add_product):
            made = x.copy(order="K")
            add(made, a, b, -2.5)
            np.testing.assert_allclose(made, wanted, rtol=1e-13)


@pytest.mark.parametrize("add", [add_product, plain.add_product], ids=["compiled", "plain"])
def test_an_operand_that_is_the_target(add):
    x = np.arange(9.0).reshape(3, 3)
    wanted = x + x @ x
    add(x, x, x, 1.0)
    np.testing.assert_allclose(x, wanted)


@pytest.mark.parametrize("add", [add_product, plain.add_product], ids=["compiled", "plain"])
def test_matrices_that_do_not_fit(add):
    with pytest.raises(ValueError):
        add(np.ones((2, 2)), np.ones((2, 3)), np.ones((2, 2)), 1.0)


@pytest.mark.parametrize("add", [add_outer, plain.add_outer], ids=["compiled", "plain"])
def test_outer(add):
    a, b = np.arange(3.0), np.array([5.0, 7.0])
    for x in (np.ones((3, 2)), np.ones((1, 2)), np.ones((3, 1)), np.ones((2, 3)).T, np.ones((3, 4))[:, ::2]):
        once = tuple(k for k in range(2) if x.shape[k] == 1)
        wanted = x + 2.0 * np.outer(a, b).sum(axis=once, keepdims=True)
        add(x, a, b, 2.0)
        np.testing.assert_allclose(x, wanted)
    row = np.arange(9.0).reshape(3, 3)
    wanted = row + np.outer(row[0], row[1])
    add(row, row[0], row[1], 1.0)
    np.testing.assert_allclose(row, wanted)
