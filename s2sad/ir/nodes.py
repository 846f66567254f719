"""The intermediate representation: a small structured program with binding events.

Grammar::

    expr  ::= Var | Const | Apply(op, expr*) | Load(array, sub*)          sub ::= expr | Slice
    stmt  ::= Assign(name, expr)                 scalar name := expression tree
            | Store(array, sub*, expr)           array[i, j] = expr      (an element; with slices, a section)
            | Update(array, expr)                array[...] = expr       (whole array, in place, broadcasting)
            | New(name, expr) | View(name, array, sub*)                 binding events
            | Rebind(name*, name*) | Bind(name, name, expr*) | Release(name)
            | For(name, expr, expr, expr, stmt*) | While(expr, stmt*) | If(expr, stmt*, stmt*) | Region(stmt*)
            | Call(name*, function, expr*) | Raise(name, expr*) | Print(expr*)
            | Keep(record, name, how) | Back(record, name)               the arena: a stack of kept arrays
            | Push(stack, expr) | Pop(stack, name)                       a stack of kept scalars
            | Accumulate(target, expr)           target += expr          (target: Var or Load)
            | Frame(stmt*)                       arena memory borrowed inside is given back at the end;
                                                 `own`: on an arena made here
            | Turn(expr*)                        the forward sweep ends and returns, the reverse sweep begins
    fn    ::= Function(name, param*, stmt*, result*)

Scalars (real, int, bool) are assigned; arrays are *born, shared and released*: an array name is a binding
to an entity, `New` makes a fresh entity, `Rebind` permutes or hands over entities without copying, and
`Release` ends the life of a name. Tuples do not occur: they are taken apart when Python is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from s2sad.forms import Make
from s2sad.source import NOWHERE, Span

Base: TypeAlias = Literal[
    "real", "single", "int", "bool", "complex", "none", "text", "tuple", "function", "pool", "any"
]


@dataclass(frozen=True, slots=True)
class Kind:
    """What a name stands for: a base, and the number of array dimensions (0 for a scalar).

    Reals are float64 ("real") or float32 ("single"), as compiled code has them. Code that is not compiled has the
    types that NumPy gives its values; what it keeps of a program with singles keeps its own type ("any").
    """

    base: Base
    ndim: int = 0
    items: tuple[Kind, ...] = ()  # of a tuple
    make: Make = None  # of a tuple that is more than that

    @property
    def is_array(self) -> bool:
        return self.ndim > 0

    @property
    def is_real(self) -> bool:
        """Floating-point numbers, of either width: what has derivatives."""
        return self.base in ("real", "single")

    @property
    def slope(self) -> Kind:
        """The kind of its adjoints and tangents: scalars have them in float64, arrays in their own type."""
        return REAL if self == SINGLE else self

    def __str__(self) -> str:
        if self.base == "tuple":
            return f"({', '.join(map(str, self.items))})"
        base = "float32" if self.base == "single" else self.base
        return base + (f"[{', '.join(':' * self.ndim)}]" if self.ndim else "")


REAL, INT, BOOL, NONE = Kind("real"), Kind("int"), Kind("bool"), Kind("none")
SINGLE = Kind("single")


@dataclass(frozen=True, slots=True)
class Var:
    """A name: a scalar, or an array as a whole."""

    name: str


@dataclass(frozen=True, slots=True)
class Const:
    """A literal number, bool, text or None. `2` and `2.0` and `True` differ (compared by type too)."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Const)
            and type(self.value) is type(other.value)
            and repr(self.value) == repr(other.value)
        )

    def __hash__(self) -> int:
        return hash((type(self.value), repr(self.value)))


@dataclass(frozen=True, slots=True)
class Apply:
    """An operation of the table (`ops`) on operands; `spell` is how the user wrote it (`math.sin`, `np.sin`).

    An empty `spell` lets the printer choose (operators, and everything that s2sad makes itself).
    """

    op: str
    args: tuple[Expr, ...]
    spell: str = ""


