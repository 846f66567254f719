"""Calls: which way each goes, operations of the table, methods of arrays."""

from __future__ import annotations

import builtins
from typing import Any

import gast
import numpy as np

from s2sad import library
from s2sad.errors import ArgumentError, KindError, SourceUnavailableError
from s2sad.frontend import subset
from s2sad.frontend.arraylike import ArrayLike
from s2sad.frontend.axes import ALONG
from s2sad.frontend.comprehensions import as_list, definition, gathers
from s2sad.frontend.creations import Creations
from s2sad.frontend.desugar import desugar
from s2sad.frontend.diagonals import DIAGONALS
from s2sad.frontend.dicts import Dicts, is_dict
from s2sad.frontend.entering import Entering
from s2sad.frontend.expressions import Held
from s2sad.frontend.factors import FACTORS
from s2sad.frontend.fourier import FOURIER, Fourier
from s2sad.frontend.listmethods import ListMethods
from s2sad.frontend.making import known, named
from s2sad.frontend.members import Members
from s2sad.frontend.norms import NORMS
from s2sad.frontend.read import plain_function, source_of
from s2sad.frontend.reader import described
from s2sad.frontend.shapes import SHAPES
from s2sad.frontend.sums import SUMS
from s2sad.frontend.unknown import no_rule
from s2sad.frontend.values import (
    Array,
    Closure,
    Frame,
    Fresh,
    Growing,
    Known,
    Scalar,
    Struct,
    Tuple,
    Value,
    section_of,
)
from s2sad.frontend.words import Words
from s2sad.frontend.written import HELPERS, WrittenOut
from s2sad.ir.nodes import Apply, Const, Update, Var
from s2sad.ops import OPS, Op, find
from s2sad.ops.registered import shown
from s2sad.rules import Registered, registered
from s2sad.source import Source

#: Built-in functions with a hint of their own.
BUILTINS = {
    "eval": ("S040", ""), "exec": ("S040", ""), "compile": ("S040", ""), "globals": ("S040", ""),
    "locals": ("S040", ""), "vars": ("S040", ""), "getattr": ("S040", ""), "setattr": ("S040", ""),
    "input": ("S029", ""), "open": ("S029", ""),
    "any": ("S073", ""), "all": ("S073", ""),
    "range": ("S014", "use `range` in a `for` loop"),
    "enumerate": ("S014", ""), "zip": ("S014", ""), "map": ("S014", ""),
    "sorted": ("S070", "use `np.sort`"), "complex": ("S071", "write `a + 1j * b`"),
    "checkpoint": ("S017", "write `with s2sad.checkpoint():`, or `@s2sad.checkpoint` above the function"),
    "checkpoint_range": ("S014", "write it behind the `in` of a `for` loop"),
}  # fmt: skip

#: Methods of arrays that are functions of NumPy by the same name.
METHODS = ("sum", "max", "min", "mean", "var", "std", "cumsum", "cumprod", "transpose", "reshape", "ravel", "trace",
           "diagonal", "clip", "dot", "swapaxes", "squeeze", "repeat", "take", "prod", "ptp", "any", "all", "argmax",
           "argmin", "argsort", "searchsorted", "nonzero", "round", "conj", "conjugate")  # fmt: skip
#: Methods that are functions of the library by another name.
AS_FUNCTIONS = {"astype": "np.astype", "ptp": "np.ptp"}
REDUCTIONS = ("sum", "amax")


