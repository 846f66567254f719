"""Scalars of loops that are asked for in threads, in forms that tell what they are: sums, and each iteration's own.

A scalar that every iteration leaves at 0, as it found it, is set to 0 where an iteration begins: it is its own then.

Before: `s_2 = s + a` · `s = s_2 + b`     `w_b += e` · ... · `w_b = 0.0`
After:  `s += a` · `s += b`               `w_b = 0.0` · `w_b += e` · ...

>>> from s2sad.ir.nodes import Const
>>> from s2sad.ir.text import show_stmt
>>> plus = Assign("s", Apply("add", (Var("s"), Var("i"))))
>>> print(show_stmt(with_sums(For("i", Const(0), Var("n"), Const(1), (plus,)))))
for i in range(0, n, 1):
    s += i
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from s2sad.ir.nodes import Accumulate, Apply, Assign, Expr, For, Stmt, Var
from s2sad.ir.walk import Body, blocks, map_body, reads, reads_in, statements, writes
from s2sad.ops.build import ZERO, neg
from s2sad.shapes.liveness import exposed


def settled(body: Iterable[Stmt]) -> Body:
    """A sweep with each iteration's own zeros in its loops."""
    body = tuple(body)
    sets = Counter(name for s in statements(body) if not is_zero(s) for name in writes(s))

    def each(s: Stmt) -> Iterator[Stmt]:
        yield with_own(s, sets) if isinstance(s, For) and s.threads else s

    return map_body(each, body)


def is_zero(s: Stmt) -> bool:
    """Does a statement set a scalar to 0?"""
    return isinstance(s, Assign) and s.value == ZERO


# ----- each iteration's own --------------------------------------------------------------------------------


def with_own(loop: For, sets: Counter[str]) -> For:
    """The loop with its zeros at the beginning. `sets`: how often the sweep gives a name another value than 0.

    Nothing else in the sweep does: then the scalar is 0 before the loop as well.
    """
    mine = Counter(name for s in statements(loop.body) if not is_zero(s) for name in writes(s))
    begun: list[Stmt] = []
    body = list(loop.body)
    for name in sorted(exposed(loop.body)):
        places = [k for k, s in enumerate(body) if any(name in writes(inner) for inner in statements((s,)))]
        if not places or mine[name] != sets[name] or body[places[-1]] != Assign(name, ZERO):
            continue
        if name not in reads_in(body[places[-1] :]):
            begun.append(body.pop(places[-1]))
    return replace(loop, body=(*begun, *body)) if begun else loop


# ----- sums ------------------------------------------------------------------------------------------------


def with_sums(loop: For) -> For:
    """The loop with its sums as Accumulate: `s = s + e` where nothing else is done to `s`, nor to `s_2`."""
    every = tuple(statements(loop.body))
    uses = Counter(name for s in every for name in reads(s))
    sets = Counter(name for s in every for name in writes(s))
    later = dict(pair for block in bodies((loop,)) for pair in steps(block, sets, uses))
    direct = Counter(own[0] for s in every if isinstance(s, Assign) and (own := increment(s)))

    def sum_of(name: str) -> str:
        return sum_of(later[name]) if name in later else name

    fine: dict[str, bool] = {}
    for s in every:
        if isinstance(s, Assign):
            name, own = sum_of(s.target), increment(s)
            goes_on = own is not None and sum_of(own[0]) == name and uses[own[0]] == direct[own[0]]
            fine[name] = fine.get(name, True) and goes_on

    def each(s: Stmt) -> Iterator[Stmt]:
        if isinstance(s, Assign) and fine[sum_of(s.target)] and (own := increment(s)) is not None:
            yield Accumulate(Var(sum_of(s.target)), own[1], s.at)
        else:
            yield s

    return replace(loop, body=map_body(each, loop.body))


def steps(block: Body, sets: Counter[str], uses: Counter[str]) -> Iterator[tuple[str, str]]:
    """Names between one addition and the next in a block, with the name that follows."""
    met: set[str] = set()
    for s in block:
        if isinstance(s, Assign):
            own = increment(s)
            if own is not None and own[0] in met and sets[own[0]] == uses[own[0]] == 1:
                yield own[0], s.target
            met.add(s.target)


def bodies(body: Iterable[Stmt]) -> Iterator[Body]:
    """All blocks that are nested in statements."""
    for s in statements(body):
        yield from blocks(s)


def increment(s: Assign) -> tuple[str, Expr] | None:
    """The name that a statement adds to, and what; None where it does something else."""
    return taken_off(s.value)


def taken_off(value: Expr) -> tuple[str, Expr] | None:
    """The name that a sum begins with, and the rest."""
    match value:
        case Apply(op="add", args=(Var(name=name), second), spell=""):
            return name, second
        case Apply(op="sub", args=(Var(name=name), second), spell=""):
            return name, neg(second)
        case Apply(op="add" | "sub" as op, args=(first, second), spell="") if more := taken_off(first):
            return more[0], Apply(op, (more[1], second))
    return None
