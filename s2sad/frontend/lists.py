"""Lists of numbers, and arrays made of lists.

A list that stays as it is written is a tuple. One that grows, shrinks or is looked up by a computed subscript is an
array with room at its end and a counter::

    vals = []                      vals = np.empty(8)
                                   vals_n = 0
    vals.append(x)         ->      if vals_n == vals.shape[0]: move to an array of twice the length
                                   vals[vals_n] = x
                                   vals_n += 1
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import gast

from s2sad.errors import AliasingError, KindError
from s2sad.frontend.reader import described
from s2sad.frontend.subscripts import WHOLE, Subscripts
from s2sad.frontend.values import Array, Fresh, Growing, Scalar, Tuple, Value
from s2sad.ir.nodes import Apply, Assign, Const, Expr, If, Load, New, Raise, Rebind, Slice, Stmt, Store, Var
from s2sad.ops.build import add, sub

ROOM = 8
ONE, ZERO = Const(1), Const(0)


class Lists(Subscripts):
    """What lists do."""

    @abstractmethod
    def shape(self, base: Array) -> tuple[Expr, ...]:
        """The lengths of an array's axes."""

    def expr_List(self, node: gast.List) -> Value:
        return Tuple(tuple(self.operands(node.elts)), list)

    def grown(self, raw: str, value: Tuple, node: gast.AST) -> Growing:
        """A list of numbers as an array with a counter, bound to `raw`."""
        size = max(ROOM, 2 * len(value.items))
        stores = [
            Store(raw, (Const(k),), self.scalar_of(v, node), self.at) for k, v in enumerate(value.items)
        ]
        found = Growing(raw, counter_of(raw))
        self.emit(New(raw, Apply("room", (Const(size),)), self.at), *stores)
        self.emit(Assign(found.count, Const(len(stores)), self.at))
        return found

    def handed(self, raw: str, value: Growing) -> Growing:
        """A list under another name: only one whose first name is out of sight."""
        if value.name == raw:
            return value
        if int(value.name.rpartition("#")[2]) not in self.finished:
            raise AliasingError("two names for one list", code="S080", at=self.at, hint="use one name")
        found = Growing(raw, counter_of(raw))
        self.emit(Rebind((raw,), (value.name,), self.at), Assign(found.count, Var(value.count), self.at))
        return found

    # ----- methods -----------------------------------------------------------------------------------------

    def list_method(self, node: gast.Call, name: str, base: Growing) -> Value | None:
        """`append`, `pop`, `extend`, `clear`; None stands for no value."""
        if node.keywords or name not in ("append", "pop", "extend", "clear"):
            self.refuse(node, f"the method `{name}` of a list is not supported", "S031")
        values = self.operands(node.args)
        match name, values:
            case "append", [value]:
                self.append(base, value, node)
            case "extend", [Tuple(items)]:
                for item in items:
                    self.append(base, item, node)
            case "clear", []:
                self.emit(Assign(base.count, ZERO, self.at))
            case "pop", []:
                self._raise_if(Apply("eq", (Var(base.count), ZERO)), "IndexError", "pop from empty list")
                last = self.spill(Scalar(Load(base.name, (sub(Var(base.count), ONE),))))
                self.emit(Assign(base.count, sub(Var(base.count), ONE), self.at))
                return last
            case _:
                self.refuse(node, f"`{name}` with these arguments is not supported", "S031")
        return None

    def append(self, base: Growing, value: Value, node: gast.AST) -> None:
        """Put a number at the end of a list."""
        if not isinstance(value, Scalar):
            self.refuse(node, f"a list that changes holds numbers, not {described(value)}", "S031")
        count, name = Var(base.count), base.name
        more = self.temporary("more")
        room = self.shape(Array(name, 1))[0]
        grow: tuple[Stmt, ...] = (
            New(more, Apply("room", (Apply("mul", (Const(2), count)),)), self.at),
            Store(more, (Slice(None, count, None),), Var(name), self.at),
            Rebind((name,), (more,), self.at),
        )
        self.emit(If(Apply("eq", (count, room)), grow, (), self.at))
        self.emit(Store(name, (count,), value.expr, self.at), Assign(base.count, add(count, ONE), self.at))

    def position(self, base: Growing, index: Value, node: gast.AST) -> Expr:
        """The subscript of an item in the array behind a list."""
        count = Var(base.count)
        expr = self.scalar_of(index, node)
        wrong: Expr
        match expr:
            case Const(int() as number) if not isinstance(number, bool):
                wrong = Apply("le", (count, Const(number if number >= 0 else -number - 1)))
                where: Expr = expr if number >= 0 else sub(count, Const(-number))
            case Const():
                self.refuse(node, "a subscript must be an integer", "S038")
            case _:
                held = index if isinstance(expr, Var) else self.spill(index)
                assert isinstance(held, Scalar)
                below = Apply("lt", (held.expr, Apply("neg", (count,))))
                wrong = Apply("or", (below, Apply("ge", (held.expr, count))))
                where = Apply("mod", (held.expr, count))
        what = (
            "list assignment"
            if isinstance(node, gast.Subscript) and isinstance(node.ctx, gast.Store)
            else "list"
        )
        self._raise_if(wrong, "IndexError", f"{what} index out of range")
        return where

    def _raise_if(self, test: Expr, name: str, text: str) -> None:
        self.emit(If(test, (Raise(name, (Const(text),), self.at),), (), self.at))

    # ----- arrays of lists ---------------------------------------------------------------------------------

    def array_of(self, node: gast.AST, value: Value, op: str = "typed") -> Array | Fresh:
        """`np.array(value)`, its elements as "typed" (what they are), "empty" (real), "single" or "full" (int)."""
        match value:
            case Growing(name, count):
                part = Load(name, (Slice(None, Var(count), None),))
                return Fresh(Apply("copy", (part,)), 1, True)
            case Array() | Fresh():
                return Fresh(Apply("copy", (Var(self.array(value).name),), "np.copy"), value.ndim, True)
            case Tuple(items) if items:
                items = tuple(map(self._named, items))
                shape = self._shape_of(node, Tuple(items))
                name = self.temporary("t")
                typed = (Const(len(shape)), *shape, *self._samples(node, items))
                single = Apply("full", (Apply("float32", (Const(0.0),)), *shape))
                made = {
                    "full": Apply("full", (ZERO, *shape)),
                    "empty": Apply("empty", shape),
                    "single": single,
                }
                self.emit(New(name, made.get(op, Apply("typed", typed, "np.array")), self.at))
                self._fill(node, name, (), items, len(shape))
                return Array(name, len(shape))
        self.refuse(node, f"an array of {described(value)} is not supported", "S073")

    def _samples(self, node: gast.AST, items: Sequence[Value]) -> list[Expr]:
        """What stands in an array that is written out."""
        found: list[Expr] = []
        for item in items:
            match item:
                case Tuple(inner):
                    found += self._samples(node, inner)
                case Array(row):
                    found.append(Var(row))
                case _:
                    found.append(self.scalar_of(item, node))
        return found

    def _named(self, item: Value) -> Value:
        return self.array(item) if isinstance(item, Fresh) else item

    def _shape_of(self, node: gast.AST, value: Value) -> tuple[Expr, ...]:
        match value:
            case Scalar():
                return ()
            case Array():
                return self.shape(value)
            case Tuple(items) if items:
                inner = [self._shape_of(node, item) for item in items]
                for one in inner[1:]:
                    self._alike(node, inner[0], one)
                return (Const(len(items)), *inner[0])
        self.refuse(node, f"an array of {described(value)} is not supported", "S073")

    def _alike(self, node: gast.AST, one: Sequence[Expr], other: Sequence[Expr]) -> None:
        """Rows of an array have one shape."""
        if len(one) != len(other) or any(
            isinstance(a, Const) and isinstance(b, Const) and a != b for a, b in zip(one, other, strict=True)
        ):
            self.refuse(node, "the rows of an array have one shape", "S064", error=KindError)
        for a, b in zip(one, other, strict=True):
            if a != b:
                self._raise_if(Apply("ne", (a, b)), "ValueError", "setting an array element with a sequence.")

    def _fill(
        self, node: gast.AST, name: str, index: tuple[Expr, ...], items: Sequence[Value], ndim: int
    ) -> None:
        for k, item in enumerate(items):
            place = (*index, Const(k))
            match item:
                case Tuple(inner):
                    self._fill(node, name, place, inner, ndim)
                case Array(row):
                    rest = (WHOLE,) * (ndim - len(place))
                    self.emit(Store(name, (*place, *rest), Var(row), self.at))
                case _:
                    self.emit(Store(name, place, self.scalar_of(item, node), self.at))


def counter_of(raw: str) -> str:
    """The raw name of the number of items of the list `raw`."""
    base, _, tag = raw.partition("#")
    return f"{base}.n#{tag}"
