"""Kinds of arguments: read off values, off type names, off annotations and the body of a function.

>>> str(kind_of_value((1.0, 2, True))), str(kind_of_text("float64[:, :]"))
('(real, int, bool)', 'real[:, :]')
"""

from __future__ import annotations

import re
import types
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import gast
import numpy as np

from s2sad.errors import ArgumentError, KindError, S2sadError
from s2sad.forms import is_named, taken_apart
from s2sad.frontend.read import plain_function, source_of
from s2sad.ir.nodes import BOOL, INT, NONE, REAL, SINGLE, Base, Kind

_BASES: dict[str, Base] = {
    "float64": "real", "float": "real", "double": "real", "f8": "real", "real": "real",
    "float32": "single", "f4": "single",
    "int64": "int", "int": "int", "i8": "int", "intp": "int", "int32": "int",
    "bool": "bool", "boolean": "bool", "bool_": "bool", "none": "none", "None": "none", "str": "text",
}  # fmt: skip


def kind_of_value(value: Any) -> Kind:
    """The kind of an argument.

    Errors: KindError S062 for values that can't be arguments: complex numbers, other objects.
    """
    match value:
        case None:
            return NONE
        case bool() | np.bool_():
            return BOOL
        case int() | np.integer():
            return INT
        case float() if not isinstance(value, np.floating) or value.dtype == np.float64:
            return REAL
        case np.floating() if value.dtype == np.float32:
            return SINGLE
        case str():
            return Kind("text")
        case np.ndarray():
            return _kind_of_array(value)
        case types.FunctionType() | types.BuiltinFunctionType() | np.ufunc():
            return Kind("function")
    structure = taken_apart(value)
    if structure is not None:
        make, items = structure
        return Kind("tuple", 0, tuple(map(kind_of_value, items)), make)
    if callable(value) and not isinstance(value, type):
        return Kind("function")
    hint = ""
    if isinstance(value, np.generic) and value.dtype.kind == "f":
        hint = "pass a float64: `float(x)`"
    raise KindError(f"a value of type `{type(value).__name__}` can't be an argument", code="S062", hint=hint)


def _kind_of_array(value: np.ndarray[Any, Any]) -> Kind:
    # Operators of matrices and masked arrays mean something else.
    if type(value) not in (np.ndarray, np.memmap):
        raise KindError(
            f"an array of the class `{type(value).__name__}` can't be an argument",
            code="S062",
            hint="pass `np.asarray(x)`",
        )
    base: Base | None = None
    if value.dtype == np.float64 and value.dtype.isnative:
        base = "real"
    elif value.dtype == np.float32 and value.dtype.isnative:
        base = "single"
    elif value.dtype.kind in "iu":
        base = "int"
    elif value.dtype.kind == "b":
        base = "bool"
    if base is None:
        raise KindError(
            f"an array of `{value.dtype}` can't be an argument",
            code="S062",
            hint="pass `x.astype(np.float64)`",
        )
    return Kind(base, value.ndim)


def kind_of_text(text: str) -> Kind:
    """The kind that a type name stands for: `float64`, `int64[:]`, `float64[:, :]`, `(float64, int64)`.

    Errors: ArgumentError S095 where the text can't be read.
    """
    kinds = kinds_of_text(text)
    if len(kinds) != 1:
        raise ArgumentError(f"`{text}` is not one type", code="S095")
    return kinds[0]


def kinds_of_text(text: str) -> tuple[Kind, ...]:
    """The kinds in a list of type names separated by commas.

    >>> [str(k) for k in kinds_of_text("float64[:, :], (int64, float64)")]
    ['real[:, :]', '(int, real)']
    """
    try:
        tree = gast.parse(f"_[{text},]" if text.strip() else "_[()]").body[0].value.slice
    except SyntaxError:
        raise ArgumentError(f"types can't be read: `{text}`", code="S095") from None
    return tuple(_kind_of_node(node, text) for node in tree.elts)


def _kind_of_node(node: gast.AST, text: str) -> Kind:
    match node:
        case gast.Name(id=name) | gast.Attribute(attr=name) if name in _BASES:
            return Kind(_BASES[name])
        case gast.Constant(value=None):
            return NONE
        case gast.Constant(value=str() as inner):
            return kind_of_text(inner)
        case gast.Tuple(elts=elts):
            return Kind("tuple", 0, tuple(_kind_of_node(e, text) for e in elts))
        case gast.Subscript(value=value, slice=axes):
            axes = axes.elts if isinstance(axes, gast.Tuple) else [axes]
            base = _kind_of_node(value, text)
            whole = all(isinstance(a, gast.Slice) and (a.lower, a.upper) == (None, None) for a in axes)
            if whole and not base.ndim and base.base in ("real", "single", "int", "bool"):
                return Kind(base.base, len(axes))
    raise ArgumentError(f"types can't be read: `{text}`", code="S095")


