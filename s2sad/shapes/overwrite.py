"""Adjoints that the next trip's first addition meets at zero are not zeroed: that addition becomes an assignment.

Before: `x_b, y_b = y_b, x_b` · `for i in range(2, n - 2): x_b[i] += w` · ... · `for i in range(1, n - 1): y_b[i] = 0.0`
After:  `x_b, y_b = y_b, x_b` · `for i in range(2, n - 2): x_b[i] = w` · ... · `y_b[1] = y_b[n - 2] = 0.0`
        in each trip of a loop, and `for i in range(1, n - 1): y_b[i] = 0.0` behind it

The box that a trip sets to zero at its end is, under the name that it has after the exchanges in the next trip, met
first by a nest that adds to each element of it, or of a smaller box, once. Before the loop nothing has been added to it.
Where the nest gathers, its frame comes next: there a cell gets first what it gets by itself, and that is assigned, too.

>>> from s2sad.ir.names import Namer
>>> from s2sad.ir.nodes import INT, Kind
>>> from s2sad.ir.text import show_stmt
>>> i, n = Var("i"), Var("n")
>>> first = For("i", Const(0), n, Const(1), (Accumulate(Load("x_b", (i,)), Load("w", (i,))),))
>>> zero = For("i", Const(0), n, Const(1), (Store("y_b", (i,), Const(0.0)),))
>>> swap = Rebind(("x_b", "y_b"), ("y_b", "x_b"))
>>> made = New("y_b", Apply("zeros_like", (Var("w"),)))
>>> loop = For("t", Const(0), Var("steps"), Const(1), (swap, first, zero))
>>> kinds = {"x_b": Kind("real", 1), "y_b": Kind("real", 1), "w": Kind("real", 1), "i": INT, "n": INT, "t": INT}
>>> for stmt in overwrite((made, loop), Place(frozenset(), {}), Sweep(kinds, Namer()))[1:]: print(show_stmt(stmt))
for t in range(0, steps, 1):
    rebind x_b, y_b = y_b, x_b
    for i in range(0, n, 1):
        x_b[i] = w[i]
for i in range(0, n, 1):
    y_b[i] = 0.0
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from s2sad.ir.nodes import (
    Accumulate,
    Apply,
    Call,
    Const,
    Expr,
    For,
    Function,
    Load,
    New,
    Rebind,
    Stmt,
    Store,
    Var,
)
from s2sad.ir.walk import (
    Body,
    blocks,
    expressions,
    map_body,
    names_in,
    unique,
    variables,
    writes_in,
)
from s2sad.ops.build import ZERO, number, sub
from s2sad.shapes.subscripts import integral, offset, places, plus
from s2sad.shapes.sweep import Place, Sweep, over_loops

Range = tuple[Expr, Expr]


@dataclass(frozen=True)
class Box:
    """Elements of an array that a nest meets, each once: per axis the loop, and the subscripts from (in) to (out)."""

    loops: tuple[For, ...]
    ranges: tuple[Range, ...]


def overwrite(body: Iterable[Stmt], place: Place, sweep: Sweep) -> Body:
    """`body` with first additions as assignments in its loops."""

    def visit(loop: For, here: Place) -> Body:
        behind: list[Stmt] = []
        for array in zeroed(loop):
            alone = sweep.memory.get(array, array) == array and untouched(array, loop, here.block)
            if alone and (made := assigned(loop, array, sweep)) is not None:
                loop, zero = made
                behind += zero
        return (loop, *behind)

    return over_loops(body, place, visit)


def zeroed(loop: For) -> tuple[str, ...]:
    """The arrays that nests of a loop's body set to zero."""
    return unique(s.array for nest in loop.body for s in zeros(nest))


def zeros(nest: Stmt) -> tuple[Store, ...]:
    """The statements of a nest that set elements to zero of arrays that it meets nowhere else, and not after that."""
    loops, body = loops_of(nest)
    if not loops or any(one.step != Const(1) for one in loops) or any(map(blocks, body)):
        return ()
    return tuple(
        s for k, s in enumerate(body)
        if isinstance(s, Store) and s.value == ZERO
        and not any(s.array in names_in((other,)) for other in body[k + 1 :])
        and all({*places((other,), s.array)} <= {s.index} for other in body[:k])
    )  # fmt: skip


def assigned(loop: For, array: str, sweep: Sweep) -> tuple[For, Body] | None:
    """The loop with the first addition as an assignment, and what sets the whole box to zero; None if it can't be."""
    name, meeting, free = array, -1, 0
    for k, s in enumerate(loop.body):
        if isinstance(s, Rebind):
            if meeting >= 0:
                return None
            name = s.targets[s.sources.index(name)] if name in s.sources else name
            free = k + 1
        elif meeting < 0 and name in names_in((s,)):
            meeting = k
    clearing = [k for k, s in enumerate(loop.body) if any(z.array == array for z in zeros(s))]
    last = max((k for k, s in enumerate(loop.body) if k >= free and array in names_in((s,))), default=-1)
    if clearing != [last] or meeting < free or meeting > last or (meeting == last and name == array):
        return None
    changing = {loop.var, *writes_in(loop.body)}
    nest, clear = loop.body[meeting], loop.body[last]
    (store,) = (z for z in zeros(clear) if z.array == array)
    add = addition(nest, name)
    if add is None:
        return None
    core, box = box_of(nest, stored(add).index, changing), box_of(clear, store.index, changing)
    if core is None or box is None or (rest := ring(core, box)) is None:
        return None
    if (framed := in_frame(loop.body[meeting + 1 : last], name, sweep)) is not None:
        helper, whole, first = framed
        filled = box_of(whole, stored(first).index, changing)
        if filled is not None and (beyond := ring(filled, box)) is not None:
            rest = beyond
            sweep.helpers[helper] = storing(sweep.helpers[helper], first)
    rim = tuple(s for ranges in rest for s in over(box.loops, ranges, array))
    doc = "Set what is not met first by an assignment to zero: the rim of an array."
    border = (sweep.outlined("clear_rim", rim, doc),) if rim else ()
    body: list[Stmt] = []
    for k, s in enumerate(loop.body):
        if k in (meeting, last):
            inner = tuple(stored(add) if one is add else one for one in innermost(s) if one is not store)
            body += (within(s, inner),) if inner else ()
        else:
            body.append(s)
        body += border if k == last else ()
    return replace(loop, body=tuple(body)), over(box.loops, box.ranges, array)


