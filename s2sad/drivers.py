"""The functions of a file that callers see: they own the arena, make the adjoint arrays, and call the sweeps.

They are written as text over the leaves of the user's parameters; `emit.module` parses and prints them.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from s2sad.analyses.entities import classes, dynamic
from s2sad.analyses.speech import compilable
from s2sad.analyses.widths import compiled, interpreted, mixed, untyped
from s2sad.derive import Derived
from s2sad.emit import module as out
from s2sad.emit.banner import Kept, Mode, role, title
from s2sad.emit.counters import names_again
from s2sad.emit.printer import to_source
from s2sad.emit.python import expression
from s2sad.errors import UnsupportedSyntaxError
from s2sad.fingerprint import fingerprint
from s2sad.handlers.primal import primal
from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    SINGLE,
    Call,
    Expr,
    Function,
    Keep,
    Leaf,
    Node,
    Param,
    Push,
    Raise,
    Store,
    Tree,
    Update,
    Var,
)
from s2sad.ir.paths import called_by
from s2sad.ir.walk import rename, statements
from s2sad.ops.kinds import kind_of
from s2sad.plan.slots import Decision
from s2sad.rules import RECORDS
from s2sad.shapes.passes import unfused
from s2sad.shapes.threads import How, in_threads, told
from s2sad.source import Span
from s2sad.tidy.computed import computed

ABI = 1  # the generation of the runtime that emitted files ask for
VERSION = "0.1"


@dataclass(frozen=True, slots=True)
class Options:
    """How derivatives are made and compiled.

    user    options as for `njit`: the primal and the forward sweep get them as they are
    passes  names of the passes that shape the reverse sweep; None: all
    deterministic  results don't depend on the number of threads
    """

    jit: bool = True
    strict: bool = False
    cache: bool = True
    user: Mapping[str, Any] = field(default_factory=dict, hash=False)
    passes: tuple[str, ...] | None = None
    deterministic: bool = False

    @property
    def threads(self) -> How:
        """How loops of `prange` are shared out."""
        asked = self.jit and bool(self.user.get("parallel"))
        return "" if not asked else "fixed" if self.deterministic else "any"

    @property
    def texts(self) -> dict[str, str]:
        """The user's options as text for decorators."""
        user = dict(self.user)
        if self.threads == "fixed":  # Numba's own sums of arrays depend on how many there are
            user["parallel"] = {"numpy": False, "reduction": False}
        texts = {k: repr(v) for k, v in sorted(user.items()) if v is not None and v is not False}
        return texts if self.cache else {**texts, "cache": "False"}

    @property
    def shaping(self) -> tuple[str, ...] | None:
        """The passes for this code. Array statements stay as they are where nothing is compiled, and where Numba shares
        them out to threads, unless `fuse` is asked for.
        """
        apart = not self.jit or bool(self.user.get("parallel"))
        return unfused(None) if self.passes is None and apart else self.passes

    @property
    def runtime(self) -> str:
        """Where the emitted file gets its runtime from."""
        return "s2sad_runtime" if self.jit else "s2sad_runtime.plain"


def leaves(tree: Tree) -> tuple[str, ...]:
    """The leaf names of a tree, left to right."""
    return (tree.name,) if isinstance(tree, Leaf) else tuple(n for item in tree.items for n in leaves(item))


def needed(roots: Iterable[Function], functions: Mapping[str, Function]) -> set[str]:
    """The functions, and pairs of sweeps (their names with `_`), that are called from `roots`, directly or not."""
    waiting, reached = list(roots), set[str]()
    for fn in waiting:
        for s in statements(fn.body):
            name = f"{s.function}_" if isinstance(s, Call) and s.half else called_by(s)
            if name in functions and name not in reached:
                reached.add(name)
                waiting.append(functions[name])
    return reached


def importable(make: type) -> bool:
    """Is a class found under its name in a module, in another process too?"""
    found: Any = sys.modules.get(make.__module__)
    for part in make.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is make and make.__module__ != "__main__"