# ----- guesses for the command line ------------------------------------------------------------------------


def guess_kinds(f: Any) -> tuple[Kind, ...]:
    """A kind per parameter of `f`: from its annotation, else its default, else from how the body uses it.

    `x[i, j]` tells of a two-dimensional array, `x.shape[1]` and `n, m = x.shape` too, `len(x)` and `np.mean(x)` of
    one dimension; what `range` or a subscript takes is an integer; all else is a real scalar. What is done with
    another name for a parameter (`y = y0`) tells of it, and so do functions of the user that it is passed to.
    """
    return _guesses(f, ())


def text_of_kinds(kinds: Sequence[Kind]) -> str:
    """Kinds as `kinds_of_text` reads them.

    >>> text_of_kinds([REAL, Kind("int", 2)])
    'float64, int64[:, :]'
    """
    return re.sub(
        r"\b(real|int)\b", lambda m: f"{m[0].replace('real', 'float')}64", ", ".join(map(str, kinds))
    )


@contextmanager
def guessing(f: Any, instead: str) -> Iterator[tuple[Kind, ...]]:
    """Guessed kinds, for what is done with them: a refusal that a wrong guess may have brought about says so."""
    kinds = guess_kinds(f)
    try:
        yield kinds
    except S2sadError as error:
        if error.code not in OF_KINDS:
            raise
        hint = f"{error.hint}; the types were guessed as `{text_of_kinds(kinds)}`: {instead}"
        raise type(error)(error.message, code=error.code, at=error.at, label=error.label, hint=hint) from None


#: Codes of errors that depend on the kinds of arguments.
OF_KINDS = frozenset(("S030", "S031", "S037", "S038", "S041", "S052", "S060", "S061", "S063", "S064"))


def _guesses(f: Any, seen: tuple[Any, ...]) -> tuple[Kind, ...]:
    _, function = source_of(f)
    args = function.args
    params = [*args.posonlyargs, *args.args, *args.kwonlyargs]
    plain = [*args.posonlyargs, *args.args]
    defaults = dict(zip([p.id for p in plain[len(plain) - len(args.defaults) :]], args.defaults, strict=True))
    defaults |= {p.id: d for p, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if d is not None}
    known = plain_function(f).__globals__
    used = _Uses(known, (*seen, plain_function(f)))
    for stmt in function.body:
        used.visit(stmt)
    used.settle()
    return tuple(_guess(p, defaults.get(p.id), used, known) for p in params)


def _kind_of_class(make: Any) -> Kind:
    """The kind of a NamedTuple, from the annotations of its class."""
    hints = getattr(make, "__annotations__", {})
    texts = [hints.get(name, "float64") for name in make._fields]
    kinds = (
        _kind_of_class(t) if is_named(t)
        else Kind("real", 1) if t is np.ndarray  # of so many axes as most have
        else kind_of_text(getattr(t, "__name__", str(t)))
        for t in texts
    )  # fmt: skip
    return Kind("tuple", 0, tuple(kinds), make)


def _guess(param: gast.Name, default: gast.AST | None, used: _Uses, known: Mapping[str, Any]) -> Kind:
    if isinstance(param.annotation, gast.Name) and is_named(known.get(param.annotation.id)):
        return _kind_of_class(known[param.annotation.id])
    if param.annotation is not None:
        try:
            return _kind_of_node(param.annotation, param.id)
        except ArgumentError:
            pass
    if isinstance(default, gast.Constant):
        return kind_of_value(default.value)
    if param.id in used.ndim:
        return Kind("int" if param.id in used.subscript_of_subscript else "real", used.ndim[param.id])
    return INT if param.id in used.counts else REAL


#: Functions whose first argument is an array, as a rule.
_OF_ARRAYS = frozenset(
    (
        "len", "zeros_like", "ones_like", "empty_like", "copy", "sum", "mean", "average", "prod", "var", "std",
        "median", "ptp", "argmax", "argmin", "amax", "amin", "norm", "dot", "vdot", "inner", "outer", "cumsum",
        "cumprod", "diff", "sort", "argsort", "trapezoid", "logsumexp",
    )
)  # fmt: skip


def _only(node: gast.AST) -> gast.AST:
    """The one name of an elementwise expression, as `x` in `np.sin(x) ** 2`; all of it where there are others."""
    if any(isinstance(part, gast.Subscript | gast.Lambda) for part in gast.walk(node)):
        return node
    called = {id(part.func) for part in gast.walk(node) if isinstance(part, gast.Call)}
    within = {
        id(part.value): part
        for part in gast.walk(node)
        if isinstance(part, gast.Attribute) and id(part) in called
    }
    names = [
        part for part in gast.walk(node)
        if isinstance(part, gast.Name) and id(part) not in called and id(part) not in within
    ]  # fmt: skip
    return names[0] if len({name.id for name in names}) == 1 else node


