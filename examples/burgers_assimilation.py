"""Find the start of a flow from its end: Burgers' equation, few of its many time steps kept in memory."""

import numpy as np
from scipy.optimize import minimize

from s2sad import checkpoint_range, differentiate
from s2sad.schedules import revolve

SPEED, VISCOSITY = 0.1, 0.05  # times dt / dx, times dt / dx²


def flow(start, steps, snapshots):
    """The velocity after `steps` steps on a ring; one array is read while the other is written."""
    n = len(start)
    u = start.copy()
    new = np.empty(n)
    for _ in checkpoint_range(steps, snapshots=snapshots):
        for i in range(n):
            left, right = u[i - 1], u[(i + 1) % n]
            flux = 0.25 * SPEED * (right * right - left * left)
            new[i] = u[i] - flux + VISCOSITY * (left - 2.0 * u[i] + right)
        u, new = new, u
    return u


@differentiate
def misfit(start, seen, steps, snapshots):
    """Squared distance from what is seen at the end, and a little smoothing."""
    rough = start - np.roll(start, 1)
    return np.sum((flow(start, steps, snapshots) - seen) ** 2) + 1e-4 * np.sum(rough * rough)


def main(cells: int = 60, steps: int = 150, snapshots: int = 8, trials: int = 150) -> float:
    """Recover a known start; returns the error, relative to that of the end taken for the start."""
    x = np.arange(cells) / cells
    truth = np.sin(2.0 * np.pi * x) + 0.5 * np.cos(4.0 * np.pi * x)
    seen = flow(truth, steps, snapshots)
    again = revolve(steps, snapshots).forward_steps
    print(f"{snapshots} states kept of {steps}; {again} steps run again for a gradient")
    found = minimize(
        misfit.value_and_grad,
        seen,
        args=(seen, steps, snapshots),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": trials},
    )
    error = float(np.linalg.norm(found.x - truth) / np.linalg.norm(seen - truth))
    print(f"misfit {misfit(seen, seen, steps, snapshots):.2e} -> {found.fun:.2e} in {found.nit} steps")
    print(f"distance from the true start: {100 * error:.0f} % of what it was")
    return error


if __name__ == "__main__":
    main()
