"""Batches against a loop; JAX and PyTorch, where installed, against values from elsewhere; C callbacks."""

import numpy as np
import pytest

import s2sad

RNG = np.random.default_rng(2)


def loss(w, x, y):
    miss = y
    for j in range(len(x)):
        miss -= w[j] * x[j]
    return miss * miss


def wave(x, a, n):
    total = 0.0
    for i in range(len(x)):
        total += np.sin(a * x[i]) ** n
    return total


@pytest.mark.parametrize("jit", [True, False])
def test_batches(jit):
    w, xs, ys = RNG.standard_normal(3), RNG.standard_normal((3, 5)), RNG.standard_normal(5)
    mapped = s2sad.batch.value_and_grad(loss, (0, 2), in_axes=(None, 1, 0), jit=jit)
    values, (of_w, of_y) = mapped(w, xs, ys)
    misses = ys - w @ xs
    assert values == pytest.approx(misses**2)
    assert of_w == pytest.approx((-2.0 * misses * xs).T)
    assert of_y == pytest.approx(2.0 * misses)


@pytest.mark.parametrize("jit", [True, False])
def test_a_batch_of_numbers(jit):
    xs = np.array([1.0, 2.0, 3.0])
    values, slopes = s2sad.batch.value_and_grad(lambda x: x**3, jit=jit)(xs)
    assert (values.tolist(), slopes.tolist()) == ([1.0, 8.0, 27.0], [3.0, 12.0, 27.0])


@pytest.mark.parametrize(
    "args",
    [
        (np.ones((2, 3)), np.ones((4, 3)), np.ones(2)),
        (np.ones((2, 3)), 1.0, np.ones(2)),
        (np.ones((0, 3)),) * 3,
    ],
)
def test_batches_that_do_not_fit(args):
    with pytest.raises(s2sad.ArgumentError):
        s2sad.batch.value_and_grad(loss, jit=False)(*args)


@pytest.mark.parametrize("axes", [(None, 0), (None, 0, 0, 0), (1, 0, 0)])
def test_axes_that_do_not_fit(axes):
    mapped = s2sad.batch.value_and_grad(loss, in_axes=axes, jit=False)
    with pytest.raises(s2sad.ArgumentError, match="S092"):
        mapped(np.ones(3), np.ones((4, 3)), np.ones(4))


def test_torch():
    torch = pytest.importorskip("torch")
    f = s2sad.interop.torch(wave, jit=False)
    x, a = torch.rand(4, dtype=torch.float64, requires_grad=True), torch.tensor(0.7, requires_grad=True)
    value = f(x, a, 2)
    assert value.item() == pytest.approx((torch.sin(a * x) ** 2).sum().item())
    (3.0 * value).backward()
    slope = 2 * torch.sin(a * x) * torch.cos(a * x)
    assert torch.allclose(x.grad, (3.0 * slope * a).detach())
    assert a.grad.item() == pytest.approx((3.0 * slope * x).sum().item(), rel=1e-6)


def test_second_derivatives_by_torch_are_refused():
    """They would be zero for it: what it is given is a number without a history."""
    torch = pytest.importorskip("torch")
    f = s2sad.interop.torch(lambda x: x * x * x, jit=False)
    x = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    (slope,) = torch.autograd.grad(f(x) + x * x, x, create_graph=True)
    assert slope.item() == pytest.approx(16.0)
    with pytest.raises(RuntimeError, match="second derivatives"):
        torch.autograd.grad(slope, x)


def test_jax():
    jax = pytest.importorskip("jax")
    f = s2sad.interop.jax(wave, jit=False)
    x, a = jax.numpy.asarray(RNG.standard_normal(4)), 0.7
    value, (of_x, of_a) = jax.jit(jax.value_and_grad(lambda x, a: 3.0 * f(x, a, 2), (0, 1)))(x, a)
    slope = 2 * np.sin(a * np.asarray(x)) * np.cos(a * np.asarray(x))
    assert float(value) == pytest.approx(3.0 * np.sum(np.sin(a * np.asarray(x)) ** 2), rel=1e-5)
    assert np.asarray(of_x) == pytest.approx(3.0 * slope * a, rel=1e-4)
    assert float(of_a) == pytest.approx(3.0 * np.sum(slope * np.asarray(x)), rel=1e-4)


@pytest.mark.parametrize("name", ["torch", "jax"])
def test_frameworks_that_are_missing(name, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, name, None)
    with pytest.raises(s2sad.ArgumentError, match="S114"):
        getattr(s2sad.interop, name)(wave)
