"""`scipy.signal`: convolution of any number of dimensions."""

from __future__ import annotations

import numpy as np

from s2sad.library.table import cleared, times, unsupported, written


@written("scipy.signal.convolve")
def convolve(in1, in2, mode="full", method="auto"):
    if mode == "valid":
        for k in times(np.ndim(in1)):
            if np.shape(in2)[k] > np.shape(in1)[k]:
                raise ValueError(
                    "For 'valid' mode, one must be at least as large as the other in every dimension"
                )
    shape = ()
    for k in times(np.ndim(in1)):
        shape = (*shape, np.shape(in1)[k] + np.shape(in2)[k] - 1)
    out = cleared(shape, in1, in2)
    _add_products(out, in1, in2)
    if mode == "full":
        return out
    for k in times(np.ndim(in1)):
        n, m = np.shape(in1)[k], np.shape(in2)[k]
        along = np.moveaxis(out, k, 0)
        if mode == "same":
            out = np.moveaxis(along[(m - 1) // 2 : (m - 1) // 2 + n], 0, k)
        elif mode == "valid":
            out = np.moveaxis(along[m - 1 : n], 0, k)
        else:
            unsupported("this mode of `scipy.signal.convolve` is not supported")
    return out.copy()


def _add_products(out, a, v):
    if np.ndim(a) == 1:
        for j in range(len(v)):
            out[j : j + len(a)] += v[j] * a
    else:
        for j in range(len(v)):
            for i in range(len(a)):
                _add_products(out[i + j], a[i], v[j])
