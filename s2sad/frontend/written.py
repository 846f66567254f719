"""Calls of functions that stand in the library: read like the user's own, at the place that calls them."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import gast
import numpy as np

from s2sad import library
from s2sad.errors import KindError, S2sadError
from s2sad.frontend.expressions import Held
from s2sad.frontend.infer import kind_of
from s2sad.frontend.making import Making
from s2sad.frontend.read import source_of, span_of
from s2sad.frontend.reader import described
from s2sad.frontend.values import Array, Fresh, Known, Scalar, Tuple, Value, section_of
from s2sad.ir.nodes import Apply, Const, Expr, New, Var
from s2sad.ops import OPS, Op
from s2sad.source import Source

#: What the library's functions alone call -> method below, operation.
HELPERS: dict[Any, tuple[str, str]] = {
    library.room: ("_room", "typed"), library.cleared: ("_room", "cleared"), library.operation: ("_row", ""),
    library.unsupported: ("_unsupported", ""), library.solution: ("_solution", ""),
    library.is_complex: ("_is_complex", ""),
}  # fmt: skip


class WrittenOut(Making):
    """What the library's functions give."""

    @abstractmethod
    def read_in(self, node: gast.Call, function: Any, source: Source, tree: gast.FunctionDef) -> Value:
        """The value of a call of a function that was read."""

    def takes_over(self, node: gast.Call, written: library.Written) -> bool:
        """Whether a call is one that the function is written for."""
        if written.function.__code__ in self.calls:
            return False  # it calls what it is written for: the shorter form
        if not written.only:
            return True
        count = len(node.args)
        named = {k.arg for k in node.keywords} | {str(count)} | {f"{k}+" for k in range(count + 1)}
        values = [
            self._seen(arg) for arg in (*node.args, *(k.value for k in node.keywords if k.arg == "axis"))
        ]
        named |= {"axes"} if any(isinstance(value, Tuple) for value in values[1:]) else set()
        named |= {"none"} if Known(None) in values else set()
        return bool(named & written.only)

    def _seen(self, node: gast.AST) -> Value | None:
        """What can be said of an argument without evaluating it."""
        match node:
            case gast.Tuple() | gast.List():
                return Tuple(())
            case gast.Constant(value=None):
                return Known(None)
            case gast.Name(id=name):
                return self.frame.lookup(name)
        return None

    def written_out(self, node: gast.Call, written: library.Written) -> Value:
        """The value of a call; what is refused in the library is refused where the call stands."""
        source, tree = source_of(written.function)
        tree.decorator_list = []
        inside, around = library.belongs(self.frame.function), self.calling
        if not inside:
            self.calling = span_of(node, self.frame.source)
        at = self.calling
        try:
            return self.read_in(node, written.function, source, tree)
        except S2sadError as error:
            if inside or not library.holds(error.at.source):
                raise
            raise type(error)(error.message, code=error.code, at=at, hint=error.hint) from None
        finally:
            self.calling = around

    # ----- results that go into an array there is -------------------------------------------------------------

    @abstractmethod
    def numpy_call(self, node: gast.Call, target: Any) -> Value:
        """The value of a call of a function that is known."""

    def fills(self, node: gast.Call, target: Any) -> bool:
        """Whether a call of a function of NumPy has `out=`, or an array for its result behind its operands."""
        if isinstance(target, np.ufunc):
            return len(node.args) > target.nin or any(k.arg in ("out", "where") for k in node.keywords)
        module = (getattr(target, "__module__", None) or "").partition(".")[0]
        return module == "numpy" and any(k.arg == "out" for k in node.keywords)

    def filled(self, node: gast.Call, target: Any) -> Value:
        """`np.add(a, b, out=c, where=m)` as `c[...] = np.where(m, np.add(a, b), c)`."""
        options = {k.arg: k.value for k in node.keywords}
        count = target.nin if isinstance(target, np.ufunc) else len(node.args)
        into = options.pop("out", None) or (node.args[count] if len(node.args) > count else None)
        only = options.pop("where", None) if isinstance(target, np.ufunc) else None
        if isinstance(into, gast.Tuple) and len(into.elts) == 1:
            into = into.elts[0]
        keywords = [gast.keyword(name, value) for name, value in options.items()]
        plain = gast.copy_location(gast.Call(node.func, node.args[:count], keywords), node)
        if into is None or (isinstance(into, gast.Constant) and into.value is None):
            if only is not None:
                self.refuse(
                    node, "`where=` leaves elements undefined", "S073", "give an array, too: `out=...`"
                )
            return self.numpy_call(plain, target)
        place = self.expr(into)
        if not isinstance(place, Array | Fresh):
            self.refuse(into, f"`out=` takes an array, not {described(place)}", "S064", error=KindError)
        if isinstance(place, Fresh) and section_of(place) is None:
            place = self.array(place)  # made here, once: it is filled, and it is the result
        condition = None if only is None else self.expr(only)
        value = self.numpy_call(plain, target)
        if condition is not None:
            value = self.apply("where", [condition, value, place], node)
        self.put_into(into, place, value)
        return place

    def put_into(self, node: gast.AST, place: Array | Fresh, value: Value) -> None:
        """`place[...] = value`."""
        held = gast.copy_location(Held(), node)
        held.item = place
        whole = gast.copy_location(gast.Constant(Ellipsis, None), node)
        self.assign(gast.copy_location(gast.Subscript(held, whole, gast.Store()), node), value)

    # ----- what the library alone calls ----------------------------------------------------------------------

    def helped(self, node: gast.Call, target: Any) -> Value:
        """The value of a call of a helper."""
        if hasattr(target, "s2sad_early"):
            return self._early(node, target)
        method, op = HELPERS[target]
        value: Value = getattr(self, method)(node, op)
        return value

    def _room(self, node: gast.Call, op: str) -> Value:
        """`room(shape, *samples)`: an array that can hold what is like the samples."""
        shape, *samples = self.operands(node.args)
        lengths = shape.items if isinstance(shape, Tuple) else (shape,)
        held: list[Expr] = []
        for sample in samples:
            if isinstance(sample, Array | Fresh):
                held.append(Var(self.array(sample).name))
            else:
                held.append(self.scalar_of(sample, node))
        sizes = [self.whole_number(node, length) for length in lengths]
        if not sizes:
            self.refuse(node, "an array without dimensions is not supported", "S064", error=KindError)
        name = self.temporary()
        self.emit(New(name, Apply(op, (Const(len(sizes)), *sizes, *held)), self.at))
        return Array(name, len(sizes))

    def _row(self, node: gast.Call, _: str) -> Value:
        """`operation(key, *operands)`."""
        key = self.expr(node.args[0])
        assert isinstance(key, Known)
        call = gast.copy_location(gast.Call(node.func, node.args[1:], []), node)
        return self.row(call, OPS[key.value])

    @abstractmethod
    def row(self, node: gast.Call, op: Op, spell: str = "") -> Value:
        """The value of an operation of the table."""

    def _is_complex(self, node: gast.Call, _: str) -> Value:
        """`is_complex(x)`; what turns out to be complex later on is refused where it is compared."""
        (value,) = self.operands(node.args)
        expr = (
            Var(self.array(value).name) if isinstance(value, Array | Fresh) else self.scalar_of(value, node)
        )
        kind = kind_of(expr, self.kinds)
        if kind is None:
            self.refuse(node, "whether these numbers are complex is not known here", "S063", error=KindError)
        return Scalar(Const(kind.base == "complex"))

    def _unsupported(self, node: gast.Call, _: str) -> Value:
        text = self.expr(node.args[0])
        assert isinstance(text, Known)
        self.refuse(node, text.value, "S073")

    def _early(self, node: gast.Call, target: Any) -> Value:
        """What a function gives that is run now."""
        args = [_constant(value) for value in self.operands(node.args)]
        try:
            found = target(*args)
        except (TypeError, ValueError) as error:
            text = (
                str(error)
                if isinstance(error, ValueError)
                else "this must be known when the function is read"
            )
            self.refuse(node, f"{text}: a constant is needed", "S073")
        return _value(found)


def _constant(value: Value) -> Any:
    """What is known of a value."""
    match value:
        case Scalar(Const(number)):
            return number
        case Known(known):
            return known
        case Tuple(items):
            return tuple(map(_constant, items))
    return ...


def _value(found: Any) -> Value:
    if isinstance(found, tuple):
        return Tuple(tuple(map(_value, found)))
    return Scalar(Const(found)) if isinstance(found, bool | int | float) else Known(found)
