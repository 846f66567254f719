"""`scipy.special`: sums of exponentials, whose largest term is taken out."""

from __future__ import annotations

import numpy as np
from scipy import special

from s2sad.library.table import times, unsupported, written
from s2sad.markers import stop_gradient


@written("scipy.special.logsumexp")
def logsumexp(a, axis=None, b=None, keepdims=False):
    if axis is None and not keepdims:
        top = _finite(np.max(a))
        if b is None:
            return np.log(np.sum(np.exp(a - stop_gradient(top)))) + stop_gradient(top)
        return np.log(np.sum(b * np.exp(a - stop_gradient(top)))) + stop_gradient(top)
    top = np.max(a, axis=axis, keepdims=True)
    top = stop_gradient(np.where(np.isfinite(top), top, 0.0)).copy()
    if b is None:
        total = np.log(np.sum(np.exp(a - top), axis=axis, keepdims=True)) + top
    else:
        total = np.log(np.sum(b * np.exp(a - top), axis=axis, keepdims=True)) + top
    if keepdims:
        return total
    return np.squeeze(total, _every(axis, a))


def _every(axis, a):
    if axis is None:
        unsupported("an axis is needed here")
    return axis


def _finite(top):
    return top if np.isfinite(top) else 0.0


@written("scipy.special.softmax")
def softmax(x, axis=None):
    top = stop_gradient(np.max(x, axis=axis, keepdims=True)).copy()
    powers = np.exp(x - top)
    return powers / np.sum(powers, axis=axis, keepdims=True)


@written("scipy.special.log_softmax")
def log_softmax(x, axis=None):
    top = stop_gradient(np.max(x, axis=axis, keepdims=True)).copy()
    apart = x - top
    return apart - np.log(np.sum(np.exp(apart), axis=axis, keepdims=True))


@written("scipy.special.multigammaln")
def multigammaln(a, d):
    total = d * (d - 1) * 0.28618247146235004
    for k in times(d):
        total = total + special.gammaln(a - 0.5 * k)
    return total
