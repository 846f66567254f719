"""Both sweeps as one, where the adjoints of the results are known beforehand: each trip of a loop is taken back at once.

Before:                                        After:
`for i in range(n): t = sin(x[i]); s += t * t`  `for i in range(n):`
`                   t_s[i] = t`                 `    t = sin(x[i]); s += t * t`
(the end of the forward sweep; s_b is known)    `    x_b[i] += 2.0 * s_b * t * cos(x[i])`
`for i in range(n): t = t_s[i]`
`                   x_b[i] += 2.0 * s_b * t * cos(x[i])`

What a trip keeps for its way back lives as long as the trip: a number is a name, a row of an array is an array. The
forward part does what it did in the order in which it did it; adjoints are summed in another order.

A loop is taken back like this where

* its trips may be taken back in any order (`orderfree`; adjoints that each trip finds and leaves at zero aside);
* a trip's way back reads nothing that other trips, or what follows, write;
* what the reverse sweep does before it either needs nothing of the loop, and moves before it, or can wait.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    Back,
    Const,
    For,
    Function,
    Keep,
    Pop,
    Print,
    Push,
    Stmt,
    Turn,
    While,
)
from s2sad.ir.walk import (
    Body,
    blocks,
    expressions,
    map_body,
    map_expressions,
    names_in,
    reads,
    rename,
    statements,
    unique,
    variables,
    writes_in,
)
from s2sad.ops.calm import calm, raises_never
from s2sad.shapes.beside import beside
from s2sad.shapes.liveness import exposed
from s2sad.shapes.repeated import unrepeated
from s2sad.shapes.rooms import narrowed, of_one_trip, reused, slots_of, unpacked
from s2sad.shapes.sweep import Place, Sweep, floors, sweep_of
from s2sad.shapes.trip import OneSweep, independent, moved
from s2sad.shapes.upwards import backwards
from s2sad.tidy.copies import copies
from s2sad.tidy.dead import dead

MARK = Print((Const("·"),))  # stands between the parts while names are exchanged in all of them
Pass: TypeAlias = Callable[[Body, Place, Sweep], Body]


def together(fn: Function, taken: Namer, passes: Sequence[Pass]) -> Function | None:
    """`fn` (with a Turn) as one sweep: from its parameters and seeds to its results and adjoints; None if it can't be.

    The ways back get their shape by `passes`.
    """
    k = next((i for i, s in enumerate(fn.body) if isinstance(s, Turn)), None)
    if k is None:
        return None
    turn = fn.body[k]
    assert isinstance(turn, Turn)
    sweep = sweep_of(fn, taken)
    ahead, back = handed_over(fn.body[:k], fn.body[k + 1 :])
    if any(isinstance(s, Push | Pop) for s in statements((*ahead, *back))):
        return None
    mine = {n for n in writes_in(back) if not sweep.is_array(n)}
    own = {n: sweep.fresh(n, sweep.kinds[n]) for n in sorted(mine & {*names_in(ahead)} - exposed(back))}
    results = tuple(rename(own, e) for e in fn.results)
    whole = unpacked((*ahead, Turn(turn.results), *rename(own, back)), sweep.kinds, sweep.namer)
    mine = {own.get(n, n) for n in mine} | ({*sweep.kinds} - {*fn.kinds})
    given = {n for e in results for n in variables(e)}
    whole = unrepeated(whole, mine - given, sweep)
    k = next(i for i, s in enumerate(whole) if isinstance(s, Turn))
    ends = unique(n for e in (*turn.results, *results) for n in variables(e))
    for loop in sorted((s for s in whole[:k] if isinstance(s, For)), key=depth, reverse=True):
        parts = joined(loop, whole[:k], whole[k + 1 :], frozenset(ends), sweep)
        if parts is not None:
            mine |= {n for n, kind in sweep.kinds.items() if fn.kinds.get(n) != kind}
            parts = cleared(parts, mine, frozenset(ends), sweep)
            body = beside(in_shape(parts, frozenset(ends), sweep, passes).body, sweep)
            body = rename({new: old for old, new in own.items() if counts_only(body, old, new)}, body)
            return replace(
                fn, params=(*fn.params, *turn.seeds), body=body, results=(*turn.results, *results),
                kinds=sweep.kinds, helpers=sweep.helpers,
            )  # fmt: skip
    return None


def counts_only(body: Body, *names: str) -> bool:
    """Do names stand in loops that they count, and nowhere else?"""
    for stmt in body:
        if isinstance(stmt, For) and stmt.var in names:
            if {*names} & {n for e in expressions(stmt) for n in variables(e)}:
                return False
            if any(n in writes_in(stmt.body) for n in names):
                return False
        elif blocks(stmt):
            if {*names} & {*reads(stmt)} or not all(counts_only(b, *names) for b in blocks(stmt)):
                return False
        elif {*names} & {*names_in((stmt,))}:
            return False
    return True


def handed_over(ahead: Body, back: Body) -> tuple[Body, Body]:
    """The sweeps without the records that go from one to the other under one name."""
    held = {s.name for s in ahead if isinstance(s, Keep) and s.how == "hold" and s.name == s.record}
    bound = {s.name for s in back if isinstance(s, Back) and s.how == "bind" and s.name == s.record}
    both = held & bound
    return (
        tuple(s for s in ahead if not (isinstance(s, Keep) and s.name in both)),
        tuple(s for s in back if not (isinstance(s, Back) and s.name in both)),
    )


def joined(loop: For, ahead: Body, back: Body, ends: frozenset[str], sweep: Sweep) -> OneSweep | None:
    """Both sweeps as one in which `loop` is taken back trip by trip; None where that can't be."""
    k = next(i for i, s in enumerate(ahead) if s is loop)
    j = next((i for i, s in enumerate(back) if isinstance(s, For) and same_trips(loop, s)), None)
    if j is None:
        return None
    other = back[j]
    assert isinstance(other, For)
    trip = rename({other.var: loop.var}, other.body)
    if max(map(depth, (*back[:j], *back[j + 1 :])), default=0) >= depth(other):
        return None  # most is done elsewhere: two sweeps have flags of their own
    rooms = of_one_trip(
        loop, trip, (*ahead, *back[:j], replace(other, var=loop.var, body=trip), *back[j + 1 :])
    )
    there, trip = handed_over(loop.body, trip)
    there, shared = reused(replace(loop, body=there))
    parts = OneSweep(
        replace(loop, body=there), (*ahead[:k], *shared), ahead[k + 1 :], back[:j], trip, back[j + 1 :]
    )
    private = (*rooms, *slots_of(shared))
    if not private or any(isinstance(s, Keep | Back) for s in statements(parts.body)):
        return None
    if not independent(parts, ends, private, sweep):
        return None
    ordered = moved(parts, ends, private, sweep)
    if ordered is None:
        return None
    ranks = {name: sweep.kinds[name].ndim for name in rooms}
    sweep.kinds |= {name: replace(sweep.kinds[name], ndim=rank - 1) for name, rank in ranks.items()}
    return ordered.each(lambda body: narrowed(body, ranks))


