"""Fourier transforms and arrays of complex numbers: value, tangent, dot product, second order."""

import numpy as np
import pytest
from ops.test_matrices import assert_derivatives, draw


def filtered(x, h):
    X = np.fft.fft(x)
    y = np.fft.ifft(X * np.fft.fft(h))
    return np.sum(np.abs(X) ** 2 * np.arange(6.0)) + np.sum(y.real**3) + np.sum(y.imag)


def real_signal(x, c):
    X = np.fft.rfft(x) * c
    return np.sum(np.fft.irfft(X, len(x)) ** 3) + np.sum(np.abs(X)) + np.sum(np.fft.irfft(X) ** 2)


def resized(x, A):
    s = np.sum(np.abs(np.fft.fft(x, 8)) ** 2) + np.sum(np.fft.rfft(x, n=3, norm="ortho").imag ** 3)
    s += np.sum(np.abs(np.fft.ifft(A, axis=0, norm="forward")) ** 3) + np.sum(np.fft.irfft(A, 5, axis=0) ** 3)
    return (
        s
        + np.sum(np.fft.hfft(x, 6) ** 3)
        + np.sum(np.fft.ihfft(x).real ** 3)
        + np.sum(np.fft.ihfft(x).imag ** 3)
    )


def planes(A, T):
    F = np.fft.fft2(A)
    s = np.sum(np.real(np.fft.ifft2(F * F)) ** 3) + np.sum(np.abs(np.fft.rfft2(A, norm="ortho")) ** 3)
    s += np.sum(np.fft.irfft2(np.fft.rfft2(A) * 2.0, s=A.shape) ** 3) + np.sum(np.abs(np.fft.fftn(T)) ** 2)
    s += np.sum(np.fft.irfftn(np.fft.rfftn(T), T.shape, axes=(0, 1, 2)) ** 3)
    return (
        s + np.sum(np.fft.ifftn(T, axes=(0, 2)).real ** 3) + np.sum(np.fft.fftn(T, (3, 2), (0, 1)).imag ** 3)
    )


def shifted(x, A, n):
    k = np.fft.fftfreq(n, 0.5) + np.sum(x)
    s = np.sum(np.fft.fftshift(x) * k) + np.sum(np.fft.ifftshift(A, axes=0)[0] ** 2)
    return s + np.sum(np.fft.fftshift(A) * A) + np.sum(np.fft.rfftfreq(n) ** 2) * x[0]


def spectral_derivative(u, n):
    k = 1j * np.fft.fftfreq(len(u), 1.0 / len(u))
    for _ in range(n):
        v = np.fft.fft(u)
        v[0] = v[0] * 0.5
        v *= np.exp(-0.1 * np.abs(k) ** 2)
        u = u - 0.1 * u * np.real(np.fft.ifft(k * v))
    return np.sum(u**3)


def arithmetic(x, y):
    z = x + 1j * y
    z[0] += 2.0 * x[1]
    w = np.conj(z) * z / (1.0 + z) + np.exp(z[1]) * x
    z.real[1] = y[0]
    z[2:] = w[2:] * z[:1]
    total = np.zeros(len(x), dtype=complex)
    for k in range(len(x)):
        total[k] = w[k] * z[k] + abs(z[k])
    s = np.sum(total)
    return (
        s.real * s.imag
        + np.sum(np.abs(w))
        + np.sum(total.imag * z.real)
        + np.sum(np.real(z)) * np.imag(np.sum(w * z))
    )


def in_a_loop(x, y, n):
    z = x + 1j * y
    z.real[1] = y[0]
    w = z * 2.0
    for _ in range(n):
        w = np.conj(z) * z / (2.0 + z) + np.exp(z[1]) * x
        z[1:] = w[1:] * z[:1]
        z[0] += abs(w[0])
    return np.sum(np.abs(z) * z.imag) + np.sum(w * z).real


CASES = [
    (in_a_loop, draw(3), draw(3, seed=1), 2),
    (filtered, draw(6), draw(6, seed=1)),
    (real_signal, draw(6), draw(4)),
    (real_signal, draw(7), draw(4)),
    (resized, draw(5), draw(4, 3)),
    (planes, draw(3, 4), draw(2, 3, 4)),
    (shifted, draw(5), draw(3, 5), 5),
    (shifted, draw(4), draw(3, 4), 4),
    (spectral_derivative, draw(6), 2),
    (arithmetic, draw(4), draw(4, seed=1)),
]


@pytest.mark.parametrize(
    ("f", "args"), [(f, args) for f, *args in CASES], ids=lambda v: getattr(v, "__name__", "")
)
def test_transform(f, args):
    assert_derivatives(f, args, jit=False)
