"""Discrete Fourier transforms along one axis, by NumPy."""

import numpy as np

__all__ = ["doubled_pairs", "fft_along", "halved_pairs", "ifft_along", "irfft_along", "rfft_along"]


def fft_along(x, axis):
    """`np.fft.fft`."""
    return np.fft.fft(x, axis=axis)


def ifft_along(x, axis):
    """`np.fft.ifft`."""
    return np.fft.ifft(x, axis=axis)


def rfft_along(x, axis):
    """`np.fft.rfft`."""
    return np.fft.rfft(x, axis=axis)


def irfft_along(z, n, axis):
    """`np.fft.irfft` of n // 2 + 1 frequencies."""
    return np.fft.irfft(z, n, axis=axis)


def _paired(factor):
    def paired(z, n, axis):
        made = z.copy()
        index = [slice(None)] * z.ndim
        index[axis] = slice(1, (n + 1) // 2)
        made[tuple(index)] *= factor
        return made

    return paired


doubled_pairs, halved_pairs = _paired(2.0), _paired(0.5)
