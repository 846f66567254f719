"""Fit a state-space model: the likelihood by Kalman's filter, its gradient through matrix algebra, standard errors."""

import numpy as np
from scipy.optimize import minimize

from s2sad import differentiate

STEP = np.array([[1.0, 1.0], [0.0, 1.0]])  # level and slope of a trend, from one time to the next


@differentiate
def loss(log_deviations, y):
    """Minus the logarithm of the likelihood; standard deviations of the level, the slope and the measurement."""
    q = np.diag(np.exp(2.0 * log_deviations[:2]))
    r = np.exp(2.0 * log_deviations[2])
    mean = np.array([y[0], 0.0])
    cov = 10.0 * np.eye(2)
    total = 0.0
    for t in range(len(y)):
        seen = cov[0, 0] + r
        miss = y[t] - mean[0]
        total += 0.5 * (np.log(2.0 * np.pi * seen) + miss * miss / seen)
        gain = cov[:, 0] / seen
        mean = STEP @ (mean + gain * miss)
        cov = STEP @ (cov - np.outer(gain, cov[0])) @ STEP.T + q
    return total


def simulated(deviations: np.ndarray, times: int) -> np.ndarray:
    """Measurements of such a trend."""
    rng = np.random.default_rng(11)
    state, y = np.zeros(2), np.empty(times)
    for t in range(times):
        y[t] = state[0] + deviations[2] * rng.standard_normal()
        state = STEP @ state + deviations[:2] * rng.standard_normal(2)
    return y


def main(times: int = 300) -> np.ndarray:
    """Find the deviations that made the data; returns errors in standard errors."""
    truth = np.array([0.5, 0.1, 1.0])
    y = simulated(truth, times)
    found = minimize(
        loss.value_and_grad, np.zeros(3), (y,), jac=True, hess=loss.hessian, method="trust-exact"
    )
    spread = np.sqrt(np.diag(np.linalg.inv(loss.hessian(found.x, y))))
    for name, value, error, true in zip(
        ("level", "slope", "measurement"), np.exp(found.x), spread, truth, strict=True
    ):
        print(f"{name:<12}{value:6.3f} ± {value * error:.3f}   (true {true})")
    return (found.x - np.log(truth)) / spread


if __name__ == "__main__":
    main()
