"""Calls that stay calls: of functions that call themselves, that are to be run again, with rules, and of derivatives.

All other calls are written out in place. The function called is read apart, once per *form* of its arguments (which
are numbers, which are arrays, what is known now); kinds come later, when the callers' are settled (`linking`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeAlias

import gast

from s2sad.errors import UnsupportedSyntaxError
from s2sad.frontend.expressions import Expressions
from s2sad.frontend.infer import kind_of
from s2sad.frontend.lists import Told, until_told
from s2sad.frontend.reader import described, is_atomic
from s2sad.frontend.values import Array, Closure, Frame, Fresh, Known, Scalar, Tuple, Value, leaves_of
from s2sad.ir.nodes import REAL, Call, Expr, Function, Kind, Var
from s2sad.ir.walk import unique
from s2sad.ops import several
from s2sad.source import Span

#: A function is read for so many forms of arguments at most.
FORMS = 16
NOTHING = -1  # what is promised where nothing is returned
ONLY = "return a number, or a tuple of numbers; write arrays into a parameter"
MARK = "s2sad_checkpoint"  # the attribute that `markers.checkpoint` sets

Kinds: TypeAlias = tuple[Kind, ...]
#: The kinds of results, as far as they are known.
Found: TypeAlias = tuple[Kind | None, ...]
#: What is made of the results of a function: (the reader that has read it, its value, its last line) -> its value.
Outcome: TypeAlias = Callable[[Any, Value, gast.AST], Value]


class Settled(Protocol):
    """A reader that has read its function."""

    def kinds_of_results(self, kinds: Kinds) -> Found:
        """The kinds of results for parameters of these kinds."""

    def made_for(self, kinds: Kinds) -> Function:
        """The function for parameters of these kinds; its calls are still to be linked."""


@dataclass(slots=True, eq=False)
class Reading:
    """A function read for arguments of one form.

    promised  the number of its results as its `return` statements show it, 0 for a single number;
              NOTHING; None: another form
    relied    whether somebody has called it while it was being read
    returns   the structure of its results; None while it is being read
    arrays    per result, whether it is an array
    formal    the kinds of arguments as they were taken for; those of scalars don't matter
    loose     its results may be of any kind
    written   positions of arguments (leaves) that it may write into; None while it is being read: any
    """

    key: str
    name: str
    node: gast.AST
    at: Span
    promised: int | None
    returns: Value | None = None
    relied: bool = False
    arrays: tuple[bool, ...] = ()
    written: frozenset[int] | None = None
    reader: Settled | None = None
    formal: Kinds = ()
    loose: bool = False
    kept: tuple[object, ...] = ()  # what the form of the arguments names by identity

    @property
    def count(self) -> int:
        """The number of results."""
        if self.returns is not None:
            return len(self.arrays)
        return {NOTHING: 0, 0: 1, None: 1}.get(self.promised, self.promised or 1)


@dataclass(slots=True, eq=False)
class Program:
    """The functions that one program calls.

    readings  by function and form of arguments
    found     the kinds of results, as far as they are known, by reading and kinds of arguments
    places    how many readings there are of a function, and what is around it
    """

    readings: dict[Hashable, Reading] = field(default_factory=dict)
    by_key: dict[str, Reading] = field(default_factory=dict)
    found: dict[tuple[str, Kinds], Found] = field(default_factory=dict)
    places: Counter[Hashable] = field(default_factory=Counter)

    def add(self, form: Hashable, reading: Reading) -> Reading:
        """Enter a reading."""
        self.readings[form] = self.by_key[reading.key] = reading
        return reading

    def given(self, call: Call, kinds: Mapping[str, Kind]) -> Found:
        """The kinds of the targets of a call, as far as they are known."""
        args = [kind_of(arg, kinds) for arg in call.args]
        known = tuple(kind for kind in args if kind is not None)
        if len(known) < len(args):
            return (None,) * len(call.targets)
        return self.found.setdefault((call.function, known), (None,) * len(call.targets))

    def born(self, call: Call) -> tuple[str, ...]:
        """The arrays that a call brings forth."""
        if row := several(call.function):
            kinds = row.results.values()
            return tuple(t for t, kind in zip(call.targets, kinds, strict=True) if kind.is_array)
        arrays = self.by_key[call.function].arrays
        return tuple(t for t, array in zip(call.targets, arrays, strict=False) if array)

    def settle(self, root: Callable[[], object]) -> None:
        """Find the kinds of all results, from below; `root` asks for those that the outermost function needs."""
        changed = True
        while changed:
            root()
            changed, before = False, len(self.found)
            for (key, kinds), old in list(self.found.items()):
                reading = self.by_key[key]
                new = old if reading.reader is None else reading.reader.kinds_of_results(kinds)
                if new != old:
                    self.found[key, kinds] = new
                    changed = True
            changed = changed or len(self.found) > before


@dataclass(slots=True)
class Passed:
    """Arguments taken apart: leaves, names or constants; the arrays among them; what forms name by identity."""

    kinds: Mapping[str, Kind]
    args: list[Expr] = field(default_factory=list)
    arrays: list[str] = field(default_factory=list)
    kept: list[object] = field(default_factory=list)

    @property
    def formal(self) -> Kinds:
        """The kinds that the callee is read for."""
        return tuple(self.kinds.get(a.name, REAL) if isinstance(a, Var) else REAL for a in self.args)


class Functions(Expressions):
    """What calls."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.program = Program()
        self.outcome: Outcome | None = None
        self.plan: Any = None  # what `outcome` finds out besides

    @abstractmethod
    def read_apart(self, params: Sequence[tuple[str, Value]], kinds: Kinds) -> Value:
        """Read the function of this reader for parameters of these forms; the structure of its results."""

    @abstractmethod
    def places_written(self) -> frozenset[int]:
        """Positions of the parameters that the function of this reader may write into."""

    def called(self, node: gast.AST, frame: Frame, params: Sequence[tuple[str, Value]], joint: bool) -> Value:
        """The value of a call that stays a call."""
        name = getattr(frame.node, "shown", frame.node.name)
        if frame.outer is not None:
            hint = "define it at the top of the file, and pass what it uses as arguments"
            self.refuse(node, f"`{name}` calls itself, and is defined inside a function", "S072", hint)
        passed = Passed(self.kinds)
        form = tuple(self._form(node, value, passed) for _, value in params)
        reading = self.read_for(node, frame, params, form, passed)
        if reading.returns is None:
            reading.relied = True
            if reading.promised is None:
                self.refuse(
                    node, f"`{name}` calls itself, and gives something else than numbers", "S072", ONLY
                )
        return self._emitted(reading, passed, joint)

    def read_for(
        self,
        node: gast.AST,
        frame: Frame,
        params: Sequence[tuple[str, Value]],
        form: Hashable,
        passed: Passed,
        outcome: Outcome | None = None,
    ) -> Reading:
        """The reading of a function for arguments of a form; it may be under way. `outcome` settles its results."""
        name = getattr(frame.node, "shown", frame.node.name)
        around = tuple((n, around_of(value)) for n, value in frame.env.items())
        place = (frame.function, frame.node.lineno, frame.node.col_offset, around)
        key = (place, form, outcome)
        reading = self.program.readings.get(key)
        if reading is None:
            if self.program.places[place] > FORMS:
                self.refuse(node, f"`{name}` calls itself with ever new forms of arguments", "S072",
                            "pass numbers, arrays and tuples of one form")  # fmt: skip
            reading = Reading(
                self._fresh_key(), name, node, self.span(node), promised(frame.node),
                kept=(frame.function, *frame.env.values(), *passed.kept),
            )  # fmt: skip
            reading.formal = passed.formal
            self.program.places[place] += 1
            self.program.add(key, reading)
            self._read_callee(frame, params, reading, outcome)
        return reading

    # ----- pieces ------------------------------------------------------------------------------------------

    def _fresh_key(self) -> str:
        return f"@{len(self.program.by_key)}"

    def _form(self, node: gast.AST, value: Value, passed: Passed) -> Hashable:
        """The form of an argument; its leaves, named or constant, go to `args`."""
        match value:
            case Scalar():
                held = value if is_atomic(value) else self.spill(value)
                passed.args.append(self.scalar_of(held, node))
                return "number"
            case Array() | Fresh():
                array = self.array(value)
                passed.args.append(Var(array.name))
                passed.arrays.append(array.name)
                return self.kinds.setdefault(array.name, Kind("real", array.ndim))
            case Tuple(items, make) if make is not list:
                passed.kept.append(make)
                return ("tuple", id(make), tuple(self._form(node, item, passed) for item in items))
            case Known(str() as text):
                return ("text", text)
            case Known(known):
                passed.kept.append(known)
                return ("known", id(known))
        self.refuse(node, f"{described(value)} can't be passed here", "S072",
                    "this call stays a call: pass numbers, arrays and tuples of them")  # fmt: skip

    def _read_callee(
        self,
        frame: Frame,
        params: Sequence[tuple[str, Value]],
        reading: Reading,
        outcome: Outcome | None = None,
    ) -> None:
        inner = Frame(frame.source, frame.function, frame.node, frame.locals, 0)
        for name, value in frame.env.items():  # what a function defined inside knows from around
            if isinstance(value, Closure) and value.frame is frame:
                value = replace(value, frame=inner)
            elif isinstance(value, Closure) and value.frame.outer is frame:
                value = replace(value, frame=replace(value.frame, outer=inner))
            inner.env[name] = value
        own, program = dict(inner.env), self.program
        before = (dict(program.readings), dict(program.by_key), program.places.copy())

        def read(told: Told, guessed: set[int]) -> Any:
            inner.env, inner.returned = dict(own), []
            program.readings, program.by_key = dict(before[0]), dict(before[1])
            program.places = before[2].copy()
            reader = type(self)(replace(inner))
            reader.program, reader.told, reader.guessed = program, told, guessed
            reader.calls = [frame.node.body, frame.function.__code__]
            reader.outcome = outcome
            reader.at = reader.calling = self.span(reading.node)
            reading.returns = reader.read_apart(params, reading.formal)
            return reader

        try:
            reader = until_told(read)
        except UnsupportedSyntaxError as error:
            if error.code != "S052" or not reading.relied:
                raise
            self.refuse(reading.node, f"`{reading.name}` calls itself, and gives something else than numbers",
                        "S072", ONLY)  # fmt: skip
        returns = reading.returns or Known(None)
        leaves = [] if returns == Known(None) else leaves_of(returns)
        reading.arrays = tuple(isinstance(leaf, Array) for leaf in leaves)
        if reading.relied and not as_promised(reading):
            self.refuse(reading.node, f"`{reading.name}` calls itself, and gives something else than numbers",
                        "S072", ONLY)  # fmt: skip
        reading.written = reader.places_written()
        reading.reader = reader

    def _emitted(self, reading: Reading, passed: Passed, joint: bool) -> Value:
        """A call, and the value that its targets make."""
        targets: list[str] = []

        def target(value: Value) -> Value:
            match value:
                case Tuple(items, make):
                    return Tuple(tuple(map(target, items)), make)
                case Array(_, ndim):
                    targets.append(name := self.temporary("t"))
                    self.kinds[name] = Kind("real", ndim)
                    return Array(name, ndim)
                case Known():
                    return value
            targets.append(name := self.temporary("t"))
            return Scalar(Var(name))

        number = Scalar(Var(""))
        shape: Value = Tuple((number,) * reading.count) if reading.promised else number
        if reading.promised == NOTHING:
            shape = Known(None)
        value = target(shape if reading.returns is None else reading.returns)
        places = range(len(passed.args)) if reading.written is None else sorted(reading.written)
        given = (arg for arg in (passed.args[k] for k in places) if isinstance(arg, Var))
        written = unique(arg.name for arg in given if arg.name in passed.arrays)
        self.emit(Call(tuple(targets), reading.key, tuple(passed.args), written, joint=joint, at=self.at))
        return value