def given(functions: Iterable[ast.FunctionDef]) -> list[str]:
    """What functions of users are called as they are: notes, with a mark that changes when they do."""
    found = [n for f in functions for n in ast.walk(f) if isinstance(n, ast.Attribute)]
    used = {ast.unparse(n) for n in found if isinstance(n.value, ast.Name) and n.value.id == "given"}
    notes = {own.call: f"`{own.call}` is {home(own.function)}." for own in RECORDS.values()}
    return [notes[call] for call in sorted(used)]


def home(function: Any) -> str:
    """The place of a function, and a mark."""
    names = (
        getattr(function, "__module__", None),
        getattr(function, "__qualname__", type(function).__name__),
    )
    return f"{'.'.join(filter(None, names))} ({fingerprint(function)[:8]})"


class File:
    """One emitted file around one derived function."""

    def __init__(self, derived: Derived, options: Options) -> None:
        if options.jit:
            compilable(derived.primal)
            compiled(derived.primal)
        else:
            interpreted(derived.primal)
        typed = options.jit or not mixed(derived.primal)
        derived = derived if typed else replace(derived, function=untyped(derived.function))
        callees = {**derived.primal.callees, **derived.function.callees}
        pairs = {**derived.primal.pairs, **derived.function.pairs}
        reached = needed(
            (derived.primal, derived.function), {**callees, **{f"{name}_": fn for name, fn in pairs.items()}}
        )
        callees = {name: fn for name, fn in callees.items() if name in reached}
        pairs = {name: fn for name, fn in pairs.items() if f"{name}_" in reached}
        self.derived, self.options, self.fn = derived, options, derived.primal
        self.names = Namer([*derived.function.kinds, *self.fn.kinds, *self.fn.constants, *callees])
        self.names.take(*(h for fn in (derived.function, *pairs.values()) for h in fn.helpers))
        self.names.take(*(derived.one.helpers if derived.one is not None else ()))
        self.signature = tuple(replace(p, name=self.parameter(p)) for p in self.fn.signature)
        self.classes = {
            make: self.names.fresh(make.__name__)
            for make in out.classes_of((*(p.tree for p in self.fn.signature), self.fn.returns))
        }
        self.classes |= self.exceptions((derived.primal, *callees.values(), *pairs.values()))
        if not all(map(importable, self.classes)):  # cached machine code finds classes by their names
            self.options = options = replace(options, cache=False)
        name, suffix = self.fn.name, "_d" * len(derived.tangents)
        self.primal = self.names.fresh(name)
        self.tangent = self.recorder = ""
        self.told = told(in_threads(derived.function, options.threads)) if options.threads else ()
        self.functions: list[ast.FunctionDef] = [
            self.sweep(callee, fn, inner=True).definition(False) for callee, fn in callees.items()
        ]
        self.functions.append(self.sweep(self.primal, self.fn).definition(False))
        how = (options.texts, options.strict)
        for callee, fn in pairs.items():
            fn = in_threads(fn, options.threads)
            halves = out.split(fn, f"{callee}_fwd", f"{callee}_rev", *how, ("", ""), typed)
            self.functions += halves.definitions(True)
        self.pair: out.Pair | None = None
        self.one: out.Sweep | None = None  # both sweeps
        if derived.adjoint is not None:
            keeps = any(isinstance(s, Keep | Push) for s in statements(derived.function.body))
            docs = (
                f"Run `{name}` forward{'; what the reverse sweep needs is kept in the arena' * keeps}.",
                f"Take `{name}` backwards: from the adjoints of its results to those of its arguments.",
            )
            ahead, back = (self.names.fresh(f"{name}_{half}{suffix}") for half in ("fwd", "rev"))
            both = in_threads(derived.function, options.threads)
            self.pair = out.split(both, ahead, back, *how, docs, typed)
            self.functions += self.pair.definitions(self.pair.arena)
            self.one = self.in_one(derived.one, name) if typed else None
        elif derived.tangents:
            doc = f"`{name}` and its tangent: the results, then their tangents."
            self.tangent = self.names.fresh(f"{name}{suffix}")
            self.functions.append(self.sweep(self.tangent, derived.function, doc).definition(False))
        elif derived.recording is not None:
            doc = f"Run `{name}` and put its statements on the tape: the results, then their indices."
            self.recorder = self.names.fresh(f"{name}_tape")
            self.functions.append(self.sweep(self.recorder, derived.function, doc, True).definition(False))

    def exceptions(self, functions: Iterable[Function]) -> dict[type, str]:
        """The exceptions of modules that functions raise, and their names.

        Errors: UnsupportedSyntaxError S026 where something else has the name of one.
        """
        found: dict[type, str] = {}
        for stmt in (s for fn in functions for s in statements(fn.body) if isinstance(s, Raise)):
            for one in (stmt, stmt.cause):
                if one is None or isinstance(one.exception, str) or one.exception in found:
                    continue
                found[one.exception] = self.names.fresh(one.name)
                if found[one.exception] != one.name:
                    raise UnsupportedSyntaxError(
                        f"something else is called `{one.name}` here, too", code="S026", at=stmt.at,
                        hint="give one of them another name",
                    )  # fmt: skip
        return found

    def parameter(self, param: Param) -> str:
        """The name of a parameter of drivers: the user's, unless the file needs it for something else."""
        return param.tree.name if isinstance(param.tree, Leaf) else self.names.fresh(param.name)

    def sweep(self, name: str, fn: Function, doc: str = "", inner: bool = False) -> out.Sweep:
        texts = {**({"inner": "True"} if inner else {}), **self.options.texts}
        fn = in_threads(fn, self.options.threads)
        body = primal(fn).body
        body = computed(body) if self.options.jit else body
        return out.Sweep(name, fn.params, body, fn.results, fn.kinds, texts, doc or fn.doc)

    def in_one(self, fn: Function | None, name: str) -> out.Sweep | None:
        """Both sweeps as one; what parts of it became functions of their own are written before it."""
        if fn is None:
            return None
        doc = f"Run `{name}`, and take each trip of a loop backwards at once."
        texts = {"inner": "True", **self.options.texts}
        relaxed = {
            "inner": "True",
            "error_model": '"numpy"',
            **{k: v for k, v in texts.items() if k == "cache"},
        }
        for helper, f in fn.helpers.items():
            self.functions.append(
                out.Sweep(helper, f.params, f.body, (), f.kinds, relaxed, f.doc).definition(False)
            )
        own = self.names.fresh(f"{name}_both")
        one = out.Sweep(own, fn.params, fn.body, fn.results, fn.kinds, texts, doc, True)
        self.functions.append(one.definition(one.uses_arena))
        return one

    def text(self) -> str:
        """The file."""
        return self.printed()[0]

    def printed(self) -> tuple[str, tuple[Span, ...]]:
        """The file, and where each of its lines comes from."""
        adj = self.derived.adjoint
        record = self.derived.recording
        mode: Mode = "adjoint" if adj is not None else "tangent" if self.derived.tangents else "primal"
        mode = "tape" if record is not None else mode
        inputs = (
            list(record.indices)
            if record is not None
            else (
                list(adj.gradients)
                if adj is not None
                else [p for t in self.derived.tangents[:1] for p in t.tangents]
            )
        )
        outputs = [e.name if isinstance(e, Var) else "the result" for e in self.fn.results]
        notes = [role(mode, inputs or self.fn.params, outputs), *given(self.functions), *self.told]
        kept = []
        if adj is not None and self.pair is not None:
            ahead = names_again(self.pair.forward.body, self.pair.forward.results)
            kept = [kept_line(d, ahead) for d in adj.report if d.shape or d.how in ("snapshot", "copy")]
        heading = title(mode, self.fn.name, VERSION, ABI)
        runtime, constants = self.options.runtime, self.fn.constants
        return out.module(heading, notes, kept, constants, self.functions, runtime, ABI, self.made)

    @property
    def made(self) -> dict[type, str]:
        """The classes that the file makes results of, and their names in it."""
        if not self.classes:
            return {}
        used = {n.id for f in self.functions for n in ast.walk(f) if isinstance(n, ast.Name)}
        return {make: name for make, name in self.classes.items() if name in used}

    def add(self, name: str, params: str, lines: Sequence[str], result: str, doc: str) -> str:
        """One more driver, `name` or what is free; gives its name."""
        name = self.names.fresh(name)
        texts = {k: v for k, v in self.options.texts.items() if k != "parallel"}
        self.functions.append(out.driver(name, params, lines, result, texts, doc))
        return name

    # ----- pieces of drivers

    @property
    def arena(self) -> str:
        """The name of the arena in drivers; empty where nothing is kept."""
        assert self.pair is not None
        return "arena" if self.pair.arena else ""

    def distinct(self) -> list[str]:
        """Checks that an array which is written shares no memory with another argument, and its memory has no gaps."""
        same, reps = classes(self.fn.body), dynamic(self.fn.body)
        stmts = list(statements(self.fn.body))
        written = {same[s.array] for s in stmts if isinstance(s, Store | Update)}
        written |= {same[a] for s in stmts if isinstance(s, Call) for a in s.writes}
        arrays = [p for p in self.fn.params if self.fn.kinds[p].is_array]
        pairs = [
            (a, b) for i, a in enumerate(arrays) for b in arrays[i + 1 :] if {same[a], same[b]} & written
        ]
        bound = [p for p in arrays if same[p] in reps]  # their memory is seen through other names as well
        return [*(f"contiguous({p})" for p in bound), *(f"distinct({a}, {b})" for a, b in pairs)]

    def forward(self, args: Sequence[str]) -> tuple[list[str], list[str]]:
        """Lines that run the forward sweep; the names of its results."""
        assert self.pair is not None
        names = self.received(self.pair.forward.results, "y")
        call = out.call(self.pair.forward, args, self.arena)
        lines = ["arena = new_arena()"] if self.arena else []
        return [*lines, f"{', '.join(names)} = {call}" if names else call], names

    def reverse(
        self, args: Sequence[str], cotangents: Mapping[str, str], arena: str = ""
    ) -> tuple[list[str], list[str]]:
        """Lines that make the adjoint arrays and run the reverse sweep; the names of its scalar results."""
        assert self.pair is not None
        assert self.derived.turn is not None
        owners = self.owners()
        lines = [
            f"{seed} = {self.zeros(seed, owners[seed], cotangents)}"
            for seed in self.derived.turn.seeds
            if seed in owners
        ]
        seeds = [seed if seed in owners else cotangents[seed] for seed in self.derived.turn.seeds]
        names = self.received(self.derived.function.results, "g")
        call = out.call(self.pair.reverse, [*args, *seeds], arena or self.arena)
        return [*lines, f"{', '.join(names)} = {call}" if names else call], names

    def zeros(self, seed: str, owner: str, cotangents: Mapping[str, str]) -> str:
        """The text of an adjoint array that begins: like its parameter, with an axis of directions where it has one."""
        kinds = self.derived.function.kinds
        if kinds[seed].ndim == self.fn.kinds[owner].ndim:
            return f"zeros_of({owner})"
        last = self.derived.tangents[-1].tangents.values() if self.derived.tangents else cotangents
        known = next(iter(last))
        return f"np.zeros({owner}.shape + ({known}.shape[{kinds[known].ndim - 1}],), {owner}.dtype)"

    def both_ways(self, one: out.Sweep, args: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
        """Lines that make the adjoint arrays and run both sweeps as one; the names of results, and of scalar adjoints."""
        assert self.derived.turn is not None
        owners, count = self.owners(), len(self.derived.turn.results)
        lines = ["arena = new_arena()"] if one.uses_arena else []
        lines += [
            f"{seed} = {'room_of' if seed in self.derived.whole else 'zeros_of'}({owners[seed]})"
            for seed in self.derived.turn.seeds if seed in owners
        ]  # fmt: skip
        seeds = [seed if seed in owners else "1.0" for seed in self.derived.turn.seeds]
        values = self.received(one.results[:count], "y")
        scalars = self.received(one.results[count:], "g", values)
        call, names = out.call(one, [*args, *seeds], "arena" if one.uses_arena else ""), [*values, *scalars]
        return [*lines, f"{', '.join(names)} = {call}" if names else call], values, scalars

    def received(self, results: Iterable[Expr], stem: str, taken: Iterable[str] = ()) -> list[str]:
        """The names under which a driver gets results: their own, unless they are those of arguments, or `taken`."""
        names: list[str] = []
        for expr in results:
            own = isinstance(expr, Var) and expr.name not in (*self.derived.function.params, *taken, *names)
            names.append(expr.name if own and isinstance(expr, Var) else self.names.fresh(stem))
        return names

    def owners(self) -> dict[str, str]:
        """Adjoint arrays, and their tangents -> the parameter that each belongs to."""
        assert self.derived.adjoint is not None
        owner = {shadow: param for param, shadow in self.derived.adjoint.shadows.items()}
        for made in self.derived.tangents:
            owner |= {made.partners[s]: p for s, p in tuple(owner.items()) if s in made.partners}
        return owner

    def gradient(self, param: str, mask: int, scalars: Sequence[str]) -> str:
        """The text of an adjoint (of its tangent) after the reverse sweep."""
        where = self.derived.gradient(param, mask)
        if where is None:
            return f"zeros_of({param})"
        text = where if isinstance(where, str) else scalars[where]
        return f"np.float32({text})" if self.fn.kinds[param] == SINGLE else text

    def value(self, tree: Tree, mask: int, names: Sequence[str]) -> str:
        """The text of a result tree (of its tangent) after the forward sweep."""
        every = leaves(self.fn.returns)
        table = {leaf: names[self.derived.value(every.index(leaf), mask)] for leaf in leaves(tree)}
        return out.pattern(tree, table, self.classes)

    # ----- drivers

    def primal_driver(self, name: str) -> str:
        """`name(args) -> value`: the function itself; without a driver where it takes and gives no tuples."""
        fn = self.fn
        names = [self.names.fresh("y") for _ in fn.results]
        given = dict(zip(leaves(fn.returns), names, strict=True))
        if fn.params == tuple(p.name for p in self.signature) and isinstance(fn.returns, Leaf):
            return self.primal
        call = f"{', '.join(names)}{' = ' if names else ''}{self.primal}({', '.join(fn.params)})"
        lines = [*out.unpack(self.signature), call]
        result = out.pattern(fn.returns, given, self.classes)
        return self.add(name, out.signature(self.signature), lines, result, fn.doc)

    def gradient_driver(self, name: str, wrt: Tree, *, value: bool, aux: bool, mask: int = 0) -> str:
        """`name(args) -> (value, gradient)`, or the gradient alone; with `aux` beside the value.

        With tangents in the tower they all go in direction 1 (of one scalar each), and `mask` selects the derivative.
        """
        fn, derived = self.fn, self.derived
        args = [*fn.params, *("1.0" for made in derived.tangents for _ in made.tangents)]
        if self.one is None:
            ahead, results = self.forward(args)
            back, scalars = self.reverse(args, dict.fromkeys(self.seeds(), "1.0"))
            lines = [*out.unpack(self.signature), *self.distinct(), *ahead, *back]
        else:
            both, results, scalars = self.both_ways(self.one, args)
            lines = [*out.unpack(self.signature), *self.distinct(), *both]
        result = self.outcome(wrt, mask, results, scalars, value, aux)
        doc = f"{'The value and the gradient' if value else 'The gradient'} of `{fn.name}`."
        return self.add(name, out.signature(self.signature), lines, result, doc)

    def seeds(self) -> list[str]:
        """The cotangent parameters of the reverse sweep."""
        assert self.derived.adjoint is not None
        return [s for s in self.derived.adjoint.seeds if s is not None]

    def open_driver(self, name: str) -> str:
        """`name(leaves) -> (results, arena)`: the forward sweep of a pullback."""
        fn = self.fn
        lines, results = self.forward(fn.params)
        if not self.arena:
            lines.insert(0, "arena = new_arena()")
        doc = f"The results of `{fn.name}`, and the arena for its pullback."
        return self.add(
            name, ", ".join(fn.params), [*self.distinct(), *lines], ", ".join((*results, "arena")), doc
        )

    def pull_driver(self, name: str) -> str:
        """`name(leaves, cotangents, arena) -> adjoints of the active leaves`, any number of times."""
        fn, adj = self.fn, self.derived.adjoint
        assert adj is not None
        seeds = self.seeds()
        own = self.names.fresh("own_arena") if self.arena else ""
        lines, scalars = self.reverse(fn.params, {s: s for s in seeds}, own)
        if own:
            lines.insert(0, f"{own} = fork(arena)")
        result = "".join(f"{self.gradient(p, 0, scalars)}, " for p in adj.gradients)
        params = ", ".join((*fn.params, *seeds, "arena"))
        return self.add(name, params, lines, f"({result})", f"The adjoints of `{fn.name}`'s arguments.")

    def nested_driver(self, name: str, wrt: Tree, *, value: bool, aux: bool) -> str:
        """`name(leaves, tangents per level) -> (gradient, its tangent)`: what `gradient_driver` gives, and its tangent.

        All levels but the last belong to the gradient itself (of one scalar each).
        """
        derived = self.derived
        args = derived.function.params
        ahead, results = self.forward(args)
        back, scalars = self.reverse(args, dict.fromkeys(self.seeds(), "1.0"))
        full = (1 << len(derived.tangents)) - 1
        both = ", ".join(self.outcome(wrt, m, results, scalars, value, aux) for m in (full >> 1, full))
        doc = f"The {'value and gradient' if value else 'gradient'} of `{self.fn.name}`, and the tangent."
        return self.add(name, ", ".join(args), [*self.distinct(), *ahead, *back], both, doc)

    def outcome(
        self, wrt: Tree, mask: int, results: Sequence[str], scalars: Sequence[str], value: bool, aux: bool
    ) -> str:
        """What a gradient driver returns, as the text of a tuple or a name."""
        table = {n: self.gradient(n, mask, scalars) for n in leaves(wrt)}
        gradient = out.pattern(wrt, table, self.classes)
        if not aux:
            return f"({self.value(self.fn.returns, mask, results)}, {gradient})" if value else gradient
        assert isinstance(self.fn.returns, Node)
        main, rest = (self.value(item, mask, results) for item in self.fn.returns.items)
        return f"(({main}, {rest}), {gradient})" if value else f"({gradient}, {rest})"


def kept_line(d: Decision, names: Mapping[str, str]) -> Kept:
    """A storage decision as a line of the banner, loop variables under the names they are printed with."""
    sizes = [to_source(expression(rename(names, e))).strip() for e in d.shape]
    factors = [str(d.itemsize)] * (d.itemsize > 1) + [f"({s})" if " " in s else s for s in sizes]
    size = " * ".join(factors) if sizes else f"{d.itemsize} * {d.name}.size"
    return Kept(f"{d.name} (line {d.line})", d.how, d.why, size)


def is_real_scalar(fn: Function, k: int) -> bool:
    """Is a result one real number?"""
    kind = kind_of(fn.results[k], fn.kinds)
    return kind.is_real and not kind.is_array
