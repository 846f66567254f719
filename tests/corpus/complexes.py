"""Complex numbers on the way from real arguments to real results."""

import numpy as np

from corpus.case import case, vector


def oscillation(x, w, n):
    s = 0.0
    for k in range(n):
        z = np.exp(1j * w * (k + 1)) * x
        s += z.real * z.imag + abs(z) * 0.1
    return s


def carried(a, b, n):
    z = a + 0.5j
    for _ in range(n):
        z = z * z * (0.3 + 0.1j * b) + a
    return z.real + 2.0 * z.imag


def conjugate(a, b):
    z = a + 1j * b
    w = np.conj(z) * z + np.conj(z) / (1.0 + z)
    return w.real * w.imag


def branch_on_modulus(a, b):
    z = np.sqrt(a + 1j * b)
    if abs(z) > 1.0:
        z = z / abs(z)
    return np.real(z) * a - np.imag(z)


def parts_of_expressions(a, b):
    z = a + 1j * b
    w = z * z
    return (z * b).imag * (w * z).real + abs(w * a + z) - np.real(np.conj(w + z) * z)


def real_first(x, n):
    """A complex array that begins as a real one: its tangent is complex from the start."""
    z = x + 0j
    w = x[0] - 0j
    for k in range(n):
        z = z * z + 1j * w
        w = w * w + z[k]
    return np.sum(np.abs(z) ** 2) + w.real


CASES = [
    case(real_first, vector(3), 2),
    case(parts_of_expressions, 0.7, -0.4),
    case(oscillation, 0.7, 1.3, 3, full=True),
    case(carried, 0.4, 0.9, 4),
    case(conjugate, 0.6, -0.8),
    case(branch_on_modulus, 0.9, 1.7),
    case(branch_on_modulus, 0.2, 0.3, note="inside"),
]
