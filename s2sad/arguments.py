"""Values against trees: arguments, tangents and cotangents taken apart, results packed, errors that say what is off."""

from __future__ import annotations

import functools
import inspect
import types
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from s2sad.errors import ArgumentError, KindError, SourceUnavailableError
from s2sad.forms import Given, built, names_of, taken, taken_apart
from s2sad.frontend.read import plain_function
from s2sad.ir.nodes import Function, Kind, Leaf, Node, Tree

# Weak: whoever holds a function holds all that its module holds, tapes and results too.
_signatures: weakref.WeakKeyDictionary[Callable[..., Any], inspect.Signature] = weakref.WeakKeyDictionary()


def signature(f: Callable[..., Any]) -> inspect.Signature:
    """The signature of a function, of what a dispatcher was made from; of a partial what it leaves free."""
    try:
        known = _signatures.get(f)
        if known is None:
            known = _signatures[f] = _signature(f)
    except TypeError:  # no weak references: of NumPy's own functions, of classes with slots
        known = _signature(f)
    return known


def _signature(f: Callable[..., Any]) -> inspect.Signature:
    try:
        found = inspect.signature(getattr(f, "py_func", f))
    except ValueError:
        raise SourceUnavailableError(
            f"`{getattr(f, '__name__', f)}` is not written in Python", code="S001"
        ) from None
    named: set[str] = set()
    while isinstance(f, functools.partial):
        named, f = named | set(f.keywords), f.func
    if not named:
        return found
    free = (p.replace(kind=p.POSITIONAL_OR_KEYWORD) for n, p in found.parameters.items() if n not in named)
    return found.replace(parameters=list(free))


def unbound(f: Any) -> Callable[..., Any]:
    """What stands for `f` where a function with its name, signature and defaults is needed.

    For a partial: a function of the parameters that it leaves free. Keyword-only parameters become positional ones:
    Numba fills in no other defaults.
    """
    inner = plain_function(f)
    if isinstance(f, functools.partial):
        return _stub(inner, list(signature(f).parameters.values()))
    code, given = inner.__code__, inner.__kwdefaults__ or {}
    if not code.co_kwonlyargcount:
        return inner
    values: list[Any] = list(inner.__defaults__ or ())
    for name in code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]:
        # No default comes before a parameter that has none.
        values = [*values, given[name]] if name in given else []
    code = code.replace(co_argcount=code.co_argcount + code.co_kwonlyargcount, co_kwonlyargcount=0)
    flat = types.FunctionType(code, inner.__globals__, inner.__name__, tuple(values), inner.__closure__)
    return _like(inner, flat)


def _stub(inner: Callable[..., Any], free: Sequence[inspect.Parameter]) -> Callable[..., Any]:
    made: dict[str, Any] = {}
    exec(f"def {inner.__name__}({', '.join(p.name for p in free)}): pass", made)  # never called
    stub: Any = made[inner.__name__]
    stub.__defaults__ = tuple(p.default for p in free if p.default is not p.empty) or None
    return _like(inner, stub)


def _like(inner: Callable[..., Any], other: Any) -> Callable[..., Any]:
    other.__doc__, other.__module__, other.__qualname__ = inner.__doc__, inner.__module__, inner.__qualname__
    return other  # type: ignore[no-any-return]


def bind(f: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Any, ...]:
    """The arguments by position, keywords and defaults included; TypeError as Python has it where they don't fit."""
    bound = signature(f).bind(*args, **kwargs)
    bound.apply_defaults()
    return tuple(bound.arguments.values())


def flatten(tree: Tree, value: Any, what: str, code: str = "S092") -> list[Any]:
    """The leaves of a value that has the structure of `tree`."""
    if isinstance(tree, Leaf):
        return [value]
    items = taken(tree.make, value)
    if items is None or len(items) != len(tree.items):
        raise ArgumentError(f"{what} has to be {_expected(tree)}, not {brief(value)}", code=code)
    names = names_of(tree.make) or range(len(items))
    return [
        leaf
        for name, t, v in zip(names, tree.items, items, strict=True)
        for leaf in flatten(t, v, f"{what}[{name!r}]", code)
    ]


def _expected(tree: Node) -> str:
    """A structure in a few words."""
    if isinstance(tree.make, Given) and tree.make.make is dict:
        return f"a dict with the keys {', '.join(map(repr, tree.make.keys))}"
    if isinstance(tree.make, type) and not issubclass(tree.make, tuple):
        return f"a {tree.make.__name__}"
    return f"a {'list' if tree.make == Given(list) else 'tuple'} of {len(tree.items)}"


def pack(tree: Tree, values: Mapping[str, Any]) -> Any:
    """A value with the structure of `tree`, its leaves looked up by name; None where there is none."""
    if isinstance(tree, Leaf):
        return values.get(tree.name)
    return built(tree.make, [pack(item, values) for item in tree.items])


def real(value: Any, like: Any, kind: Kind, what: str, code: str = "S092") -> Any:
    """A tangent or cotangent for `like`: a float, or a fresh array of its shape, in float32 where it is."""
    try:
        array = np.array(value, np.float32 if kind.is_array and _is_single(like) else np.float64)
    except (TypeError, ValueError):
        raise KindError(f"{what} has to be real numbers, not {brief(value)}", code="S062") from None
    if np.iscomplexobj(value):
        raise KindError(f"{what} has to be real numbers, not complex ones", code="S062")
    if array.shape != np.shape(like):
        raise ArgumentError(f"{what} has shape {array.shape}, and has to have {np.shape(like)}", code=code)
    return array if kind.is_array else float(array)


def _is_single(value: Any) -> bool:
    return getattr(value, "dtype", None) == np.float32


def leaf_values(fn: Function, args: Sequence[Any]) -> dict[str, Any]:
    """The flat parameters of `fn` and their values."""
    found: dict[str, Any] = {}
    for param, arg in zip(fn.signature, args, strict=True):
        names = _names(param.tree)
        found.update(
            (n, v)
            for n, v in zip(names, flatten(param.tree, arg, f"`{param.name}`"), strict=True)
            if n in fn.params
        )
    return found


def _names(tree: Tree) -> tuple[str, ...]:
    return (tree.name,) if isinstance(tree, Leaf) else tuple(n for item in tree.items for n in _names(item))


def plain(value: Any) -> Any:
    """NumPy's numbers as Python's own, in structures too: what compiled functions return."""
    structure = taken_apart(value)
    if structure is not None:
        make, items = structure
        return built(make, list(map(plain, items)))
    return value.item() if isinstance(value, np.generic) else value


def brief(value: Any) -> str:
    """A value in a few words."""
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    if isinstance(value, tuple | list):
        return f"a {type(value).__name__} of {len(value)}"
    return f"{value!r}" if isinstance(value, int | float | str | None) else f"a {type(value).__name__}"