class Calls(Dicts, Members, Fourier, ArrayLike, WrittenOut, Entering, Words, ListMethods, Creations):
    """What a call gives."""

    def call(self, node: gast.Call) -> Value:
        """The value of a call."""
        value = self._result_of(self.spread(node))
        self.unshared(node, value)
        return value

    def _result_of(self, node: gast.Call) -> Value:
        if isinstance(node.func, gast.Attribute):
            base = self.expr(node.func.value)
            if isinstance(base, Array | Fresh):
                return self._method(node, node.func.attr, base)
            if isinstance(base, Growing):
                return self.list_method(node, node.func.attr, base) or Known(None)
            if isinstance(base, Struct) and is_dict(base):
                return self.dict_method(node, base)
            if (made := self.method(node, base)) is not None:
                return made
            function = self.attribute(node.func, base)
        else:
            function = self.expr(node.func)
        if isinstance(function, Closure):
            return self.write_out(
                node, function.node, function.frame, function.defaults, function.kw_defaults
            )
        if (called := self.special(node, function, "__call__")) is not None:
            return called
        if not isinstance(function, Known) or function.value is None or isinstance(function.value, str):
            self.refuse(node, f"{described(function)} can't be called", "S071")
        return self._known(node, function.value)

    def _registered(self, node: gast.Call, own: Registered) -> Value:
        """The value of a call of a function that is not read."""
        if node.keywords:
            self.refuse(node.keywords[0].value, f"`{shown(own)}` is registered without keywords", "S073")
        return self.of_registered(node, own, self.operands(node.args))

    def of_registered(self, node: gast.AST, own: Registered, values: list[Value]) -> Value:
        """The value of such a function."""
        if any(isinstance(value, Array | Fresh) for value in values) and not own.elementwise:
            self.refuse(node, f"`{shown(own)}` is registered for numbers, not for arrays", "S064",
                        "call it in a loop, for each element, or register it with a rule: `jvp=` or `vjp=`",
                        KindError)  # fmt: skip
        if len(values) != len(own.params):
            self.refuse(node, f"`{shown(own)}` is registered with {len(own.params)} arguments", "S074",
                        error=ArgumentError)  # fmt: skip
        return self.apply(own.key, values, node)

    def _known(self, node: gast.Call, target: Any) -> Value:
        own = registered(target)
        if own is not None and own.stub is not None:
            return self._read_call(node, self.frame_of(node, own.stub), own.stub)
        if own is not None:
            return self._registered(node, own)
        if target is abs and len(node.args) == 1:
            bare = gast.copy_location(gast.Call(node.func, [], node.keywords), node)
            value = self.expr(node.args[0])
            if (length := self.special(bare, value, "__abs__")) is not None:
                return length
            node = _with(bare, value)
        if target is len or target is np.ndim or target is np.size or target is np.shape:
            return self._measure(node, target)
        if getattr(target, "__module__", "") == "s2sad.markers" and target.__name__ == "stop_gradient":
            return self.row(node, OPS["stop_gradient"], "")
        if target is list and len(node.args) == 1 and not node.keywords:
            return self._defined(as_list(node.args[0]), "list")
        if target is dict:
            return self.made_dict(node)
        if target is sum:
            return self.summed(node)
        if target is print:
            return self.printed(node)
        if self.is_derivative(target):
            return self.derivative(node, target)
        if gathers(target) and len(node.args) == 1 and not node.keywords:
            return self._defined(node, gathers(target))
        if target is np.array:
            return self.array_made(node)
        node = self.with_arrays(node, target)
        if target is np.result_type:
            return self.result_type(node)
        if self.fills(node, target):
            return self.filled(node, target)
        written = library.find(target)
        if written is not None and self.takes_over(node, written):
            return self.written_out(node, written)
        if known(HELPERS, target) or hasattr(target, "s2sad_early"):
            return self.helped(node, target)
        if self.is_product(target):
            return self.product_call(node, target)
        for table in (FACTORS, SUMS, NORMS, DIAGONALS, FOURIER):
            if found := table.get(named(target)):
                algebra: Value = getattr(self, found[0])(node, found[1])
                return algebra
        row = find(target)
        if known(ALONG, target) and (row is None or node.keywords or len(node.args) > 1):
            return self.along_axis(node, target)
        if known(SHAPES, target):
            return self.shaping(node, target)
        if row is not None:
            return self.row(node, *row)
        if isinstance(target, type) and issubclass(target, tuple) and hasattr(target, "_fields"):
            names = [
                gast.Name(id=f, ctx=gast.Param(), annotation=None, type_comment=None) for f in target._fields
            ]
            left: dict[str, Any] = getattr(target, "_field_defaults", {})
            defaults = [
                self.baked(left[f], f, node, plain=True) if f in left else None for f in target._fields
            ]
            given, _ = self.passed(node, names, names, defaults, [], target.__name__)
            self.class_checked(node, target)
            return Tuple(tuple(given), target)
        if target is isinstance:
            return self.is_instance(node)
        if target is type and len(node.args) == 1 and not node.keywords:
            return self.type_of(node)
        name = getattr(target, "__name__", type(target).__name__)
        mark = getattr(target, "__module__", "") == "s2sad.markers"
        if name in BUILTINS and (mark or getattr(builtins, name, None) is target):
            code, hint = BUILTINS[name]
            self.refuse(node, f"a call of `{name}` is not supported here", code, hint)
        frame = self.frame_of(node, target)
        return self._read_call(node, frame, target)

    def frame_of(self, node: gast.AST, target: Any) -> Frame:
        """The frame of a function of Python."""
        try:
            source, tree = source_of(target)
        except SourceUnavailableError as error:
            if error.code in ("S003", "S004"):
                self.refuse(node, error.message, error.code, error.hint, SourceUnavailableError)
            no_rule(self, node, target, error)
        if (target.__module__ or "").partition(".")[0] in ("numpy", "scipy"):
            no_rule(self, node, target, None)
        return self._framed(plain_function(target), source, tree)

    def numpy_call(self, node: gast.Call, target: Any) -> Value:
        return self._known(node, target)

    def read_in(self, node: gast.Call, function: Any, source: Source, tree: gast.FunctionDef) -> Value:
        """The value of a call of a function that was read."""
        return self._read_call(node, self._framed(function, source, tree), None)

    def _framed(self, function: Any, source: Source, tree: gast.FunctionDef) -> Frame:
        subset.check(tree, source)
        desugar(tree, source)
        return Frame(source, function, tree, subset.bound_names(tree), self.number())

    def _read_call(self, node: gast.Call, frame: Frame, target: Any) -> Value:
        function = frame.function
        defaults = tuple(self.baked(v, "", node, plain=True) for v in function.__defaults__ or ())
        kw = function.__kwdefaults__ or {}
        kw_defaults = tuple(
            self.baked(kw[p.id], p.id, node, plain=True) if p.id in kw else None
            for p in frame.node.args.kwonlyargs
        )
        return self.enter(node, frame, defaults, kw_defaults, target)

    def _defined(self, node: gast.AST, name: str) -> Value:
        """A comprehension, or what looks at items one by one: a function without arguments, called here."""
        call = gast.copy_location(gast.Call(node, [], []), node)
        return self.write_out(call, definition(node, name), self.frame, (), ())

    def expr_ListComp(self, node: gast.ListComp) -> Value:
        return self._defined(node, "list")

    # ----- operations of the table -------------------------------------------------------------------------

    def row(self, node: gast.Call, op: Op, spell: str = "") -> Value:
        """The value of an operation of the table."""
        if op.structural == "like" and op.result == "int":
            return self._order(node, op, spell)
        if op.structural == "new":
            return self.creation(node, op, spell)
        if op.structural in ("like", "copy"):
            return self.like(node, op, spell)
        if node.keywords:
            where = node.keywords[0].value
            self.refuse(where, f"`{node.keywords[0].arg}=` is not supported by `{spell or op.key}`", "S073")
        values = self.operands(node.args)
        if op.key in ("real", "imag") and isinstance(values[0], Array | Fresh):
            return self.part(values[0], op.key)
        if op.structural == "pick":
            return self._pick(node, op, values)
        if op.structural == "matrix":
            return self._as_it_is(node, op, values)
        if op.structural and op.structural != "part":
            return self._reduction(node, op, values, spell)
        return self._elementwise(node, op, values, spell)

    def _elementwise(self, node: gast.Call, op: Op, values: list[Value], spell: str) -> Value:
        arrays = any(isinstance(value, Array | Fresh) for value in values)
        if arrays and (
            spell.startswith("math.") or spell in ("max", "min", "int", "float", "bool", "round", "pow")
        ):
            hint = f"use `np.{op.key}`" if hasattr(np, op.key) else ""
            if spell in ("max", "min") and len(values) == 1:
                hint = f"use `np.{spell}`"
            self.refuse(node, f"`{spell}` is defined for numbers, not for arrays", "S064", hint, KindError)
        if spell in ("max", "min") and len(values) > 2:
            result = values[0]
            for value in values[1:]:
                result = self.apply(op.key, [result, value], node, spell)
            return result
        if not op.takes(len(values)):
            some = f"{len(values)} argument{'s' if len(values) > 1 else ''}"
            hint = f"use `np.{spell}`" if spell in ("max", "min") else f"it takes {len(op.fixed)}"
            self.refuse(node, f"`{spell or op.key}` with {some} is not supported", "S073", hint)
        return self.apply(op.key, values, node, spell)

    def _order(self, node: gast.Call, op: Op, spell: str) -> Value:
        """Integers read off an array, one for each element or for some: `argsort`, `flatnonzero`."""
        first, *rest = self.operands(node.args)
        base = self.array_at(node, first)
        numbers = tuple(self.scalar_of(v, node) for v in rest)
        return Fresh(Apply(op.key, (Var(base.name), *numbers), spell), op.ndim or base.ndim, True)

    def _pick(self, node: gast.Call, op: Op, values: list[Value]) -> Value:
        """An integer read off an array: `argmax`, `searchsorted`."""
        first, *rest = values or [Known(None)]
        if not isinstance(first, Array | Fresh) or not op.takes(len(values)):
            self.refuse(node, f"`np.{op.key}` needs an array", "S064", error=KindError)
        numbers = tuple(self.scalar_of(v, node) for v in rest)
        return Scalar(Apply(op.key, (Var(self.array(first).name), *numbers)))

    def _as_it_is(self, node: gast.Call, op: Op, values: list[Value]) -> Value:
        """What a function gives that is registered with a rule."""
        arrays = [self.array(v) if isinstance(v, Array | Fresh) else v for v in values]
        args = tuple(Var(v.name) if isinstance(v, Array) else self.scalar_of(v, node) for v in arrays)
        made = Apply(op.key, args)
        return Fresh(made, op.ndim, True) if op.ndim else Scalar(made)

    def _reduction(self, node: gast.Call, op: Op, values: list[Value], spell: str) -> Value:
        if len(values) != 1 or op.structural not in REDUCTIONS:
            self.refuse(node, f"`{spell or op.key}` with {len(values)} arguments is not supported", "S073",
                        "reduce over all elements: one argument")  # fmt: skip
        return self.reduce(node, op.key, values[0], spell)

    def reduce(self, node: gast.AST, key: str, value: Value, spell: str) -> Value:
        """A reduction over all elements."""
        if isinstance(value, Growing) or (isinstance(value, Tuple) and value.items):
            value = self.array_of(node, value)
        if not isinstance(value, Array | Fresh):
            self.refuse(node, f"a reduction needs an array, not {described(value)}", "S064", error=KindError)
        return Scalar(Apply(key, (Var(self.array(value).name),), spell))

    def _measure(self, node: gast.Call, function: Any) -> Value:
        if len(node.args) != 1 or node.keywords:
            self.refuse(node, f"`{function.__name__}` takes one array here", "S073")
        value = self.expr(node.args[0])
        if isinstance(value, Tuple) and function is len:
            return Scalar(Const(len(value.items)))
        if isinstance(value, Struct) and is_dict(value) and function is len:
            return Scalar(Const(len(value.fields.items)))
        if isinstance(value, Growing) and function is len:
            return Scalar(Var(value.count))
        if isinstance(value, Scalar) and function is not len:
            return Tuple(()) if function is np.shape else Scalar(Const(int(function is np.size)))
        if not isinstance(value, Array | Fresh):
            self.refuse(
                node, f"`{function.__name__}` needs an array, not {described(value)}", "S064", error=KindError
            )
        if function is len:
            return Scalar(self.shape(self.array(value))[0])
        return self._of_array(
            gast.Attribute(value=node.args[0], attr=function.__name__, ctx=gast.Load()), value
        )

    def _method(self, node: gast.Call, name: str, base: Array | Fresh) -> Value:
        if name == "fill" and isinstance(base, Array) and len(node.args) == 1 and not node.keywords:
            self.emit(Update(base.name, self.scalar_of(self.expr(node.args[0]), node), self.at))
            return Known(None)
        if name == "sort" and isinstance(base, Array):
            self.put_into(node, base, self._known(_with(node, base), np.sort))
            return Known(None)
        if name == "item" and not node.args:
            return Scalar(Apply("item", (Var(self.array(base).name),)))
        if name in ("copy", "flatten"):
            if node.args or node.keywords:
                self.refuse(node, f"arguments of the method `{name}` are not supported", "S073")
            flat = self.flat(self.array(base)) if name == "flatten" else base
            return Fresh(Apply("copy", (section_of(flat) or Var(self.array(flat).name),)), flat.ndim, True)
        if name not in METHODS and name != "astype":
            self.refuse(node, f"the method `{name}` of an array is not supported", "S071")
        call = _with(node, base)
        if name in AS_FUNCTIONS:
            return self.written_out(call, library.table(scipy=False)[AS_FUNCTIONS[name]])
        return self._known(call, getattr(np, name))


def _with(node: gast.Call, base: Value) -> gast.Call:
    """A call of a method as one of a function, with its array as first argument."""
    held = gast.copy_location(Held(), node.func)
    held.item = base
    call = gast.Call(func=node.func, args=[held, *node.args], keywords=node.keywords)
    return gast.copy_location(call, node)
