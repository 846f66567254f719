"""What is known before a program is run: numbers where its arguments tell them, shapes of arrays, else nothing.

>>> from s2sad.ir.nodes import INT, REAL, Apply, Const, Var
>>> env = {"n": 3, "u": Sized((3, None))}
>>> number(Apply("mul", (Var("n"), Const(2))), env), number(Var("x"), env)
(6, None)
>>> sized(Apply("zeros", (Var("n"),)), env, {}).shape
(3,)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from s2sad.ir.interpret import function_of
from s2sad.ir.nodes import Apply, Const, Expr, Kind, Load, Slice, Var
from s2sad.ops import OPS
from s2sad.ops.kinds import kind_of

Extent: TypeAlias = int | None  # of one axis; None: not known
Env: TypeAlias = dict[
    Any, Any
]  # name -> number or Sized; (array, place) -> number of the array; absent: not known
ITEMSIZE = {"bool": 1, "single": 4, "complex": 16}
#: Operations of arrays that make one of the first's shape.
SAME = ("inv", "cholesky", "argsort", "argsort_stable", "argpartition")


@dataclass(frozen=True, slots=True, eq=False)
class Sized:
    """An array: its shape; what is in it, where that never changes; the places of a plan of snapshots."""

    shape: tuple[Extent, ...]
    content: Any = None
    places: Extent = None

    @property
    def size(self) -> Extent:
        """The number of elements."""
        if 0 in self.shape:
            return 0
        known = [n for n in self.shape if n is not None]
        return math.prod(known) if len(known) == len(self.shape) else None


def number(expr: Expr, env: Env) -> Any:
    """The value of a scalar expression, or None."""
    match expr:
        case Const(value):
            return value
        case Var(name):
            found = env.get(name)
            return None if isinstance(found, Sized) else found
        case Load(array, index):
            return _element(array, index, env)
        case Apply("shape", (Var(array), Const(axis))):
            found = env.get(array)
            return found.shape[axis] if isinstance(found, Sized) else None
        case Apply("places_of", (Var(plan),)):
            found = env.get(plan)
            return found.places if isinstance(found, Sized) else None
        case Apply("and" | "or" as op, (a, b)):
            first, second = number(a, env), number(b, env)
            decides = op == "or"
            if first is not None and bool(first) == decides:
                return first
            return None if first is None else second
        case Apply(op, args, spell):
            given = [number(a, env) for a in args]
            return None if any(v is None for v in given) else _applied(op, spell, given)
    return None


def _element(array: str, index: tuple[Expr, ...], env: Env) -> Any:
    places = tuple(number(i, env) for i in index)
    if any(type(p) is not int for p in places):
        return None
    if (array, *places) in env:
        return env[(array, *places)]
    found = env.get(array)
    if not isinstance(found, Sized) or found.content is None:
        return None
    try:
        value = found.content[places]
    except IndexError:
        return None
    return value.item() if np.ndim(value) == 0 else None


def _applied(op: str, spell: str, given: list[Any]) -> Any:
    try:
        with np.errstate(all="ignore"):
            value = function_of(op, spell)(*given)
    except Exception:  # it raises when it is run, or isn't an operation of numbers
        return None
    return value.item() if isinstance(value, np.generic) else value if np.ndim(value) == 0 else None


def sized(expr: Expr, env: Env, kinds: Mapping[str, Kind]) -> Sized:
    """The shape of an array expression; extents that aren't known are None."""
    found = _sized(expr, env, kinds)
    ndim = kind_of(expr, kinds).ndim
    return found if len(found.shape) == ndim else Sized((None,) * ndim)


