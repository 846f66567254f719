"""Recording: every statement with its indices beside it; what a reverse sweep needs goes to a tape at run time.

`y = phi(u, v)` gives itself and `y_i = record(tape, y_i, u_i, phi_u, v_i, phi_v)`: a statement's partial derivatives,
whatever operations it is made of. A copy hands its index on. Index arrays stand beside arrays, and are born, shared and
released with them. Nothing stands below a `yield`: the way back is the tape's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from s2sad.analyses.activity import active as active_names
from s2sad.analyses.entities import classes, dynamic, parts, roots
from s2sad.handlers.base import Halves
from s2sad.handlers.jacobians import Jacobians
from s2sad.handlers.lifetimes import lifetimes
from s2sad.handlers.linear import NONE, refused
from s2sad.handlers.programs import Taken, Tangents
from s2sad.handlers.recordable import recordable
from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    INT,
    Apply,
    Assign,
    Bind,
    Call,
    Const,
    Function,
    Kind,
    Load,
    New,
    Rebind,
    Release,
    Stmt,
    Store,
    Update,
    Var,
    View,
)
from s2sad.ir.walk import is_section, statements, variables, writes
from s2sad.ops.table import OPS


@dataclass(frozen=True, slots=True)
class Recording:
    """The recording form of a function.

    function  params: the primal's, an index (or an array of them) per name in `indices`, the tape;
              results: the primal's, then an index per real result
    indices   active parameter -> name of its index
    ended     scalar parameters whose index is free at the end: they were overwritten
    sites     of a tape that keeps values: the places in the program that put statements down
    values    of a tape of entities: parameters that are the fields of one value
    together  likewise of results: the place of the first field -> how many there are
    """

    function: Function
    indices: dict[str, str]
    ended: frozenset[str]
    sites: tuple[Any, ...] = ()
    values: tuple[tuple[str, ...], ...] = ()
    together: Mapping[int, int] = field(default_factory=dict)

    @property
    def axes(self) -> tuple[int, ...]:
        """Of a tape of entities: numbers of axes of arrays."""
        inputs = (self.function.kinds[p].ndim for p in self.indices)
        return tuple(sorted({*filter(None, inputs), *(n for site in self.sites for n in site.axes)}))

    @property
    def sizes(self) -> tuple[int, ...]:
        """Of a tape of entities: numbers of fields of values."""
        return tuple(sorted({*map(len, self.values), *(n for site in self.sites for n in site.sizes)}))


def recording(fn: Function, wrt: Iterable[str], handler: Callable[..., Any]) -> Recording:
    """The recording form of `fn` for the real parameters `wrt`, by one of the handlers that record."""
    program = Program(fn, handler)
    made: Recording = handler(fn, tuple(wrt), program, entry=True).run()
    program.finish()
    functions = {**fn.callees, **program.tangents.functions, **program.tangents.callees, **program.callees}
    pairs = {**program.tangents.sweeps, **program.tangents.pairs}
    return replace(
        made,
        sites=tuple(program.sites),
        function=replace(made.function, callees=functions, pairs=pairs),
    )


class Program:
    """The recording forms that the functions of a program need, per active parameters."""

    def __init__(self, fn: Function, handler: Callable[..., Any]) -> None:
        self.handler, self.sites = handler, list[Any]()
        self.functions = {**fn.callees}
        self.names = Namer([*fn.callees, *fn.pairs, fn.name])
        self.made: dict[tuple[str, tuple[str, ...]], tuple[str, Any]] = {}
        self.callees: dict[str, Function] = {}
        self.tangents = Tangents(fn.callees, fn.pairs, fn.name, Taken(self.names, set(fn.pairs)))

    def ruled(self, function: str) -> bool:
        """Whether a function's derivatives are not those of its body."""
        return self.functions[function].rule is not None

    def whole(self, function: str) -> bool:
        """Whether a call of a function is one statement of a tape of entities."""
        return self.functions[function].whole or self.ruled(function)

    def tangent(self, function: str, wrt: tuple[str, ...]) -> str:
        """The name of a callee's tangent."""
        return self.tangents.callee(function, wrt)

    def callee(self, function: str, wrt: tuple[str, ...]) -> tuple[str, Any]:
        """The name of a callee's recording form, and its handler (it may be under way: recursion)."""
        if (function, wrt) not in self.made:
            handler = self.handler(self.functions[function], wrt, self)
            self.made[function, wrt] = (self.names.fresh(f"{function}_tape"), handler)
        return self.made[function, wrt]

    def finish(self) -> None:
        """Run every handler begun; those may begin others."""
        while len(self.callees) < len(self.made):
            for name, handler in list(self.made.values()):
                if name not in self.callees:
                    self.callees[name] = handler.run().function
        self.tangents.finish()


