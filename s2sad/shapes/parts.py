"""The two forms of a loop that is shared out to threads: as it stands, and in parts.

As it stands, Numba wants a sum to have one addition, in the body of the loop itself. In parts there is an outer loop,
each trip of which has sums and arrays of its own; they are added up behind it, always in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from s2sad.ir.nodes import (
    INT,
    Accumulate,
    Apply,
    Assign,
    Const,
    Expr,
    For,
    Kind,
    Load,
    New,
    Release,
    Slice,
    Stmt,
    Store,
    Var,
    View,
)
from s2sad.ir.walk import Body, rename, statements
from s2sad.ops.build import ZERO, add, mul, sub
from s2sad.plan.slots import whole
from s2sad.shapes.sweep import Sweep

AXES = "ijklmnopqrst"


def is_reduction(loop: For, name: str) -> bool:
    """Does a loop add to a scalar in one place, which is in its own body: what Numba takes for a reduction?"""
    every = [s for s in statements(loop.body) if isinstance(s, Accumulate) and s.target == Var(name)]
    return len(every) == 1 and any(s is every[0] for s in loop.body)


def once(loop: For, scalars: Iterable[str], sweep: Sweep) -> For:
    """The loop with one addition to each sum per iteration, at its end if need be."""
    for name in scalars:
        if is_reduction(loop, name):
            continue
        kind = sweep.kinds[name]
        mine = sweep.fresh(f"{name}_here", kind)
        begun = Assign(mine, Const(0) if kind == INT else ZERO, loop.at)
        ended = Accumulate(Var(name), Var(mine), loop.at)
        loop = replace(loop, body=(begun, *rename({name: mine}, loop.body), ended))
    return loop


@dataclass
class Parts:
    """Makes loops in parts for one function. number: of parts; None: as many as there are threads."""

    sweep: Sweep
    number: Const | None
    names: dict[str, str] = field(default_factory=dict)

    def name(self, stem: str) -> str:
        """An integer for all loops of the function."""
        if stem not in self.names:
            self.names[stem] = self.sweep.counter(stem)
        return self.names[stem]

    def of(self, loop: For, scalars: Iterable[str], arrays: Iterable[str]) -> Body:
        """The loop in parts, and the loops that add up what its iterations add to."""
        scalars, arrays, at = tuple(scalars), tuple(arrays), loop.at
        before: list[Stmt] = []
        trips = self.named("trips", whole(sub(loop.stop, loop.start)), before)
        number = self.number or self.named("parts", Apply("threads", ()), before)
        part = Var(self.name("part"))
        begins: list[Stmt] = []
        ends: list[Stmt] = []
        behind: list[Stmt] = []
        mine: dict[str, str] = {}
        for name in (*arrays, *scalars):
            kind = self.sweep.kinds[name]
            stem = name.removesuffix("_b")
            several = self.sweep.fresh(f"{stem}_parts", Kind(kind.base, kind.ndim + 1))
            mine[name] = own = self.sweep.fresh(f"{stem}_part", kind)
            shape = tuple(Apply("shape", (Var(name), Const(k))) for k in range(kind.ndim))
            before.append(New(several, Apply("zeros", (number, *shape))))
            if shape:
                begins.append(View(own, several, (part, *[Slice()] * kind.ndim)))
                ends.insert(0, Release(own))
            else:
                begins.append(Assign(own, Const(0) if kind == INT else ZERO))
                ends.append(Store(several, (part,), Var(own)))
            behind += [self.added(loop, name, several, number, shape), Release(several)]

        def border(k: Expr) -> Expr:
            return add(loop.start, Apply("floordiv", (mul(k, trips), number)))

        inner = replace(
            loop,
            start=border(part),
            stop=border(add(part, Const(1))),
            body=rename(mine, loop.body),
            note="",
            threads="",
        )
        body = (*begins, inner, *ends)
        note = f"each part has its own {listed(arrays + scalars)}" if mine else loop.note
        return (*before, For(part.name, Const(0), number, Const(1), body, at, note, "shared"), *behind)

    def named(self, stem: str, value: Expr, before: list[Stmt]) -> Var | Const:
        """A value under a name, if it has none."""
        if isinstance(value, Var | Const):
            return value
        before.append(Assign(self.name(stem), value))
        return Var(self.name(stem))

    def added(self, loop: For, name: str, several: str, number: Expr, shape: tuple[Expr, ...]) -> For:
        """The loop that adds up what the parts have; over an array it goes in threads."""
        part, at = Var(self.name("part")), loop.at
        axes = [self.name(AXES[k]) for k in range(len(shape))]
        if axes:
            axes[0] = self.first(loop.var)
        index = tuple(map(Var, axes))
        target = Load(name, index) if index else Var(name)
        body: Body = (Accumulate(target, Load(several, (part, *index))),)
        loops = [
            *zip(axes[:1], shape, strict=False),
            (part.name, number),
            *zip(axes[1:], shape[1:], strict=True),
        ]
        for var, stop in reversed(loops):
            body = (made := For(var, Const(0), stop, Const(1), body, at),)
        return replace(made, threads="shared" if axes else "")

    def first(self, var: str) -> str:
        """A loop variable that is printed like another."""
        base, _, number = var.rpartition("_")
        name = self.sweep.namer.numbered(base if number.isdigit() and base else var, 2)
        self.sweep.kinds[name] = INT
        return name


def listed(names: Iterable[str]) -> str:
    """Names in a sentence."""
    *most, last = (f"`{name}`" for name in names)
    return f"{', '.join(most)} and {last}" if most else last
