"""What the class of a structure defines: methods, properties, operators, constants; and how its values are made.

A method is a function whose first argument is the structure: `q.rotated(v)` is read as `Quaternion.rotated(q, v)`,
`q * p` as `Quaternion.__mul__(q, p)`. The class is known when the program is read, so a subclass has its own.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Sequence
from typing import Any

import gast

from s2sad.forms import is_named, names_of
from s2sad.frontend.expressions import Expressions, Held
from s2sad.frontend.reader import described
from s2sad.frontend.values import Closure, Known, Scalar, Struct, Tuple, Value
from s2sad.ir.nodes import Const
from s2sad.rules import python_of

OPERATORS = {
    "Add": "add", "Sub": "sub", "Mult": "mul", "Div": "truediv", "FloorDiv": "floordiv", "Mod": "mod", "Pow": "pow",
    "MatMult": "matmul", "BitAnd": "and", "BitOr": "or", "BitXor": "xor", "LShift": "lshift", "RShift": "rshift",
    "USub": "neg", "UAdd": "pos", "Invert": "invert",
}  # fmt: skip
NOTHING = object()
MADE = ("_asdict", "_make", "_replace")  # by NamedTuple, of no text that could be read


def class_of(value: Value) -> type | None:
    """The class of a NamedTuple, or of a dataclass."""
    fields = value.fields if isinstance(value, Struct) else value
    make = fields.make if isinstance(fields, Tuple) else None
    return make if isinstance(make, type) and make is not list else None


def defined(make: type, name: str) -> Any:
    """What a class or one above it defines; `tuple` and `object` don't count."""
    for one in make.__mro__:
        if one in (tuple, object):
            break
        if name in vars(one) and name not in MADE:
            return vars(one)[name]
    return NOTHING


