"""Minimise the Rosenbrock function with SciPy: gradient and Hessian-vector product from s2sad."""

import numpy as np
from scipy.optimize import minimize

from s2sad import differentiate


@differentiate
def rosenbrock(x):
    """The banana-shaped valley; its lowest point is at (1, 1, ..., 1)."""
    total = 0.0
    for i in range(len(x) - 1):
        a = x[i + 1] - x[i] * x[i]
        b = 1.0 - x[i]
        total += 100.0 * a * a + b * b
    return total


def main() -> np.ndarray:
    """Go down the valley; returns where that ends."""
    start = np.linspace(-1.2, 1.0, 10)
    found = minimize(
        rosenbrock.value_and_grad,
        start,
        jac=True,
        hessp=lambda x, v: rosenbrock.hvp((x,), (v,)),
        method="Newton-CG",
    )
    print(f"from {rosenbrock(start):.3f} to {found.fun:.2e} in {found.nit} steps")
    print("x =", np.round(found.x, 6))
    return found.x


if __name__ == "__main__":
    main()
