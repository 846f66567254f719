"""What reading a function needs everywhere: where statements go, raw names, temporaries, refusals.

Names are raw while a function is read: `x#0` is `x` of the outermost function, `x#3` that of the third call
written out, `t#t4` a temporary, `G#c` a constant from outside. `webs` gives the final ones.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import gast
import numpy as np

from s2sad import library
from s2sad.errors import KindError, S2sadError, UnsupportedSyntaxError
from s2sad.forms import Given, own_way
from s2sad.frontend.flow import defines
from s2sad.frontend.infer import given
from s2sad.frontend.kinds import kind_of_value
from s2sad.frontend.read import span_of
from s2sad.frontend.values import (
    Array,
    Frame,
    Fresh,
    Growing,
    Known,
    Scalar,
    Struct,
    Tuple,
    Value,
    section_of,
)
from s2sad.ir.nodes import (
    Apply,
    Assign,
    Call,
    Const,
    Expr,
    If,
    Kind,
    Load,
    New,
    Print,
    Raise,
    Stmt,
    Store,
    Update,
    Var,
    View,
)
from s2sad.ir.walk import statements, variables
from s2sad.source import NOWHERE, Span


class Reader(ABC):
    """Emits statements into the innermost open block."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.out: list[Stmt] = []
        self.at: Span = NOWHERE
        self.calling: Span = NOWHERE  # where a function that is read on its own is called
        self.constants: dict[str, Any] = {}
        self.kinds: dict[str, Kind] = {}  # of raw names, as far as reading can tell
        self.calls: list[object] = []
        self.late: set[str] = set()  # tags of raw names that get a value in a loop before they are read
        self.finished: set[int] = set()  # numbers of calls that have been read
        self.outward = False  # whether a function that writes names of another one has been read
        self.serial = 0
        self.roomy: dict[str, int] = {}  # raw names of arrays behind lists, and their numbers of dimensions
        self.steady: list[tuple[Tuple, int]] = []  # lists that stay as they are, and the calls that name them
        self.births = 0  # of lists that change
        self.lists: dict[str, int] = {}  # by the raw name of such a list, the number of its birth
        self.holding: dict[
            int, int
        ] = {}  # by that number, the dimensions of its items, as far as they are known
        self.guessed: set[int] = set()  # the numbers of those that were taken for lists of numbers
        self.told: dict[int, tuple[int, bool]] = {}  # the same, from an earlier reading
        self.shaped: set[int] = set()  # the numbers of lists that begin with an item
        self.natural: set[str] = set()  # raw names of integers that are not below zero

    @abstractmethod
    def expr(self, node: gast.AST) -> Value:
        """The value of an expression."""

    @abstractmethod
    def call(self, node: gast.Call) -> Value:
        """The value of a call."""

    @abstractmethod
    def bind(self, raw: str, value: Value, node: gast.AST) -> Value:
        """Assign or bind a value to a raw name; its leaves where it is a tuple."""

    @abstractmethod
    def run(self, function: gast.FunctionDef) -> Value:
        """The value that the body of a function returns; its parameters are bound."""

    # ----- emission ----------------------------------------------------------------------------------------

    def emit(self, *stmts: Stmt) -> None:
        """Put statements at the end of the open block."""
        self.out.extend(stmts)
        for stmt in stmts:
            self.kinds.update(given(stmt, self.kinds, self.roomy))

    @contextmanager
    def block(self) -> Iterator[list[Stmt]]:
        """Open a nested block; what is emitted meanwhile lands in the list given."""
        outer, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = outer

    def number(self) -> int:
        """The next serial number."""
        self.serial += 1
        return self.serial

    def temporary(self, base: str = "t") -> str:
        """A fresh raw name."""
        return f"{base}#t{self.number()}"

    def raw(self, name: str) -> str:
        """The raw name of a local name, or of one of a function around."""
        return f"{name}#{self.frame.home(name).number}"

    # ----- refusals ----------------------------------------------------------------------------------------

    def refuse(
        self,
        node: gast.AST,
        message: str,
        code: str,
        hint: str = "",
        error: type[S2sadError] = UnsupportedSyntaxError,
    ) -> NoReturn:
        """Raise an error at the place of `node`."""
        raise error(message, code=code, at=self.span(node), hint=hint)

    def span(self, node: gast.AST) -> Span:
        """Where a node stands; what stands in a function of s2sad's own belongs to the line that calls it."""
        own = self.calling != NOWHERE and library.belongs(self.frame.function)
        return self.calling if own else span_of(node, self.frame.source)

    # ----- values ------------------------------------------------------------------------------------------

    def scalar_of(self, value: Value, node: gast.AST) -> Expr:
        """The IR expression of a number."""
        if not isinstance(value, Scalar):
            self.refuse(node, f"a number is needed here, not {described(value)}", "S064", error=KindError)
        return value.expr

    def array(self, value: Array | Fresh, base: str = "t") -> Array:
        """`value` under a name: a section as a view, another expression in an array of its own."""
        if isinstance(value, Array):
            return value
        name = self.temporary(base)
        self.emit(born(name, value, self.at))
        return Array(name, value.ndim)

    def spill(self, value: Value, position: int | None = None) -> Value:
        """`value` evaluated now (or at an earlier position of the block), for use later."""
        with self.block() as stmts:
            held = self.held(value)
        place = len(self.out) if position is None else position
        self.out[place:place] = stmts
        return held

    def taken(self, value: Value, node: gast.AST, position: int | None = None) -> Value:
        """`value` in names of its own, bound now (or at an earlier position of the block)."""
        with self.block() as stmts:
            held = self.bind(self.temporary(), value, node)
        place = len(self.out) if position is None else position
        self.out[place:place] = stmts
        return held

    def held(self, value: Value) -> Value:
        """`value` evaluated here, for use later."""
        match value:
            case Scalar(expr) if not isinstance(expr, Const):
                name = self.temporary()
                self.emit(Assign(name, expr, self.at))
                return Scalar(Var(name))
            case Fresh():
                return self.array(value)
            case Tuple(items, make):
                return Tuple(tuple(map(self.held, items)), make)
            case Struct(fields):
                return Struct(self.held(fields))  # type: ignore[arg-type]
        return value

    def operands(self, exprs: Iterable[gast.AST]) -> list[Value]:
        """The values of expressions from left to right, each as it is when its turn comes.

        Where a later one brings statements with effects (a call that writes into an array, an assignment), what
        earlier ones read is read before them.
        """
        values: list[Value] = []
        for node in exprs:
            start = len(self.out)
            value = self.expr(node)
            for k, earlier in enumerate(values):
                if disturbs(self.out[start:], earlier):
                    before = len(self.out)
                    values[k] = self.taken(earlier, node, start)
                    start += len(self.out) - before
            values.append(value)
        return values

    def class_checked(self, node: gast.AST, make: object) -> None:
        """Refuse a NamedTuple that makes its values, or finds what is in them, in a way of its own."""
        if own := own_way(make):
            self.refuse(node, f"the class `{make.__name__}` has its own `{own}`", "S041",  # type: ignore[attr-defined]
                        "leave that to NamedTuple, and write a function beside it")  # fmt: skip

    # ----- values from outside -----------------------------------------------------------------------------

    def baked(self, value: Any, name: str, node: gast.AST, plain: bool = False) -> Value:
        """The value of an object from outside: numbers and arrays become constants, `plain` numbers literals."""
        match value:
            case bool() | np.bool_():
                number: bool | int | float | complex = bool(value)
            case int() | np.integer():
                number = int(value)
                if not -(2**63) <= number < 2**63:
                    self.refuse(node, "an integer of more than 64 bits", "S053", "use a float")
            case float() if not isinstance(value, np.floating) or value.dtype == np.float64:
                number = float(value)
            case np.floating() if value.dtype == np.float32:
                return Scalar(Apply("float32", (Const(float(value)),)))
            case complex() if not isinstance(value, np.generic) or value.dtype == np.complex128:
                number = complex(value)
            case np.ndarray():
                return self._constant_array(value, name, node)
            case tuple():
                make = type(value) if type(value) is not tuple else None
                self.class_checked(node, make)
                items = (self.baked(v, f"{name}.{k}", node, plain) for k, v in enumerate(value))
                return Tuple(tuple(items), make)
            case dict() if all(isinstance(key, str | int) for key in value):
                items = (self.baked(v, f"{name}.{k}", node, plain) for k, v in value.items())
                return Struct(Tuple(tuple(items), Given(dict, tuple(value))))
            case np.generic() | list() | dict() | set():
                self.refuse(node, f"`{name}` is a `{type(value).__name__}`, which can't be baked in", "S053")
            case _:
                return Known(value)
        if plain:
            return Scalar(Const(number))
        return Scalar(Var(self._constant(number, name)))

    def _constant_array(self, value: np.ndarray[Any, Any], name: str, node: gast.AST) -> Value:
        try:
            kind = kind_of_value(value)
        except KindError as error:
            self.refuse(
                node, error.message.replace("an argument", "a constant"), "S053", "use a float64 array"
            )
        if not kind.ndim:
            return self.baked(value.item(), name, node)
        return Array(self._constant(value, name), kind.ndim)

    def _constant(self, value: Any, name: str) -> str:
        raw = f"{name}#c"
        for known, held in self.constants.items():
            if known.partition("#")[0] == name and (held is value or _same_number(held, value)):
                return known
        raw = f"{name}#c{self.number()}"
        self.constants[raw] = value
        self.kinds[raw] = kind_of_value(value)
        return raw


