"""What is legal IR, as a checker: faults as sentences, none where all is well.

`check(fn)` is for a program as the front end gives it ("primal"); `check(fn, "derived")` leaves out what holds
for primals alone: that every name has its value on all paths, and how arrays are born and released.

>>> from s2sad.ir.nodes import REAL, Assign, Const, Function, Leaf, Var
>>> fn = Function("f", (), (Assign("x", Var("y")),), (Var("x"),), {"x": REAL}, (), Leaf("r_0"))
>>> check(fn)
['y has no kind', 'y is used where it may have no value']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

from s2sad.ir.nodes import (
    INT,
    Apply,
    Assign,
    Bind,
    Call,
    Const,
    Expr,
    For,
    Function,
    If,
    Leaf,
    Load,
    New,
    Print,
    Raise,
    Rebind,
    Region,
    Release,
    Stmt,
    Store,
    Tree,
    Update,
    Var,
    View,
    While,
)
from s2sad.ir.walk import (
    Body,
    blocks,
    expressions,
    is_section,
    names_in,
    nodes,
    reads,
    statements,
    unique,
    variables,
)

Stage: TypeAlias = Literal["primal", "derived"]
PRIMAL = (Assign, Store, Update, New, View, Bind, Rebind, Release, For, While, If, Region, Call, Raise, Print)
#: Operations that make a whole array, or a number of one: they stand alone, on names.
MAKES = (
    "zeros", "ones", "empty", "full", "zeros_like", "ones_like", "empty_like", "full_like", "copy", "own", "own_as",
)  # fmt: skip
REDUCES = ("sum", "amax", "amin", "norm", "item", "shape", "dot11", "det", "argmax", "argmin", "searchsorted",
           "searchsorted_right", "count_nonzero", "median")  # fmt: skip


def check(fn: Function, stage: Stage = "primal") -> list[str]:
    """The faults of a function, in program order, each once."""
    found = [*_names(fn), *_shapes(fn)]
    if stage == "primal":
        found += [*_grammar(fn.body, False), *_Paths(fn).faults]
    return list(unique(found))


# ----- names and kinds -------------------------------------------------------------------------------------


def _names(fn: Function) -> Iterator[str]:
    if len(set(fn.params)) != len(fn.params):
        yield "a parameter occurs twice"
    if tuple(leaf for param in fn.signature for leaf in _leaves(param.tree)) != fn.params and fn.signature:
        yield "the signature and the parameters differ"
    results = (name for expr in fn.results for name in variables(expr))
    for name in unique((*fn.params, *fn.constants, *names_in(fn.body), *results)):
        if name not in fn.kinds:
            yield f"{name} has no kind"
        if not name.isidentifier():
            yield f"{name} is no identifier"
    if len(list(_leaves(fn.returns))) != len(fn.results):
        yield "the results and their structure differ"


def _leaves(tree: Tree) -> Iterator[str]:
    if isinstance(tree, Leaf):
        yield tree.name
    else:
        for item in tree.items:
            yield from _leaves(item)


def _shapes(fn: Function) -> Iterator[str]:
    for stmt in statements(fn.body):
        for expr in expressions(stmt):
            yield from _loads(fn, expr)
        match stmt:
            case Store(array=name, index=index) if (
                name in fn.kinds and dimensions(index) != fn.kinds[name].ndim
            ):
                yield f"{name} is stored with {len(index)} subscripts"
            case View(array=name, index=index, form="section") if name in fn.kinds and (
                not is_section(index) or dimensions(index) != fn.kinds[name].ndim
            ):
                yield f"{name} is viewed with {len(index)} subscripts"
            case Assign(target=name, value=value) if is_array(fn, value) or is_array(fn, Var(name)):
                yield f"{name} is assigned, and an array is involved"
            case New(target=name, value=value) if not is_array(fn, value) or not is_array(fn, Var(name)):
                yield f"{name} is born, and no array is involved"
            case Update(array=name) if not is_array(fn, Var(name)):
                yield f"{name} is updated, and is no array"
            case Call() if stmt.function in fn.callees:
                yield from _call(fn, stmt, fn.callees[stmt.function])
            case If(test=test) | While(test=test) if is_array(fn, test):
                yield "an array is a condition"
            case For(var=var) if fn.kinds.get(var) != INT:
                yield f"the counter {var} is not an integer"
    for expr in fn.results:
        yield from _loads(fn, expr)


def _call(fn: Function, stmt: Call, callee: Function) -> Iterator[str]:
    """Arguments are names and constants, of the kinds of the parameters; results have the kinds of the targets."""
    if not all(isinstance(arg, Var | Const) for arg in stmt.args):
        yield f"an argument of {stmt.function} is an expression"
    if (len(stmt.args), len(stmt.targets)) != (len(callee.params), len(callee.results)):
        yield f"{stmt.function} is called with other arguments or results than it has"
    for arg, param in zip(stmt.args, callee.params, strict=False):
        if isinstance(arg, Var) and fn.kinds.get(arg.name) != callee.kinds.get(param):
            yield f"{arg.name} is passed for {param} of {stmt.function}, and is of another kind"
    if not {a.name for a in stmt.args if isinstance(a, Var)} >= set(stmt.writes):
        yield f"{stmt.function} writes into what it isn't given"


def _loads(fn: Function, expr: Expr) -> Iterator[str]:
    for node in nodes(expr):
        match node:
            case Load(array=name, index=index) if (
                name in fn.kinds and dimensions(index) != fn.kinds[name].ndim
            ):
                yield f"{name} is read with {len(index)} subscripts"
            case Apply(op=op, args=args) if op != "items" and any(
                isinstance(a, Apply) and a.op in MAKES for a in args
            ):  # (items: of a tuple that is printed)
                yield f"an array is made inside {op}"
            case Apply(op=op, args=(first, *_)) if op in REDUCES and not isinstance(first, Var):
                yield f"{op} of an expression"


def dimensions(index: tuple[Expr, ...]) -> int:
    """The number of dimensions of an array with this full subscript."""
    return sum(sub != Const(None) for sub in index)


def is_array(fn: Function, expr: Expr) -> bool:
    """Whether an expression is an array."""
    match expr:
        case Var(name=name):
            return name in fn.kinds and fn.kinds[name].is_array
        case Load(index=index):
            return is_section(index)
        case Apply(op=op, args=args):
            return op in MAKES or (op not in REDUCES and any(is_array(fn, arg) for arg in args))
    return False


def _grammar(body: Body, under_if: bool) -> Iterator[str]:
    for stmt in body:
        if not isinstance(stmt, PRIMAL):
            yield f"{type(stmt).__name__} in a primal"
        if isinstance(stmt, Raise) and not under_if:
            yield f"{stmt.exception} is raised without an if"
        for block in blocks(stmt):
            yield from _grammar(block, isinstance(stmt, If))


# ----- paths -----------------------------------------------------------------------------------------------


class _Paths:
    """Follows all paths: what has a value, which array names are bound."""

    def __init__(self, fn: Function) -> None:
        self.fn = fn
        self.faults: list[str] = []
        self.outer = frozenset((*fn.params, *fn.constants))
        self.views: dict[str, str] = {}
        known: frozenset[str] | None = self.outer
        known = self.block(fn.body, known)
        if known is not None:
            released = {s.name for s in statements(fn.body) if isinstance(s, Release)}
            self.need((n for e in fn.results for n in variables(e)), known | released)
            left = sorted(n for n in known - self.outer if self.is_array(n))
            self.faults += [f"{name} is not released" for name in left]

    def is_array(self, name: str) -> bool:
        return name in self.fn.kinds and self.fn.kinds[name].is_array

    def need(self, names: Iterable[str], known: frozenset[str]) -> None:
        self.faults += [f"{name} is used where it may have no value" for name in names if name not in known]

    def born(self, name: str, known: frozenset[str]) -> None:
        if name in known:
            self.faults.append(f"{name} is bound anew before its release")

    def unseen(self, names: Sequence[str], known: frozenset[str]) -> None:
        """No view looks into arrays that are handed over or end, and none is handed over."""
        for view, array in self.views.items():
            if view in known and array in names:
                self.faults.append(f"{array} is let go while {view} looks into it")
            if len(names) > 1 and view in names:
                self.faults.append(f"{view} is a view and is handed over")

    def block(self, stmts: Sequence[Stmt], known: frozenset[str] | None) -> frozenset[str] | None:
        for stmt in stmts:
            if known is None:
                self.faults.append("statements behind an exception")
                return None
            self.need(reads(stmt), known)
            known = self.statement(stmt, known)
        return known

    def statement(self, stmt: Stmt, known: frozenset[str]) -> frozenset[str] | None:
        match stmt:
            case Assign(target=name):
                return known | {name}
            case Store(array=name) | Update(array=name):
                self.need((name,), known)
                if name in self.fn.constants:
                    self.faults.append(f"the constant {name} is written")
            case New(target=name):
                self.born(name, known)
                return known | {name}
            case Bind(target=name):
                self.born(name, known)
                return known | {name}
            case Call(targets=targets, writes=written):
                for name in targets:
                    if self.is_array(name):
                        self.born(name, known)
                self.faults += [f"the constant {n} is written" for n in written if n in self.fn.constants]
                return known | set(targets)
            case View(target=name, array=array):
                self.born(name, known)
                self.views[name] = array
                return known | {name}
            case Rebind(targets=targets, sources=sources) if set(targets) == set(sources):
                self.unseen(targets, known)
                if self.outer & set(targets):
                    self.faults.append(f"{', '.join(targets)}: a name from outside is bound anew")
            case Rebind(targets=(target,), sources=(source,)):
                self.born(target, known)
                self.unseen((target, source), known)
                if source in self.outer:
                    self.faults.append(f"{source} comes from outside and is handed over")
                return (known - {source}) | {target}
            case Rebind(targets=targets):
                self.faults.append(
                    f"the bindings of {', '.join(targets)} are neither permuted nor handed over"
                )
            case Release(name=name):
                self.need((name,), known)
                self.unseen((name,), known - {name})
                if name in self.outer:
                    self.faults.append(f"{name} comes from outside and is released")
                return known - {name}
            case If(then=then, orelse=orelse):
                one, other = self.block(then, known), self.block(orelse, known)
                if one is None or other is None:
                    return other if one is None else one
                self.agree(one, other, "the arms of an if")
                return one & other
            case For(var=var, body=body):
                end = self.block(body, known | {var})
                if end is not None:
                    self.agree(known, end, "the trips of a loop")
            case While(body=body):
                end = self.block(body, known)
                if end is not None:
                    self.agree(known, end, "the trips of a loop")
            case Region(body=body):
                return self.block(body, known)
            case Raise():
                return None
        return known

    def agree(self, one: frozenset[str], other: frozenset[str], where: str) -> None:
        for name in sorted(one ^ other):
            if self.is_array(name):
                self.faults.append(f"{name} is bound on one of {where} only")
