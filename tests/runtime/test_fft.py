"""Fourier transforms of the runtime against NumPy's, for lengths of every kind."""

import numpy as np
import pytest

from s2sad_runtime import jit, plain

LENGTHS = (1, 2, 3, 4, 5, 7, 8, 12, 13, 31, 64, 97, 100, 257, 1000)


def draw(*shape):
    return np.random.default_rng(shape).uniform(-1.0, 1.0, shape)


def close(got, want):
    return got.shape == want.shape and np.max(np.abs(got - want)) <= 1e-13 * max(1.0, np.max(np.abs(want)))


def test_lengths(rt):
    def run(x, z):
        return rt_fft(x, 0), rt_ifft(z, 0), rt_rfft(x, 0), rt_irfft(rt_rfft(x, 0), len(x), 0)

    rt_fft, rt_ifft, rt_rfft, rt_irfft = rt.fft_along, rt.ifft_along, rt.rfft_along, rt.irfft_along
    run = jit(run) if rt is not plain else run
    for n in LENGTHS:
        x, z = draw(n), draw(n) + 1j * draw(n, 1)[:, 0]
        forward, back, half, again = run(x, z)
        assert close(forward, np.fft.fft(x)), n
        assert close(back, np.fft.ifft(z)), n
        assert close(half, np.fft.rfft(x)), n
        assert close(again, x), n
    with pytest.raises(ValueError, match="Invalid number of FFT data points"):
        run(np.empty(0), np.empty(0, complex))


def test_axes(rt):
    def run(x, z):
        return fft(x, 1), ifft(z, 0), rfft(x, 2), irfft(z, 5, 1), doubled(z, 6, 2), halved(z, 5, 1)

    fft, ifft, rfft, irfft = rt.fft_along, rt.ifft_along, rt.rfft_along, rt.irfft_along
    doubled, halved = rt.doubled_pairs, rt.halved_pairs
    run = jit(run) if rt is not plain else run
    x = draw(2, 3, 4)
    z = x + 1j * x**2
    got = run(x, z)
    two = z.copy()
    two[:, :, 1:3] *= 2.0
    less = z.copy()
    less[:, 1:3] *= 0.5
    want = (
        np.fft.fft(x, axis=1), np.fft.ifft(z, axis=0), np.fft.rfft(x, axis=2), np.fft.irfft(z, 5, axis=1), two, less,
    )  # fmt: skip
    for a, b in zip(got, want, strict=True):
        assert close(a, b)
    assert np.array_equal(z, x + 1j * x**2)