def _same_number(one: Any, other: Any) -> bool:
    return not isinstance(other, np.ndarray) and type(one) is type(other) and repr(one) == repr(other)


def born(name: str, value: Fresh, at: Span) -> New | View:
    """The statement by which a name is bound to a value: a section shares its array's memory."""
    section = section_of(value)
    return New(name, value.expr, at) if section is None else View(name, section.array, section.index, at=at)


def is_atomic(value: Value) -> bool:
    """Whether `value` may stand in several places: names and literals only."""
    match value:
        case Scalar(expr):
            return isinstance(expr, Var | Const)
        case Tuple(items) | Struct(Tuple(items)):
            return all(map(is_atomic, items))
        case Fresh():
            return False
    return True


def is_constant(value: Value) -> bool:
    """Whether `value` is a number that is known now, or a tuple of such."""
    match value:
        case Scalar(Const()):
            return True
        case Tuple(items, None):
            return bool(items) and all(map(is_constant, items))
    return False


def remembers(value: Value) -> bool:
    """Whether `value` holds something that was to be read, or computed, before statements with effects.

    A section holds nothing: it shows its array as it is when it is read.
    """
    if section_of(value) is not None:
        return False
    match value:
        case Scalar(Apply() | Load()) | Fresh():
            return True
        case Tuple(items) | Struct(Tuple(items)):
            return any(map(remembers, items))
    return False


