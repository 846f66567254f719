"""Functions of users that emitted code calls, and that s2sad doesn't read: `given.NAME`.

`s2sad.register` puts them into `s2sad_runtime.plain_given.FUNCTIONS`; who runs an emitted file without s2sad does it.
"""

import types

from numba import njit

from s2sad_runtime.plain_given import of_name

_compiled = {}


def __getattr__(name):
    """The function by that name; one in Python is compiled when it is first asked for."""
    f = of_name(name)
    if not isinstance(f, types.FunctionType):
        return f
    if _compiled.get(name, (None,))[0] is not f:
        _compiled[name] = (f, njit(f))
    return _compiled[name][1]
