"""Programs of the suite as one writes them for PyTorch: operations on whole tensors, loops in Python."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

torch.set_num_threads(1)


def gradient(f: Callable[..., Any], argnums: tuple[int, ...], args: tuple[Any, ...]) -> Callable[[], Any]:
    """A call of value and gradients."""
    given = [torch.as_tensor(a) if isinstance(a, np.ndarray) else a for a in args]
    for k in argnums:
        given[k] = given[k].clone().requires_grad_()

    def call() -> Any:
        value = f(*given)
        return value, torch.autograd.grad(value, [given[k] for k in argnums])

    return call


def heat1d(start, conductivity, observed, steps):
    u, k = start, conductivity[1:-1]
    for _ in range(steps):
        u = torch.cat([u[:1], u[1:-1] + k * (u[:-2] - 2.0 * u[1:-1] + u[2:]), u[-1:]])
    return 0.5 * torch.sum((u - observed) ** 2)


def nbody(position, velocity, mass, soft, dt, steps):
    x, v = position, velocity
    for _ in range(steps):
        apart = x[None] - x[:, None]
        r2 = torch.sum(apart * apart, dim=2) + soft
        v = v + dt * torch.einsum("ij,ijk->ik", mass / (r2 * torch.sqrt(r2)), apart)
        x = x + dt * v
    return torch.sum(0.5 * mass[:, None] * v * v) + torch.sum(x * x)


def asian(market, noise):
    spot, rate, volatility, strike, maturity = market
    dt = maturity / noise.shape[1]
    steps = (rate - 0.5 * volatility**2) * dt + volatility * torch.sqrt(dt) * noise
    means = torch.mean(spot * torch.exp(torch.cumsum(steps, dim=1)), dim=1)
    return torch.exp(-rate * maturity) * torch.mean(torch.clamp(means - strike, min=0.0))


def elementwise(x, y):
    a = torch.sin(x) + x * y
    return torch.sum(x * ((y * y + torch.exp(-a)) / (1.0 + a * a)) - y)


elementwise_loop = elementwise


def mlp(inside, shift, outside, bias, samples, labels):
    answers = torch.tanh(samples @ inside + shift) @ outside + bias
    norms = torch.log(torch.sum(torch.exp(answers), dim=1))
    return (torch.sum(norms) - torch.sum(labels * answers)) / len(samples)


def gaussian_process(parameters, squares, observed):
    height, length, noise = parameters
    eye = torch.eye(len(observed), dtype=torch.float64)
    kernel = torch.exp(height - 0.5 * squares * torch.exp(-2.0 * length)) + torch.exp(noise) * eye
    factor = torch.linalg.cholesky(kernel)
    return 0.5 * observed @ torch.linalg.solve(kernel, observed) + torch.sum(
        torch.log(torch.diagonal(factor))
    )


def hmm(first, moves, emissions, seen):
    now = first * emissions[:, seen[0]]
    result = torch.zeros((), dtype=torch.float64)
    for t in range(len(seen)):
        if t > 0:
            now = (now @ moves) * emissions[:, seen[t]]
        mass = torch.sum(now)
        now = now / mass
        result = result + torch.log(mass)
    return result
