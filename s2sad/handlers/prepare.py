"""What the adjoint handler does to a program before it takes it backwards: nothing the value could notice.

Dear operations and reductions inside larger active expressions become statements of their own, so that their
results can be kept; loop bounds that the body might change, subscripts of views that look into arrays that end before
the views do, and tests that can't be formed again from integers, get names.

>>> from s2sad.ir.nodes import REAL, Apply, Assign, Function, Node, Var
>>> y = Assign("y", Apply("mul", (Var("x"), Apply("exp", (Var("x"),)))))
>>> fn = Function("f", ("x",), (y,), (Var("y"),), {"x": REAL, "y": REAL}, (), Node(()))
>>> [s.target for s in prepare(fn, frozenset("xy")).body]
['t', 'y']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from s2sad.analyses.versions import given
from s2sad.handlers.pullback import is_whole
from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    BOOL,
    INT,
    REAL,
    SINGLE,
    Apply,
    Assign,
    Call,
    Const,
    Expr,
    For,
    Function,
    If,
    Kind,
    Load,
    New,
    Rebind,
    Release,
    Slice,
    Stmt,
    Store,
    Update,
    Var,
    View,
    While,
)
from s2sad.ir.walk import Body, blocks, leaves, loads, map_body, name_of, nodes, statements, variables
from s2sad.ops import OPS, dear
from s2sad.ops.complexes import PARTS
from s2sad.ops.kinds import is_complex, kind_of
from s2sad.plan.scalars import bound, tail

REDUCTIONS = tuple(key for key, op in OPS.items() if op.structural in ("sum", "amax"))


def prepare(fn: Function, active: frozenset[str], of: Iterable[int] = (0,)) -> Function:
    """`fn` with flattened active expressions, settled loop bounds, named tests and named results `of`."""
    kinds = dict(fn.kinds)
    namer = Namer([*kinds, *fn.constants])
    early = frozenset(ended_early(fn.body, active))

    def name(stem: str, kind: Kind) -> str:
        new = namer.fresh(stem)
        kinds[new] = kind
        return new

    def released(before: list[Stmt], stmt: Stmt) -> Iterator[Stmt]:
        """The ends of arrays that were taken out of a statement."""
        return (Release(s.target, stmt.at) for s in reversed(before) if isinstance(s, New))

    def flatten(expr: Expr, into: list[Stmt], stmt: Stmt, root: bool) -> Expr:
        return taken_out(expr, into, stmt, root, active, kinds, name, dear)

    def settle(stmt: Stmt) -> Iterator[Stmt]:
        before: list[Stmt] = []
        match stmt:
            case Assign(target=target) | New(target=target) if target in active:
                own = apart(stmt.value, kinds) and target in variables(stmt.value)
                alone = structure(stmt.value) == "matrix" or (
                    not own and (isinstance(stmt, Assign) or apart(stmt.value, kinds))
                )
                value = flatten(stmt.value, before, stmt, alone)
                stmt = replace(stmt, value=value)
            case Store(array=array) | Update(array=array) if array in active:
                stmt = replace(stmt, value=flatten(stmt.value, before, stmt, False))
            case For(body=body):
                changed = {n for s in statements(body) for n in (*given(s), *bound(s))}
                bounds = []
                for end, stem in zip((stmt.start, stmt.stop, stmt.step), ("lo", "hi", "step"), strict=True):
                    if loads(end) or changed.intersection(variables(end)) or not plain(end):
                        n = name(f"{stem}_{stmt.var}", INT)
                        before.append(Assign(n, end, stmt.at))
                        end = Var(n)
                    bounds.append(end)
                stmt = replace(stmt, start=bounds[0], stop=bounds[1], step=bounds[2])
            case View(index=index) if early & {n for e in index for n in variables(e)}:

                def known(e: Expr) -> Expr:
                    if isinstance(e, Slice):
                        return Slice(*(None if p is None else known(p) for p in (e.start, e.stop, e.step)))
                    if not early & {*variables(e)}:
                        return e
                    before.append(Assign(n := name("n", INT), e, stmt.at))
                    return Var(n)

                stmt = replace(stmt, index=tuple(map(known, index)))
            case While() if matters(stmt, active, kinds):
                n = name("n_while", INT)
                before.append(Assign(n, Const(0), stmt.at))
                count = Assign(n, Apply("add", (Var(n), Const(1))), stmt.at)
                stmt = replace(stmt, body=(*stmt.body, count), counter=n)
            case If(test=test) if not discrete(test, kinds) and matters(stmt, active, kinds):
                c = name("c", BOOL)
                before.append(Assign(c, test, stmt.at))
                stmt = replace(stmt, test=Var(c))
        yield from before
        yield stmt
        yield from released(before, stmt)

    body = map_body(settle, fn.body)
    results: list[Expr] = []
    more: list[Stmt] = []
    of = tuple(of)
    for k, value in enumerate(fn.results):
        if (
            k in of
            and isinstance(value, Apply | Load)
            and any(name_of(leaf) in active for leaf in leaves(value))
        ):
            y = name("y", SINGLE if kind_of(value, kinds) == SINGLE else REAL)
            active |= {y}
            more += settle(Assign(y, value, fn.end or fn.at))
            value = Var(y)
        results.append(value)
    k = len(body)
    while k > 0 and isinstance(body[k - 1], Release):
        k -= 1
    return replace(fn, body=(*body[:k], *more, *body[k:]), results=tuple(results), kinds=kinds)


def ended_early(body: Body, active: frozenset[str]) -> Iterator[str]:
    """Arrays that a block lets go before its end."""
    yield from (s.name for s in body[: tail(body, active)] if isinstance(s, Release))
    for stmt in body:
        for block in blocks(stmt):
            yield from ended_early(block, active)


def taken_out(
    expr: Expr,
    into: list[Stmt],
    stmt: Stmt,
    root: bool,
    active: frozenset[str],
    kinds: Mapping[str, Kind],
    name: Callable[[str, Kind], str],
    costly: Callable[[Expr], bool],
) -> Expr:
    """`expr` with its active reductions and costly scalar parts computed by statements put into `into`.

    With `root` the outermost operation stays where it is.
    """
    if not isinstance(expr, Apply) or expr.op in ("and", "or"):
        return expr

    def named(value: Expr) -> Expr:
        kind = kind_of(value, kinds)
        t = name("t", kind)
        into.append(New(t, value, stmt.at) if kind.is_array else Assign(t, value, stmt.at))
        return Var(t)

    live = any(name_of(leaf) in active for leaf in leaves(expr))
    args = tuple(taken_out(arg, into, stmt, False, active, kinds, name, costly) for arg in expr.args)
    if live and apart(expr, kinds) and isinstance(args[0], Apply):
        args = (named(args[0]),)
    if args != expr.args:
        expr = replace(expr, args=args)
    if root or not live:
        return expr
    whole = any(is_whole(leaf, kinds) for leaf in leaves(expr))
    if (
        expr.op in REDUCTIONS
        or (structure(expr) == "matrix" and not OPS[expr.op].ndim)
        or apart(expr, kinds)
        or (not whole and costly(expr))
    ):
        return named(expr)
    return expr


def apart(expr: Expr, kinds: Mapping[str, Kind]) -> bool:
    """Is an operation on a complex number linear over the reals only, so that it has to stand alone?"""
    return isinstance(expr, Apply) and expr.op in (*PARTS, "abs") and is_complex(expr.args[0], kinds)


def structure(expr: Expr) -> str:
    """What kind of operation stands outermost."""
    return OPS[expr.op].structural if isinstance(expr, Apply) else ""


def plain(end: Expr) -> bool:
    """Is a loop bound worth repeating as it stands: names, constants, shapes, sums and differences of them?"""
    return all(not isinstance(n, Apply) or n.op in ("add", "sub", "neg", "shape") for n in nodes(end))


def discrete(test: Expr, kinds: dict[str, Kind]) -> bool:
    """Is a test made of integers, bools and constants only (no real value, no element read)?"""
    return all(
        isinstance(leaf, Var) and kinds[leaf.name].base in ("int", "bool") and not kinds[leaf.name].is_array
        for leaf in leaves(test)
    )


def matters(stmt: Stmt, active: frozenset[str], kinds: dict[str, Kind]) -> bool:
    """Does the reverse of `stmt` do anything: does it, or anything in it, touch an active name or an array?"""
    for inner in statements((stmt,)):
        match inner:
            case Assign(target=target) if target in active:
                return True
            case Store() | Update() | New() | View() | Rebind() | Release() | Call():
                return True
    return False