def promised(function: gast.FunctionDef) -> int | None:
    """How many numbers `return` statements show: 0 for a single one, NOTHING for none; None for something else."""

    def shown(expr: gast.AST | None) -> Iterator[int | None]:
        match expr:
            case gast.IfExp(body=one, orelse=other):
                yield from shown(one)
                yield from shown(other)
            case gast.Tuple(elts=elts):
                yield (
                    None
                    if not elts or any(isinstance(e, gast.Starred | gast.Tuple) for e in elts)
                    else len(elts)
                )
            case gast.Call(func=gast.Name(id=name)) if name == function.name:
                return
            case None | gast.Constant(value=None):
                yield NOTHING
            case _:
                yield 0

    def returns(stmts: Sequence[gast.AST]) -> Iterator[gast.Return]:
        for stmt in stmts:
            if isinstance(stmt, gast.Return):
                yield stmt
            elif not isinstance(stmt, gast.FunctionDef | gast.Lambda):
                yield from returns(list(gast.iter_child_nodes(stmt)))

    every = list(returns(function.body))
    found = {count for stmt in every for count in shown(stmt.value)}
    return found.pop() if len(found) == 1 else None if found else 0 if every else NOTHING


def as_promised(reading: Reading) -> bool:
    """Whether a function gives what those who called it while it was read relied on."""
    match reading.returns:
        case Known(None):
            return reading.promised == NOTHING
        case Scalar():
            return reading.promised == 0
        case Tuple(items, None):
            return reading.promised == len(items) and all(isinstance(item, Scalar) for item in items)
    return False


def around_of(value: Value) -> Hashable:
    """What a name from around a function stands for, where it is no argument of it."""
    match value:
        case Known(str() as text):
            return ("text", text)
        case Known(known):
            return ("known", id(known))
        case Closure(node=node):
            return ("closure", id(node))
    return ("other", id(value))
