"""The plain twin of `given`: functions of users, by the names that emitted code has for them."""

import functools

import numpy as np

FUNCTIONS = {}
NDIMS = {}  # numbers of dimensions of what they return, where that was said


def of_name(name):
    """The function by that name. AttributeError, with what to do about it, where nobody has put one there."""
    if name.startswith("__") or name not in FUNCTIONS:
        raise AttributeError(
            f"`given.{name}` is a function of the user's: `s2sad_runtime.plain_given.FUNCTIONS[{name!r}] = ...`"
        )
    return FUNCTIONS[name]


def __getattr__(name):
    """The same; with a look at what it returns."""
    f = of_name(name)
    return functools.partial(_looked_at, name, f) if name in NDIMS else f


def _looked_at(name, f, *args):
    value = f(*args)
    if np.ndim(value) != NDIMS[name] or np.asarray(value).dtype.kind not in "fiub":
        raise TypeError(
            f"`{name}` is registered to return {NDIMS[name]} dimensions of reals, and returns {value!r}"
        )
    if any(isinstance(a, np.ndarray) and np.may_share_memory(a, value) for a in args):
        raise ValueError(f"`{name}` returns memory of its argument: it has to return an array of its own")
    return np.asarray(value, np.float64) if NDIMS[name] else value
