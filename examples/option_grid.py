"""Greeks of an option from a grid in price and time: a tridiagonal matrix as a type of one's own, solved implicitly."""

from typing import NamedTuple

import numpy as np
from scipy.stats import norm

from s2sad import entity, grad, operation


@entity
class Tridiagonal(NamedTuple):
    """A matrix by its three diagonals."""

    lower: np.ndarray
    diagonal: np.ndarray
    upper: np.ndarray

    @property
    def T(self):
        return Tridiagonal(self.upper, self.diagonal, self.lower)

    def __matmul__(self, x):
        y = self.diagonal * x
        y[1:] += self.lower * x[:-1]
        y[:-1] += self.upper * x[1:]
        return y

    @operation
    def solve(self, b):
        """X in `self @ x = b`, in a number of steps proportional to its length."""
        n = len(b)
        d, x = self.diagonal.copy(), b.copy()
        for i in range(1, n):
            w = self.lower[i - 1] / d[i - 1]
            d[i] -= w * self.upper[i - 1]
            x[i] -= w * x[i - 1]
        x[n - 1] /= d[n - 1]
        for i in range(n - 2, -1, -1):
            x[i] = (x[i] - self.upper[i] * x[i + 1]) / d[i]
        return x

    @solve.adjoint("b")
    def _(x_b, self, b):
        return self.T.solve(x_b)

    @solve.adjoint("self")
    def _(x_b, self, b):
        """Minus the outer product of two solutions, on the diagonals alone."""
        x, w = self.solve(b), self.T.solve(x_b)
        return Tridiagonal(-w[1:] * x[:-1], -w * x, -w[:-1] * x[1:])


def put(spot, strike, rate, volatility, maturity, points, steps):
    """The price of a European put: Crank and Nicolson's scheme for the logarithm of the price."""
    width = 6.0 * 0.2 * np.sqrt(maturity)
    h, dt = 2.0 * width / (points - 1), maturity / steps
    drift, spread = rate - 0.5 * volatility**2, 0.5 * volatility**2 / (h * h)
    down, up = spread - 0.5 * drift / h, spread + 0.5 * drift / h
    inner = points - 2
    ones = np.ones(inner)
    forth = Tridiagonal(
        0.5 * dt * down * ones[1:], (1.0 - dt * (spread + 0.5 * rate)) * ones, 0.5 * dt * up * ones[1:]
    )
    back = Tridiagonal(
        -0.5 * dt * down * ones[1:], (1.0 + dt * (spread + 0.5 * rate)) * ones, -0.5 * dt * up * ones[1:]
    )
    x = np.log(spot) - width + h * np.arange(1, points - 1)
    value = np.maximum(strike - np.exp(x), 0.0)
    for k in range(steps):
        edge = spot * np.exp(-width)
        early = strike * np.exp(-rate * dt * k) - edge
        late = strike * np.exp(-rate * dt * (k + 1)) - edge
        right = forth @ value
        right[0] += 0.5 * dt * down * (early + late)
        value = back.solve(right)
    return value[inner // 2]


def exact(spot, strike, rate, volatility, maturity):
    """Black and Scholes: the price, and its slopes by spot, rate and volatility."""
    root = volatility * np.sqrt(maturity)
    d = (np.log(spot / strike) + (rate + 0.5 * volatility**2) * maturity) / root
    paid = strike * np.exp(-rate * maturity)
    price = paid * norm.cdf(root - d) - spot * norm.cdf(-d)
    return price, (
        -norm.cdf(-d),
        -maturity * paid * norm.cdf(root - d),
        spot * norm.pdf(d) * np.sqrt(maturity),
    )


def main(points: int = 401, steps: int = 200) -> float:
    """Compare price and Greeks with the closed form; returns the largest relative error."""
    market = 100.0, 105.0, 0.03, 0.25, 0.5
    price, greeks = exact(*market)
    found = put(*market, points, steps)
    slopes = grad(put, argnums=(0, 2, 3))(*market, points, steps)
    rows = [("price", found, price), *zip(("delta", "rho", "vega"), slopes, greeks, strict=True)]
    for name, on_grid, closed in rows:
        print(f"{name:<6}{on_grid:12.5f}   closed form{closed:12.5f}")
    return float(max(abs(a / b - 1.0) for _, a, b in rows))


if __name__ == "__main__":
    main()