def cleared(parts: OneSweep, mine: set[str], ends: frozenset[str], sweep: Sweep) -> OneSweep:
    """The parts without what the reverse sweep forms again, and copies of it."""
    trip = replace(parts.loop, body=(*parts.loop.body, MARK, *parts.back))
    body: Body = (*parts.ahead, MARK, *parts.early, MARK, trip, MARK, *parts.behind, MARK, *parts.late)
    body = unrepeated(body, mine - ends, sweep)
    numbers = {n for n in writes_in(body) if not sweep.is_array(n)}
    ahead, early, (loop,), behind, late = split(dead(copies(body, numbers), ends, mine))
    assert isinstance(loop, For)
    there, back = split(loop.body)
    return OneSweep(replace(loop, body=there), ahead, behind, early, back, late)


def split(body: Body) -> list[Body]:
    """The stretches between marks."""
    found: list[list[Stmt]] = [[]]
    for stmt in body:
        if stmt is MARK or stmt == MARK:
            found.append([])
        else:
            found[-1].append(stmt)
    return list(map(tuple, found))


def in_shape(parts: OneSweep, ends: frozenset[str], sweep: Sweep, passes: Sequence[Pass]) -> OneSweep:
    """The parts of the reverse sweep in the shape that the passes give them; nothing in them raises.

    Where the program divides by what is never 0 it needn't look: a jump there parts what compilers form at once.
    """
    top = Place(ends, floors(parts.body, sweep.kinds))
    around = replace(parts.loop, body=(*parts.loop.body, *parts.back))
    live = ends | exposed((*parts.behind, *parts.late)) | exposed(around.body)

    def quiet(body: Body) -> Body:
        return map_body(lambda s: (map_expressions(lambda e: calm(e, sweep.kinds), s),), body)

    early, back, late = parts.early, parts.back, parts.late
    for make in passes:
        early = make(early, replace(top, live=live), sweep)
        shaped = make((replace(parts.loop, body=back),), replace(top, live=live), sweep)
        late = make(late, top, sweep)
        match shaped:
            case (For(body=inner) as loop,) if same_trips(parts.loop, loop) and loop.step == parts.loop.step:
                back = inner
            case _:
                back = make(back, replace(top, live=live).inside(around), sweep)
    there = map_body(lambda s: (map_expressions(lambda e: raises_never(e, sweep.kinds), s),), parts.loop.body)
    loop = replace(parts.loop, body=there)
    return replace(parts, loop=loop, early=quiet(early), back=quiet(back), late=quiet(late))


def depth(stmt: Stmt) -> int:
    """How many loops stand in one another."""
    inner = max((depth(s) for body in blocks(stmt) for s in body), default=0)
    return inner + isinstance(stmt, For | While)


def same_trips(loop: For, other: For) -> bool:
    """Does a loop of the reverse sweep take back, trip by trip, one of the forward sweep?"""
    down = backwards(loop)
    return other.at == loop.at and (other.start, other.stop, other.step) in (
        (down.start, down.stop, down.step), (loop.start, loop.stop, loop.step)
    )  # fmt: skip
