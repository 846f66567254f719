"""Hamiltonian Monte Carlo, compiled as a whole: the gradient is called inside `@njit` code."""

import numpy as np
from numba import njit

import s2sad

CENTRE = np.array([1.0, -2.0, 0.5])
PRECISION = np.array([[2.0, 0.6, 0.0], [0.6, 1.0, 0.3], [0.0, 0.3, 1.5]])


@njit
def energy(x):
    """Minus the logarithm of the density, here of a Gaussian, so that the answer is known."""
    total = 0.0
    for i in range(len(x)):
        for j in range(len(x)):
            total += 0.5 * PRECISION[i, j] * (x[i] - CENTRE[i]) * (x[j] - CENTRE[j])
    return total


slope = s2sad.grad(energy)


@njit
def sample(x, count, step, leaps, seed):
    """`count` samples from x on, and how many proposals were taken."""
    np.random.seed(seed)
    samples = np.empty((count, len(x)))
    taken = 0
    for k in range(count):
        momentum = np.random.normal(0.0, 1.0, len(x))
        before = energy(x) + 0.5 * np.sum(momentum * momentum)
        new = x.copy()
        momentum -= 0.5 * step * slope(new)
        for leap in range(leaps):
            new += step * momentum
            momentum -= (step if leap < leaps - 1 else 0.5 * step) * slope(new)
        after = energy(new) + 0.5 * np.sum(momentum * momentum)
        if np.log(np.random.random()) < before - after:
            x = new
            taken += 1
        samples[k] = x
    return samples, taken


def main(count: int = 10_000) -> float:
    """Sample; returns the largest error of the mean and of the covariance."""
    samples, taken = sample(np.zeros(3), count, 0.35, 8, 1)
    mean, cov = samples.mean(axis=0), np.cov(samples.T)
    exact = np.linalg.inv(PRECISION)
    print(f"{taken} of {count} proposals taken")
    for row in range(3):
        print(f"mean {mean[row]:6.3f} (true {CENTRE[row]:4.1f})   covariance {cov[row].round(3)}")
    return float(max(np.max(np.abs(mean - CENTRE)), np.max(np.abs(cov - exact))))


if __name__ == "__main__":
    main()