def _sized(expr: Expr, env: Env, kinds: Mapping[str, Kind]) -> Sized:
    unknown = Sized((None,) * kind_of(expr, kinds).ndim)
    match expr:
        case Var(name):
            found = env.get(name)
            return found if isinstance(found, Sized) else Sized((None,) * kinds[name].ndim)
        case Load(array, index):
            return section(sized(Var(array), env, kinds), index, env)
        case Apply("full", (_, *shape)) | Apply("zeros" | "ones" | "empty" | "slots" | "disk_slots", shape):
            return Sized(tuple(map(_extent, (number(n, env) for n in shape))))
        case Apply("grown", _):
            return unknown
        case Apply(op, args) if (op in OPS and OPS[op].ndim != 1) or op in SAME:
            rule = OPS[op].structural
            if rule in ("like", "copy") or op in SAME:
                return replace(sized(args[0], env, kinds), content=None)
            if rule in ("", "part"):
                arrays = [a for a in args if kind_of(a, kinds).is_array]
                return broadcast(sized(a, env, kinds) for a in arrays)
    match expr:
        case Apply("dot12" | "dot21" | "dot22", (a, b)):
            return Sized((*sized(a, env, kinds).shape[:-1], *sized(b, env, kinds).shape[1:]))
        case Apply("solve21" | "solve22", (_, b)):
            return replace(sized(b, env, kinds), content=None)
    return unknown


def _extent(n: Any) -> Extent:
    return max(0, n) if type(n) is int else None


def broadcast(arrays: Iterable[Sized]) -> Sized:
    """The shape that arrays have together.

    >>> broadcast([Sized((3, 1)), Sized((None, 4)), Sized((4,))]).shape
    (3, 4)
    """
    shapes = [a.shape for a in arrays]
    ndim = max(map(len, shapes), default=0)
    out: list[Extent] = []
    for axis in range(-ndim, 0):
        extents = {shape[axis] for shape in shapes if len(shape) >= -axis} - {1}
        known = extents - {None}
        out.append(known.pop() if known else None if extents else 1)
    return Sized(tuple(out))


def section(array: Sized, index: tuple[Expr, ...], env: Env) -> Sized:
    """The shape of `array[index]`."""
    out: list[Extent] = []
    axis = 0
    for sub in index:
        if sub == Const(None):
            out.append(1)
            continue
        if isinstance(sub, Slice):
            parts = [None if p is None else number(p, env) for p in (sub.start, sub.stop, sub.step)]
            given = [p for p in (sub.start, sub.stop, sub.step) if p is not None]
            known = array.shape[axis] is not None and sum(p is not None for p in parts) == len(given)
            out.append(len(range(*slice(*parts).indices(array.shape[axis] or 0))) if known else None)
        axis += 1
    return Sized((*out, *array.shape[axis:]))


def viewed(array: Sized, index: tuple[Expr, ...], form: str, env: Env) -> Sized:
    """The shape of a view."""
    match form:
        case "T":
            axes = [number(i, env) for i in index] or list(reversed(range(len(array.shape))))
            return Sized(tuple(array.shape[k] for k in axes))
        case "reshape" | "rows":
            new = [number(i, env) for i in index]
            if new.count(-1) == 1 and None not in new and array.size is not None:
                rest = math.prod(n for n in new if n != -1)
                new[new.index(-1)] = array.size // rest if rest else 0
            return Sized(tuple(None if n == -1 else n for n in new))
        case "section":
            return section(array, index, env)
    return Sized(array.shape)


def joined(one: Env, other: Env) -> Env:
    """What is known whichever of two ways was taken."""
    return {k: v for k in one if k in other and (v := _either(one[k], other[k])) is not None}


def _either(a: Any, b: Any) -> Any:
    """What two values have in common: the first itself where that is all of it."""
    if not isinstance(a, Sized) or not isinstance(b, Sized):
        return a if type(a) is type(b) and a == b else None
    if a is b or len(a.shape) != len(b.shape):
        return a if a is b else None
    shape = tuple(m if m == n else None for m, n in zip(a.shape, b.shape, strict=True))
    content = a.content if a.content is b.content else None
    places = a.places if a.places == b.places else None
    return (
        a
        if (shape, places) == (a.shape, a.places) and content is a.content
        else Sized(shape, content, places)
    )
