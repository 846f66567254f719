"""The runtime's own `jit`: Numba's `njit` with cached code that expires when the runtime changes.

Numba stamps cached code with the file it stands in. The runtime is inlined into its callers, so they
carry its stamp as well; with another Numba that keeps its stamp elsewhere, only Numba's own is left.

Recursive functions are not cached, nor are those whose machine code has calls to them that Numba resolves only
when it is finished (`.numba.unresolved$...`): loaded from a cache, such a call goes to address 0.

Code of the runtime itself is cached with the user, not in its own folder: files there would stay behind when
the package is uninstalled, and what is left of the folder would be imported in place of the next installation.
"""

import hashlib
import os
from contextlib import suppress

import numba
from numba.core import caching, registry, sigutils, types
from numba.core.ccallback import CFunc

from s2sad_runtime.abi import STAMP
from s2sad_runtime.apart import Inner, compiled, read, unresolved


def jit(function=None, /, *, inner=False, apart=None, **options):
    """`njit(cache=True, **options)`; `inner=True` leaves out the entries for Python and C.

    apart  callers call the machine code of an inner function that is big; else they take it in, as those of the
           runtime, which stand in inner loops, unless it says otherwise
    """
    options.setdefault("cache", True)
    if inner:
        options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

    def wrap(f):
        own = {"pipeline_class": Inner} if inner and (not _ours(f) if apart is None else apart) else {}
        return _stamped(numba.njit(**options, **own)(f))

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
    with suppress(AttributeError):  # (without a file there is no cache)
        _outside(made._cache)
    made._cache = stamped(made._cache, STAMP)
    return made


def stamped(cache, mark):
    """A cache whose entries expire with the mark as well, safe to be shared by processes."""
    with suppress(AttributeError):
        stamp = cache._cache_file._source_stamp, mark
        cache._cache_file = Named(cache._cache_path, cache._impl.filename_base, stamp)
    return Careful(cache)


class Named(caching.IndexDataCacheFile):
    """Cached code in files whose names are those of the entries.

    Numba numbers them: of two processes that save code for different types at once, both take the next number, and one
    finds the other's code under its own types. Here an entry may get lost so, and is compiled again.
    """

    def load(self, key):
        self._read = super().load(key)
        return self._read

    def taken(self):
        """What was read last."""
        read, self._read = self._read, None
        return read

    def save(self, key, data):
        content = self._dump((self._version, self._source_stamp, key))
        name = self._data_name(int.from_bytes(hashlib.sha256(content).digest()[:6], "big"))
        self._save_data(name, data)
        overloads = self._load_index()
        if overloads.get(key) != name:
            self._save_index({**overloads, key: name})


class Careful:
    """A dispatcher's cache that leaves out recursive functions and has callers with unresolved calls compile anew."""

    def __init__(self, cache):
        self._cache = cache

    def __getattr__(self, name):
        return getattr(self._cache, name)

    def load_overload(self, signature, context):
        result = self._cache.load_overload(signature, context)
        if result is not None:
            read(result, self._cache._cache_file.taken())
        return result

    def save_overload(self, signature, result):
        compiled(result)
        if unresolved(result.library):
            result.environment.consts.append(Unloadable())
        elif not recursive(result.type_annotation):
            self._cache.save_overload(signature, result)


def recursive(annotation):
    """Does the function call itself, by whatever way?"""
    return any(isinstance(ty, types.RecursiveCall) for ty in annotation.typemap.values())


class Unloadable:
    """Lies among the constants that Numba stores with a caller's code: reading them fails like a missing file."""

    def __reduce__(self):
        return _missing, ()


def _missing():
    raise OSError("recursive machine code is not loaded again; Numba compiles it anew")


def _ours(function):
    """Is it a function of the runtime's own?"""
    return os.path.dirname(function.__code__.co_filename) == os.path.dirname(__file__)


def _outside(cache):
    """Move the cache of a function of the runtime's own out of its folder."""
    path = cache._py_func.__code__.co_filename
    if _ours(cache._py_func) and isinstance(cache._impl.locator, caching.InTreeCacheLocator):
        locator = caching.UserWideCacheLocator.from_function(cache._py_func, path)
        if locator is not None:
            cache._impl._locator = locator
            cache._cache_path = locator.get_cache_path()
            cache._cache_file = caching.IndexDataCacheFile(
                cache._cache_path, cache._impl.filename_base, locator.get_source_stamp()
            )
