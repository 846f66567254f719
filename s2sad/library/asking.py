"""Questions about arrays: answers are bools and whole numbers, through which nothing flows."""

from __future__ import annotations

import numpy as np

from s2sad.library.table import is_complex, unsupported, written


@written("np.isclose")
def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    near = np.logical_and(np.abs(a - b) <= atol + rtol * np.abs(b), np.isfinite(b))
    same = np.logical_or(near, a == b)
    if equal_nan:
        return np.logical_or(same, np.logical_and(np.isnan(a), np.isnan(b)))
    return same


@written("np.allclose")
def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    return np.all(isclose(a, b, rtol, atol, equal_nan))


@written("math.isclose")
def math_isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    a, b = np.float64(a), np.float64(b)  # as in `math`, also of float32
    if a == b:
        return True
    if np.isinf(a) or np.isinf(b):
        return False
    return abs(a - b) <= max(rel_tol * max(abs(a), abs(b)), abs_tol)


@written("np.array_equal")
def array_equal(a1, a2):
    if np.ndim(a1) != np.ndim(a2):
        return False
    alike = True
    for n, m in zip(np.shape(a1), np.shape(a2)):
        alike = alike and n == m
    if not alike:
        return False
    return np.all(a1 == a2)


@written("np.any")
def any(a, axis=None, keepdims=False):
    if np.ndim(a) == 0:
        return a != 0
    if axis is None and not keepdims:
        return np.count_nonzero(a) > 0
    return np.sum(np.where(a != 0, 1, 0), axis=axis, keepdims=keepdims) > 0


@written("np.all")
def all(a, axis=None, keepdims=False):
    if np.ndim(a) == 0:
        return a != 0
    if axis is None and not keepdims:
        return np.count_nonzero(a) == np.size(a)
    return np.sum(np.where(a != 0, 0, 1), axis=axis, keepdims=keepdims) == 0


@written("np.count_nonzero", only="axis keepdims axes")
def count_nonzero(a, axis=None, *, keepdims=False):
    return np.sum(np.where(a != 0, 1, 0), axis=axis, keepdims=keepdims)


@written("np.array_equiv")
def array_equiv(a1, a2):
    if np.ndim(a1) != np.ndim(a2):
        unsupported("arrays of one number of dimensions are needed here")
    fit = True
    for n, m in zip(np.shape(a1), np.shape(a2)):
        fit = fit and (n == m or n == 1 or m == 1)
    if not fit:
        return False
    return np.all(a1 == a2)


@written("np.isscalar")
def isscalar(element):
    return np.ndim(element) == 0


@written("np.isreal")
def isreal(x):
    if np.ndim(x) > 0 and not is_complex(x):
        return np.logical_or(x < 0.0, True)
    return np.imag(x) == 0


@written("np.iscomplex")
def iscomplex(x):
    if np.ndim(x) > 0 and not is_complex(x):
        return np.logical_and(x < 0.0, False)
    return np.imag(x) != 0


@written("np.iscomplexobj")
def iscomplexobj(x):
    return is_complex(x)
