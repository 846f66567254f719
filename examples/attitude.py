"""How is a spacecraft turned, and how fast? Quaternions as a type of one's own, fitted to sightings of stars."""

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

from s2sad import differentiate, entity, operation


@entity
class Quaternion(NamedTuple):
    """w + x i + y j + z k; those of length one are rotations."""

    w: float
    x: float
    y: float
    z: float

    @property
    def conjugate(self):
        return Quaternion(self.w, -self.x, -self.y, -self.z)

    @operation
    def __mul__(self, other):
        return Quaternion(
            self.w * other.w - self.x * other.x - self.y * other.y - self.z * other.z,
            self.w * other.x + self.x * other.w + self.y * other.z - self.z * other.y,
            self.w * other.y - self.x * other.z + self.y * other.w + self.z * other.x,
            self.w * other.z + self.x * other.y - self.y * other.x + self.z * other.w,
        )

    @__mul__.adjoint("self")
    def _(r_b, self, other):
        return r_b * other.conjugate

    @__mul__.adjoint("other")
    def _(r_b, self, other):
        return self.conjugate * r_b

    @operation
    def rotate(self, v):
        """The direction v, turned; the adjoint of v turns back, that of the quaternion comes from this body."""
        a = self.y * v[2] - self.z * v[1]
        b = self.z * v[0] - self.x * v[2]
        c = self.x * v[1] - self.y * v[0]
        r = np.empty(3)
        r[0] = v[0] + 2.0 * (self.w * a + self.y * c - self.z * b)
        r[1] = v[1] + 2.0 * (self.w * b + self.z * a - self.x * c)
        r[2] = v[2] + 2.0 * (self.w * c + self.x * b - self.y * a)
        return r

    @rotate.adjoint("v")
    def _(r_b, self, v):
        return self.conjugate.rotate(r_b)


@operation
def turn(axis):
    """The rotation about an axis, by an angle of its length."""
    angle = np.sqrt(np.sum(axis * axis) + 1e-30)
    s = np.sin(0.5 * angle) / angle
    return Quaternion(np.cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2])


@differentiate
def misfit(start_and_rate, stars, seen):
    """Squared distances of stars from where they were seen, one after the other while the craft turns."""
    q = turn(start_and_rate[:3])
    step = turn(start_and_rate[3:])
    total = 0.0
    for k in range(len(stars)):
        total += np.sum((q.rotate(stars[k]) - seen[k]) ** 2)
        q = step * q
    return total


def main(sightings: int = 40) -> tuple[float, float]:
    """Find a known attitude and rate; returns the errors in radians, checked by SciPy's rotations."""
    rng = np.random.default_rng(5)
    stars = rng.standard_normal((sightings, 3))
    stars /= np.linalg.norm(stars, axis=1)[:, None]
    start, rate = np.array([0.8, -0.5, 1.1]), np.array([0.02, 0.05, -0.01])
    turned = [Rotation.from_rotvec(rate) ** k * Rotation.from_rotvec(start) for k in range(sightings)]
    seen = np.array([r.apply(v) for r, v in zip(turned, stars, strict=True)])
    seen += 1e-4 * rng.standard_normal(seen.shape)
    guess = np.concatenate([start + 0.4, np.zeros(3)])
    found = minimize(misfit.value_and_grad, guess, (stars, seen), jac=True, method="BFGS")
    off = (Rotation.from_rotvec(found.x[:3]) * Rotation.from_rotvec(start).inv()).magnitude()
    drift = float(np.linalg.norm(found.x[3:] - rate))
    print(f"misfit {misfit(guess, stars, seen):.2e} -> {found.fun:.2e} in {found.nit} iterations")
    print(f"attitude off by {off:.1e} rad, rate by {drift:.1e} rad a step")
    return float(off), drift


if __name__ == "__main__":
    main()
