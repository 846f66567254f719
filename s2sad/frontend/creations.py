"""Arrays that calls make: by shape, by the likeness of another, of items; and what their elements are."""

from __future__ import annotations

from collections.abc import Sequence

import gast
import numpy as np

from s2sad.errors import KindError
from s2sad.frontend.making import OF_TYPE, Making, TypeOf
from s2sad.frontend.reader import described
from s2sad.frontend.values import Array, Fresh, Known, Scalar, Tuple, Value
from s2sad.ir.nodes import Apply, Const, Expr, Update, Var
from s2sad.ops import Op

#: What elements are -> how users say it.
DTYPES: dict[type, tuple[object, ...]] = {
    float: (float, np.float64, "float64"), int: (int, np.int64, np.intp, "int64"), bool: (bool, np.bool_, "bool"),
    complex: (complex, np.complex128, "complex128"), np.float32: (np.float32, "float32", np.dtype("float32")),
}  # fmt: skip


class Creations(Making):
    """What a call gives that makes an array."""

    def creation(self, node: gast.Call, op: Op, spell: str) -> Value:
        names = ["shape", *(["fill_value"] if op.fixed else []), "dtype"]
        given = self.by_name(node, names, spell)
        dtype = given.pop("dtype", None)
        kind = dtype.value if isinstance(dtype, Known) and isinstance(dtype.value, TypeOf) else None
        base = float if kind is not None else self.dtype_of(node, dtype)
        if len(given) != len(names) - 1:
            self.refuse(node, f"`{spell}` needs {' and '.join(names[:-1])}", "S073")
        shape = given["shape"]
        lengths = shape.items if isinstance(shape, Tuple) else (shape,)
        exprs: list[Expr] = []
        for length in (*([given["fill_value"]] if op.fixed else []), *lengths):
            if not isinstance(length, Scalar):
                self.refuse(
                    node, f"`{spell}` takes numbers, not {described(length)}", "S064", error=KindError
                )
            exprs.append(length.expr)
        if not lengths:
            self.refuse(
                node, "an array without dimensions is not supported", "S064", "use a number", KindError
            )
        if kind is not None:
            fill = exprs.pop(0) if op.fixed else Const(1)
            made = self.room(exprs, *kind.samples, zero=op.key == "zeros")
            self.emit(*([Update(made.name, fill, self.at)] if op.key in ("ones", "full") else []))
            return made
        if base is np.float32:
            fill = exprs.pop(0) if op.fixed else Const(1.0 if op.key == "ones" else 0.0)
            return Fresh(Apply("full", (Apply("float32", (fill,)), *exprs)), len(lengths), True)
        if base is not float:
            if op.fixed:
                self.refuse(node, "`dtype=` is supported for floats", "S073", "leave it out")
            fill = Const(base(op.key == "ones"))
            return Fresh(Apply("full", (fill, *exprs)), len(lengths), True)
        return Fresh(Apply(op.key, tuple(exprs), spell), len(lengths), True)

    def result_type(self, node: gast.Call) -> Value:
        """`np.result_type(...)`, of what has a type, and of types."""
        samples: list[Expr] = []
        for value in self.operands(node.args):
            if isinstance(value, Array | Fresh):
                samples.append(Var(self.array(value).name))
            elif isinstance(value, Scalar):
                samples.append(value.expr)
            else:
                samples.append(OF_TYPE[self.dtype_of(node, value)])
        return Known(TypeOf(tuple(samples)))

    def array_made(self, node: gast.Call) -> Value:
        given = self.by_name(node, ("object", "dtype"), "np.array")
        if "object" not in given:
            self.refuse(node, "`np.array` needs something to make an array of", "S073")
        base = self.dtype_of(node, given["dtype"]) if "dtype" in given else None
        if base is None:
            return self.array_of(node, given["object"])
        if base in (float, np.float32) and isinstance(given["object"], Tuple):
            return self.array_of(node, given["object"], "empty" if base is float else "single")
        self.refuse(
            node, "`dtype=` is supported for floats, and for numbers in brackets", "S073", "leave it out"
        )

    def like(self, node: gast.Call, op: Op, spell: str) -> Value:
        names = [
            "a",
            *(["fill_value"] if len(op.fixed) > 1 else []),
            *(["dtype"] if op.structural == "like" else []),
        ]
        given = self.by_name(node, names, spell)
        if "dtype" in given:
            self.refuse(node, f"`dtype=` is not supported by `{spell}`", "S073")
        model = given.get("a")
        if not isinstance(model, Array | Fresh) or len(given) != len(op.fixed):
            self.refuse(node, f"`{spell}` needs an array", "S064", error=KindError)
        args: list[Expr] = [Var(self.array(model).name)]
        if len(op.fixed) > 1:
            fill = given["fill_value"]
            if not isinstance(fill, Scalar):
                self.refuse(node, f"`{spell}` takes a number, not {described(fill)}", "S064", error=KindError)
            args.append(fill.expr)
        return Fresh(Apply(op.key, tuple(args), spell), model.ndim, True)

    def by_name(self, node: gast.Call, names: Sequence[str], spell: str) -> dict[str, Value]:
        labels = [*names[: len(node.args)], *(k.arg for k in node.keywords)]
        if len(node.args) > len(names) or not set(labels) <= set(names) or len(set(labels)) != len(labels):
            self.refuse(node, f"`{spell}` takes {', '.join(f'`{n}`' for n in names)} here", "S073")
        values = self.operands([*node.args, *(k.value for k in node.keywords)])
        return dict(zip(labels, values, strict=True))

    def dtype_of(self, node: gast.Call, dtype: Value | None) -> type:
        """What the elements are."""
        for base, names in DTYPES.items():
            if dtype is None or (
                isinstance(dtype, Known) and any(dtype.value is n or dtype.value == n for n in names)
            ):
                return base
        self.refuse(
            node,
            "arrays of float64, float32, int64, bool and complex128 are supported",
            "S073",
            "leave `dtype` out",
        )