class Members(Expressions):
    """Reads what is looked up in classes."""

    def attribute(self, node: gast.Attribute, base: Value) -> Value:
        """`base.attr`: a field, a property, a constant of the class, a function of a class."""
        make = class_of(base)
        if make is not None and node.attr not in names_of(make):
            return self._of_structure(node, base, make)
        if isinstance(base, Known) and is_named(base.value):
            found = defined(base.value, node.attr)
            if isinstance(found, staticmethod):
                return Known(found.__func__)
            if isinstance(found, types.FunctionType) or hasattr(found, "py_func"):
                return Known(found)
            if _is_constant(found):
                return self.baked(found, node.attr, node, plain=True)
        return super().attribute(node, base)

    def _of_structure(self, node: gast.Attribute, base: Value, make: type) -> Value:
        found = defined(make, node.attr)
        if isinstance(found, property) and found.fget is not None:
            return self.called_with(node, found.fget, [base])
        if node.attr == "__class__":
            return Known(make)
        if _is_constant(found):
            return self.baked(found, node.attr, node, plain=True)
        if found is NOTHING:
            self.refuse(node, f"{described(base)} of class `{make.__name__}` has no `{node.attr}` here", "S041",
                        f"it has {', '.join(names_of(make))}")  # fmt: skip
        self.refuse(
            node, f"the attribute `{node.attr}` of {described(base)} is not supported", "S041", "call it here"
        )

    def method(self, node: gast.Call, base: Value) -> Value | None:
        """The value of a call of a method of a structure, or of a class; None where it is none."""
        name = node.func.attr
        make = base.value if isinstance(base, Known) and is_named(base.value) else class_of(base)
        if make is None or (class_of(base) is not None and name in names_of(make)):
            return None
        found = defined(make, name)
        if isinstance(found, classmethod):
            return self._with_first(node, found.__func__, Known(make))
        if isinstance(base, Known):
            return None
        if isinstance(found, staticmethod):
            return self._with_first(node, found.__func__, None)
        if name == "_replace" and is_named(make):
            return self._replaced(node, base)
        if isinstance(found, types.FunctionType) or isinstance(python_of(found), types.FunctionType):
            return self._with_first(node, found, base)
        return None

    def special(self, node: gast.Call, base: Value, name: str) -> Value | None:
        """The value of `base(...)`, `abs(base)` of a structure whose class says what that is."""
        make = class_of(base)
        found = NOTHING if make is None else defined(make, name)
        return None if found is NOTHING else self._with_first(node, found, base)

    def _with_first(self, node: gast.Call, function: Any, first: Value | None) -> Value:
        """A call with one more argument before the others."""
        before = [] if first is None else [_held(first, node)]
        call = gast.Call(_held(Known(function), node.func), [*before, *node.args], node.keywords)
        return self.expr(gast.copy_location(call, node))

    def _replaced(self, node: gast.Call, base: Value) -> Value:
        """`base._replace(field=value)`."""
        assert isinstance(base, Tuple)
        names = names_of(base.make)
        values = self.operands([_held(base, node), *(k.value for k in node.keywords)])
        if node.args or any(k.arg not in names for k in node.keywords):
            self.refuse(node, f"`_replace` takes {', '.join(names)}, by name", "S074")
        given = dict(zip((k.arg for k in node.keywords), values[1:], strict=True))
        base = values[0]
        assert isinstance(base, Tuple)
        items = (given.get(name, item) for name, item in zip(names, base.items, strict=True))
        return Tuple(tuple(items), base.make)

    def called_with(self, node: gast.AST, function: Any, values: Sequence[Value]) -> Value:
        """The value of a function for values."""
        held = function if isinstance(function, Closure) else Known(function)
        call = gast.Call(_held(held, node), [_held(v, node) for v in values], [])
        return self.expr(gast.copy_location(call, node))

    # ----- operators

    def overloaded(self, node: gast.AST, values: Sequence[Value]) -> Value | None:
        """The value of an operator that a class defines; None where none does."""
        if all(class_of(v) is None for v in values):
            return None
        word = OPERATORS[type(node.op).__name__]
        ways = [(f"__{word}__", 0)]
        if len(values) == 2:
            back = f"__r{word}__"
            one, other = map(class_of, values)
            if one is not None or isinstance(values[0], Scalar):  # (NumPy takes a structure for an array)
                ways.append((back, 1))
            if one is not None and other is not None and one is not other and issubclass(other, one):
                if defined(other, back) is not defined(one, back):
                    ways.reverse()  # (as Python has it: a subclass with a way of its own comes first)
        if isinstance(node, gast.AugAssign):
            ways.insert(0, (f"__i{word}__", 0))
        for name, k in ways:
            make = class_of(values[k])
            found = NOTHING if make is None else defined(make, name)
            if found is not NOTHING:
                return self.called_with(node, found, [values[k], *values[:k], *values[k + 1 :]])
        return None

    # ----- classes

    def type_of(self, node: gast.Call) -> Value:
        """`type(value)` of a structure."""
        value = self.expr(node.args[0])
        make = class_of(value)
        if make is None:
            self.refuse(node, f"the type of {described(value)} is not supported", "S040")
        return Known(make)

    def is_instance(self, node: gast.Call) -> Value:
        """`isinstance(value, cls)`, where both are known."""
        value, wanted = self.operands(node.args) if len(node.args) == 2 else (Known(None), Known(None))
        classes = wanted.items if isinstance(wanted, Tuple) else (wanted,)
        if node.keywords or not all(isinstance(c, Known) and isinstance(c.value, type) for c in classes):
            self.refuse(node, "a call of `isinstance` is not supported here", "S040")
        make = class_of(value)
        found = tuple(c.value for c in classes if isinstance(c, Known))
        if make is not None:
            return Scalar(Const(issubclass(make, found)))
        if any(is_named(c) for c in found) and all(is_named(c) for c in found):
            return Scalar(Const(False))
        self.refuse(node, "`isinstance` is supported for NamedTuples and their classes", "S040")


def _held(value: Value, node: gast.AST) -> Any:
    held = gast.copy_location(Held(), node)
    held.item = value
    return held


def _is_constant(found: Any) -> bool:
    return found is not NOTHING and not callable(found) and not inspect.isdatadescriptor(found) and not isinstance(
        found, staticmethod | classmethod
    )  # fmt: skip
