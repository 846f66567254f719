"""The plain twin of `given`: functions of users, by the names that emitted code has for them."""

FUNCTIONS = {}


def of_name(name):
    """The function by that name. AttributeError, with what to do about it, where nobody has put one there."""
    if name.startswith("__") or name not in FUNCTIONS:
        raise AttributeError(
            f"`given.{name}` is a function of the user's: `s2sad_runtime.plain_given.FUNCTIONS[{name!r}] = ...`"
        )
    return FUNCTIONS[name]


__getattr__ = of_name
