"""Loops that a user writes as `prange` are shared out to threads, on the way back as well, where no two iterations meet.

Forward that is the user's word, as it is Numba's. What iterations read together they add to together on the way back:
then the loop runs in parts, each of which adds to arrays of its own, and these are added up behind it. Where iterations
meet in any other way, the loop stays in order, and says why.

Before: `for i in range(n): x_b[idx[i]] += w[i]`
After:  `for part in prange(parts):` · `for i in range(part * n // parts, (part + 1) * n // parts):` ·
        `x_parts[part, idx[i]] += w[i]`, then `x_b[i] += x_parts[part, i]` for all parts

There are as many parts as threads; with `deterministic=True` a fixed number, so that it doesn't matter how many
threads there are.

>>> from s2sad.ir.nodes import INT, Const, Kind, Load, Node
>>> from s2sad.ir.text import show_function
>>> body = (For("i", Const(0), Var("n"), Const(1), (Assign("s", Apply("add", (Var("s"), Load("x", (Var("i"),))))),),
...             threads="asked"),)
>>> kinds = {"x": Kind("real", 1), "s": Kind("real"), "n": INT, "i": INT}
>>> fn = Function("f", ("x", "s", "n"), body, (Var("s"),), kinds, (), Node(()))
>>> print(show_function(in_threads(fn, "any")))
def f(x: real[:], s: real, n: int):
    for i in prange(0, n, 1):
        s += x[i]
    return s
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    Accumulate,
    Apply,
    Assign,
    Back,
    Call,
    Const,
    Expr,
    For,
    Function,
    If,
    Keep,
    New,
    Print,
    Raise,
    Release,
    Stmt,
    Store,
    Turn,
    Update,
    Var,
    View,
    While,
)
from s2sad.ir.walk import Body, blocks, map_body, statements, unique, variables, with_blocks
from s2sad.shapes.liveness import before, exposed
from s2sad.shapes.orderfree import Accesses, accesses, apart, carries
from s2sad.shapes.parts import Parts, is_reduction, once
from s2sad.shapes.settled import settled, with_sums
from s2sad.shapes.sweep import Place, Sweep, floors, sweep_of
from s2sad.shapes.upwards import ascending

How: TypeAlias = Literal["", "any", "fixed"]

PARTS = 16  # of a loop, whatever the number of threads
IN_ORDER = "in order, not in threads: "
#: Births of arrays in the arena, which is one for all threads, or in a pool.
ARENA = (
    "slots",
    "own",
    "own_as",
    "grown",
    "place",
    "part",
    "new_pool",
    "new_parts",
    "new_places",
    "disk_slots",
)


def in_threads(fn: Function, how: How, aside: bool = False) -> Function:
    """`fn` with the loops shared out for which that was asked; `how` tells the number of parts.

    What the user says of iterations holds before a Turn. aside: `fn` is a helper, of which only nests are worth it.
    """
    if not how or not any(isinstance(s, For) and s.threads for s in statements(fn.body)):
        return fn
    sweep = sweep_of(fn, Namer())
    parts = Parts(sweep, Const(PARTS) if how == "fixed" else None)

    def half(body: Body, ends: Iterable[Expr], promised: bool) -> Body:
        body = settled(body)
        live = frozenset(name for e in ends for name in variables(e))
        made = _Sharing(sweep, how, promised, aside, parts).over(body, Place(live, floors(body, sweep.kinds)))
        return map_body(in_copies, made) if any(map(is_shared, statements(made))) else made

    turn = next((s for s in fn.body if isinstance(s, Turn)), None)
    if turn is None:
        return replace(fn, body=half(fn.body, fn.results, not aside), kinds=sweep.kinds)
    k = next(k for k, s in enumerate(fn.body) if s is turn)
    ahead, back = half(fn.body[:k], turn.results, True), half(fn.body[k + 1 :], fn.results, False)
    helpers = {name: in_threads(helper, how, True) for name, helper in fn.helpers.items()}
    return replace(fn, body=(*ahead, turn, *back), kinds=sweep.kinds, helpers=helpers)


class Ordered(Exception):
    """A loop can't be shared out; the message is a clause that says why."""