def addition(nest: Stmt, name: str) -> Accumulate | None:
    """The one statement of a nest that names an array, if it adds to an element of it."""
    found = [s for s in innermost(nest) if name in names_in((s,))]
    if len(found) != 1 or not isinstance(add := found[0], Accumulate) or not isinstance(nest, For):
        return None
    if not isinstance(add.target, Load):
        return None
    return None if name in {n for e in expressions(add) for n in variables(e)} else add


def in_frame(body: Iterable[Stmt], name: str, sweep: Sweep) -> tuple[str, For, Accumulate] | None:
    """What meets an array next, if that is the frame of a gathered nest: it, the nest's loops, what a cell gets first."""
    meets = next((s for s in body if name in names_in((s,))), None)
    whole = sweep.frames.get(meets.function) if isinstance(meets, Call) else None
    first = None if whole is None else addition(whole, name)
    if not isinstance(meets, Call) or whole is None or first is None:
        return None
    return meets.function, whole, first


def storing(helper: Function, add: Accumulate) -> Function:
    """A function where one addition is an assignment."""
    return replace(helper, body=map_body(lambda s: (stored(add) if s is add else s,), helper.body))


def stored(add: Accumulate) -> Store:
    """An addition as an assignment."""
    assert isinstance(add.target, Load)
    return Store(add.target.array, add.target.index, add.value, add.at)


def untouched(array: str, loop: For, block: Sequence[Stmt]) -> bool:
    """Is an array zero before a loop, since nothing happened to it?"""
    before = [s for s in block if not (isinstance(s, For) and s.at == loop.at and s.var == loop.var)]
    if len(before) != len(block) - 1:
        return False
    k = next(i for i, s in enumerate(block) if s not in before)
    met = [s for s in block[:k] if array in names_in((s,))]
    return len(met) == 1 and isinstance(made := met[0], New) and isinstance(made.value, Apply) and made.value.op in (
        "zeros", "zeros_like"
    )  # fmt: skip


def innermost(nest: Stmt) -> Body:
    """The body of the innermost loop of a nest."""
    return loops_of(nest)[1]


def loops_of(nest: Stmt) -> tuple[list[For], Body]:
    """Loops that stand alone in one another, and what the innermost does."""
    loops: list[For] = []
    body: Body = (nest,)
    while len(body) == 1 and isinstance(one := body[0], For):
        loops.append(one)
        body = one.body
    return loops, body


def within(nest: Stmt, body: Body) -> Stmt:
    """A nest with another body."""
    if isinstance(nest, For) and len(nest.body) == 1 and isinstance(nest.body[0], For):
        return replace(nest, body=(within(nest.body[0], body),))
    assert isinstance(nest, For)
    return replace(nest, body=body)


def box_of(nest: Stmt, index: Sequence[Expr], changing: set[str]) -> Box | None:
    """The elements at a subscript in a nest of one loop per axis; None where that isn't a box."""
    loops = {one.var: one for one in loops_of(nest)[0]}
    found: list[tuple[For, Range]] = []
    for e in index:
        used = [v for v in loops if v in variables(e)]
        c = offset(e, used[0]) if len(used) == 1 else None
        if c is None:
            return None
        one = loops.pop(used[0])
        bounds = (one.start, one.stop)
        if (
            one.step != Const(1)
            or not all(map(integral, bounds))
            or changing & {n for b in bounds for n in variables(b)}
        ):
            return None
        found.append((one, (plus(one.start, c), plus(one.stop, c))))
    return None if loops else Box(tuple(o for o, _ in found), tuple(r for _, r in found))


def ring(core: Box, box: Box) -> list[tuple[Range, ...]] | None:
    """What of a box is outside of a core in it, as boxes; None where the core isn't known to be in it."""
    found: list[tuple[Range, ...]] = []
    for k, ((low, high), (start, stop)) in enumerate(zip(core.ranges, box.ranges, strict=True)):
        below, above = number(sub(low, start)), number(sub(stop, high))
        if below is None or above is None or below < 0 or above < 0:
            return None
        sides: list[Range] = []
        if below:
            sides.append((start, Apply("minimum", (low, stop), "min")))
        if above:
            sides.append((Apply("maximum", (high, start), "max"), stop))
        found += [tuple(side if m == k else r for m, r in enumerate(box.ranges)) for side in sides]
    return found


def over(loops: Sequence[For], ranges: Sequence[Range], array: str) -> Body:
    """A nest that sets a box to zero."""
    body: Body = (Store(array, tuple(Var(one.var) for one in loops), ZERO, loops[-1].at),)
    for one, (start, stop) in reversed(tuple(zip(loops, ranges, strict=True))):
        body = (replace(one, start=start, stop=stop, body=body, note=""),)
    return body