@dataclass(frozen=True, slots=True)
class Load:
    """`array[i, j]`: one element, as many subscripts as dimensions; with a Slice among them, a section.

    A subscript Const(None) adds an axis of length one to a section.
    """

    array: str
    index: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Slice:
    """`start:stop:step` as a subscript; a missing part is None."""

    start: Expr | None = None
    stop: Expr | None = None
    step: Expr | None = None


Expr: TypeAlias = Var | Const | Apply | Load | Slice


@dataclass(frozen=True, slots=True)
class Assign:
    """`target = value`, both scalar."""

    target: str
    value: Expr
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Store:
    """`array[index] = value`: one element. `a[i] += e` is Store(a, i, add(Load(a, i), e))."""

    array: str
    index: tuple[Expr, ...]
    value: Expr
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Update:
    """`array[...] = value`: every element, in place, with broadcasting. `a += e` is Update(a, add(a, e))."""

    array: str
    value: Expr
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class New:
    """`target = value` where value makes a fresh array: a creation, a copy, an array expression."""

    target: str
    value: Expr
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class View:
    """The target shares the memory of `array` while it lives.

    form = "section": `array[index]` · "T": the axes reversed, or in the order of the index · "reshape": the index is
    the new shape · "rows": likewise, of an array that is copied where it doesn't lie row by row · "real", "imag": that
    part of every complex number, no index · "fit": the index is a shape that the array has, or is broadcast to, in
    memory of its own · "room": likewise, but there is nothing in that memory.
    """

    target: str
    array: str
    index: tuple[Expr, ...]
    form: Literal["section", "T", "reshape", "rows", "real", "imag", "fit", "room"] = "section"
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Rebind:
    """`t1, t2 = s1, s2` on array names, nothing copied.

    Either a permutation (the same names on both sides), or a hand-over of one name: `t = s`, after which s is
    not used again before it is bound anew.
    """

    targets: tuple[str, ...]
    sources: tuple[str, ...]
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Bind:
    """`target = source` on array names, both in use afterwards: two names share one entity from here on.

    With a `form`, as in a View, the target is that view of the source, and may be bound anew or outlive it. Which
    names share an entity then depends on the way the program took, so the names of this class carry indices of a
    refcounted pool (`plan/indices.py`).
    """

    target: str
    source: str
    index: tuple[Expr, ...] = ()
    form: Literal["", "section", "T", "reshape"] = ""
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Release:
    """The entity that `name` is bound to is out of its reach from here on (end of scope, or bound anew next).

    index: the name that holds the entity's pool index, where it has one.
    """

    name: str
    at: Span = field(default=NOWHERE, compare=False, repr=False)
    index: str = ""


@dataclass(frozen=True, slots=True)
class For:
    """`for var in range(start, stop, step): body`; `note` is printed above it.

    threads: "asked" for a `prange` of the user's, "shared" where its iterations are shared out to threads in the end.
    """

    var: str
    start: Expr
    stop: Expr
    step: Expr
    body: tuple[Stmt, ...]
    at: Span = field(default=NOWHERE, compare=False, repr=False)
    note: str = field(default="", compare=False, repr=False)
    threads: Literal["", "asked", "shared"] = ""