class Record(Jacobians):
    """One run of the tape handler over one function."""

    def __init__(self, fn: Function, wrt: tuple[str, ...], program: Program, entry: bool = False) -> None:
        super().__init__()
        self.program, self.entry = program, entry
        self.fn, self.wrt = fn, wrt = recordable(fn), wrt
        outputs = [
            *(n for e in fn.results for n in variables(e)),
            *(p for p in fn.params if fn.kinds[p].is_array),
        ]
        self.active = active_names(fn.body, wrt, outputs, fn.kinds)
        self.kinds = dict(fn.kinds)
        self.namer = Namer([*self.kinds, *fn.constants])
        self.tape = self.namer.fresh("tape")
        self.index = {
            n: self.declare(f"{n}_i", Kind("int", fn.kinds[n].ndim)) for n in fn.kinds if n in self.active
        }
        self.roots = roots(fn.body)
        self.same, self.shared = classes(fn.body), dynamic(fn.body)
        self.views = {s.target for s in statements(fn.body) if isinstance(s, View)}
        self.uses = {
            n: self.declare(f"{n}_n", Kind("int", 1)) for n in self.index if self.same[n] in self.shared
        }
        partly = {self.same[n] for n in parts(fn.body)}
        self.wholes = {n: self.declare(f"{n}_w", Kind("int", 1)) for n in self.uses if self.same[n] in partly}
        self.imaginary = {
            n: self.declare(f"{n}_j", INT) for n in self.index if self.kinds[n].base == "complex"
        }
        self.complex_refused()

    def complex_refused(self) -> None:
        """Complex numbers pass from statement to statement only."""
        for stmt in statements(self.fn.body):
            for name in writes(stmt):
                across = self.kinds[name].is_array or isinstance(stmt, Call)
                if name in self.imaginary and across:
                    raise refused("arrays of complex numbers, or complex results of calls", stmt.at)

    def run(self) -> Recording:
        fn = self.fn
        scalars = [n for n in self.index if not fn.kinds[n].is_array]
        written = {n for s in statements(fn.body) for n in writes(s)}
        own = [n for n in scalars if n not in fn.params]
        own += [p for p in scalars if p in fn.params and p in written]
        self.local = {n for n in self.index if n not in fn.params} | set(own)
        ends = self.results_kept()
        self.life = lifetimes(fn.body, own, {e.name for e in fn.results if isinstance(e, Var)} & set(own))
        for p in fn.params:
            if p in own and p not in self.wrt:  # passive as it comes
                self.emit(*(Assign(i, NONE, fn.at) for i in self.indices(p)))
            elif p in own and not self.entry:  # the caller has an index for what it passed, and keeps it
                self.emit(Assign(self.index[p], self.shared_index(p), fn.at))
            if p in self.uses:
                self.emit(New(self.uses[p], Apply("ones", (Const(1),)), fn.at))
            if p in self.wholes:  # it has a use more than names here: its elements are the caller's to free
                self.emit(Bind(self.wholes[p], self.uses[p], at=fn.at))
        self.last = len(fn.body)  # from here on names end, and those of results hand over what they have
        while self.last > 0 and isinstance(fn.body[self.last - 1], Release):
            self.last -= 1
        for k, stmt in enumerate(fn.body):
            self.position = k
            opening = (n for n in self.life.opening.get(k, ()) if n not in fn.params)
            self.emit(*(Assign(i, NONE, stmt.at) for n in opening for i in self.indices(n)))
            for more in self.nest((stmt,)):
                self.emit(more)
            if closing := self.life.closing.get(k):
                self.emit(
                    Call(
                        (),
                        "free",
                        (Var(self.tape), *(Var(i) for n in closing for i in self.indices(n))),
                        at=stmt.at,
                    )
                )
        indices = {p: self.index[p] for p in self.wrt}
        function = replace(
            fn,
            params=(*fn.params, *indices.values(), self.tape),
            body=tuple(self.lines),
            results=(*fn.results, *ends),
            kinds=self.kinds,
        )
        return Recording(function, indices, frozenset(own) & frozenset(fn.params))

    # ----- one generator per node

    def Assign(self, s: Assign) -> Halves:
        if s.target in self.active:
            self.scalar(s)
        else:
            self.emit(s)
        yield

    def Store(self, s: Store) -> Halves:
        if s.array not in self.active:
            self.emit(s)
        elif is_section(s.index):
            self.elements(s, Load(s.array, s.index))
        else:
            self.element(s)
        yield

    def Update(self, s: Update) -> Halves:
        if s.array in self.active:
            self.elements(s, Var(s.array))
        else:
            self.emit(s)
        yield

    def New(self, s: New) -> Halves:
        if s.target in self.active:
            self.birth(s)
            self.counted(s.target, s)
        else:
            self.emit(s)
        yield

    def counted(self, name: str, s: Stmt) -> None:
        """The beginning of an array that other names may share, or parts of it."""
        if name in self.uses:
            self.emit(New(self.uses[name], Apply("ones", (Const(1),)), s.at))
        if name in self.wholes:
            self.emit(View(self.wholes[name], self.index[name], (Const(-1),), "reshape", s.at))

    def View(self, s: View) -> Halves:
        self.emit(s)
        if s.target in self.active:
            self.emit(replace(s, target=self.index[s.target], array=self.index[s.array]))
            self.share(s.target, s.array, s)
        yield

    def Bind(self, s: Bind) -> Halves:
        self.emit(s)
        if s.target in self.active:
            self.emit(replace(s, target=self.index[s.target], source=self.index[s.source]))
            self.share(s.target, s.source, s)
        yield

    def Rebind(self, s: Rebind) -> Halves:
        self.emit(s)
        for table in (self.index, self.uses, self.wholes):
            pairs = [(table[t], table[n]) for t, n in zip(s.targets, s.sources, strict=True) if t in table]
            if pairs:
                self.emit(Rebind(tuple(t for t, _ in pairs), tuple(n for _, n in pairs), s.at))
        yield

    def Release(self, s: Release) -> Halves:
        self.emit(s)
        if s.name in self.index and not (s.name in self.handed and self.position >= self.last):
            self.end_array(s)
        yield

    def Call(self, s: Call) -> Halves:
        if s.half:
            raise refused("derivatives inside the function", s.at)
        if s.function in OPS:
            self.several(s)
        elif self.program.ruled(s.function) and any(n in self.active for n in s.targets):
            self.by_tangents(s)
        elif any(n in self.active for n in (*s.targets, *s.writes)):
            self.call(s)
        else:
            self.emit(s)
        for target in s.targets:
            self.counted(target, s)
        yield
