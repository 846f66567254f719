"""Eight small numeric programs, each a plain function with arguments of test size.

>>> [w.name for w in WORKLOADS]
['heat1d', 'wave2d', 'burgers2d', 'rk4', 'nbody', 'asian', 'cholesky', 'gmm']
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Workload:
    """f       the program, which returns one number
    argnums  what it is differentiated for
    draw     random numbers -> arguments
    """

    f: Callable[..., float]
    argnums: tuple[int, ...]
    draw: Callable[[np.random.Generator], tuple[Any, ...]]

    @property
    def name(self) -> str:
        return self.f.__name__

    @property
    def arguments(self) -> tuple[Any, ...]:
        return self.draw(np.random.default_rng(7))


def heat1d(start, conductivity, observed, steps):
    """Explicit steps of the heat equation, two arrays that swap; half the squared misfit at the end."""
    cells = len(start)
    now, then = start.copy(), start.copy()
    for _ in range(steps):
        for i in range(1, cells - 1):
            flux = now[i - 1] - 2.0 * now[i] + now[i + 1]
            then[i] = now[i] + conductivity[i] * flux
        now, then = then, now
    misfit = 0.0
    for i in range(cells):
        misfit += 0.5 * (now[i] - observed[i]) ** 2
    return misfit


def wave2d(shape, speed, steps):
    """Leapfrog steps of the wave equation, three arrays in rotation; what a receiver hears, and the energy left."""
    rows, columns = shape.shape
    before, now, after = shape.copy(), shape.copy(), shape.copy()
    heard = 0.0
    for _ in range(steps):
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                around = now[i - 1, j] + now[i + 1, j] + now[i, j - 1] + now[i, j + 1]
                after[i, j] = 2.0 * now[i, j] - before[i, j] + speed[i, j] * (around - 4.0 * now[i, j])
        before, now, after = now, after, before
        heard += now[rows // 2, columns // 3] ** 2
    return heard + np.sum(now * now)


def burgers2d(u0, v0, viscosity, h, dt, steps):
    """Two velocities that carry each other along, upwind; the root of their energy."""
    rows, columns = u0.shape
    u, v, u_next, v_next = u0.copy(), v0.copy(), u0.copy(), v0.copy()
    carry = dt / h
    spread = viscosity * dt / (h * h)
    for _ in range(steps):
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                u_next[i, j] = (
                    u[i, j]
                    - carry * (u[i, j] * (u[i, j] - u[i - 1, j]) + v[i, j] * (u[i, j] - u[i, j - 1]))
                    + spread * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j])
                )
                v_next[i, j] = (
                    v[i, j]
                    - carry * (u[i, j] * (v[i, j] - v[i - 1, j]) + v[i, j] * (v[i, j] - v[i, j - 1]))
                    + spread * (v[i - 1, j] + v[i + 1, j] + v[i, j - 1] + v[i, j + 1] - 4.0 * v[i, j])
                )
        u, u_next = u_next, u
        v, v_next = v_next, v
    energy = 0.0
    for i in range(rows):
        for j in range(columns):
            energy += u[i, j] ** 2 + v[i, j] ** 2
    return math.sqrt(energy)


def drift(x, y, z, sigma, rho, beta):
    """The right-hand side of Lorenz' equations."""
    return sigma * (y - x), x * (rho - z) - y, x * y - beta * z


def rk4(start, parameters, h, steps):
    """Lorenz' equations by the classical Runge-Kutta rule, on scalars; where it ends, and the mean height."""
    x, y, z = start[0], start[1], start[2]
    sigma, rho, beta = parameters[0], parameters[1], parameters[2]
    height = 0.0
    for _ in range(steps):
        ax, ay, az = drift(x, y, z, sigma, rho, beta)
        bx, by, bz = drift(x + 0.5 * h * ax, y + 0.5 * h * ay, z + 0.5 * h * az, sigma, rho, beta)
        cx, cy, cz = drift(x + 0.5 * h * bx, y + 0.5 * h * by, z + 0.5 * h * bz, sigma, rho, beta)
        dx, dy, dz = drift(x + h * cx, y + h * cy, z + h * cz, sigma, rho, beta)
        x += h / 6.0 * (ax + 2.0 * bx + 2.0 * cx + dx)
        y += h / 6.0 * (ay + 2.0 * by + 2.0 * cy + dy)
        z += h / 6.0 * (az + 2.0 * bz + 2.0 * cz + dz)
        height += h * z
    return height + x * x + y * y


