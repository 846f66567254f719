"""Fit a mixture of Gaussians by maximum likelihood: a NamedTuple of parameters, a gradient of the same class."""

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from s2sad import value_and_grad


class Mixture(NamedTuple):
    """Logarithms of k weights, k x d means, logarithms of k x d standard deviations."""

    logits: np.ndarray
    means: np.ndarray
    log_scales: np.ndarray


def loss(m, x):
    """Minus the mean logarithm of the density at the points, the rows of x."""
    n, d = x.shape
    k = len(m.logits)
    terms = np.empty(k)
    total = 0.0
    for i in range(n):
        for c in range(k):
            q = m.logits[c]
            for j in range(d):
                z = (x[i, j] - m.means[c, j]) * np.exp(-m.log_scales[c, j])
                q -= 0.5 * z * z + m.log_scales[c, j]
            terms[c] = q
        top = np.max(terms)
        total += top + np.log(np.sum(np.exp(terms - top)))
    return np.log(np.sum(np.exp(m.logits))) + 0.5 * d * np.log(2.0 * np.pi) - total / n


loss_and_gradient = value_and_grad(loss)


def flat(m: Mixture) -> np.ndarray:
    """All numbers of a mixture, one after the other."""
    return np.concatenate([part.ravel() for part in m])


def mixture(p: np.ndarray, k: int, d: int) -> Mixture:
    """The mixture of such numbers."""
    return Mixture(p[:k], p[k : k + k * d].reshape(k, d), p[k + k * d :].reshape(k, d))


def main(points: int = 150) -> float:
    """Find three clusters; returns the largest distance of a mean from the true one."""
    rng = np.random.default_rng(3)
    truth = np.array([[-2.0, 0.0], [1.5, 1.5], [1.0, -2.0]])
    x = np.concatenate([rng.normal(centre, 0.5, (points, 2)) for centre in truth])

    def objective(p: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = loss_and_gradient(mixture(p, 3, 2), x)
        return value, flat(gradient)

    start = Mixture(np.zeros(3), x[[0, points, 2 * points]], np.zeros((3, 2)))
    found = minimize(objective, flat(start), jac=True, method="BFGS")
    best = mixture(found.x, 3, 2)
    weights = np.exp(best.logits) / np.sum(np.exp(best.logits))
    for weight, mean, scale in zip(weights, best.means, np.exp(best.log_scales), strict=True):
        print(f"weight {weight:.2f}   mean {np.round(mean, 2)}   standard deviations {np.round(scale, 2)}")
    return float(np.max(np.abs(best.means - truth)))


if __name__ == "__main__":
    main()
