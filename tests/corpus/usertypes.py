"""Types of users: entities, operations with adjoints per argument, methods and operators of classes, subclasses."""

from typing import NamedTuple

import numpy as np

import s2sad
from corpus.case import case, vector


@s2sad.entity
class Quaternion(NamedTuple):
    w: float
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0

    HALF = 0.5

    @staticmethod
    def one():
        return Quaternion(1.0)

    @classmethod
    def of(cls, v):
        return cls(0.0, v[0], v[1], v[2])

    @property
    def conjugate(self):
        return self._replace(x=-self.x, y=-self.y, z=-self.z)

    def __mul__(self, other):
        if isinstance(other, Quaternion):
            return composed(self, other)
        return self.__class__(self.w * other, self.x * other, self.y * other, self.z * other)

    def __rmul__(self, a):
        return self * a

    def __neg__(self):
        return -1.0 * self

    @s2sad.operation
    def turned(self, v):
        return rotated(self, v)

    @turned.adjoint("v")
    def _(r_b, self, v):
        return self.conjugate.turned(r_b)


class Unit(Quaternion):
    def normal(self):
        n = np.sqrt(self.w**2 + self.x**2 + self.y**2 + self.z**2)
        return type(self)(self.w / n, self.x / n, self.y / n, self.z / n)


@s2sad.operation
def composed(p, q):
    return Quaternion(
        p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
        p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
        p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
        p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w,
    )


@composed.adjoint("p")
def composed_p(r_b, p, q):
    return composed(r_b, Quaternion(q.w, -q.x, -q.y, -q.z))


@composed.adjoint("q")
def composed_q(r_b, p, q):
    return composed(Quaternion(p.w, -p.x, -p.y, -p.z), r_b)


@s2sad.operation
def rotated(q, v):
    """Differentiated from its body."""
    r = np.empty(3)
    a = q.y * v[2] - q.z * v[1]
    b = q.z * v[0] - q.x * v[2]
    c = q.x * v[1] - q.y * v[0]
    r[0] = v[0] + 2.0 * (q.w * a + q.y * c - q.z * b)
    r[1] = v[1] + 2.0 * (q.w * b + q.z * a - q.x * c)
    r[2] = v[2] + 2.0 * (q.w * c + q.x * b - q.y * a)
    return r


@s2sad.operation
def parts(q, v, n):
    """Several results; the adjoint of q from the body, none of n."""
    return q.w * v, q.x**n, Quaternion(q.y, q.z, v[0], v[1])


@parts.adjoint("v")
def parts_v(r_b, q, v, n):
    of_v, _, of_q = r_b
    v_b = q.w * of_v
    v_b[0] += of_q.y
    v_b[1] += of_q.z
    return v_b


def of_operations(q, v):
    r = rotated(q, v)
    p = composed(q, Quaternion(0.5, r[0], r[1], q.w))
    return p.w * r[2] + p.z


def spun(q, rate, v, n):
    """In a loop, with an entity that is bound anew."""
    step = Quaternion(1.0, rate[0], rate[1], rate[2])
    s = 0.0
    for k in range(n):
        q = composed(q, step)
        r = rotated(q, v)
        if r[0] > 0.2:
            q = Quaternion(q.w * 0.5, q.x, q.y, q.z * 0.9)
        s += r[1] * q.w
    return s


def by_methods(q, v):
    q = q.normal()
    p = -(q * Quaternion.one() * 2.0) * q.HALF
    p *= 0.25
    return np.sum(p.turned(v) * q.turned(v)) + Quaternion.of(v).conjugate.x * (1.5 * p).y


def of_parts(q, v, n):
    a, b, p = parts(q, v, n)
    return np.sum(a * v) * b + composed(p, q).x


def entities_out(q, v):
    return composed(q, Quaternion(v[0], v[1], v[2], q.w)), rotated(q, v)


@s2sad.entity
class Tridiagonal(NamedTuple):
    lower: np.ndarray
    diagonal: np.ndarray
    upper: np.ndarray

    @property
    def T(self):
        return Tridiagonal(self.upper, self.diagonal, self.lower)

    def __matmul__(self, x):
        y = self.diagonal * x
        y[1:] += self.lower * x[:-1]
        y[:-1] += self.upper * x[1:]
        return y


@s2sad.operation
def solved(A, b):
    n = len(b)
    x = b.copy()
    d = A.diagonal.copy()
    for i in range(1, n):
        w = A.lower[i - 1] / d[i - 1]
        d[i] -= w * A.upper[i - 1]
        x[i] -= w * x[i - 1]
    x[n - 1] /= d[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = (x[i] - A.upper[i] * x[i + 1]) / d[i]
    return x


@solved.adjoint("A")
def solved_A(x_b, A, b):
    x, w = solved(A, b), solved(A.T, x_b)
    return Tridiagonal(-w[1:] * x[:-1], -w * x, -w[:-1] * x[1:])


@solved.adjoint("b")
def solved_b(x_b, A, b):
    return solved(A.T, x_b)


def diffused(A, u, n):
    for _ in range(n):
        u = solved(A, u)
    return np.sum(u * u)


def made_inside(a, u):
    A = Tridiagonal(a * u[1:], 3.0 + u * u, a * a * u[:-1])
    return np.sum(A @ solved(A.T, u) * u)


def overwritten(q, v, n):
    """What an operation was given is written into afterwards."""
    s = 0.0
    for k in range(n):
        r = q.turned(v) + rotated(q, v)
        v[k % 3] += 0.3 * r[1]
        s += r[2] * v[0]
    return s


def eroded(A, u, n):
    """An entity whose arrays change between two operations."""
    for k in range(n):
        u = solved(A, u)
        A.diagonal[k] += u[0] * u[k]
        A.upper[0] *= 0.9
    return np.sum(u * A.diagonal)


Q = Quaternion(0.8, 0.3, -0.4, 0.5)
A = Tridiagonal(vector(3) * 0.4, 2.0 + vector(4, 0.7), vector(3, 1.9) * 0.4)

CASES = [
    case(of_operations, Q, vector(3), full=True),
    case(spun, Q, 0.1 * vector(3, 0.8), vector(3), 5, full=True),
    case(spun, Q, 0.1 * vector(3, 0.8), vector(3), 0, note="no trips"),
    case(by_methods, Unit(*Q), vector(3), full=True),
    case(of_parts, Q, vector(3), 3),
    case(entities_out, Q, vector(3), full=True),
    case(rotated, Q, vector(3)),
    case(composed, Q, Quaternion(*vector(4))),
    case(diffused, A, vector(4, 0.4), 3, full=True),
    case(made_inside, 0.3, vector(4, 0.4), full=True),
    case(solved, A, vector(4)),
    case(overwritten, Q, vector(3), 4),
    case(eroded, A, vector(4, 0.4), 3),
]