def nbody(position, velocity, mass, soft, dt, steps):
    """Bodies that attract each other, kick and drift; kinetic energy and distances from the origin at the end."""
    bodies = len(mass)
    x, v = position.copy(), velocity.copy()
    for _ in range(steps):
        for i in range(bodies):
            ax, ay, az = 0.0, 0.0, 0.0
            for j in range(bodies):
                dx, dy, dz = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
                r2 = dx * dx + dy * dy + dz * dz + soft
                pull = mass[j] / (r2 * math.sqrt(r2))
                ax += pull * dx
                ay += pull * dy
                az += pull * dz
            v[i, 0] += dt * ax
            v[i, 1] += dt * ay
            v[i, 2] += dt * az
        for i in range(bodies):
            for k in range(3):
                x[i, k] += dt * v[i, k]
    total = 0.0
    for i in range(bodies):
        for k in range(3):
            total += 0.5 * mass[i] * v[i, k] ** 2 + x[i, k] ** 2
    return total


def asian(market, noise):
    """The price of an Asian call by sampled paths: spot, rate, volatility, strike, maturity."""
    spot, rate, volatility, strike, maturity = market[0], market[1], market[2], market[3], market[4]
    paths, dates = noise.shape
    dt = maturity / dates
    trend = (rate - 0.5 * volatility * volatility) * dt
    spread = volatility * math.sqrt(dt)
    payoffs = 0.0
    for p in range(paths):
        price, mean = spot, 0.0
        for d in range(dates):
            price *= math.exp(trend + spread * noise[p, d])
            mean += price / dates
        if mean > strike:
            payoffs += mean - strike
    return math.exp(-rate * maturity) * payoffs / paths


def cholesky(matrix):
    """The logarithm of a determinant, by Cholesky's factors, in place on a copy."""
    a = matrix.copy()
    result = 0.0
    for j in range(len(a)):
        pivot = a[j, j]
        for k in range(j):
            pivot -= a[j, k] * a[j, k]
        pivot = math.sqrt(pivot)
        a[j, j] = pivot
        result += 2.0 * math.log(pivot)
        for i in range(j + 1, len(a)):
            entry = a[i, j]
            for k in range(j):
                entry -= a[i, k] * a[j, k]
            a[i, j] = entry / pivot
    return result


def gmm(weights, means, scales, points):
    """The log-likelihood of points in a mixture of normal distributions with triangular scales, packed by rows."""
    count, dim = points.shape
    parts = len(weights)
    inside = np.empty(parts)
    scaled = np.empty(dim)
    result = 0.0
    for p in range(count):
        for c in range(parts):
            square, log_det = 0.0, 0.0
            at = 0
            for i in range(dim):
                scaled[i] = 0.0
                for j in range(i):
                    scaled[i] += scales[c, at] * (points[p, j] - means[c, j])
                    at += 1
                scaled[i] += math.exp(scales[c, at]) * (points[p, i] - means[c, i])
                log_det += scales[c, at]
                at += 1
                square += scaled[i] * scaled[i]
            inside[c] = weights[c] + log_det - 0.5 * square
        top = inside[0]
        for c in range(1, parts):
            if inside[c] > top:
                top = inside[c]
        mass = 0.0
        for c in range(parts):
            mass += math.exp(inside[c] - top)
        result += top + math.log(mass)
    total = 0.0
    for c in range(parts):
        total += math.exp(weights[c])
    return result - count * math.log(total)


def _positive(r: np.random.Generator, n: int) -> Any:
    b = r.normal(size=(n, n))
    return b @ b.T / n + np.eye(n)


WORKLOADS = (
    Workload(heat1d, (0, 1), lambda r: (r.random(12), 0.1 + 0.3 * r.random(12), r.random(12), 5)),
    Workload(wave2d, (0, 1), lambda r: (r.random((6, 7)), 0.1 + 0.2 * r.random((6, 7)), 4)),
    Workload(
        burgers2d, (0, 1), lambda r: (1.0 + r.random((6, 6)), 1.0 + r.random((6, 6)), 5e-3, 0.2, 0.02, 3)
    ),
    Workload(rk4, (0, 1), lambda r: (r.random(3) + 1.0, np.array([10.0, 28.0, 8.0 / 3.0]), 1e-2, 6)),
    Workload(
        nbody, (0, 1, 2), lambda r: (r.normal(size=(4, 3)), r.normal(size=(4, 3)), r.random(4), 0.1, 0.05, 3)
    ),
    Workload(asian, (0,), lambda r: (np.array([100.0, 0.03, 0.25, 98.0, 1.0]), r.normal(size=(6, 5)))),
    Workload(cholesky, (0,), lambda r: (_positive(r, 6),)),
    Workload(
        gmm,
        (0, 1, 2),
        lambda r: (
            r.normal(size=3),
            r.normal(size=(3, 3)),
            0.5 * r.normal(size=(3, 6)),
            r.normal(size=(5, 3)),
        ),
    ),
)
