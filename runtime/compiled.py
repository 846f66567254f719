"""The runtime's own `jit`: Numba's `njit` with cached code that expires when the runtime changes.

Numba stamps cached code with the file it stands in. The runtime is inlined into its callers, so they
carry its stamp as well; with another Numba that keeps its stamp elsewhere, only Numba's own is left.
"""

from contextlib import suppress

import numba
from numba.core import registry, sigutils
from numba.core.ccallback import CFunc

from s2sad_runtime.abi import STAMP


def jit(function=None, /, *, inner=False, **options):
    """`njit(cache=True, **options)`; `inner=True` leaves out the entries for Python and C."""
    options.setdefault("cache", True)
    if inner:
        options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

    def wrap(f):
        return _stamped(numba.njit(**options)(f))

    return wrap if function is None else wrap(function)


def callback(signature):
    """A C callback (`.address`), cached and stamped likewise."""

    def wrap(f):
        made = CFunc(f, sigutils.normalize_signature(signature), locals={}, options={"nopython": True})
        made._targetdescr = registry.cpu_target
        made.enable_caching()
        _stamped(made).compile()
        return made

    return wrap


def _stamped(made):
    with suppress(AttributeError):
        file = made._cache._cache_file
        file._source_stamp = (file._source_stamp, STAMP)
    return made
