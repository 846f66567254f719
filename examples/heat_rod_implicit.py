"""How well does each part of a rod conduct? An implicit time step, its tridiagonal systems solved in place."""

import numpy as np
from scipy.optimize import minimize

from s2sad import differentiate


def solve_tridiagonal(lower, diagonal, upper, x):
    """Solve the system in place: x comes as the right side and leaves as the solution; the diagonal is used up."""
    n = len(x)
    for i in range(1, n):
        w = lower[i] / diagonal[i - 1]
        diagonal[i] -= w * upper[i - 1]
        x[i] -= w * x[i - 1]
    x[n - 1] /= diagonal[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = (x[i] - upper[i] * x[i + 1]) / diagonal[i]


def temperatures(log_conductivity, start, steps, dt):
    """The temperature at each time, one row per step of backward Euler; the ends lose no heat."""
    n = len(start)
    k = np.exp(log_conductivity)  # between neighbours
    u = start.copy()
    history = np.empty((steps, n))
    for t in range(steps):
        lower, diagonal, upper = np.zeros(n), np.ones(n), np.zeros(n)
        for i in range(n - 1):
            flow = dt * k[i]
            diagonal[i] += flow
            diagonal[i + 1] += flow
            upper[i] = lower[i + 1] = -flow
        solve_tridiagonal(lower, diagonal, upper, u)
        history[t] = u
    return history


@differentiate
def misfit(log_conductivity, start, seen, dt):
    """Squared distance from the temperatures seen, and a little smoothing."""
    history = temperatures(log_conductivity, start, len(seen), dt)
    return np.sum((history - seen) ** 2) + 1e-7 * np.sum(np.diff(log_conductivity) ** 2)


def main(cells: int = 24, steps: int = 40) -> float:
    """Recover a known conductivity; returns the largest relative error."""
    start = np.zeros(cells)
    start[: cells // 4], start[-cells // 4 :] = 1.0, 0.5
    truth = np.full(cells - 1, 4.0)
    truth[cells // 3 : cells // 2] = 1.0  # a part that conducts badly
    seen = temperatures(np.log(truth), start, steps, 0.5)
    found = minimize(
        misfit.value_and_grad, np.full(cells - 1, np.log(2.0)), (start, seen, 0.5), jac=True, method="BFGS"
    )
    k = np.exp(found.x)
    print(f"misfit {misfit(np.full(cells - 1, np.log(2.0)), start, seen, 0.5):.2e} -> {found.fun:.2e}")
    for i in range(cells - 1):
        print(f"{i:3d} {'█' * round(8 * k[i])} {k[i]:.3f}")
    return float(np.max(np.abs(k / truth - 1.0)))


if __name__ == "__main__":
    main()
