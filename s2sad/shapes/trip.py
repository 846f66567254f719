"""A loop that is to be taken back trip by trip: what stands around it, whether its trips allow it, what has to move.

>>> can_not_raise(Apply("add", (Var("x"), Const(1.0)))), can_not_raise(Apply("div", (Var("x"), Var("n"))))
(True, False)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from s2sad.ir.nodes import Accumulate, Apply, Assign, Const, Expr, For, New, Release, Stmt, Var
from s2sad.ir.walk import Body, blocks, names_in, nodes, reads_in, statements, writes_in
from s2sad.shapes.clean import Lengths
from s2sad.shapes.effects import Effects
from s2sad.shapes.liveness import exposed
from s2sad.shapes.orderfree import order_free
from s2sad.shapes.sweep import Place, Sweep, floors

#: Operations that can't raise anything in compiled code.
CALM = frozenset((
    "add", "sub", "mul", "neg", "pos", "abs", "exp", "expm1", "log", "log1p", "sqrt", "sin", "cos", "tan", "sinh", "cosh",
    "tanh", "square", "maximum", "minimum", "shape", "lt", "le", "gt", "ge", "eq", "ne", "and", "or", "not", "where",
))  # fmt: skip


@dataclass
class OneSweep:
    """One sweep: the statements before, in and behind a loop that is taken back trip by trip.

    ahead, trip, behind  the forward sweep
    early, back, late    the reverse sweep: what is done before the loop, in each trip, and behind all
    """

    loop: For
    ahead: Body
    behind: Body
    early: Body
    back: Body
    late: Body

    def each(self, change: Callable[[Body], Body]) -> OneSweep:
        """The same with every stretch of statements changed."""
        loop = replace(self.loop, body=change(self.loop.body))
        stretches = map(change, (self.ahead, self.behind, self.early, self.back, self.late))
        return OneSweep(loop, *stretches)

    @property
    def body(self) -> Body:
        """All statements."""
        loop = replace(self.loop, body=(*self.loop.body, *self.back))
        return (*self.ahead, *self.early, loop, *self.behind, *self.late)


def independent(parts: OneSweep, ends: frozenset[str], rooms: Sequence[str], sweep: Sweep) -> bool:
    """May the trips of the loop be taken back in any order, and each as soon as it is done?"""
    loop, lengths = replace(parts.loop, body=parts.back), Lengths((*parts.ahead, *parts.early), sweep.kinds)
    written = {*writes_in(parts.back)}
    zero = {
        name
        for name in written
        if (sweep.is_array(name) and name in made(parts.early) and lengths.after(parts.back, name))
        or (
            not sweep.is_array(name)
            and (start := reset(parts.early, name)) is not None
            and leaves(parts.back, name, start)
        )
    }
    live = ends | exposed(parts.late)
    if order_free(loop, Place(live, floors(parts.early, sweep.kinds)), sweep, zero | {*rooms}):
        return False
    forward = Effects.of((parts.loop, *parts.behind), sweep.memory, rooms)
    inner = exposed(parts.back) | {n for n in reads_in(parts.back) if sweep.is_array(n)}
    way = Effects.of(parts.back, sweep.memory, rooms)
    read = {sweep.memory.get(n, n) for n in inner if n not in rooms}
    passed = {sweep.memory.get(n, n) for n in ends if sweep.is_array(n)}
    return not (
        read & (forward.writes | forward.adds) - {parts.loop.var}
        or (way.writes | way.adds)
        & (forward.reads | forward.writes | forward.adds | passed) - {parts.loop.var}
    )


def made(body: Body) -> set[str]:
    """The arrays of zeros that statements make, and do nothing else with."""
    ops = ("zeros", "zeros_like")
    born = {
        s.target: s for s in body if isinstance(s, New) and isinstance(s.value, Apply) and s.value.op in ops
    }
    return {
        name for name, new in born.items() if not any(name in names_in((s,)) for s in body if s is not new)
    }


def reset(body: Body, name: str) -> Const | None:
    """The constant that a number has behind a stretch, whatever it was in it; None where that isn't known."""
    last = next((s for s in reversed(body) if name in {*writes_in((s,))}), None)
    return last.value if isinstance(last, Assign) and isinstance(last.value, Const) else None


def leaves(body: Body, name: str, value: Const) -> bool:
    """Is a number that has that value before a stretch left at it, whichever way is taken?"""
    for s in reversed(body):
        if name not in {*writes_in((s,))}:
            continue
        if isinstance(s, Assign):
            return s.value == value
        if not blocks(s) or not all(leaves(inner, name, value) for inner in blocks(s)):
            return False
    return True


def moved(parts: OneSweep, ends: frozenset[str], rooms: Sequence[str], sweep: Sweep) -> OneSweep | None:
    """The parts with what stands before the loop of the reverse sweep before that of the forward one, or behind all.

    What it needs of the statements behind the forward loop moves with it, where that can't raise and nothing of the
    loop goes in.
    """
    segments = [
        parts.ahead,
        (parts.loop,),
        *((s,) for s in (*parts.behind, *parts.early)),
        parts.back,
        parts.late,
    ]
    carried = {n for segment in segments for n in exposed(segment)} | ends
    aside = {n for segment in segments for n in writes_in(segment)} - carried
    aside = {n for n in aside if not sweep.is_array(n)} | {*rooms}

    def of(*body: Stmt) -> Effects:
        return Effects.of(body, sweep.memory, aside)

    loop, way = of(parts.loop), of(*parts.back)
    counts = [n for s in parts.body for n in writes_in((s,))]
    able: list[Stmt] = []
    staying: list[Stmt] = []
    for s in parts.behind:
        free = isinstance(s, Assign) and counts.count(s.target) == 1 and can_not_raise(s.value)
        if free and all(of(s).beside(e) for e in (loop, of(*staying))):
            able.append(s)
        else:
            staying.append(s)
    early: list[Stmt] = []
    waiting: list[Stmt] = []
    for s in parts.early:
        here = of(s)
        if all(here.beside(e) for e in (loop, of(*staying), of(*waiting))):
            early.append(s)
        else:
            waiting.append(s)
    starts: list[Stmt] = []
    for k, s in enumerate(waiting):  # what the loop adds to, and gets its first value here
        only = isinstance(s, Assign) and counts.count(s.target) == 1 + adds(parts.back, s.target)
        if only and isinstance(s, Assign) and s.target not in way.reads:
            starts.append(replace(s, value=Const(0.0)))
            waiting[k] = Accumulate(Var(s.target), s.value, s.at)
    if not of(*waiting).beside(way) or any(isinstance(s, New) for s in waiting):
        return None
    wanted = {*reads_in(tuple(early))}
    first: list[Stmt] = []
    for s in reversed(able):
        if writes_in((s,))[0] in wanted:
            first.insert(0, s)
            wanted |= {*reads_in((s,))}
    behind = tuple(s for s in parts.behind if not any(s is f for f in first))
    last = tuple(s for s in behind if isinstance(s, Release))
    return OneSweep(
        parts.loop, (*parts.ahead, *first), tuple(s for s in behind if s not in last), (*early, *starts),
        parts.back, (*waiting, *parts.late, *last),
    )  # fmt: skip


def adds(body: Body, name: str) -> int:
    """How many statements add to a number."""
    return sum(isinstance(s, Accumulate) and s.target == Var(name) for s in statements(body))


def can_not_raise(expr: Expr) -> bool:
    """Is an expression one of names, constants and operations that always give a number?"""
    return all(isinstance(n, Var | Const) or (isinstance(n, Apply) and n.op in CALM) for n in nodes(expr))
