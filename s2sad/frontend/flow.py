"""Questions about raw IR that need its paths: what is live, what is surely bound.

Statements are told apart by identity, so a body must hold each object once (`analyses.versions.distinct`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from s2sad.ir.nodes import (
    Apply,
    Assign,
    Bind,
    Const,
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
    blocks,
    map_body,
    names_in,
    reads,
    rename,
    statements,
    unique,
    variables,
    with_blocks,
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
        case Rebind(targets=targets):
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
                    live = block(inner, live)
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


def unbound(
    body: Sequence[Stmt], bound: Iterable[str], results: Iterable[Expr], *, lenient: bool = False
) -> tuple[Stmt | None, str] | None:
    """The first use of a name that has no value on some path; None where all is well.

    Loops may make no trip; `lenient` believes of those that start with one what they bind in it.
    """
    fault: tuple[Stmt | None, str] | None = None

    def need(names: Iterable[str], known: frozenset[str] | None, stmt: Stmt | None) -> None:
        nonlocal fault
        for name in names:
            if known is not None and name not in known and fault is None:
                fault = (stmt, name)

    def block(stmts: Sequence[Stmt], known: frozenset[str] | None) -> frozenset[str] | None:
        for k, stmt in enumerate(stmts):
            need(uses(stmt), known, stmt)
            match stmt:
                case Raise():
                    known = None
                case If(then=then, orelse=orelse):
                    one, other = block(then, known), block(orelse, known)
                    known = other if one is None else one if other is None else one & other
                case For(var=var, body=inner):
                    end = block(inner, None if known is None else known | {var})
                    known = end if lenient and starts(stmts, k) else known
                case While(body=inner):
                    end = block(inner, known)
                    known = end if lenient and starts(stmts, k) else known
                case Region(body=inner):
                    known = block(inner, known)
                case _:
                    known = None if known is None else known | frozenset(defines(stmt))
        return known

    need(sorted(wanted(results)), block(body, frozenset(bound)), None)
    return fault


def starts(stmts: Sequence[Stmt], k: int) -> bool:
    """Whether loop k of a block surely makes a trip, as far as its text and the assignments just before it tell."""
    known: dict[str, Const] = {}
    for stmt in reversed(stmts[:k]):
        if not isinstance(stmt, Assign) or not isinstance(stmt.value, Const):
            break
        known.setdefault(stmt.target, stmt.value)

    def value(expr: Expr) -> Any:
        match expr:
            case Const(value=number):
                return number
            case Var(name=name) if name in known:
                return known[name].value
            case Apply(op="and", args=(one, other)):
                return value(one) and value(other)
            case Apply(op="lt" | "gt" as op, args=(one, other)):
                a, b = value(one), value(other)
                return a is not None and b is not None and (a < b if op == "lt" else a > b)
        return None

    match stmts[k]:
        case For(start=Const(value=start), stop=Const(value=stop), step=Const(value=step)):
            return len(range(start, stop, step)) > 0
        case While(test=test):
            return bool(value(test))
    return False


def preset(body: Body, name: str, results: frozenset[str]) -> Body:
    """`body` with a first value of `name`, "unset", before the first statement that tells of it.

    For names that are never read before they get another one, though the paths don't show it.
    """

    def tells(stmt: Stmt) -> bool:
        return name in names_in((stmt,))

    telling = [k for k, stmt in enumerate(body) if tells(stmt)]
    first = telling[0]
    stmt = body[first]
    inner = [k for k, block in enumerate(blocks(stmt)) if any(map(tells, block))]
    if (
        len(telling) == 1
        and name not in results
        and len(inner) == 1
        and name not in (*uses(stmt), *defines(stmt))
    ):
        arms = [preset(b, name, results) if k in inner else b for k, b in enumerate(blocks(stmt))]
        return (*body[:first], with_blocks(stmt, arms), *body[first + 1 :])
    births = (s for s in statements(body) if name in defines(s))
    array = any(isinstance(s, New | Rebind | View) for s in births)
    unset = (New if array else Assign)(name, Apply("unset", ()), stmt.at)
    return (*body[:first], unset, *body[first:])


def own_counters(body: Body, results: frozenset[str]) -> Body:
    """Use the user's loop variable as counter where it is neither assigned in the body nor read after the loop."""
    live = live_after(body, results)

    def settle(stmt: Stmt) -> Iterator[Stmt]:
        match stmt:
            case For(var=counter, body=(Assign(target=name, value=Var(copied)), *rest)) if copied == counter:
                if name not in writes_in(rest) and name not in live[keys[counter]]:
                    yield replace(stmt, var=name, body=rename({counter: name}, tuple(rest)))
                    return
            case While(body=(Assign(target=name, value=Var(counter)), *rest)) if counter in keys:
                if name not in (*writes_in(rest), *reads(stmt), *live[keys[counter]]):
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
