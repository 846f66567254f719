"""Discrete Fourier transforms along one axis, compiled: O(n log n) for every length.

Lengths that are powers of two go by halves (Cooley and Tukey 1965); all others are a convolution with a chirp, which is
done in a length that is one (Bluestein 1970). Roots of one are computed each by itself, so the error stays at a few
roundings.
"""

import numpy as np
from numba.cpython.unsafe.tuple import tuple_setitem

from s2sad_runtime.compiled import jit

EMPTY = "Invalid number of FFT data points (0) specified."


@jit(inner=True)
def _roots(n):
    """exp(-2 pi i k / n) for the first half of k."""
    made = np.empty(n // 2 + 1, np.complex128)
    for k in range(n // 2 + 1):
        angle = -2.0 * np.pi * k / n
        made[k] = complex(np.cos(angle), np.sin(angle))
    return made


@jit(inner=True)
def _by_halves(a, roots):
    """The transform of `a`, in place; its length is a power of two."""
    n = a.size
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j ^= bit
        if i < j:
            a[i], a[j] = a[j], a[i]
    size = 2
    while size <= n:
        half, step = size // 2, n // size
        for start in range(0, n, size):
            for k in range(half):
                odd = roots[k * step] * a[start + half + k]
                even = a[start + k]
                a[start + k] = even + odd
                a[start + half + k] = even - odd
        size *= 2


@jit(inner=True)
def _power_of_two(least):
    n = 1
    while n < least:
        n *= 2
    return n


@jit(inner=True)
def _transform(lines):
    """The transform of a stack of lines (outer, n, inner) along its middle axis, in place."""
    n = lines.shape[1]
    if n < 1:
        raise ValueError(EMPTY)
    straight = _power_of_two(n) == n
    m = n if straight else _power_of_two(2 * n - 1)
    roots = _roots(m)
    chirp = np.ones(n, np.complex128)
    kernel = np.zeros(m, np.complex128)
    if not straight:
        for k in range(n):
            angle = -np.pi * ((k * k) % (2 * n)) / n
            chirp[k] = complex(np.cos(angle), np.sin(angle))
            kernel[k] = kernel[(m - k) % m] = np.conj(chirp[k])
        _by_halves(kernel, roots)
    work = np.empty(m, np.complex128)
    for o in range(lines.shape[0]):
        for i in range(lines.shape[2]):
            work[:] = 0.0
            for k in range(n):
                work[k] = lines[o, k, i] * chirp[k]
            _by_halves(work, roots)
            if not straight:
                for k in range(m):  # (the inverse is the conjugate of the transform of the conjugate)
                    work[k] = np.conj(work[k] * kernel[k])
                _by_halves(work, roots)
                for k in range(n):
                    work[k] = np.conj(work[k]) * chirp[k] / m
            for k in range(n):
                lines[o, k, i] = work[k]


@jit(inner=True)
def _sides(shape, axis):
    """How many elements the axes before and behind an axis have together."""
    before = after = 1
    for k in range(len(shape)):
        if k < axis:
            before *= shape[k]
        elif k > axis:
            after *= shape[k]
    return before, after


@jit(inner=True)
def _lines(x, axis):
    """A complex copy of `x` as (before, along, behind)."""
    before, after = _sides(x.shape, axis)
    copied = np.empty(x.shape, np.complex128)
    copied[...] = x
    return copied.reshape((before, x.shape[axis], after))


@jit(inner=True)
def fft_along(x, axis):
    """`np.fft.fft` along an axis."""
    lines = _lines(x, axis)
    _transform(lines)
    return lines.reshape(x.shape)


@jit(inner=True)
def ifft_along(x, axis):
    """`np.fft.ifft` along an axis."""
    lines = _lines(x, axis)
    _backwards(lines)
    return lines.reshape(x.shape)


@jit(inner=True)
def _backwards(lines):
    """The inverse transform, in place."""
    _conjugate(lines, 1.0)
    _transform(lines)
    _conjugate(lines, 1.0 / lines.shape[1])


@jit(inner=True)
def _conjugate(lines, factor):
    for o in range(lines.shape[0]):
        for k in range(lines.shape[1]):
            for i in range(lines.shape[2]):
                lines[o, k, i] = np.conj(lines[o, k, i]) * factor


@jit(inner=True)
def rfft_along(x, axis):
    """`np.fft.rfft` along an axis."""
    lines = _lines(x, axis)
    _transform(lines)
    half = np.ascontiguousarray(lines[:, : x.shape[axis] // 2 + 1, :])
    return half.reshape(tuple_setitem(x.shape, axis, x.shape[axis] // 2 + 1))


@jit(inner=True)
def irfft_along(z, n, axis):
    """`np.fft.irfft` along an axis, of n // 2 + 1 frequencies."""
    half = _lines(z, axis)
    if n < 1:
        raise ValueError(EMPTY)
    lines = np.empty((half.shape[0], n, half.shape[2]), np.complex128)
    for o in range(lines.shape[0]):
        for i in range(lines.shape[2]):
            for k in range(n):
                lines[o, k, i] = half[o, k, i] if k <= n // 2 else np.conj(half[o, n - k, i])
            lines[o, 0, i] = lines[o, 0, i].real
            if n % 2 == 0:
                lines[o, n // 2, i] = lines[o, n // 2, i].real
    _backwards(lines)
    made = np.empty(lines.shape)
    for o in range(lines.shape[0]):
        for k in range(n):
            for i in range(lines.shape[2]):
                made[o, k, i] = lines[o, k, i].real
    return made.reshape(tuple_setitem(z.shape, axis, n))


@jit(inner=True)
def _paired(z, n, axis, factor):
    lines = _lines(z, axis)
    for o in range(lines.shape[0]):
        for k in range(1, (n + 1) // 2):
            for i in range(lines.shape[2]):
                lines[o, k, i] *= factor
    return lines.reshape(z.shape)


@jit(inner=True)
def doubled_pairs(z, n, axis):
    """`z`, twice where a frequency has a conjugate twin."""
    return _paired(z, n, axis, 2.0)


@jit(inner=True)
def halved_pairs(z, n, axis):
    """`z`, half where a frequency has a conjugate twin."""
    return _paired(z, n, axis, 0.5)
