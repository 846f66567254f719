"""Loops of `checkpoint_range`: the body becomes a step, the loop a function that runs the steps.

What is live into the body and written in it is the *state*: numbers are parameters and results of the step, arrays
are written in place, or are bound anew. Where the body exchanges names, the calls take turns::

    for k in checkpoint_range(n):          for k in range(n):
        v[0] = u[0] * x                        if k % 2 == 0:
        u, v = v, u                ->              step(u, v, x)
                                               else:
                                                   step(v, u, x)
                                           (and behind it, where n is odd:  u, v = v, u)
"""

from __future__ import annotations

import math
from dataclasses import replace

from s2sad.errors import AliasingError
from s2sad.handlers.stretches import Cut, Cutter, reach
from s2sad.ir.nodes import (
    INT,
    Apply,
    Assign,
    Call,
    Const,
    Expr,
    For,
    Function,
    If,
    Leaf,
    New,
    Node,
    Rebind,
    Region,
    Release,
    Steps,
    Stmt,
    Var,
    While,
)
from s2sad.ir.walk import Body, names_in, rename, unique, variables
from s2sad.ops.build import add, mul
from s2sad.ops.kinds import kind_of

TURNS = 6  # exchanges of names that come back to where they began after more steps are refused
ZERO, ONE = Const(0), Const(1)


def stepped(cutter: Cutter, region: Region, later: tuple[str, ...]) -> Body:
    """What stands for a loop: a call of the function that runs it, and what binds the names of arrays behind it."""
    *before, loop = region.body
    assert isinstance(loop, For | While)
    exposed = reach((loop,), frozenset())[0]
    carried = unique((*later, *(n for n in names_in((loop,)) if n in exposed)))
    doc = f"A step of `{cutter.fn.name}`, run again on the way back."
    cut = cutter.cut(loop, loop.body, carried, "step", doc)
    turns = order(cut.exchanged)
    if turns > TURNS:
        raise AliasingError(
            f"names of arrays come back to where they began after {turns} steps", code="S084", at=region.at,
            hint=f"exchange them so that they do after at most {TURNS}",
        )  # fmt: skip
    return (*before, *runner(cutter, region, loop, cut, turns, later))


