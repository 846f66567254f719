"""Fit an epidemic to its daily counts: three rates by Newton's method, and how sure they are, by the Hessian."""

import numpy as np
from scipy.optimize import minimize

from s2sad import differentiate

PEOPLE = 1000.0
STEPS = 10  # a day


def epidemic(log_rates, days):
    """Infectious people on each day, by Euler steps; the rates are those of infection, onset and recovery."""
    beta, sigma, gamma = np.exp(log_rates[0]), np.exp(log_rates[1]), np.exp(log_rates[2])
    s, e, i = PEOPLE - 5.0, 4.0, 1.0
    h = 1.0 / STEPS
    infectious = np.empty(days)
    for day in range(days):
        infectious[day] = i
        for _ in range(STEPS):
            caught, ill, well = beta * s * i / PEOPLE, sigma * e, gamma * i
            s -= h * caught
            e += h * (caught - ill)
            i += h * (ill - well)
    return infectious


@differentiate
def misfit(log_rates, counts):
    """Half the squared distance of square roots, which makes counts of any size equally reliable."""
    model = epidemic(log_rates, len(counts))
    return 2.0 * np.sum((np.sqrt(model) - np.sqrt(counts)) ** 2)


def main() -> np.ndarray:
    """Fit counts that a known epidemic gave, with the noise of counting; returns errors in standard deviations."""
    truth = np.array([1.2, 0.5, 0.3])
    counts = np.random.default_rng(1).poisson(epidemic(np.log(truth), 40)).astype(float)
    found = minimize(
        misfit.value_and_grad,
        np.log([0.9, 0.9, 0.2]),
        args=(counts,),
        jac=True,
        hess=misfit.hessian,
        method="trust-exact",
    )
    spread = np.sqrt(np.diag(np.linalg.inv(misfit.hessian(found.x, counts))))
    for name, value, plus_minus, true in zip("βσγ", np.exp(found.x), spread, truth, strict=True):
        print(f"{name} = {value:.3f} ± {value * plus_minus:.3f} per day   (true {true})")
    return (found.x - np.log(truth)) / spread


if __name__ == "__main__":
    main()