@dataclass(frozen=True, slots=True)
class While:
    """`while test: body`. `counter` names an int that counts the iterations, where somebody needs to know."""

    test: Expr
    body: tuple[Stmt, ...]
    counter: str = ""
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class If:
    """`if test: then else: orelse`."""

    test: Expr
    then: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...] = ()
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch that is run plain, and run again, storing, on the way back (`checkpoint`).

    With a `schedule` ("revolve", "uniform", "online", "disk", "rows") it is one loop, of which some states are kept
    and steps are run again one by one (`checkpoint_range`); `given` is the number of snapshots, 0 for the default,
    or the array with the rows of the plan; `trips` is the number of its trips, at most.
    """

    body: tuple[Stmt, ...]
    at: Span = field(default=NOWHERE, compare=False, repr=False)
    schedule: str = ""
    given: Expr = Const(0)
    trips: Expr = Const(0)


@dataclass(frozen=True, slots=True)
class Call:
    """`targets = function(args)`: a function of `callees`, or one half of a pair of sweeps (of `pairs`).

    Array arguments are names; `writes` lists those of them that the function may write into. Array targets are
    born here. A `joint` call is run plain, and run again, storing, on the way back.
    """

    targets: tuple[str, ...]
    function: str
    args: tuple[Expr, ...]
    writes: tuple[str, ...] = ()
    half: Literal["", "fwd", "rev"] = ""
    joint: bool = False
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Frame:
    """A stretch whose arena memory is given back at its end; what it put on the arena it has taken off.

    `own`: the arena is made here, in a function that takes none.
    """

    body: tuple[Stmt, ...]
    at: Span = field(default=NOWHERE, compare=False, repr=False)
    own: bool = False


@dataclass(frozen=True, slots=True)
class Raise:
    """`raise exception(args)`; only ever inside an If.

    The exception is the name of a built-in class, or a class of a module's; `cause` is what it is raised from.
    """

    exception: str | type[Exception]
    args: tuple[Expr, ...] = ()
    at: Span = field(default=NOWHERE, compare=False, repr=False)
    cause: Raise | None = None

    @property
    def name(self) -> str:
        return self.exception if isinstance(self.exception, str) else self.exception.__name__


@dataclass(frozen=True, slots=True)
class Print:
    """`print(args, sep=sep, end=end)`, on the way forward only: numbers, arrays, text, tuples of these.

    stream  "stdout" or "stderr" of `sys`, where it is given
    """

    args: tuple[Expr, ...]
    at: Span = field(default=NOWHERE, compare=False, repr=False)
    sep: str = " "
    end: str = "\n"
    stream: str = ""
    flush: bool = False


@dataclass(frozen=True, slots=True)
class Keep:
    """Put a record on top of the arena.

    how = "copy": a copy of array `name` (of its section `index`) is kept · "shared": the same, made in threads ·
    "hold": `name` itself, by reference (its memory is the arena's: made by the operations `own` or `slots`) ·
    "part": the same of an array of any layout, that may look into another ·
    "renew": `name` itself, which goes on in other memory: what is around the box `index` (from and to, per axis) is as
    it was, what is in the box is undefined ·
    "place": nothing is put on the arena; a copy goes to place `index` of the array `record`.
    """

    record: str
    name: str
    how: Literal["copy", "shared", "hold", "part", "renew", "place"]
    index: tuple[Expr, ...] = ()
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Back:
    """Take the top record off the arena.

    how = "bind": bind `name` to it · "part": the same where it was kept as a part ·
    "copy": write it into the memory of `name` (of its section `index`) · "shared": the same, in threads ·
    "place": nothing is taken off; what is in place `index` of the array `record` is written into `name`.
    """

    record: str
    name: str
    how: Literal["bind", "part", "copy", "shared", "place"] = "bind"
    index: tuple[Expr, ...] = ()
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Push:
    """Put a scalar on a growable typed stack (unknown trip counts)."""

    stack: str
    value: Expr
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Pop:
    """Take the top scalar of `stack` into `name`."""

    stack: str
    name: str
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Accumulate:
    """`target += value`; for an array target value may have more or longer axes, which are summed."""

    target: Var | Load
    value: Expr
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Turn:
    """End of the forward sweep: it returns `results`; what follows is the reverse sweep, a function of its own.

    Only parameters, `seeds` (parameters of the reverse sweep alone) and arena records cross it. `reruns` tells
    that the reverse sweep forms real values of the program again, and must be as strict as the forward sweep.
    """

    results: tuple[Expr, ...]
    seeds: tuple[str, ...] = ()
    reruns: bool = False
    at: Span = field(default=NOWHERE, compare=False, repr=False)


Stmt: TypeAlias = (
    Assign
    | Store
    | Update
    | New
    | View
    | Rebind
    | Bind
    | Release
    | For
    | While
    | If
    | Region
    | Call
    | Frame
    | Raise
    | Print
    | Keep
    | Back
    | Push
    | Pop
    | Accumulate
    | Turn
)


@dataclass(frozen=True, slots=True)
class Leaf:
    """A scalar or array parameter (or result): its name in the IR."""

    name: str


@dataclass(frozen=True, slots=True)
class Node:
    """A tuple of leaves and nodes, or the structure that `make` says."""

    items: tuple[Tree, ...]
    make: Make = None


Tree: TypeAlias = Leaf | Node


@dataclass(frozen=True, slots=True)
class Steps:
    """What a function is that runs a loop of `checkpoint_range`: trips of one step, under a schedule.

    schedule, given  as in a Region; `given` is a parameter
    loop      counts the trips (a While by `counter`); its body is the trip
    trips     the parameter with the number of trips, at most
    calls     the calls of the step in the trip, one for each way in which the names of arrays are exchanged
    own       arrays bound anew in each trip: (name, the parameter it begins with, the target of the call)
    places    how many snapshots are held at most, in names of the caller, for reports
    """

    schedule: str
    given: str
    loop: For | While
    trips: str
    calls: tuple[Call, ...]
    own: tuple[tuple[str, str, str], ...] = ()
    places: Expr = Const(0)


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter of the user's signature: its name, its structure in leaves, its default (printed literal)."""

    name: str
    tree: Tree
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """Derivatives of a function that are not read off its body: calls over its parameters and names of their own.

    how = "jvp": one call, of the parameters and tangents of `inputs` (`given`), for the results and their tangents
    (`made`) ·
    "vjp": a call of the parameters for the results and what is kept; and one or several of that and the cotangents of
    the results (`given`) for the adjoints of `inputs` (`made`, "" where there is none) ·
    "pullback", "tangent": the function is that of another, which is called here: its parameters are those of the
    other and `given` (the cotangents of its results at `of`, the tangents of `inputs`), its results those of the
    other and `made` ·
    "path": the function solves an initial value problem, whose right-hand side is called here (`ir.paths`).
    """

    how: Literal["jvp", "vjp", "pullback", "tangent", "path"]
    calls: tuple[Call, ...]
    inputs: tuple[str, ...]
    given: tuple[str, ...]
    results: tuple[str, ...]
    made: tuple[str, ...]
    kinds: Mapping[str, Kind]
    of: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Function:
    """One function. `params` are flat leaves; `results` are flat, one per leaf of `returns`.

    kinds      kind of every name in it
    signature  the user's parameters as trees over `params`
    returns    structure of the result; its leaves are named r_0, r_1, ... in the order of `results`
    constants  module-level values used, by the name they carry here (scalars and arrays)
    callees    functions called, by name; those that they call stand here as well
    pairs      functions with a Turn whose halves are called, by the name that the halves' names begin with
    rule       where its derivatives come from, if not from its body
    helpers    stretches of the reverse sweep that are functions of their own
    exact      as a helper: it is as strict as the program, whatever the sweep is that calls it
    steps      what it runs, where it is a loop of `checkpoint_range`
    whole      a call of it is one statement of a tape of entities
    at, end    its place, and that of its (last) return
    """

    name: str
    params: tuple[str, ...]
    body: tuple[Stmt, ...]
    results: tuple[Expr, ...]
    kinds: Mapping[str, Kind]
    signature: tuple[Param, ...]
    returns: Tree
    constants: Mapping[str, Any] = field(default_factory=dict)
    doc: str = ""
    callees: Mapping[str, Function] = field(default_factory=dict)
    pairs: Mapping[str, Function] = field(default_factory=dict)
    rule: Rule | None = None
    helpers: Mapping[str, Function] = field(default_factory=dict)
    exact: bool = False
    steps: Steps | None = None
    whole: bool = False
    at: Span = field(default=NOWHERE, compare=False, repr=False)
    end: Span = field(default=NOWHERE, compare=False, repr=False)
