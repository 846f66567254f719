"""What the names of a Python function stand for while it is read: values known by their form, not their numbers.

::

    Scalar(expr)                a number; expr is its IR expression
    Array(name, ndim)           an array that a name is bound to
    Fresh(expr, ndim, whole)    an array that has no name yet: an elementwise expression, or (whole) a creation;
                                where the expression is a section, a view of its array
    Tuple(items, make)          a tuple; make is the class of a NamedTuple, or `list` for a list that stays as it is
    Struct(fields)              a dict or a dataclass that is given
    Growing(name, count)        a list of numbers that changes
    Known(value)                an object known now: None, text, a module, a function, a class
    Closure(node, frame, ...)   a function defined inside
    Lost(why)                   differs between paths, or is unbound on one: must not be read
"""

from __future__ import annotations

import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import gast

from s2sad.forms import Make, names_of
from s2sad.ir.nodes import Const, Expr, Load
from s2sad.source import Source


@dataclass(frozen=True, slots=True)
class Scalar:
    """A number."""

    expr: Expr


@dataclass(frozen=True, slots=True)
class Array:
    """An array by its name."""

    name: str
    ndim: int


@dataclass(frozen=True, slots=True)
class Fresh:
    """An array expression; `whole` ones (creations, copies) can't be operands as they stand."""

    expr: Expr
    ndim: int
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Tuple:
    """A tuple, a NamedTuple of class `make`, a list; one that is given (`Given`) never changes."""

    items: tuple[Value, ...]
    make: Make = None


@dataclass(frozen=True, slots=True)
class Struct:
    """A dict or a dataclass that is given: its items, with what it is; nothing in it is bound anew."""

    fields: Tuple

    def item(self, name: object) -> Value | None:
        """The item of that name; None where there is none."""
        names = names_of(self.fields.make)
        return self.fields.items[names.index(name)] if name in names else None


@dataclass(frozen=True, slots=True)
class Growing:
    """A list of numbers that changes: the raw names of the array behind it, and of the number of its items."""

    name: str
    count: str


@dataclass(frozen=True, slots=True)
class Known:
    """An object that is known when the function is read."""

    value: Any


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """A function defined inside, with the frame it was defined in and the values of its defaults."""

    node: gast.FunctionDef
    frame: Frame
    defaults: tuple[Value, ...] = ()
    kw_defaults: tuple[Value | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Lost:
    """No value that could be relied on; `code` is the error that reading it is."""

    why: str
    code: str = "S052"


Value: TypeAlias = Scalar | Array | Fresh | Tuple | Struct | Growing | Known | Closure | Lost


@dataclass(slots=True)
class Loop:
    """A loop being read.

    entry    the values at its head
    flag     the raw name of the flag that a `break` puts down
    carried  the names whose values at the head were read inside
    ends     the values where a trip was left by `continue` or `break`
    """

    entry: dict[str, Value]
    flag: str = ""
    carried: set[str] = field(default_factory=set)
    ends: list[dict[str, Value]] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Frame:
    """One call being read: its names, where its text is, and what surrounds it.

    into      the raw name in which results meet, where there are several
    going     the raw name of the flag that a `return` inside the loops being read puts down
    returned  the results so far, with their places in the text
    """

    source: Source
    function: types.FunctionType
    node: gast.FunctionDef
    locals: frozenset[str]
    number: int
    outer: Frame | None = None
    env: dict[str, Value] = field(default_factory=dict)
    loops: list[Loop] = field(default_factory=list)
    into: str = ""
    going: str = ""
    returned: list[tuple[Value, gast.AST]] = field(default_factory=list)
    steps: int = 0

    def lookup(self, name: str) -> Value | None:
        """The value of a local name of this frame or of one around it; None where it has none."""
        frame: Frame | None = self
        while frame is not None:
            if name in frame.locals:
                value = frame.env.get(name)
                for loop in frame.loops:
                    if value is not None and loop.entry.get(name) is value:
                        loop.carried.add(name)
                return value
            frame = frame.outer
        return None

    def home(self, name: str) -> Frame:
        """The frame that a name which is assigned here belongs to: another one where it is `nonlocal`."""
        frame = self
        while name not in frame.locals and frame.outer is not None and frame.outer.owns(name):
            frame = frame.outer
        return frame

    def owns(self, name: str) -> bool:
        """Whether `name` is a local name of this frame or of one around it."""
        return name in self.locals or (self.outer is not None and self.outer.owns(name))


def leaves_of(value: Value) -> Iterator[Value]:
    """The leaves of a value, left to right."""
    if isinstance(value, Tuple):
        for item in value.items:
            yield from leaves_of(item)
    else:
        yield value


def is_list(value: Value | None) -> bool:
    """Whether a value is a list or tuple of numbers, of arrays, or of such lists."""
    if isinstance(value, Growing):
        return True
    return isinstance(value, Tuple) and bool(value.items) and all(
        isinstance(leaf, Scalar | Array | Fresh) for leaf in leaves_of(value)
    )  # fmt: skip


def section_of(value: Value | None) -> Load | None:
    """The section that an array value shows; None where it is anything else."""
    return value.expr if isinstance(value, Fresh) and isinstance(value.expr, Load) else None


def join(before: Value | None, one: Value, other: Value) -> Value:
    """The value of a name where two paths meet; of equal forms the one from before, by identity, is kept."""
    if one is other:
        return one
    if same(one, other):
        return before if before is one or before is other else one
    for value in (one, other):
        if isinstance(value, Lost):
            return value
    return Lost("has different kinds on the paths that meet here")


def same(one: Value, other: Value) -> bool:
    """Whether two values have the same form under the same names."""
    match one, other:
        case Tuple(a, make), Tuple(b, made):
            return make == made and len(a) == len(b) and all(map(same, a, b))
        case Known(a), Known(b):
            return a is b or (isinstance(a, str) and type(a) is type(b) and a == b)
    return one == other


def meet(before: dict[str, Value], ways: Sequence[dict[str, Value]]) -> dict[str, Value]:
    """The values of names where paths meet, of which there is at least one."""
    env, *others = ways
    for other in others:
        env = {n: _meet(before.get(n), env.get(n), other.get(n)) for n in dict.fromkeys([*env, *other])}
    return env


def _meet(before: Value | None, one: Value | None, other: Value | None) -> Value:
    if one is not None and other is not None:
        return join(before, one, other)
    value = one or other
    assert value is not None
    return Lost("is bound on some paths only", "S051") if isinstance(value, Known | Closure | Lost) else value


def truth(value: Value) -> bool | None:
    """Whether a test is known to hold: True, False, or None where the program decides."""
    match value:
        case Scalar(Const(bool() as known)):
            return known
        case Known(None):
            return False
        case Known(str() as text):
            return bool(text)
    return None
