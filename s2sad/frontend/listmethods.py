"""Methods of lists that change, on the array behind the list."""

from __future__ import annotations

import builtins
from abc import abstractmethod
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from s2sad import library
from s2sad.frontend.comprehensions import as_list
from s2sad.frontend.items import MOVED
from s2sad.frontend.lists import ONE, ROOM, ZERO
from s2sad.frontend.making import Making, held
from s2sad.frontend.reader import described
from s2sad.frontend.subscripts import WHOLE
from s2sad.frontend.values import Array, Fresh, Growing, Scalar, Tuple, Value, is_list
from s2sad.ir.nodes import Apply, Assign, Const, Expr, If, Load, New, Slice, Store, Update, Var
from s2sad.library import sequences
from s2sad.ops.build import add, sub


class ListMethods(Making):
    """What methods of lists do."""

    @abstractmethod
    def written_out(self, node: gast.Call, written: library.Written) -> Value:
        """The value of a call of a function of the library."""

    @abstractmethod
    def numpy_call(self, node: gast.Call, target: Any) -> Value:
        """The value of a call of a function that is known."""

    def list_method(self, node: gast.Call, name: str, base: Growing) -> Value | None:
        """The value of a call of a method; None stands for no value."""
        if node.keywords and name != "sort":
            self.refuse(node, f"keywords of the method `{name}` of a list are not supported", "S031")
        values = self.operands(node.args)
        match name, values:
            case "append", [value]:
                self.append(base, value, node)
            case "extend", [value]:
                self.extend(base, value, node)
            case "clear", []:
                self.emit(Assign(base.count, ZERO, self.at))
            case "copy", []:
                return self.list_part(base, Slice())
            case "insert", [Scalar() as place, value]:
                self._insert(base, place, value, node)
            case "pop", []:
                return self._pop(base, Scalar(Const(-1)), node)
            case "pop", [Scalar() as place]:
                return self._pop(base, place, node)
            case "reverse", []:
                seen = self.seen(base)
                turned = Load(seen.name, self.place_in(base, Slice(None, None, Const(-1))))
                self._shift(base, Slice(None, Var(base.count)), turned)
            case "sort", []:
                self._sort(base, node)
            case "count" | "index", [Scalar()]:
                return self._asked_of(base, name, node)
            case "remove", [Scalar()]:
                self._pop(base, self._asked_of(base, name, node), node)
            case _:
                self.refuse(
                    node, f"the method `{name}` of a list, with these arguments, is not supported", "S031"
                )
        return None

    def extend(self, base: Growing, value: Value, node: gast.AST) -> None:
        """Put all items of another list, a tuple or an array at the end of a list."""
        match value:
            case Tuple(items):
                for item in items:
                    self.append(base, item, node)
            case Growing():
                part = self.list_part(value, Slice()) if value == base else value
                rank = self.rank(part)
                with self.counting(Var(part.count)) as k:
                    self.append(base, self.selected(Array(part.name, 1 + rank), (k, *(WHOLE,) * rank)), node)
            case Array() | Fresh():
                rows = self.array(value)
                with self.counting(self.shape(rows)[0]) as k:
                    self.append(base, self.selected(rows, (k, *(WHOLE,) * (rows.ndim - 1))), node)
            case _:
                self.refuse(node, f"a list can't take the items of {described(value)}", "S031")

    def _insert(self, base: Growing, place: Scalar, value: Value, node: gast.AST) -> None:
        """Items from `place` on move up by one."""
        count = Var(base.count)
        stored = self.stored_item(base, value, node)
        at = self.spill(place)
        assert isinstance(at, Scalar)
        front = Apply("maximum", (add(at.expr, count), ZERO), "max")
        back = Apply("minimum", (at.expr, count), "min")
        where = self.temporary("at")
        self.emit(Assign(where, back, self.at))
        self.emit(If(Apply("lt", (at.expr, ZERO)), (Assign(where, front, self.at),), (), self.at))
        self.room_for_one(base, stored)
        rest = Load(base.name, self.place_in(base, Slice(Var(where), count)))
        self._shift(base, Slice(add(Var(where), ONE), add(count, ONE)), rest)
        self.emit(Store(base.name, self.place_in(base, Var(where)), stored, self.at))
        self.emit(Assign(base.count, add(count, ONE), self.at))

    def _pop(self, base: Growing, place: Scalar, node: gast.AST) -> Value:
        """Items behind `place` move down by one."""
        count = Var(base.count)
        self.raise_if(Apply("eq", (count, ZERO)), "IndexError", "pop from empty list")
        last = place.expr == Const(-1)
        at = sub(count, ONE) if last else self.position(base, place, node, "pop")
        item = self.selected(Array(base.name, 1 + self.rank(base)), self.place_in(base, at))
        taken = self.taken(item, node)
        if not last:
            at = at if isinstance(at, Const) else self.spill(Scalar(at)).expr  # type: ignore[union-attr]
            rest = Load(base.name, self.place_in(base, Slice(add(at, ONE), count)))
            self._shift(base, Slice(at, sub(count, ONE)), rest)
        self.emit(Assign(base.count, sub(count, ONE), self.at))
        return taken

    def _sort(self, base: Growing, node: gast.Call) -> None:
        self._numbers(base, node)
        options = {k.arg: k.value for k in node.keywords}
        if options.keys() - {"reverse"}:
            self.refuse(node, "`key=` of `sort` is not supported", "S031")
        falling = self.flag(options.get("reverse"))
        call = gast.copy_location(gast.Call(node.func, [held(self.seen(base), node)], []), node)
        ordered = self.numpy_call(call, np.sort)
        assert isinstance(ordered, Array | Fresh)
        turned = Load(self.array(ordered).name, (Slice(None, None, Const(-1)) if falling else WHOLE,))
        self._shift(base, Slice(None, Var(base.count)), turned)

    def _asked_of(self, base: Growing, name: str, node: gast.Call) -> Scalar:
        """What is asked about the numbers in a list, of a function of the library."""
        self._numbers(base, node)
        call = gast.copy_location(gast.Call(node.func, [held(self.seen(base), node), *node.args], []), node)
        found = self.written_out(call, library.Written(getattr(sequences, name), frozenset()))
        answer = self.spill(found)
        assert isinstance(answer, Scalar)
        return answer

    def _numbers(self, base: Growing, node: gast.Call) -> None:
        if self.rank(base):
            self.refuse(
                node, "arrays in a list can't be compared", "S031", "compare numbers, or loop over them"
            )

    def _shift(self, base: Growing, to: Expr, items: Load) -> None:
        """Put items of a list at another place of it."""
        moved: Expr = Apply("copy", (items,), MOVED) if self.rank(base) else items
        self.emit(Store(base.name, self.place_in(base, to), moved, self.at))

    # ----- operators -----------------------------------------------------------------------------------------

    def of_lists(self, node: gast.BinOp, op: str, one: Value, other: Value) -> Value:
        """`x + y` of lists or tuples, `x * n`."""
        match op, one, other:
            case "add", Tuple(items, make), Tuple(more, made) if make == made and make in (None, list):
                return Tuple((*items, *more), make)
            case "add", Growing() | Tuple(make=builtins.list), Growing() | Tuple(make=builtins.list):
                if isinstance(one, Growing):
                    both = self.list_part(one, Slice())
                else:
                    both = self.grown(self.temporary("both"), one, node)
                self.extend(both, other, node)
                return both
            case "mul", Scalar(), Tuple(make=builtins.list):
                return self._repeated(node, other, one)
            case "mul", Tuple(make=builtins.list), Scalar():
                return self._repeated(node, one, other)
        if isinstance(one, Array | Fresh) or isinstance(other, Array | Fresh):
            one, other = (self.array_of(node, v) if is_list(v) else v for v in (one, other))
        return self.apply(op, [one, other], node)

    def _repeated(self, node: gast.BinOp, items: Tuple, times: Scalar) -> Value:
        """`[x] * n`."""
        match items, times:
            case _, Scalar(Const(number)) if type(number) is int:
                held = self.held(items)
                assert isinstance(held, Tuple)
                return replace(held, items=held.items * number)
            case Tuple((Scalar(value),)), _:
                raw = self.temporary("row")
                found = self.begin_list(raw)
                self.holds(found, 0, node)
                self.emit(Assign(found.count, Apply("maximum", (times.expr, ZERO), "max"), self.at))
                room = Apply("maximum", (Const(ROOM), Var(found.count)), "max")
                self.emit(New(raw, Apply("room", (room,)), self.at))
                self.emit(Store(raw, (Slice(None, Var(found.count)),), value, self.at))
                return found
        self.refuse(
            node, "a list of one number can be repeated", "S031", "write `[u.copy() for _ in range(n)]`"
        )

    # ----- sums ----------------------------------------------------------------------------------------------

    def summed(self, node: gast.Call) -> Value:
        """`sum(x)` of arrays. (What Python's sum of numbers is depends on its version.)"""
        value = None
        if len(node.args) == 1 and not node.keywords:
            items = node.args[0]
            value = self.expr(as_list(items) if isinstance(items, gast.GeneratorExp) else items)
        match value:
            case Growing() if self.rank(value):
                empty = Apply("eq", (Var(value.count), ZERO))
                self.raise_if(empty, "ValueError", "need at least one array to sum")
                rows = Array(value.name, 1 + self.rank(value))
                rest = (WHOLE,) * (rows.ndim - 1)
                total = self.temporary("total")
                self.emit(New(total, plus(ZERO, Load(rows.name, (ZERO, *rest))), self.at))
                with self.counting(Var(value.count), ONE) as k:
                    self.emit(Update(total, plus(Var(total), Load(rows.name, (k, *rest))), self.at))
                return Array(total, rows.ndim - 1)
            case Tuple(items) if items and all(isinstance(item, Array | Fresh) for item in items):
                found: Value = Scalar(ZERO)
                for item in items:
                    found = self.apply("add", [found, item], node)
                return found
        hint = "write a loop, or `np.sum` of an array: what Python's `sum` rounds depends on its version"
        self.refuse(node, "`sum` of numbers is not supported", "S071", hint)


def plus(one: Expr, other: Expr) -> Expr:
    """`one + other`, as it is."""
    return Apply("add", (one, other))
