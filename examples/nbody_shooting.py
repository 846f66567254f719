"""Shoot for a periodic orbit: three bodies that chase each other along a figure of eight, by Gauss-Newton."""

import numpy as np
from scipy.optimize import least_squares

from s2sad import differentiate


def accelerations(x, a):
    """Gravity between bodies of mass 1 at the rows of x, into a."""
    a[:] = 0.0
    for i in range(len(x)):
        for j in range(i):
            r = x[i] - x[j]
            distance = np.sqrt(np.sum(r * r))
            pull = r / distance**3
            a[i] -= pull
            a[j] += pull


@differentiate
def miss(p, steps):
    """How far the bodies are from a place like their first, after a time p[2]; leapfrog steps.

    They stand in a row and start with the velocities v, v and -2 v, where v = p[:2].
    """
    x = np.array([[-1.0, 0.0], [1.0, 0.0], [0.0, 0.0]])
    v = np.array([[p[0], p[1]], [p[0], p[1]], [-2.0 * p[0], -2.0 * p[1]]])
    x_start, v_start = x.copy(), v.copy()
    h = p[2] / steps
    a = np.empty((3, 2))
    accelerations(x, a)
    for _ in range(steps):
        v += 0.5 * h * a
        x += h * v
        accelerations(x, a)
        v += 0.5 * h * a
    return np.concatenate(((x - x_start).ravel(), (v - v_start).ravel()))


def main(steps: int = 600) -> np.ndarray:
    """Find velocities and period; the orbit is that of Chenciner and Montgomery, Annals of Mathematics 152 (2000)."""
    found = least_squares(miss, [0.35, 0.54, 6.3], jac=miss.jacobian, args=(steps,))
    vx, vy, period = found.x
    print(
        f"velocity ({vx:.4f}, {vy:.4f}), period {period:.4f}; misses itself by {np.linalg.norm(found.fun):.1e}"
    )
    print(f"{found.nfev} orbits and {found.njev} Jacobians")
    return found.x


if __name__ == "__main__":
    main()
