"""The frame of a gathered nest: the cells around its core, where some neighbour has nothing to give.

For a box of loops from `low` to `high` and offsets between `least` and `most`, 0 among them, every neighbour of a cell
of the core, from `low + most` to `high + least`, lies in the box; cells that get anything reach from `low + least` to
`high + most`. One loop nest goes through what lies between: each row in two parts, which are what lies to the left and
to the right of the core, or the whole row where the core isn't beside it. Without a core the two parts meet.

It is a function of its own: compiled among the loops of the sweep it costs them their vectorisation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from s2sad.ir.nodes import Accumulate, Apply, Assign, Const, Expr, For, If, Load, Stmt, Var
from s2sad.ir.walk import Body, unique
from s2sad.shapes.subscripts import plus
from s2sad.shapes.sweep import Sweep


@dataclass(frozen=True)
class Box:
    """Loops over a box, and the offsets at which its iterations add."""

    loops: tuple[For, ...]
    offsets: tuple[tuple[int, ...], ...]

    @property
    def least(self) -> tuple[int, ...]:
        """The smallest offset of each dimension."""
        return tuple(map(min, zip(*self.offsets, strict=True)))

    @property
    def most(self) -> tuple[int, ...]:
        """The largest offset of each dimension."""
        return tuple(map(max, zip(*self.offsets, strict=True)))

    @property
    def core(self) -> list[tuple[Expr, Expr]]:
        """Per dimension: from where to where every neighbour lies in the box."""
        limits = zip(self.loops, self.least, self.most, strict=True)
        return [(plus(one.start, most), plus(one.stop, least)) for one, least, most in limits]

    @property
    def hull(self) -> list[tuple[Expr, Expr]]:
        """Per dimension: from where to where any neighbour lies in the box."""
        limits = zip(self.loops, self.least, self.most, strict=True)
        return [(plus(one.start, least), plus(one.stop, most)) for one, least, most in limits]

    def inside(self, offsets: Sequence[int]) -> Expr | None:
        """The test whether the neighbour at an offset lies in the box, seen from a cell of the hull; None: it does."""
        tests: list[Expr] = []
        for one, o, least, most in zip(self.loops, offsets, self.least, self.most, strict=True):
            if o > least:
                tests.append(Apply("le", (plus(one.start, o), Var(one.var))))
            if o < most:
                tests.append(Apply("lt", (Var(one.var), plus(one.stop, o))))
        return joined("and", tests) if tests else None


def joined(op: str, tests: Sequence[Expr]) -> Expr:
    """All of the tests, or any of them, as one."""
    total = tests[0]
    for test in tests[1:]:
        total = Apply(op, (total, test))
    return total


def around(loops: Sequence[For], body: Body) -> tuple[For, ...]:
    """A body with loops around it; nothing for an empty one."""
    nest: tuple[For, ...] = ()
    for one in reversed(loops):
        nest = (replace(one, body=nest or body),) if body else ()
    return nest


def frame(box: Box, shares: Sequence[tuple[tuple[int, ...], Accumulate]], sweep: Sweep) -> Body:
    """The nest over the frame, where each neighbour adds its share if it lies in the box."""
    outer, last = box.loops[:-1], box.loops[-1]
    (low, high), (first, end) = box.core[-1], box.hull[-1]
    left, right, side, start, stop = map(sweep.counter, ("left", "right", "side", "lo", "hi"))
    bounds: Body = (
        Assign(left, Apply("minimum", (low, end), "min")),
        Assign(right, Apply("maximum", (Var(left), high), "max")),
    )
    under: dict[Expr | None, list[Accumulate]] = {}  # the test of a neighbour -> what it gives
    # What cells get by themselves comes first, for all arrays: `overwrite` may make an assignment of it.
    for offsets, stmt in sorted(shares, key=lambda share: any(share[0])):
        under.setdefault(box.inside(offsets), []).append(stmt)
    cells: list[Stmt] = []
    for test, given in under.items():
        cells += given if test is None else [If(test, tuple(given), (), given[0].at)]
    body: Body = (Assign(start, first), Assign(stop, Var(left)))
    if outer:
        aside: list[Expr] = []
        for one, (lo, hi) in zip(outer, box.core, strict=False):
            aside += [Apply("lt", (Var(one.var), lo)), Apply("le", (hi, Var(one.var)))]
        body += (If(joined("or", aside), (Assign(stop, Var(right)),)),)
    body += (
        If(Apply("eq", (Var(side), Const(1))), (Assign(start, Var(right)), Assign(stop, end))),
        For(last.var, Var(start), Var(stop), Const(1), tuple(cells), last.at),
    )
    body = (For(side, Const(0), Const(2), Const(1), body),)
    for one, (lo, hi) in zip(reversed(outer), reversed(box.hull[:-1]), strict=True):
        body = (replace(one, start=lo, stop=hi, body=body, note=""),)
    arrays = unique(stmt.target.array for _, stmt in shares if isinstance(stmt.target, Load))
    named = " and ".join(f"`{array}`" for array in arrays)
    doc = f"The frame of {named}: cells that get nothing from some of their neighbours."
    call = sweep.outlined(f"frame_of_{'_and_'.join(arrays)}", (*bounds, *body), doc)
    whole = around(box.loops, tuple(stmt for offsets, stmt in shares if not any(offsets)))
    sweep.frames[call.function] = whole[0] if whole and call.function not in sweep.frames else None
    return (call,)
