"""Programs of the suite as one writes them for JAX: whole arrays, `scan` for loops."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

jax.config.update("jax_enable_x64", True)


def gradient(f: Callable[..., Any], argnums: tuple[int, ...], args: tuple[Any, ...]) -> Callable[[], Any]:
    """A call of value and gradients, compiled; whole numbers are fixed."""
    numbers = {k: a for k, a in enumerate(args) if isinstance(a, int)}

    def closed(*arrays: Any) -> Any:
        rest = iter(arrays)
        return f(*(numbers[k] if k in numbers else next(rest) for k in range(len(args))))

    kept = [k for k in range(len(args)) if k not in numbers]
    arrays = [jnp.asarray(args[k]) for k in kept]
    made = jax.jit(jax.value_and_grad(closed, tuple(kept.index(k) for k in argnums)))
    return lambda: jax.block_until_ready(made(*arrays))


def heat1d(start, conductivity, observed, steps):
    def step(u, _):
        return u.at[1:-1].add(conductivity[1:-1] * (u[:-2] - 2.0 * u[1:-1] + u[2:])), None

    end, _ = lax.scan(step, start, None, length=steps)
    return 0.5 * jnp.sum((end - observed) ** 2)


def around(u):
    """The sum of the four neighbours of inner cells."""
    return u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]


def wave2d(shape, speed, steps):
    rows, columns = shape.shape

    def step(levels, _):
        before, now = levels
        pushed = speed[1:-1, 1:-1] * (around(now) - 4.0 * now[1:-1, 1:-1])
        after = now.at[1:-1, 1:-1].set(2.0 * now[1:-1, 1:-1] - before[1:-1, 1:-1] + pushed)
        return (now, after), after[rows // 2, columns // 3] ** 2

    (_, now), heard = lax.scan(step, (shape, shape), None, length=steps)
    return jnp.sum(heard) + jnp.sum(now * now)


def burgers2d(u0, v0, viscosity, h, dt, steps):
    carry, spread = dt / h, viscosity * dt / (h * h)

    def step(flow, _):
        u, v = (w[1:-1, 1:-1] for w in flow)
        after = []
        for w in flow:
            inside = w[1:-1, 1:-1]
            carried = u * (inside - w[:-2, 1:-1]) + v * (inside - w[1:-1, :-2])
            after.append(w.at[1:-1, 1:-1].set(inside - carry * carried + spread * (around(w) - 4.0 * inside)))
        return tuple(after), None

    (u, v), _ = lax.scan(step, (u0, v0), None, length=steps)
    return jnp.sqrt(jnp.sum(u * u + v * v))


def rk4(start, parameters, h, steps):
    sigma, rho, beta = parameters

    def slope(s):
        x, y, z = s
        return jnp.stack([sigma * (y - x), x * (rho - z) - y, x * y - beta * z])

    def step(s, _):
        a = slope(s)
        b = slope(s + 0.5 * h * a)
        c = slope(s + 0.5 * h * b)
        s = s + h / 6.0 * (a + 2.0 * b + 2.0 * c + slope(s + h * c))
        return s, h * s[2]

    (x, y, _), heights = lax.scan(step, start, None, length=steps)
    return jnp.sum(heights) + x * x + y * y


def nbody(position, velocity, mass, soft, dt, steps):
    def step(state, _):
        x, v = state
        apart = x[None] - x[:, None]
        r2 = jnp.sum(apart * apart, axis=2) + soft
        v = v + dt * jnp.einsum("ij,ijk->ik", mass / (r2 * jnp.sqrt(r2)), apart)
        return (x + dt * v, v), None

    (x, v), _ = lax.scan(step, (position, velocity), None, length=steps)
    return jnp.sum(0.5 * mass[:, None] * v * v) + jnp.sum(x * x)


def asian(market, noise):
    spot, rate, volatility, strike, maturity = market
    dt = maturity / noise.shape[1]
    steps = (rate - 0.5 * volatility**2) * dt + volatility * jnp.sqrt(dt) * noise
    means = jnp.mean(spot * jnp.exp(jnp.cumsum(steps, axis=1)), axis=1)
    return jnp.exp(-rate * maturity) * jnp.mean(jnp.maximum(means - strike, 0.0))


def elementwise(x, y):
    a = jnp.sin(x) + x * y
    return jnp.sum(x * ((y * y + jnp.exp(-a)) / (1.0 + a * a)) - y)


elementwise_loop = elementwise


def mlp(inside, shift, outside, bias, samples, labels):
    answers = jnp.tanh(samples @ inside + shift) @ outside + bias
    return (jnp.sum(jnp.log(jnp.sum(jnp.exp(answers), axis=1))) - jnp.sum(labels * answers)) / len(samples)


def gaussian_process(parameters, squares, observed):
    height, length, noise = parameters
    kernel = jnp.exp(height - 0.5 * squares * jnp.exp(-2.0 * length)) + jnp.exp(noise) * jnp.eye(
        len(observed)
    )
    factor = jnp.linalg.cholesky(kernel)
    return 0.5 * observed @ jnp.linalg.solve(kernel, observed) + jnp.sum(jnp.log(jnp.diag(factor)))


def solve_chain(matrix, shift, start, times):
    def step(v, _):
        return 0.5 * matrix @ (jnp.linalg.solve(matrix, v - shift) + shift), None

    end, _ = lax.scan(step, start, None, length=times)
    return jnp.sum(end * end)


def hmm(first, moves, emissions, seen):
    def step(now, symbol):
        reached = (now @ moves) * emissions[:, symbol]
        mass = jnp.sum(reached)
        return reached / mass, jnp.log(mass)

    now = first * emissions[:, seen[0]]
    _, logs = lax.scan(step, now / jnp.sum(now), seen[1:])
    return jnp.log(jnp.sum(now)) + jnp.sum(logs)
