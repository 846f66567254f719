"""Regions become functions: what is live into a region are its parameters, what is live out of it its results.

A region is then a joint call, and everything that holds for calls holds for it; regions nest as functions do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from s2sad.analyses.entities import classes
from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    Call,
    For,
    Function,
    If,
    Leaf,
    New,
    Node,
    Rebind,
    Region,
    Stmt,
    Store,
    Update,
    Var,
    View,
    While,
)  # fmt: skip
from s2sad.ir.walk import (
    blocks,
    names_in,
    reads,
    reads_in,
    statements,
    unique,
    variables,
    with_blocks,
    writes,
    writes_in,
)  # fmt: skip


def outlined(fn: Function) -> Function:
    """`fn` with every Region as a joint Call of a function among its callees."""
    if not any(isinstance(s, Region) for s in statements(fn.body)):
        return fn
    made: dict[str, Function] = {}
    namer = Namer([*fn.kinds, *fn.constants, *fn.callees, fn.name])
    body = walk(fn, fn.body, (), made, namer)
    return replace(fn, body=body, callees={**fn.callees, **made})


def walk(
    fn: Function, body: tuple[Stmt, ...], after: tuple[str, ...], made: dict[str, Function], namer: Namer
) -> tuple[Stmt, ...]:
    """`body` with its regions outlined; `after` are names that may be read when it has run."""
    out: list[Stmt] = []
    for k, stmt in enumerate(body):
        later = unique((*reads_in(body[k + 1 :]), *after))
        if not isinstance(stmt, Region):
            if isinstance(stmt, For | While):  # the next iteration may read what this one writes
                exposed = reach((stmt,), frozenset())[0]
                later = unique((*later, *(n for n in names_in((stmt,)) if n in exposed)))
            out.append(with_blocks(stmt, (walk(fn, inner, later, made, namer) for inner in blocks(stmt))))
            continue
        out.append(outline(fn, stmt, later, made, namer))
    return tuple(out)


def outline(
    fn: Function, region: Region, later: Iterable[str], made: dict[str, Function], namer: Namer
) -> Call:
    """The call that stands for one region."""
    ends = (*later, *(n for e in fn.results for n in variables(e)))
    born = {n for s in statements(region.body) for n in births(s) if fn.kinds[n].is_array}
    scalars = [n for n in writes_in(region.body) if n in fn.kinds and not fn.kinds[n].is_array]
    results = tuple(n for n in scalars if n in ends)
    exposed, sure = reach(region.body, frozenset())
    needed = {*exposed, *(n for n in results if n not in sure)}
    inside = (n for n in names_in(region.body) if n in fn.kinds and n not in fn.constants and n not in born)
    params = tuple(n for n in inside if fn.kinds[n].is_array or n in needed)
    same = classes(fn.body)
    changed = {same[n] for s in statements(region.body) for n in stored(s)}
    written = tuple(p for p in params if fn.kinds[p].is_array and same[p] in changed)
    name = namer.fresh(f"{fn.name}_region")
    made[name] = Function(
        name, params, region.body, tuple(map(Var, results)), fn.kinds, (), Node(tuple(map(Leaf, results))),
        fn.constants, f"A region of `{fn.name}`, run again on the way back.", at=region.at,
    )  # fmt: skip
    return Call(results, name, tuple(map(Var, params)), written, joint=True, at=region.at)


def stored(stmt: Stmt) -> tuple[str, ...]:
    """Arrays that a statement itself writes into."""
    match stmt:
        case Store(array=name) | Update(array=name):
            return (name,)
        case Call(writes=names):
            return names
    return ()


def births(stmt: Stmt) -> tuple[str, ...]:
    """Array names that a statement binds (of a call also numbers)."""
    match stmt:
        case New(target=name) | View(target=name):
            return (name,)
        case Rebind(targets=targets) | Call(targets=targets):
            return targets
    return ()


def reach(body: Iterable[Stmt], known: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """(names that may be read before `body` gives them a value, names that surely have one after it)."""
    exposed: frozenset[str] = frozenset()
    for stmt in body:
        exposed |= frozenset(reads(stmt)) - known
        match stmt:
            case For(var=var, body=inner):
                exposed |= reach(inner, known | {var})[0]
            case While(body=inner):
                exposed |= reach(inner, known)[0]
            case If(then=then, orelse=orelse):
                (one, after_one), (other, after_other) = reach(then, known), reach(orelse, known)
                exposed |= one | other
                known |= after_one & after_other
            case Region(body=inner):
                more, known = reach(inner, known)
                exposed |= more
            case _:
                known |= frozenset(writes(stmt))
    return exposed, known
