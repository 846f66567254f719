"""Arrays that a stretch of a reverse sweep finds and leaves at zero: none of its trips hands anything on in them.

Before a trip the adjoints of what the trip computes anew are zero, and so they are again when it has been taken back:
each element is read, set to zero, and left alone.

>>> from s2sad.ir.nodes import INT, Kind, Load
>>> kinds = {"t_b": Kind("real", 1), "x": Kind("real", 1), "i": INT}
>>> start = (New("t_b", Apply("zeros_like", (Var("x"),))),)
>>> back = (Assign("w", Load("t_b", (Var("i"),))), Store("t_b", (Var("i"),), Const(0.0)))
>>> loop = For("i", Const(0), Apply("shape", (Var("x"), Const(0))), Const(1), back)
>>> Lengths((*start, loop), kinds).after((loop,), "t_b")
True
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from s2sad.ir.nodes import (
    Accumulate,
    Apply,
    Assign,
    Const,
    Expr,
    For,
    Kind,
    New,
    Stmt,
    Store,
    Update,
    Var,
)
from s2sad.ir.walk import blocks, map_expr, names_in, statements, writes
from s2sad.ops.build import add
from s2sad.shapes.subscripts import places

ZERO, ONE = Const(0), Const(1)
LIKE = ("zeros_like", "empty_like", "copy", "own")
OF_SHAPE = ("zeros", "empty", "slots")


class Lengths:
    """What is known of lengths in a function, and what they tell of loops."""

    def __init__(self, body: Iterable[Stmt], kinds: Mapping[str, Kind]) -> None:
        self.kinds = kinds
        self.values: dict[str, Expr] = {}  # of names that get a value once
        seen: set[str] = set()
        for stmt in statements(tuple(body)):
            for name in () if isinstance(stmt, Store | Update | Accumulate) else writes(stmt):
                if name in seen:
                    self.values.pop(name, None)
                elif isinstance(stmt, Assign | New):
                    self.values[name] = stmt.value
                seen.add(name)

    def length(self, array: str, axis: int) -> Expr:
        """The length of an axis, in terms of what nothing more is known of."""
        match self.values.get(array):
            case Apply(op=op, args=(Var(name), *_)) if op in LIKE:
                return self.length(name, axis)
            case Apply(op=op, args=args) if op in OF_SHAPE and len(args) == self.kinds[array].ndim:
                return self.plain(args[axis])
        return Apply("shape", (Var(array), Const(axis)))

    def plain(self, expr: Expr) -> Expr:
        """An expression of lengths, with names exchanged for what they stand for."""

        def known(node: Expr) -> Expr:
            match node:
                case Apply(op="shape", args=(Var(array), Const(int() as axis))):
                    return self.length(array, axis)
                case Var(name) if isinstance(value := self.values.get(name), Var | Const | Apply):
                    settled = not isinstance(value, Apply) or value.op == "shape"
                    return self.plain(value) if settled else node
            return node

        return map_expr(known, expr)

    def after(self, body: tuple[Stmt, ...], array: str) -> bool:
        """Is an array of zeros one again behind `body`?"""
        touching = [s for s in body if array in names_in((s,))]
        if not touching:
            return True
        last = touching[-1]
        if not isinstance(last, For):
            return False
        return self.cleared(last, array) or (len(touching) == 1 and self.after(last.body, array))

    def cleared(self, nest: For, array: str) -> bool:
        """Does a nest set every element to zero, and meet each in one trip alone?"""
        met = self.met(nest, array)
        last = next((s for s in reversed(met) if not isinstance(s, Assign)), None)
        return isinstance(last, Store) and last.array == array and last.value == Const(0.0)

    def met(self, nest: For, array: str) -> list[Stmt]:
        """What names an array in a nest that goes over all of it, an element in each trip; nothing for other nests."""
        loops = [nest]
        while len(loops) < self.kinds[array].ndim:
            inner = [s for s in loops[-1].body if array in names_in((s,))]
            if len(inner) != 1 or not isinstance(inner[0], For):
                return []
            loops.append(inner[0])
        found = [s for s in loops[-1].body if array in names_in((s,))]
        met = {*places(found, array)}
        index = next(iter(met), None)
        if len(met) != 1 or index is None or any(map(blocks, found)):
            return []
        if len(index) != len(loops) or {*index} != {Var(loop.var) for loop in loops}:
            return []
        return found if all(self.whole(loop, array, index.index(Var(loop.var))) for loop in loops) else []

    def whole(self, loop: For, array: str, axis: int) -> bool:
        """Does a loop go over the whole axis?"""
        length = self.length(array, axis)
        start, stop = self.plain(loop.start), self.plain(loop.stop)
        if loop.step == ONE:
            return start == ZERO and stop == length
        last = self.plain(loop.start)
        return loop.step == Const(-1) and stop == Const(-1) and self.plain(add(last, ONE)) == length