class _Uses(gast.NodeVisitor):  # type: ignore[misc]
    """How a body uses names: dimensions of subscripted ones, names that count, and names for one thing."""

    def __init__(self, known: Mapping[str, Any], seen: tuple[Any, ...]) -> None:
        self.known, self.seen = known, seen
        self.inner: dict[str, gast.FunctionDef] = {}
        self.same: set[tuple[str, str]] = set()
        self.ndim: dict[str, int] = {}
        self.counts: set[str] = set()
        self.subscript_of_subscript: set[str] = set()

    def array(self, node: gast.AST, ndim: int) -> None:
        if isinstance(node, gast.Name):
            self.ndim[node.id] = max(self.ndim.get(node.id, 1), ndim)

    def counted(self, node: gast.AST) -> None:
        for part in gast.walk(node):
            if isinstance(part, gast.Name):
                self.counts.add(part.id)
            if isinstance(part, gast.Subscript) and isinstance(part.value, gast.Name):
                self.subscript_of_subscript.add(part.value.id)

    def settle(self) -> None:
        """What is known of a name holds for what it stands for."""
        for _ in self.same:  # (as long as a chain can be)
            for name, source in self.same:
                if name in self.ndim:
                    self.ndim[source] = max(self.ndim.get(source, 1), self.ndim[name])
                if name in self.counts:
                    self.counts.add(source)

    def passed(self, node: gast.Call) -> None:
        """What a function of the user makes of its arguments."""
        name = node.func.id if isinstance(node.func, gast.Name) else ""
        if name in self.inner:
            for arg, param in zip(node.args, self.inner[name].args.args, strict=False):
                if isinstance(arg, gast.Name) and arg.id != param.id:
                    self.same.add((param.id, arg.id))
            return
        try:
            callee = plain_function(self.known.get(name))
            if callee in self.seen or (callee.__module__ or "").partition(".")[0] in ("s2sad", "numpy"):
                return
            kinds = _guesses(callee, self.seen)
        except S2sadError:
            return
        for arg, kind in zip(node.args, kinds, strict=False):
            if isinstance(arg, gast.Name) and kind.is_array:
                self.array(arg, kind.ndim)
                if kind.base == "int":
                    self.subscript_of_subscript.add(arg.id)
            elif isinstance(arg, gast.Name) and kind == INT:
                self.counts.add(arg.id)

    def visit_FunctionDef(self, node: gast.FunctionDef) -> None:
        self.inner[node.name] = node
        self.generic_visit(node)

    def visit_Subscript(self, node: gast.Subscript) -> None:
        if isinstance(node.value, gast.Attribute) and node.value.attr == "shape":
            axis = node.slice.value if isinstance(node.slice, gast.Constant) else 0
            self.array(node.value.value, axis + 1 if isinstance(axis, int) and axis >= 0 else 1)
        else:
            self.array(node.value, len(node.slice.elts) if isinstance(node.slice, gast.Tuple) else 1)
            self.counted(node.slice)
        self.generic_visit(node)

    def visit_Attribute(self, node: gast.Attribute) -> None:
        if node.attr in ("shape", "size", "ndim", "copy", "sum", "max", "min"):
            self.array(node.value, 1)
        self.generic_visit(node)

    def visit_Assign(self, node: gast.Assign) -> None:
        target, value = node.targets[0], node.value
        if isinstance(value, gast.Attribute) and value.attr == "shape" and isinstance(target, gast.Tuple):
            self.array(value.value, len(target.elts))
        if isinstance(target, gast.Name) and isinstance(value, gast.Name) and target.id != value.id:
            self.same.add((target.id, value.id))
        self.generic_visit(node)

    def visit_For(self, node: gast.For) -> None:
        self.array(node.iter, 1)
        self.generic_visit(node)

    def visit_Call(self, node: gast.Call) -> None:
        name = node.func.id if isinstance(node.func, gast.Name) else getattr(node.func, "attr", "")
        if name in ("range", "checkpoint_range"):
            for arg in node.args:
                self.counted(arg)
        if name in _OF_ARRAYS or (name in ("max", "min") and len(node.args) == 1):
            for arg in node.args[: 2 if name in ("dot", "vdot", "inner", "outer") else 1]:
                self.array(_only(arg), 1)
        if name in ("zeros", "ones", "empty", "full") and node.args:
            self.counted(node.args[0])
        self.passed(node)
        self.generic_visit(node)
