"""Parameters that are bound anew: the function works on copies, and gives the caller's arrays what became of them.

An array may go round several names (`u, v = v, u`), so that no name tells whose array it holds. Each name has a
number beside it that says which parameter's array it is bound to; where an array ends, it is written back::

    u, v = v, u       ->  origin_u, origin_v = origin_v, origin_u
    (end of u)        ->  if origin_u == 0: p[...] = u
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from s2sad.analyses.entities import classes
from s2sad.ir.nodes import Apply, Assign, Call, Const, If, New, Rebind, Release, Stmt, Update, Var, View
from s2sad.ir.walk import Body, blocks, statements, unique, with_blocks
from s2sad.source import Span

LOCAL = Const(-1)
LENT = "lent"  # the spelling of copies that stand for a parameter's array


def lent(name: str, param: str, at: Span) -> New:
    """`name = param`, where the parameter itself is not used again."""
    return New(name, Apply("copy", (Var(param),), LENT), at)


def written_back(
    body: Body, temporary: Callable[[str], str], born: Callable[[Call], tuple[str, ...]]
) -> Body:
    """`body`, with Releases, where what becomes of copies that are `lent` goes back to their parameters.

    `born` tells the arrays that a call brings forth.
    """
    lendings = [(s.target, p) for s in statements(body) if isinstance(s, New) and (p := _lent(s))]
    if not lendings:
        return body
    same = classes(body)
    number = {param: Const(k) for k, param in enumerate(unique(param for _, param in lendings))}
    owners = {same[name]: unique(p for n, p in lendings if same[n] == same[name]) for name, _ in lendings}
    views = {s.target for s in statements(body) if isinstance(s, View)}
    origins: dict[str, str] = {}

    def origin(name: str) -> str:
        if name not in origins:
            origins[name] = temporary("origin")
        return origins[name]

    def tracked(name: str) -> bool:
        return same[name] in owners and name not in views

    def ends(stmt: Release) -> Iterator[Stmt]:
        for param in owners[same[stmt.name]]:
            mine = Apply("eq", (Var(origin(stmt.name)), number[param]))
            yield If(mine, (Update(param, Var(stmt.name), stmt.at),), (), stmt.at)

    def follows(stmt: Stmt) -> Iterator[Stmt]:
        match stmt:
            case New(target=name) if tracked(name):
                yield Assign(origin(name), number.get(_lent(stmt), LOCAL), stmt.at)
            case Call():
                yield from (Assign(origin(t), LOCAL, stmt.at) for t in born(stmt) if tracked(t))
            case Rebind(targets=(target,), sources=(source,)) if tracked(target):
                yield Assign(origin(target), Var(origin(source)), stmt.at)
            case Rebind(targets=targets, sources=sources) if tracked(targets[0]):
                held = {source: temporary("origin") for source in sources}
                yield from (Assign(t, Var(origin(s)), stmt.at) for s, t in held.items())
                yield from (
                    Assign(origin(t), Var(held[s]), stmt.at) for t, s in zip(targets, sources, strict=True)
                )

    def block(stmts: Sequence[Stmt]) -> Body:
        out: list[Stmt] = []
        first = 0  # of the Releases that stand in a row
        for stmt in stmts:
            if isinstance(stmt, Release) and tracked(stmt.name):
                out[first:first] = back = list(ends(stmt))
                first += len(back)
            inner = with_blocks(stmt, [block(inner) for inner in blocks(stmt)])
            out.append(_plain(inner))
            out += follows(stmt)
            if not isinstance(stmt, Release):
                first = len(out)
        return tuple(out)

    return block(body)


def _plain(stmt: Stmt) -> Stmt:
    """A copy that was lent, as any copy."""
    if isinstance(stmt, New) and (param := _lent(stmt)):
        return replace(stmt, value=Apply("copy", (Var(param),)))
    return stmt


def _lent(stmt: Stmt) -> str:
    match stmt:
        case New(value=Apply("copy", (Var(name=param),), spell)) if spell == LENT:
            return param
    return ""
