"""Weighted pair counting, as of galaxies: sorted points, `while`, `break`, bins; the weights depend on parameters."""

import numpy as np
from scipy.optimize import least_squares

from s2sad import differentiate


def weight(brightness, p):
    """How likely a galaxy is in the sample: a soft threshold at p[0], of width exp(p[1])."""
    return 1.0 / (1.0 + np.exp((p[0] - brightness) / np.exp(p[1])))


@differentiate
def counts(p, place, brightness, edges):
    """Pairs per distance bin, each weighted by both weights; `place` is sorted by its first column."""
    n = len(place)
    w = np.empty(n)
    for i in range(n):
        w[i] = weight(brightness[i], p)
    out = np.zeros(len(edges) - 1)
    reach = edges[-1]
    for i in range(n):
        for j in range(i + 1, n):
            dx = place[j, 0] - place[i, 0]
            if dx > reach:
                break
            dy, dz = place[j, 1] - place[i, 1], place[j, 2] - place[i, 2]
            distance = np.sqrt(dx * dx + dy * dy + dz * dz)
            if distance >= reach or distance < edges[0]:
                continue
            b = 0
            while distance >= edges[b + 1]:
                b += 1
            out[b] += w[i] * w[j]
    return out


def main(galaxies: int = 1500) -> np.ndarray:
    """Find threshold and width from the pair counts alone; returns the errors."""
    rng = np.random.default_rng(4)
    place = rng.uniform(0.0, 1.0, (galaxies, 3))
    place = place[np.argsort(place[:, 0])]
    brightness = rng.normal(0.0, 1.0, galaxies) + 2.0 * np.abs(place[:, 1] - 0.5)
    edges = np.linspace(0.04, 0.24, 6)
    truth = np.array([0.8, np.log(0.4)])
    target = counts(truth, place, brightness, edges)
    found = least_squares(
        lambda p: counts(p, place, brightness, edges) / target - 1.0,
        [0.0, 0.0],
        jac=lambda p: counts.jacobian(p, place, brightness, edges) / target[:, None],
    )
    print(f"threshold {found.x[0]:.4f} (true {truth[0]}), width {np.exp(found.x[1]):.4f} (true 0.4)")
    print(f"{target.sum():.0f} weighted pairs, {found.njev} Jacobians")
    return found.x - truth


if __name__ == "__main__":
    main()
