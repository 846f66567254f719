"""Every name has a value on every path: by its assignments, by a check behind a loop, or the program is refused.

A loop may make no trip. Where a name is read behind the only loop that gives it a value, Python raises
UnboundLocalError if there was none; so does what is emitted::

    for i in range(n):             made = 0 < n
        s += x[i]           ->     for i in range(n):
    return s * i                       s += x[i]
                                   if not made:
                                       raise UnboundLocalError(...)
                                   return s * i
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from s2sad.analyses.versions import distinct
from s2sad.errors import UnsupportedSyntaxError
from s2sad.frontend.flow import defines, uses, wanted
from s2sad.frontend.webs import pretty
from s2sad.ir.nodes import (
    Apply,
    Assign,
    Const,
    Expr,
    For,
    If,
    New,
    Raise,
    Rebind,
    Region,
    Stmt,
    Var,
    View,
    While,
)
from s2sad.ir.walk import Body, blocks, map_body, names_in, statements, with_blocks
from s2sad.source import Span

#: A statement (None: the results) and a name in it that may have no value.
Fault: TypeAlias = tuple[Stmt | None, str]
#: Whether loop k of a block surely makes a trip.
Sure: TypeAlias = Callable[[Sequence[Stmt], int], bool]
#: A flag and its truth -> the names that have a value then.
Told: TypeAlias = dict[tuple[str, bool], frozenset[str]]


def bind_all(
    body: Body, entry: Sequence[str], late: Sequence[str], results: Sequence[Expr], at: Span
) -> Body:
    """`body` in which every name has a value on every path; `late` ones are known to get theirs before they are read.

    Errors: UnsupportedSyntaxError S051, at the statement that may read a name without a value (or `at`).
    """
    checked: dict[str, str] = {}
    while (fault := unbound(body, (*entry, *late), results, starts, flags=True)) is not None:
        stmt, name = fault
        loop = _only_loop(body, name)
        if loop is None or unbound(body, (*entry, *late), results, _or(loop), flags=True) == fault:
            raise UnsupportedSyntaxError(
                f"`{pretty(name)}` may have no value here", code="S051",
                at=at if stmt is None else stmt.at, label="used here",
            )  # fmt: skip
        body = _checked(body, name, loop, stmt, checked, at)
    body = distinct(map_body(lambda s: () if _kept(s) else (s,), body))
    while (fault := unbound(body, entry, results)) is not None:
        body = distinct(preset(body, fault[1], wanted(results)))
    return body


def unbound(
    body: Sequence[Stmt],
    bound: Iterable[str],
    results: Iterable[Expr],
    sure: Sure = lambda stmts, k: False,
    *,
    flags: bool = False,
) -> Fault | None:
    """The first use of a name that has no value on some path; None where all is well.

    Loops may make no trip, but for those that are `sure` to make one. With `flags`, what the value of a test says
    counts: in `if p and (m := g(x)) > 0:`, a flag `c` that was made by `c = p; if c: m = ...; c = m > 0`.
    """
    fault: Fault | None = None

    def need(names: Iterable[str], known: frozenset[str] | None, stmt: Stmt | None) -> None:
        nonlocal fault
        for name in names:
            if known is not None and name not in known and fault is None:
                fault = (stmt, name)

    def block(stmts: Sequence[Stmt], known: frozenset[str] | None, told: Told) -> frozenset[str] | None:
        for k, stmt in enumerate(stmts):
            need(() if _kept(stmt) else uses(stmt), known, stmt)
            new: Told = {}
            unchanged = without(told, statements((stmt,)))
            match stmt:
                case Raise():
                    known = None
                case If(test=test, then=then, orelse=orelse):
                    one = block(then, _more(known, says(test, True, told)), told)
                    other = block(orelse, _more(known, says(test, False, told)), told)
                    if flags and one is not None and not orelse and (flag := _flag(stmt)):
                        new = {flag: one}
                    known = other if one is None else one if other is None else one & other
                case For(var=var, body=inner):
                    end = block(inner, _more(known, {var}), unchanged)
                    known = end if sure(stmts, k) else known
                case While(body=inner):
                    end = block(inner, known, unchanged)
                    known = end if sure(stmts, k) else known
                case Region(body=inner):
                    known = block(inner, known, told)
                case _:
                    known = _more(known, defines(stmt))
                    if flags and isinstance(stmt, Assign):
                        new = {(stmt.target, truth): says(stmt.value, truth, told) for truth in (True, False)}
            told = {**unchanged, **new}
        return known

    need(sorted(wanted(results)), block(body, frozenset(bound), {}), None)
    return fault


def says(test: Expr, truth: bool, told: Told) -> frozenset[str]:
    """The names that surely have a value where a test has that truth."""
    match test:
        case Var(name=name):
            return told.get((name, truth), frozenset())
        case Apply(op="not", args=(inner,)):
            return says(inner, not truth, told)
        case Apply(op="and" | "or" as op, args=args) if truth == (op == "and"):
            return frozenset[str]().union(*(says(arg, truth, told) for arg in args))
    return frozenset()


def without(told: Told, stmts: Iterable[Stmt]) -> Told:
    """What is told by flags that none of the statements changes."""
    changed = {name for stmt in stmts for name in defines(stmt)} if told else set()
    return {(name, truth): names for (name, truth), names in told.items() if name not in changed}


def _flag(stmt: If) -> tuple[str, bool] | None:
    """`if c: ...; c = ...` or `if not c: ...; c = ...`: the flag and the value that tells that the arm was run."""
    match stmt.test, stmt.then[-1:]:
        case Var(name=name), (Assign(target=target),) if target == name:
            return name, True
        case Apply(op="not", args=(Var(name=name),)), (Assign(target=target),) if target == name:
            return name, False
    return None


def _more(known: frozenset[str] | None, names: Iterable[str]) -> frozenset[str] | None:
    return None if known is None else known | frozenset(names)


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


# ----- checks ----------------------------------------------------------------------------------------------


def _kept(stmt: Stmt) -> bool:
    """Whether this is `x = x`: it stands where `x` is known to have a value, and is taken out in the end."""
    return isinstance(stmt, Assign) and stmt.value == Var(stmt.target)


def _or(loop: Stmt) -> Sure:
    return lambda stmts, k: stmts[k] is loop or starts(stmts, k)


def _only_loop(body: Body, name: str) -> For | While | None:
    """The loop outside of all loops that holds every assignment to the number `name`."""

    def outermost(stmts: Body) -> Iterator[For | While]:
        for stmt in stmts:
            if isinstance(stmt, For | While):
                yield stmt
            else:
                for block in blocks(stmt):
                    yield from outermost(block)

    births = [s for s in statements(body) if name in defines(s) and not _kept(s)]
    if not all(isinstance(s, Assign | For) for s in births):
        return None
    for loop in outermost(body):
        held = {id(s) for s in statements((loop,))}
        if all(id(s) in held for s in births):
            return loop
    return None


def _checked(
    body: Body, name: str, loop: For | While, use: Stmt | None, checked: dict[str, str], at: Span
) -> Body:
    """`body` with a check before `use` that `loop` made a trip."""
    fresh = name not in checked
    made = checked.setdefault(name, f"made#tm{len(checked)}")
    text = f"cannot access local variable '{pretty(name)}' where it is not associated with a value"
    place = at if use is None else use.at
    wrong = Raise("UnboundLocalError", (Const(text),), place)
    check = (If(Apply("not", (Var(made),)), (wrong,), (), place), Assign(name, Var(name), place))

    def put(stmts: Body) -> Iterator[Stmt]:
        for stmt in stmts:
            if stmt is loop and fresh:
                yield Assign(made, _trip(loop), loop.at)
            if stmt is use:
                yield from check
            yield with_blocks(stmt, [tuple(put(block)) for block in blocks(stmt)])

    return (*put(body), *(check if use is None else ()))


def _trip(loop: For | While) -> Expr:
    """Whether a loop makes a trip, asked just before it."""
    if isinstance(loop, While):
        return loop.test
    up, down = Apply("lt", (loop.start, loop.stop)), Apply("gt", (loop.start, loop.stop))
    match loop.step:
        case Const(value=step):
            return up if step > 0 else down
    zero = Const(0)
    rises, falls = Apply("gt", (loop.step, zero)), Apply("lt", (loop.step, zero))
    return Apply("or", (Apply("and", (rises, up)), Apply("and", (falls, down))))
