"""Classes that emitted code makes its results of."""

import sys
from collections import namedtuple


def named(name, fields):
    """A class of tuples with named items, as if it was defined where this is called.

    What loads emitted code for a caller puts the caller's own class in its place.

    >>> named("Point", "x y")(1.0, 2.0)
    Point(x=1.0, y=2.0)
    """
    module = sys._getframe(1).f_globals.get("__name__", "__main__")
    return namedtuple(name, fields, module=module)
