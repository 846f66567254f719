"""Lists and tuples where NumPy takes what is like an array: `np.interp(x, [0.0, 1.0], [2.0, s])`."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

import gast
import numpy as np

from s2sad.frontend.expressions import Held
from s2sad.frontend.making import Making
from s2sad.frontend.values import Tuple, Value, is_list

#: Names of the parameters of NumPy's functions that are arrays, or are made arrays.
ARRAYS = (
    "a", "b", "x", "y", "z", "v", "m", "f", "p", "q", "u", "A", "B", "x1", "x2", "x3", "ar", "arr", "ary", "array", "xp",
    "fp", "weights", "condition", "values", "indices", "repeats", "bins", "prepend", "append", "a_min", "a_max",
)  # fmt: skip
#: Those that are sequences of arrays.
SEQUENCES = ("arrays", "tup")


class ArrayLike(Making):
    """Makes arrays of lists that are operands."""

    def with_arrays(self, node: gast.Call, target: Any) -> gast.Call:
        """The call with arrays in place of such lists; itself where there are none."""
        names = parameters(target)
        labels = [*names[: len(node.args)], *(k.arg for k in node.keywords)]
        parts = [*node.args[: len(names)], *(k.value for k in node.keywords)]
        if not any(self._may_be_list(p, n) for p, n in zip(parts, labels, strict=True)):
            return node
        values = self.operands(parts)
        made = [
            self._made(node, value, name in SEQUENCES) if name in ARRAYS or name in SEQUENCES else value
            for name, value in zip(labels, values, strict=True)
        ]
        held = [_held(value, part) for value, part in zip(made, parts, strict=True)]
        count = min(len(node.args), len(names))
        keywords = [gast.keyword(k.arg, h) for k, h in zip(node.keywords, held[count:], strict=True)]
        args = [*held[:count], *node.args[count:]]
        return gast.copy_location(gast.Call(node.func, args, keywords), node)

    def _may_be_list(self, node: gast.AST, name: str) -> bool:
        """Whether an argument is a list, by its text: an array, or, in a sequence of arrays, an item of it."""
        value = self.frame.lookup(node.id) if isinstance(node, gast.Name) else None
        if name in SEQUENCES:
            items = node.elts if isinstance(node, gast.Tuple | gast.List) else ()
            return any(self._may_be_list(item, "a") for item in items)
        return name in ARRAYS and (isinstance(node, gast.Tuple | gast.List) or is_list(value))

    def _made(self, node: gast.AST, value: Value, sequence: bool) -> Value:
        if sequence and isinstance(value, Tuple):
            return Tuple(tuple(self._made(node, item, False) for item in value.items), value.make)
        return self.array_of(node, value) if is_list(value) else value


@cache
def _parameters(target: Any) -> tuple[str, ...]:
    try:
        found = inspect.signature(target).parameters.values()
    except (TypeError, ValueError):
        return ()
    return tuple(p.name for p in found if p.kind is not inspect.Parameter.VAR_POSITIONAL)


def parameters(target: Any) -> tuple[str, ...]:
    """The names of the parameters of a function of NumPy, by position; none of other functions."""
    if isinstance(target, np.ufunc):
        return ("x1", "x2", "x3")[: target.nin]
    module = (getattr(target, "__module__", None) or "").partition(".")[0]
    return _parameters(target) if module == "numpy" and not isinstance(target, type) else ()


def _held(value: Value, node: gast.AST) -> gast.AST:
    held = gast.copy_location(Held(), node)
    held.item = value
    return held