@dataclass
class _Sharing:
    """Goes through one sweep. promised: what the user says of iterations holds for its arrays; aside: a frame or rim."""

    sweep: Sweep
    how: How
    promised: bool
    aside: bool
    parts: Parts

    def over(self, body: Iterable[Stmt], place: Place) -> Body:
        """`body` with its loops shared out, outer ones first; what is inside stays then."""
        body = tuple(body)
        live = set(place.live)
        out: list[Stmt] = []
        for stmt in reversed(body):
            here = Place(frozenset(live), place.floor, place.around, body)
            new: Body = ()
            if isinstance(stmt, For) and stmt.threads and not (self.aside and is_innermost(stmt)):
                try:
                    new = self.shared(stmt, here)
                except Ordered as why:
                    stmt = stmt if self.aside else replace(stmt, note=f"{IN_ORDER}{why}")
            match stmt:
                case For():
                    here = here.inside(stmt)
                case While():
                    here = replace(here, live=here.live | exposed((stmt,)))
            out.extend(reversed(new or (with_blocks(stmt, [self.over(b, here) for b in blocks(stmt)]),)))
            live = before((stmt,), live)
        return tuple(reversed(out))

    def shared(self, loop: For, here: Place) -> Body:
        """A loop, shared out; Ordered where it can't be."""
        loop = ascending(loop) if loop.step == Const(-1) and not self.promised else loop
        if loop.step != Const(1):
            raise Ordered("its step isn't 1")
        loop = replace(with_sums(loop), threads="shared")
        scalars, arrays = self.meeting(loop, here)
        single = [n for n in scalars if self.sweep.kinds[n].base == "single"]
        if arrays or self.how == "fixed":
            if single:
                raise Ordered(f"`{single[0]}` is a sum in float32")
            return self.parts.of(loop, scalars, arrays)
        if any(not is_reduction(loop, n) for n in single):
            raise Ordered(f"`{single[0]}` is a sum in float32")
        return (once(loop, scalars, self.sweep),)

    def meeting(self, loop: For, here: Place) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The scalars and the arrays that iterations add to together; Ordered where they meet in any other way."""
        stmts = tuple(statements(loop.body))
        for s in stmts:
            hinder(s)
        if name := carries(loop, stmts, here):
            raise Ordered(f"`{name}` goes from one iteration to another")
        assigned = {s.target for s in stmts if isinstance(s, Assign)}
        summed = [s.target.name for s in stmts if isinstance(s, Accumulate) and isinstance(s.target, Var)]
        scalars = unique(n for n in summed if n not in assigned and not self.sweep.is_array(n))
        return scalars, () if self.promised else tuple(self.arrays(loop, stmts, here))

    def arrays(self, loop: For, stmts: Body, here: Place) -> Iterator[str]:
        """The arrays that several iterations add to."""
        own = {s.target for s in stmts if isinstance(s, New | View)}
        floor = here.floors(loop)
        for group, met in every_access(stmts, self.sweep).items():
            names = unique(name for name, _ in met.all)
            if own.issuperset(names) or not (met.stores or met.adds) or apart(met.all, loop.var, floor):
                continue
            if met.stores or met.reads or len(names) > 1 or names[0] in own:
                what = "stored into" if met.stores else "read and added to"
                raise Ordered(f"`{group}` is {what}, and iterations may meet in an element")
            yield names[0]


def told(fn: Function) -> tuple[str, ...]:
    """What became of the loops of a function that were asked for in threads, a sentence each; `fn` as of `in_threads`."""
    k = next((i for i, s in enumerate(fn.body) if isinstance(s, Turn)), len(fn.body))
    ahead, back = (tuple(outermost(half)) for half in (fn.body[:k], fn.body[k:]))
    found: dict[int, str] = {}
    for loop in ahead:
        ways = {"forward": reason(ahead, loop.at.line), "backwards": reason(back, loop.at.line)}
        if ways["backwards"] in (None, ways["forward"]):
            ways = {"" if ways.pop("backwards") is None else "both ways": ways["forward"]}
        clauses = (f"in order {way}: {why}" if why else f"in threads {way}" for way, why in ways.items())
        found[loop.at.line] = ", ".join(" ".join(clause.split()) for clause in clauses)
    return tuple(f"The loop of line {line} runs {text}." for line, text in sorted(found.items()))


def outermost(body: Iterable[Stmt]) -> Iterator[For]:
    """The loops that were asked for in threads, but those inside of one that runs so."""
    for s in body:
        if isinstance(s, For) and s.threads:
            yield s
        if not is_shared(s):
            for block in blocks(s):
                yield from outermost(block)


def reason(loops: Iterable[For], line: int) -> str | None:
    """Why loops of a line run in order; "" where they don't, None where there are none."""
    mine = [s for s in loops if s.at.line == line]
    reasons = [s.note.removeprefix(IN_ORDER) for s in mine if not is_shared(s)]
    return reasons[0] if reasons else "" if mine else None


def is_shared(s: Stmt) -> bool:
    """Is a statement a loop in threads?"""
    return isinstance(s, For) and s.threads == "shared"


def in_copies(s: Stmt) -> tuple[Stmt]:
    """The same statement; whole arrays are kept and put back in threads."""
    return (
        replace(s, how="shared") if isinstance(s, Keep | Back) and s.how == "copy" and not s.index else s,
    )


def is_innermost(loop: For) -> bool:
    """Has a loop none inside?"""
    return not any(isinstance(s, For) for s in statements(loop.body))


def hinder(s: Stmt) -> None:
    """Ordered where a statement can't run in several threads at once, or not to the same effect."""
    match s:
        case Assign() | For() | If() | While() | Store() | Update() | Accumulate() | View() | Release():
            return
        case New(value=value) if not (isinstance(value, Apply) and value.op in ARENA):
            return
        case Raise():
            raise Ordered("an exception may leave it")
        case Call():
            raise Ordered(f"it calls `{s.function}`")
        case Print():
            raise Ordered("it prints")
    raise Ordered("what it keeps has no place of its own per iteration")


def every_access(stmts: Body, sweep: Sweep) -> dict[str, Accesses]:
    """The accesses of a body by class of arrays, those of whole arrays included."""
    found = accesses(stmts, sweep)
    for s in stmts:
        match s:
            case Update(array=name):
                found.setdefault(sweep.memory[name], Accesses()).stores.append((name, ()))
            case Accumulate(target=Var(name=name)) if sweep.is_array(name):
                found.setdefault(sweep.memory[name], Accesses()).adds.append((name, ()))
    return found
