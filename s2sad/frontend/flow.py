"""Questions about raw IR that need its paths: what is live, what is surely bound.

Statements are told apart by identity, so a body must hold each object once (`analyses.versions.distinct`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from s2sad.ir.nodes import (
    Assign,
    Bind,
    Call,
    Expr,
    For,
    If,
    New,
    Raise,
    Rebind,
    Region,
    Stmt,
    Store,
    Update,
    Var,
    View,
    While,
)
from s2sad.ir.walk import (
    Body,
    map_body,
    reads,
    rename,
    statements,
    unique,
    variables,
    writes_in,
)


def uses(stmt: Stmt) -> tuple[str, ...]:
    """Names whose value or binding a statement itself needs: also the array that it writes into."""
    if isinstance(stmt, Store | Update):
        return unique((stmt.array, *reads(stmt)))
    return reads(stmt)


def defines(stmt: Stmt) -> tuple[str, ...]:
    """Names that a statement itself gives a new value or binding."""
    match stmt:
        case Assign(target=name) | New(target=name) | View(target=name) | Bind(target=name) | For(var=name):
            return (name,)
        case Rebind(targets=targets) | Call(targets=targets):
            return targets
    return ()


def wanted(results: Iterable[Expr]) -> frozenset[str]:
    """Names that results read."""
    return frozenset(name for expr in results for name in variables(expr))


def live_after(body: Sequence[Stmt], results: frozenset[str]) -> dict[int, frozenset[str]]:
    """By id of a statement -> names that are read on some path after it, before they get another value."""
    found: dict[int, frozenset[str]] = {}

    def block(stmts: Sequence[Stmt], live: frozenset[str]) -> frozenset[str]:
        for stmt in reversed(stmts):
            found[id(stmt)] = live
            match stmt:
                case Raise():
                    live = frozenset(reads(stmt))
                case If(then=then, orelse=orelse):
                    live = block(then, live) | block(orelse, live) | frozenset(reads(stmt))
                case Region(body=inner):
                    live = block(inner, live) | frozenset(reads(stmt))
                case For(var=var, body=inner):
                    head = live
                    while (more := head | (block(inner, head) - {var})) != head:
                        head = more
                    live = head | frozenset(reads(stmt))
                case While(body=inner):
                    head = live | frozenset(reads(stmt))
                    while (more := head | block(inner, head)) != head:
                        head = more
                    live = head
                case _:
                    live = (live - frozenset(defines(stmt))) | frozenset(uses(stmt))
        return live

    block(body, results)
    return found


def own_counters(body: Body, results: frozenset[str]) -> Body:
    """Use the user's loop variable as counter where it is neither assigned in the body nor read after the loop."""
    live = live_after(body, results)

    def settle(stmt: Stmt) -> Iterator[Stmt]:
        match stmt:
            case For(var=counter, body=(Assign(target=name, value=Var(copied)), *rest)) if copied == counter:
                if name not in (*writes_in(rename(merged, tuple(rest))), *live[keys[counter]]):
                    yield replace(stmt, var=name, body=rename({counter: name}, tuple(rest)))
                    return
            case While(body=(Assign(target=name, value=Var(counter)), *rest)) if counter in keys:
                inside = writes_in(rename(merged, tuple(rest)))  # loops in it may count by this very name now
                if name not in (*inside, *reads(stmt), *live[keys[counter]]):
                    merged[counter] = name
                    yield replace(stmt, body=tuple(rest))
                    return
        yield stmt

    merged: dict[str, str] = {}
    keys = {s.var: id(s) for s in statements(body) if isinstance(s, For)}
    for s in statements(body):
        match s:
            case While(body=(Assign(value=Var(counter)), *_, Assign(target=last))) if counter == last:
                keys[counter] = id(s)
    return rename(merged, map_body(settle, body))
