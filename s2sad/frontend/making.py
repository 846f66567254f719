"""Arrays that are made and filled by loops: what lowering an operation of NumPy to loops is written in.

The type of elements isn't known while a function is read: `room` says what is to be put in, and the array gets
its type once kinds are known (`infer.settled`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from s2sad.errors import KindError
from s2sad.frontend.expressions import Expressions, Held
from s2sad.frontend.reader import described
from s2sad.frontend.subscripts import WHOLE
from s2sad.frontend.values import Array, Fresh, Growing, Known, Scalar, Tuple, Value
from s2sad.ir.nodes import Apply, Const, Expr, For, If, New, Raise, Store, Var, View
from s2sad.ops.build import add

ZERO, ONE = Const(0), Const(1)
#: What has a type: by the type's name in DTYPES.
OF_TYPE: Mapping[type, Expr] = {
    float: Apply("float64", (Const(0.0),)), np.float32: Apply("float32", (Const(0.0),)), int: Const(0),
    bool: Const(False), complex: Const(0j),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class TypeOf:
    """The type that can hold each of some samples, which `np.result_type` gives."""

    samples: tuple[Expr, ...]


class Making(Expressions):
    """Emits loops and what they fill."""

    @contextmanager
    def counting(self, stop: Expr, start: Expr = ZERO) -> Iterator[Expr]:
        """A loop over `range(start, stop)`; what is emitted meanwhile is its body."""
        counter = self.temporary("i")
        with self.block() as stmts:
            yield Var(counter)
        self.emit(For(counter, start, stop, ONE, tuple(stmts), self.at))

    @contextmanager
    def counters(self, stops: Sequence[Expr]) -> Iterator[tuple[Expr, ...]]:
        """Loops in one another."""
        if not stops:
            yield ()
            return
        with self.counting(stops[0]) as first, self.counters(stops[1:]) as rest:
            yield (first, *rest)

    def room(self, shape: Sequence[Expr], *samples: Expr, zero: bool = False) -> Array:
        """An array (of zeros) that can hold each of the `samples`, which are not evaluated."""
        name = self.temporary()
        op = "cleared" if zero else "typed"
        self.emit(New(name, Apply(op, (Const(len(shape)), *shape, *samples)), self.at))
        return Array(name, len(shape))

    def fill(self, out: Array, index: Sequence[Expr], value: Expr) -> None:
        """`out[index] = value`."""
        self.emit(Store(out.name, tuple(index), value, self.at))

    def view(self, base: Array, index: Sequence[Expr]) -> Value:
        """What stands at a full subscript, under a name where it is a section."""
        value = self.selected(base, tuple(index))
        return self.array(value) if isinstance(value, Fresh) else value

    def seen_as(self, base: Array, form: Any, ndim: int, shape: Sequence[Expr] = ()) -> Array:
        """`base.T`, or `base` in another shape."""
        name = self.temporary()
        self.emit(View(name, base.name, tuple(shape), form, self.at))
        return Array(name, ndim)

    def unless(self, equal: tuple[Expr, Expr], exception: str, text: str) -> None:
        """Raise where two lengths differ."""
        if equal[0] != equal[1]:
            raising = (Raise(exception, (Const(text),), self.at),)
            self.emit(If(Apply("ne", equal), raising, (), self.at))

    # ----- arguments -----------------------------------------------------------------------------------------

    def given(self, node: gast.Call, names: str) -> dict[str, gast.AST]:
        """The nodes of arguments by name; refused as Python would refuse the call."""
        labels = names.split()
        given = dict(zip(labels, node.args, strict=False)) | {k.arg: k.value for k in node.keywords}
        if len(node.args) > len(labels) or len(given) < len(node.args) + len(node.keywords):
            self.refuse(node, f"`{shown(node)}` takes {', '.join(f'`{n}`' for n in labels)} here", "S073")
        for keyword in node.keywords:
            if keyword.arg not in labels:
                self.refuse(keyword.value, f"`{keyword.arg}=` is not supported by `{shown(node)}`", "S073")
        return given

    def array_at(self, node: gast.AST, value: Value, ndim: int | None = None) -> Array:
        """An operand that must be an array, or a list that changes, under a name."""
        if isinstance(value, Growing):
            value = self.array_of(node, value)
        if not isinstance(value, Array | Fresh) or (ndim is not None and value.ndim != ndim):
            wanted = "an array" if ndim is None else f"an array of {ndim} dimension{'s' if ndim > 1 else ''}"
            self.refuse(node, f"{wanted} is needed here, not {described(value)}", "S064", error=KindError)
        return self.array(value)

    def axis_of(self, node: gast.AST | None, ndim: int, default: int | None = None) -> int | None:
        """A number of an axis that is known now, counted from the front; None for all."""
        if node is None:
            return default
        value = self.expr(node)
        return None if value == Known(None) else self.axis_at(node, value, ndim)

    def axis_at(self, node: gast.AST, value: Value, ndim: int) -> int:
        """A number of an axis, counted from the front."""
        axis = value.expr.value if isinstance(value, Scalar) and isinstance(value.expr, Const) else None
        if type(axis) is not int or not -ndim <= axis < ndim:
            self.refuse(node, "an axis must be a constant, and the array must have it", "S073")
        return axis % ndim

    def whole_number(self, node: gast.AST, value: Value) -> Expr:
        """An operand that must turn out to be an integer."""
        expr = self.scalar_of(value, node)
        return expr if isinstance(expr, Const) and type(expr.value) is int else Apply("whole", (expr,))

    def flag(self, node: gast.AST | None, default: bool = False) -> bool:
        """An option that is known now."""
        value = Scalar(Const(default)) if node is None else self.expr(node)
        if value not in (Scalar(Const(True)), Scalar(Const(False))):
            assert node is not None
            self.refuse(node, "this option must be a constant", "S073")
        return value == Scalar(Const(True))

    def items(self, node: gast.AST) -> list[Value]:
        """The items of a tuple or list."""
        value = self.expr(node)
        if not isinstance(value, Tuple):
            self.refuse(node, f"a tuple is needed here, not {described(value)}", "S064", error=KindError)
        return list(value.items)


def held(value: Value, node: gast.AST) -> Held:
    """A node that stands for a value."""
    found: Held = gast.copy_location(Held(), node)
    found.item = value
    return found


def known(table: Mapping[Any, object], target: Any) -> bool:
    """Whether a function stands in a table."""
    return any(target is function for function in table)


def named(target: Any) -> Any:
    """A function as tables have it: of SciPy, which is not imported for them, its public name."""
    module, name = getattr(target, "__module__", None) or "", getattr(target, "__name__", "")
    if module.startswith("scipy.linalg"):
        return f"scipy.linalg.{name}"
    return target if isinstance(target, Hashable) else None


def shown(node: gast.Call) -> str:
    """How a function is written where it is called."""
    return str(gast.unparse(node.func)).strip()


def product(lengths: Sequence[Expr]) -> Expr:
    """The number of elements."""
    size = lengths[0]
    for length in lengths[1:]:
        size = Apply("mul", (size, length))
    return size


def put(index: Sequence[Expr], axis: int, sub: Expr) -> tuple[Expr, ...]:
    """`index` with one more subscript."""
    return (*index[:axis], sub, *index[axis:])


def along(ndim: int, axis: int, sub: Expr) -> tuple[Expr, ...]:
    """A subscript of one axis, the others whole."""
    return tuple(sub if k == axis else WHOLE for k in range(ndim))


def total(lengths: Sequence[Expr]) -> Expr:
    """The sum of lengths."""
    size: Expr = ZERO
    for length in lengths:
        size = add(size, length)
    return size
