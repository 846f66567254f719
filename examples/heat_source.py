"""Where was it hot? The initial temperature of a rod, found from what is measured later.

An explicit time loop with two arrays that swap their names; 60 unknowns, one gradient per step of L-BFGS.
"""

import numpy as np
from scipy.optimize import minimize

from s2sad import differentiate

KAPPA = 0.24
STEPS = 30
SMOOTHING = 1e-4


def diffuse(start, steps):
    """The temperature after `steps` steps; both ends are kept at 0."""
    n = len(start)
    u = start.copy()
    u_next = np.zeros(n)
    for _ in range(steps):
        for i in range(1, n - 1):
            u_next[i] = u[i] + KAPPA * (u[i - 1] - 2.0 * u[i] + u[i + 1])
        u, u_next = u_next, u
    return u


@differentiate
def misfit(start, measured, steps):
    """Squared distance from the measurement, with a little smoothing."""
    u = diffuse(start, steps)
    total = 0.0
    for i in range(len(u)):
        total += (u[i] - measured[i]) ** 2
    for i in range(1, len(start)):
        total += SMOOTHING * (start[i] - start[i - 1]) ** 2
    return total


def main() -> float:
    """Find the start from what the true start leads to; returns the largest error."""
    x = np.linspace(0.0, 1.0, 60)
    truth = np.exp(-(((x - 0.3) / 0.08) ** 2)) + 0.6 * np.exp(-(((x - 0.7) / 0.1) ** 2))
    truth[0] = truth[-1] = 0.0
    measured = diffuse(truth, STEPS)
    found = minimize(misfit.value_and_grad, np.zeros(60), args=(measured, STEPS), jac=True, method="L-BFGS-B")
    error = float(np.max(np.abs(found.x - truth)))
    print(f"misfit {misfit(np.zeros(60), measured, STEPS):.4f} -> {found.fun:.2e} in {found.nit} steps")
    for i in range(0, 60, 4):
        print(
            f"{x[i]:5.2f}  measured {'▒' * round(30 * measured[i]):<20}  found {'█' * round(30 * found.x[i])}"
        )
    return error


if __name__ == "__main__":
    main()
