"""What stands in an emitted file before its drivers: the function itself, its helpers and its sweeps.

Names of the file are those of the user where they are free.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

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
    Call,
    Function,
    Keep,
    Leaf,
    Param,
    Push,
    Raise,
    Var,
)
from s2sad.ir.paths import called_by
from s2sad.ir.walk import rename, statements
from s2sad.options import Options
from s2sad.plan.slots import Decision
from s2sad.rules import RECORDS
from s2sad.shapes.threads import in_threads, told
from s2sad.source import Span
from s2sad.tidy.computed import computed

ABI = 1  # the generation of the runtime that emitted files ask for
VERSION = "0.1"


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


class Contents:
    """The functions of one emitted file around one derived function."""

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


def kept_line(d: Decision, names: Mapping[str, str]) -> Kept:
    """A storage decision as a line of the banner, loop variables under the names they are printed with."""
    sizes = [to_source(expression(rename(names, e))).strip() for e in d.shape]
    factors = [str(d.itemsize)] * (d.itemsize > 1) + [f"({s})" if " " in s else s for s in sizes]
    size = " * ".join(factors) if sizes else f"{d.itemsize} * {d.name}.size"
    return Kept(f"{d.name} (line {d.line})", d.how, d.why, size)
