"""Derivatives to compare with, none of them by s2sad's transformations.

Complex step, to machine precision, where the function takes complex numbers; else extrapolated differences.
"""

import copy
from types import FunctionType

import numpy as np

from s2sad.complexstep import complex_step
from s2sad.forms import items_of, like, taken_apart
from s2sad.testing import differences, inner, leaves, random_like


def compiled(f, known=None):
    """The function as Numba compiles it, and the functions that it calls: what a compiled value is compared with."""
    import numba

    known = {} if known is None else known
    if f in known:
        return known[f]
    globals_ = dict(f.__globals__)
    copy_of_f = FunctionType(f.__code__, globals_, f.__name__, f.__defaults__)
    known[f] = made = numba.njit(copy_of_f)
    for name in f.__code__.co_names:
        if isinstance(globals_.get(name), FunctionType):
            globals_[name] = compiled(globals_[name], known)
    return made


def directional(f, args, tangents):
    """The derivative along tangents, and its relative accuracy."""
    try:
        return complex_step(f, copy.deepcopy(args), tangents), 1e-9
    except TypeError:
        return differences(f, args, tangents)[0], 1e-6


def gradient(f, args, position, weights=1.0):
    """The gradient of <weights, f> with respect to one argument, and its relative accuracy."""
    accuracy = 1e-9

    def slope(unit):
        nonlocal accuracy
        tangents = tuple(unit if k == position else None for k in range(len(args)))
        d, a = directional(f, args, tangents)
        accuracy = max(accuracy, a)
        return inner(weights, d)

    return _by_units(args[position], slope), accuracy


def _by_units(tree, slope):
    """The slope along every unit direction of a value, in its structure."""
    if (inside := items_of(tree)) is not None:
        items = [
            _by_units(
                x, lambda unit, k=k: slope(like(tree, [unit if j == k else None for j in range(len(inside))]))
            )
            for k, x in enumerate(inside)
        ]
        return like(tree, items)
    if isinstance(tree, np.ndarray) and tree.dtype.kind == "f":
        found = np.zeros(tree.shape)
        for place in np.ndindex(tree.shape):
            unit = np.zeros(tree.shape)
            unit[place] = 1.0
            found[place] = slope(unit)
        return found
    return slope(1.0) if isinstance(tree, float | np.floating) else None


def weights_like(value, seed=1):
    """Random cotangents in the structure of a value."""
    return random_like(value, np.random.default_rng(seed))


def directions_like(args, seed=2):
    """Random tangents, one per argument; None where it holds no floats."""
    rng = np.random.default_rng(seed)
    return tuple(random_like(a, rng) for a in args)


def structure(value):
    """Classes and names of what a value is made of; the outermost list or tuple counts as either."""
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return [_inner(v) for v in value]
    return _inner(value)


def _inner(value):
    found = taken_apart(value)
    return None if found is None else (found[0], [_inner(v) for v in found[1]])


def assert_same(got, want, what):
    """Two values are the same to the last bit."""
    for a, b in zip(leaves(got), leaves(want), strict=True):
        same = a is b if b is None else np.array_equal(a, b, equal_nan=True)
        assert same, f"{what}: {a!r} instead of {b!r}"


def assert_close(got, want, accuracy, what):
    """Two values of one structure agree, relative to the largest entry."""
    assert structure(got) == structure(want), f"{what}: {got!r} has another structure than {want!r}"
    got, want = leaves(got), leaves(want)
    assert len(got) == len(want), f"{what}: {len(got)} parts instead of {len(want)}"
    top = max((float(np.max(np.abs(w), initial=0.0)) for w in want if w is not None), default=0.0)
    for a, b in zip(got, want, strict=True):
        if b is None:
            assert a is None, f"{what}: {a!r} instead of None"
            continue
        assert np.shape(a) == np.shape(b), f"{what}: shape {np.shape(a)} instead of {np.shape(b)}"
        ok = np.allclose(a, b, rtol=accuracy, atol=accuracy * max(top, 1e-3))
        assert ok, f"{what}: {a!r} instead of {b!r}"
