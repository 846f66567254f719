"""Whole emitted files: the sweeps, and the drivers that own the arena and call them.

For an adjoint of `f` a file defines `f` (primal), `f_fwd`, `f_rev` and a driver `f_grad`; for a tangent `f` and
`f_d`; for second order `f_fwd_d`, `f_rev_d` and their driver. Only the driver gets wrappers for Python and C.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from s2sad.emit.banner import Kept, banner, constants, imports, requirement, structures
from s2sad.emit.counters import names_again
from s2sad.emit.printer import printed, to_source
from s2sad.emit.python import function_def
from s2sad.emit.trees import guarded
from s2sad.emit.versions import told_apart
from s2sad.forms import Given, is_keyed, names_of
from s2sad.ir.nodes import (
    Apply,
    Expr,
    For,
    Function,
    Kind,
    Leaf,
    Node,
    Param,
    Stmt,
    Tree,
    Turn,
)
from s2sad.ir.walk import expressions, nodes, rename, statements
from s2sad.ops.kinds import kind_of
from s2sad.shapes.exact import decides
from s2sad.source import NOWHERE, Span

FAST = '{"contract", "nsz", "reassoc"}'  # what adjoint statements may do beyond what the user asked for

ARENA = ("slots", "own", "own_as", "grown", "place", "part")  # births of arrays in the arena


@dataclass(frozen=True, slots=True)
class Sweep:
    """One function of a file: a primal, or one half of a derivative."""

    name: str
    params: tuple[str, ...]
    body: tuple[Stmt, ...]
    results: tuple[Expr, ...]
    kinds: Mapping[str, Kind]
    options: Mapping[str, str] = field(default_factory=dict)
    doc: str = ""
    backwards: bool = False

    @property
    def uses_arena(self) -> bool:
        """Does anything in it touch the arena?"""
        made = function_def("f", [], self.body, self.results, self.kinds)
        return any(isinstance(node, ast.Name) and node.id == "arena" for node in ast.walk(made))

    @property
    def in_threads(self) -> bool:
        """Is there a loop that is shared out to threads, or anything with whole arrays, which Numba shares out itself?"""
        stmts = list(statements(self.body))
        if any(isinstance(s, For) and s.threads == "shared" for s in stmts):
            return True
        every = (node for s in stmts for e in expressions(s) for node in nodes(e) if isinstance(node, Apply))
        whole = any(kind_of(n, self.kinds).is_array or any(kind_of(a, self.kinds).is_array for a in n.args)
                    for n in every if n.op not in (*ARENA, "shape"))  # fmt: skip
        return whole and not self.backwards

    def definition(self, arena: bool) -> ast.FunctionDef:
        """Its definition; `arena` tells whether it takes one, last."""
        params = (*self.params, "arena") if arena else self.params
        names = names_again(self.body, self.results)
        options = {k: v for k, v in self.options.items() if k != "parallel" or self.in_threads}
        kinds = {**self.kinds, **{new: self.kinds[old] for old, new in names.items()}}
        body, kinds = told_apart(rename(names, self.body), kinds)
        return function_def(
            self.name, params, body, self.results, kinds, (decorator(options),), self.doc,
            provenance=self.backwards, pooled=self.backwards and "parallel" not in options,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pair:
    """A forward and a reverse sweep, split at the Turn, and the functions that the latter calls.

    arena: does one of them keep anything in the arena, or take it from there?
    """

    forward: Sweep
    reverse: Sweep
    helpers: tuple[Sweep, ...]
    arena: bool

    def definitions(self, arena: bool) -> list[ast.FunctionDef]:
        """All of them, those that are called first; `arena` tells whether the sweeps take one."""
        helpers = [s.definition(False) for s in self.helpers]
        return [*helpers, *(s.definition(arena) for s in (self.forward, self.reverse))]


def decorator(options: Mapping[str, str]) -> str:
    """`jit`, with options where there are any."""
    return f"jit({', '.join(f'{k}={v}' for k, v in options.items())})" if options else "jit"


def split(
    fn: Function,
    forward: str,
    reverse: str,
    user: Mapping[str, str],
    strict: bool,
    docs: tuple[str, str],
    typed: bool = True,
) -> Pair:
    """The two sweeps of a function with a Turn: the forward one with the user's options, the reverse one with its own.

    The reverse sweep has relaxed flags unless it is to be `strict`, or forms values of the program again, or takes
    decisions of the program again: the same product and sum, fused, may have another sign. Where numbers are not `typed`
    (plain Python), those of the program come to it as they are: a float beside a float32 is not a float64.
    """
    k = next(i for i, s in enumerate(fn.body) if isinstance(s, Turn))
    turn = fn.body[k]
    assert isinstance(turn, Turn)
    inner = {"inner": "True"}
    exact = strict or turn.reruns or decides(fn.body[k + 1 :], fn.kinds)
    relaxed = {"error_model": '"numpy"', **({} if exact else {"fastmath": FAST})}
    relaxed |= {k: v for k, v in user.items() if k == "cache"}
    back, own = fn.body[k + 1 :], {**inner, **relaxed}
    whole = own if typed else {**own, "as_they_are": str(len(fn.params))}
    threads = {k: v for k, v in user.items() if k == "parallel"}
    sweeps = (
        Sweep(forward, fn.params, fn.body[:k], turn.results, fn.kinds, {**inner, **user}, docs[0]),
        Sweep(reverse, (*fn.params, *turn.seeds), back, fn.results, fn.kinds, whole | threads, docs[1], True),
    )
    helpers = (
        Sweep(
            name,
            helper.params,
            helper.body,
            helper.results,
            helper.kinds,
            {k: v for k, v in (own | threads).items() if not (helper.exact and k == "fastmath")},
            helper.doc,
        )
        for name, helper in fn.helpers.items()
    )
    return Pair(*sweeps, tuple(helpers), any(sweep.uses_arena for sweep in sweeps))


def signature(params: Iterable[Param], extra: Sequence[str] = (), literals: bool = True) -> str:
    """The parameters of a driver as the user's function has them, and further ones.

    Keyword-only parameters are positional here; so a default before a parameter that has none is left out.
    """
    texts: list[str] = []
    optional = literals and not extra
    for p in reversed(tuple(params)):
        optional = optional and p.default is not None
        texts.insert(0, f"{p.name}={p.default}" if optional else p.name)
    return ", ".join((*texts, *extra))


def unpack(params: Iterable[Param]) -> list[str]:
    """Lines that take parameters apart into their leaves: tuples at once, dicts and dataclasses item by item."""
    return [
        line
        for p in params
        if p.tree != Leaf(p.name) and (isinstance(p.tree, Leaf) or p.tree.items)
        for line in _unpacked(p.tree, p.name)
    ]


def _unpacked(tree: Tree, text: str) -> list[str]:
    if _in_a_row(tree):
        return [f"{pattern(tree)} = {text}"]
    assert isinstance(tree, Node)
    names = names_of(tree.make) or range(len(tree.items))
    dotted = isinstance(tree.make, type)
    parts = (f"{text}.{name}" if dotted else f"{text}[{name!r}]" for name in names)
    return [line for item, part in zip(tree.items, parts, strict=True) for line in _unpacked(item, part)]


def _in_a_row(tree: Tree) -> bool:
    """Can a tree be taken apart by position?"""
    if isinstance(tree, Leaf):
        return True
    return not is_keyed(tree.make) and all(map(_in_a_row, tree.items))


def pattern(
    tree: Tree, names: Mapping[str, str] | None = None, classes: Mapping[type, str] | None = None
) -> str:
    """A tree as Python text: a name, or a structure of them; with the names of `classes` as what makes it."""
    if isinstance(tree, Leaf):
        return tree.name if names is None else names[tree.name]
    inner = [pattern(item, names, classes) for item in tree.items]
    listed = ", ".join(inner)
    match tree.make:
        case Given() as given if given.make is dict and names is not None:
            return "{" + ", ".join(f"{k!r}: {v}" for k, v in zip(given.keys, inner, strict=True)) + "}"
        case Given() if names is not None:
            return f"[{listed}]"
        case type() as make if classes is not None:
            return f"{classes[make]}({listed})"
    return f"({listed}{',' if len(inner) == 1 else ''})"


def classes_of(trees: Iterable[Tree]) -> tuple[type, ...]:
    """The classes in structures, each once."""
    found: dict[type, None] = {}
    for tree in trees:
        if isinstance(tree, Node):
            found |= dict.fromkeys(classes_of(tree.items))
            found |= {tree.make: None} if isinstance(tree.make, type) else {}
    return tuple(found)


def call(sweep: Sweep, args: Sequence[str], arena: str) -> str:
    """A call of a sweep from a driver, guarded where an arena (its name) has to be given back if it raises."""
    if arena:
        return f"guarded({', '.join(guarded(sweep.name, f'({arena},)', (*args, arena)))})"
    return f"{sweep.name}({', '.join(args)})"


def driver(
    name: str, params: str, lines: Iterable[str], result: str, options: Mapping[str, str], doc: str
) -> ast.FunctionDef:
    """A driver from lines of text."""
    body = "\n".join(f"    {line}" for line in (*lines, f"return {result}"))
    made = ast.parse(f"@{decorator(options)}\ndef {name}({params}):\n{body}").body[0]
    assert isinstance(made, ast.FunctionDef)
    if doc:
        made.body.insert(0, ast.Expr(ast.Constant(doc)))
    return made


def module(
    title: str,
    notes: Sequence[str],
    kept: Sequence[Kept],
    values: Mapping[str, object],
    functions: Sequence[ast.FunctionDef],
    runtime: str,
    abi: int,
    classes: Mapping[type, str] | None = None,
) -> tuple[str, tuple[Span, ...]]:
    """The text of a file: banner, imports, classes, constants, functions; and where each line comes from."""
    body = [requirement(abi), *structures(classes or {}), *constants(values), *functions]
    text, places = printed(ast.Module(body, []))
    head = to_source(ast.Module([*banner(title, notes, kept), *imports(text, runtime)], [])) + "\n"
    return head + text, (*[NOWHERE] * head.count("\n"), *places)