def disturbs(stmts: Sequence[Stmt], value: Value) -> bool:
    """Whether statements change what `value` is still to read."""
    if not stmts:
        return False
    bound = {name for stmt in statements(stmts) for name in defines(stmt)}
    return (remembers(value) and has_effects(stmts)) or not bound.isdisjoint(reads(value))


def has_effects(stmts: Iterable[Stmt]) -> bool:
    """Whether statements write into arrays, raise, print, or call what may."""
    return any(isinstance(stmt, Store | Update | Raise | Print | Call) for stmt in statements(stmts))


def reads(value: Value) -> set[str]:
    """The raw names that a value reads."""
    match value:
        case Scalar(expr) | Fresh(expr):
            return set(variables(expr))
        case Array(name):
            return {name}
        case Growing(name, count):
            return {name, count}
        case Tuple(items) | Struct(Tuple(items)):
            return set().union(*map(reads, items))
    return set()


def ends(stmts: list[Stmt]) -> bool:
    """Whether every path through `stmts` ends in an exception."""
    match stmts[-1:]:
        case [Raise()]:
            return True
        case [If(test=Const(True), then=then)]:
            return ends(list(then))
        case [If(then=then, orelse=orelse)]:
            return ends(list(then)) and ends(list(orelse))
    return False


def described(value: Value) -> str:
    """A value in words."""
    match value:
        case Scalar():
            return "a number"
        case Array(ndim=ndim) | Fresh(ndim=ndim):
            return f"an array of {ndim} dimension{'s' if ndim > 1 else ''}"
        case Tuple(make=make):
            return "a list" if make is list or make == Given(list) else "a tuple"
        case Struct(Tuple(make=make)):
            return "a dict" if isinstance(make, Given) else f"a `{getattr(make, '__name__', '')}`"
        case Growing():
            return "a list"
        case Known(None):
            return "None"
        case Known(str()):
            return "text"
        case Known(known):
            return f"`{getattr(known, '__name__', type(known).__name__)}`"
    return "a function"
