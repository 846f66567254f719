"""Calibrate Heston's model to option prices: complex numbers inside, an exact Jacobian for least squares outside."""

import numpy as np
from scipy.optimize import least_squares

from s2sad import differentiate

SPOT = 100.0
STRIKES = np.array([80.0, 90.0, 100.0, 110.0, 120.0])
YEARS = np.array([0.25, 1.0, 2.0])
NODES, WEIGHTS = np.polynomial.legendre.leggauss(48)
NODES, WEIGHTS = 60.0 * (NODES + 1.0), 60.0 * WEIGHTS  # on 0 ... 120


@differentiate(jit=False)
def prices(p):
    """Prices of calls, one row per maturity; Lewis' integral over the characteristic function of Heston's model.

    p  start of the variance, its long-run mean, how fast it returns there, its own volatility, correlation
    """
    v0, mean, speed, xi, rho = p[0], p[1], p[2], p[3], p[4]
    u = NODES - 0.5j
    out = np.empty(len(YEARS) * len(STRIKES))
    for j in range(len(YEARS)):
        t = YEARS[j]
        a = speed - 1j * rho * xi * u
        d = np.sqrt(a * a + xi * xi * (u * u + 1j * u))
        g = (a - d) / (a + d)
        e = np.exp(-d * t)
        c = speed * mean / (xi * xi) * ((a - d) * t - 2.0 * np.log((1.0 - g * e) / (1.0 - g)))
        phi = np.exp(c + v0 / (xi * xi) * (a - d) * (1.0 - e) / (1.0 - g * e))
        for k in range(len(STRIKES)):
            turned = phi * np.exp(1j * NODES * np.log(SPOT / STRIKES[k]))
            integral = np.sum(WEIGHTS * turned.real / (NODES * NODES + 0.25))
            out[j * len(STRIKES) + k] = SPOT - np.sqrt(SPOT * STRIKES[k]) / np.pi * integral
    return out


def main() -> np.ndarray:
    """Recover known parameters from their prices; returns the errors."""
    truth = np.array([0.04, 0.06, 1.5, 0.5, -0.7])
    market = prices(truth)
    found = least_squares(
        lambda p: prices(p) - market,
        [0.09, 0.09, 1.0, 0.3, -0.3],
        jac=prices.jacobian,
        bounds=([1e-3, 1e-3, 0.1, 0.05, -0.99], [1.0, 1.0, 10.0, 2.0, 0.99]),
        x_scale=[0.1, 0.1, 1.0, 1.0, 1.0],
        xtol=1e-14,
        ftol=1e-14,
    )
    names = ("variance", "mean", "speed", "volatility", "correlation")
    for name, value, true in zip(names, found.x, truth, strict=True):
        print(f"{name:<12}{value:9.5f}   (true {true})")
    print(
        f"{found.nfev} evaluations, {found.njev} Jacobians, worst price off by {np.max(np.abs(found.fun)):.1e}"
    )
    return found.x - truth


if __name__ == "__main__":
    main()
