"""Bundle adjustment: camera positions and points from pictures, by Gauss-Newton with a sparse Jacobian.

The pattern of the Jacobian is found by running once, and coloured once: 12 columns' worth of sweeps give all of it,
whatever the number of cameras and points.
"""

import numpy as np
import scipy.sparse
from scipy.sparse.linalg import spsolve

import s2sad


def rotated(r, x):
    """Turn x about the axis r by its length: Rodrigues' formula."""
    angle = np.sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + 1e-30)
    c, s = np.cos(angle), np.sin(angle)
    k = r / angle
    cross = np.array([k[1] * x[2] - k[2] * x[1], k[2] * x[0] - k[0] * x[2], k[0] * x[1] - k[1] * x[0]])
    along = k[0] * x[0] + k[1] * x[1] + k[2] * x[2]
    return c * x + s * cross + (1.0 - c) * along * k


def residuals(unknown, cameras, who, what, seen):
    """Picture k shows point what[k] through camera who[k] at seen[k]: by how much the model misses that.

    unknown  per camera turn and shift, 6 numbers; then per point its place, 3 numbers
    """
    out = np.empty(2 * len(who))
    for k in range(len(who)):
        camera = unknown[6 * who[k] : 6 * who[k] + 6]
        start = 6 * cameras + 3 * what[k]
        place = rotated(camera[:3], unknown[start : start + 3]) + camera[3:]
        out[2 * k] = place[0] / place[2] - seen[k, 0]
        out[2 * k + 1] = place[1] / place[2] - seen[k, 1]
    return out


def main(cameras: int = 4, points: int = 25) -> float:
    """Start from a disturbed scene and put it right; returns the largest miss at the end, in pixels of 1/1000."""
    rng = np.random.default_rng(5)
    who, what = (a.ravel() for a in np.meshgrid(np.arange(cameras), np.arange(points), indexing="ij"))
    truth = np.concatenate(
        [np.tile([0.0, 0.0, 0.0, 0.0, 0.0, 4.0], cameras), rng.uniform(-1.0, 1.0, 3 * points)]
    )
    truth[: 6 * cameras] += 0.2 * rng.standard_normal(6 * cameras)
    args = (cameras, who, what)
    seen = residuals(truth, *args, np.zeros((len(who), 2))).reshape(-1, 2)
    x = truth + 0.03 * rng.standard_normal(len(truth))

    pattern = s2sad.sparsity(residuals, x, *args, seen)
    jacobian = s2sad.jacobian(residuals, sparsity=pattern)
    print(pattern)
    for step in range(8):
        r, jac = residuals(x, *args, seen), jacobian(x, *args, seen)
        print(f"step {step}: misses {np.linalg.norm(r):.2e}")
        if np.linalg.norm(r) < 1e-12:
            break
        normal = jac.T @ jac + 1e-9 * scipy.sparse.eye(
            len(x)
        )  # the scene may float: seven directions are free
        x = x - spsolve(normal.tocsc(), jac.T @ r)
    return float(1000.0 * np.max(np.abs(residuals(x, *args, seen))))


if __name__ == "__main__":
    main()