def runner(
    cutter: Cutter, region: Region, loop: For | While, cut: Cut, turns: int, later: tuple[str, ...]
) -> Body:
    """Make the function that runs the steps; the call of it, and what follows."""
    fn, at = cutter.fn, region.at
    trip = cutter.fresh("trip", INT)
    count = cutter.fresh("trips", INT)
    given = cutter.fresh(
        "plan" if region.schedule == "rows" else "snapshots", kind_of(region.given, cutter.kinds)
    )
    call = cut.call
    limit = cutter.fresh("n_steps", INT)
    bounds: list[tuple[str, Expr]] = [(limit, region.trips)]
    if isinstance(loop, For):
        number = numbered(cutter, loop, trip, bounds)
        call = replace(call, args=tuple(number if a == Var(loop.var) else a for a in call.args))
    begins = {n: cutter.fresh(f"{n}_start", cutter.kinds[n]) for n, _ in cut.own}
    calls = tuple(rearranged(call, cut.exchanged, k) for k in range(turns))
    trips: Body = (calls[-1],)
    for k in reversed(range(turns - 1)):
        turn = Apply("eq", (Apply("mod", (Var(trip), Const(turns))), Const(k)))
        trips = (If(turn, (calls[k],), trips, at),)
    rebound = tuple(s for n, t in cut.own for s in (Release(n, at), Rebind((n,), (t,), at)))
    body: Body = (*trips, *rebound)
    before: Body = tuple(New(n, Apply("copy", (Var(p),)), at) for n, p in begins.items())
    if isinstance(loop, For):
        made: For | While = For(trip, ZERO, Var(limit), ONE, body, at)
        total: Expr = Apply("trips", (ZERO, Var(limit), ONE))
    else:
        onward = Assign(trip, add(Var(trip), ONE), at)
        made = While(loop.test, (*body, onward), trip, at)
        before = (*before, Assign(trip, ZERO, at))
        total = Var(trip)
    numbers = tuple(t for t in call.targets if not cutter.is_array(t) and t in {*later, *results_of(fn)})
    inner = {trip, loop.var} if isinstance(loop, For) else {trip}
    test = variables(loop.test) if isinstance(loop, While) else ()
    read = [n for c in calls for a in c.args for n in variables(a)]
    params = unique((*(begins.get(n, n) for n in read), *test, *numbers, *(n for n, _ in bounds)))
    params = tuple(p for p in params if p not in inner and p not in fn.constants)
    name = cutter.namer.fresh(f"{fn.name}_steps")
    own = tuple(n for n, _ in cut.own)
    results: tuple[Expr, ...] = (*map(Var, (*numbers, *own)), *((total,) if turns > 1 else ()))
    steps = Steps(region.schedule, given, made, limit, calls, tuple((n, begins[n], t) for n, t in cut.own))
    default = Apply("sqrt", (mul(Const(2), region.trips),))
    places = default if region.given == ZERO else region.given
    steps = replace(steps, places=ZERO if region.schedule == "rows" else places)
    ends = tuple(Release(n, at) for n in reversed(own))
    leaves = Node(tuple(Leaf(f"r_{k}") for k in range(len(results))))
    cutter.made[name] = Function(
        name, (*params, given), (*before, made, *ends), results, cutter.kinds, (), leaves, fn.constants,
        f"The loop of `{fn.name}` that is run again step by step on the way back.", at=at, steps=steps,
    )  # fmt: skip
    outs = {n: cutter.fresh(f"{n}_out", cutter.kinds[n]) for n in own}
    was = {p: n for n, p in begins.items()}
    values = dict(bounds)
    args = (*(values.get(p, Var(was.get(p, p))) for p in params), region.given)
    writes = unique(n for c in calls for n in c.writes if n not in own)
    targets = (*numbers, *outs.values(), *((count,) if turns > 1 else ()))
    total_call = Call(targets, name, args, writes, at=at)
    after: list[Stmt] = [s for n, t in outs.items() for s in (Release(n, at), Rebind((n,), (t,), at))]
    for k in range(1, turns):
        (one,) = cut.exchanged
        turn = Apply("eq", (Apply("mod", (Var(count), Const(turns))), Const(k)))
        after.append(If(turn, (power(one, k),), (), at))
    return (total_call, *after)


def numbered(cutter: Cutter, loop: For, trip: str, bounds: list[tuple[str, Expr]]) -> Expr:
    """The loop variable of trip number `trip`; arguments that it needs go to `bounds`."""
    ends: list[Expr] = []
    for expr, stem in ((loop.start, "first"), (loop.step, "step")):
        if not isinstance(expr, Const):
            bounds.append((name := cutter.fresh(stem, INT), expr))
            expr = Var(name)
        ends.append(expr)
    return add(ends[0], mul(Var(trip), ends[1]))


def results_of(fn: Function) -> tuple[str, ...]:
    """Names that the results of a function read."""
    return tuple(n for e in fn.results for n in variables(e))


def mapping(exchanged: tuple[Rebind, ...]) -> dict[str, str]:
    """What a step does to names: name -> the name whose array it has then."""
    return {t: s for r in exchanged for t, s in zip(r.targets, r.sources, strict=True)}


def order(exchanged: tuple[Rebind, ...]) -> int:
    """After how many steps names have come back to their arrays."""
    found, once = 1, mapping(exchanged)
    for start in once:
        length, name = 1, once[start]
        while name != start:
            length, name = length + 1, once[name]
        found = math.lcm(found, length)
    return found


def times(once: dict[str, str], k: int) -> dict[str, str]:
    """K exchanges at once."""
    now = {n: n for n in once}
    for _ in range(k):
        now = {n: now[s] for n, s in once.items()}
    return now


def power(one: Rebind, k: int) -> Rebind:
    """K exchanges as one."""
    now = times(mapping((one,)), k)
    moved = {t: s for t, s in now.items() if t != s}
    return Rebind(tuple(moved), tuple(moved.values()), one.at)


def rearranged(call: Call, exchanged: tuple[Rebind, ...], k: int) -> Call:
    """The call of the step after k exchanges."""
    (made,) = rename(times(mapping(exchanged), k), (call,))
    assert isinstance(made, Call)
    return made
