"""Small trees of Python, as the printer wants them: names, calls, numbers, templates of the table filled in.

>>> from s2sad.emit.printer import to_source
>>> tree = call("np.sqrt", filled("{a} + {b}", {"a": name("x"), "b": literal(-2.0)}))
>>> print(to_source(ast.Module([ast.Expr(tree)], [])), end="")
np.sqrt(x + -2.0)
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

LONG = 28  # arguments behind the first two: Python makes a tuple of more than thirty
T = TypeVar("T")

DTYPES: Mapping[str, str] = {
    "real": "np.float64",
    "single": "np.float32",
    "int": "np.int64",
    "bool": "np.bool_",
    "complex": "np.complex128",
}


def name(name: str, ctx: ast.expr_context | None = None) -> ast.Name:
    """A name, to be read if nothing else is said."""
    return ast.Name(name, ctx or ast.Load())


def call(function: str, *args: ast.expr) -> ast.Call:
    """A call of a function that is text: `np.sqrt`."""
    return ast.Call(code(function), list(args), [])


def do(function: str, *args: ast.expr) -> ast.stmt:
    """A call as a statement."""
    return ast.Expr(call(function, *args))


def with_dtype(made: ast.expr, base: str) -> ast.expr:
    """A call that makes an array, with the `dtype=` of a kind's base."""
    assert isinstance(made, ast.Call)
    made.keywords.append(ast.keyword("dtype", code(DTYPES[base])))
    return made


def pack(items: list[ast.expr], ctx: ast.expr_context | None = None) -> ast.expr:
    """The one item, or a tuple of them."""
    return items[0] if len(items) == 1 else ast.Tuple(list(items), ctx or ast.Load())


@cache
def parsed(template: str) -> ast.expr:
    """The tree of a text; operands, in braces there, are names that end in two underscores."""
    return ast.parse(re.sub(r"\{(\w+)\}", r"\1__", template), mode="eval").body


def code(text: str) -> ast.expr:
    """The tree of a text, which may be changed."""
    made: ast.expr = copied(parsed(text), {})
    return made


def filled(template: str, operands: Mapping[str, ast.expr]) -> ast.expr:
    """A row's template with its operands put in."""
    made: ast.expr = copied(parsed(template), {f"{name}__": tree for name, tree in operands.items()})
    return made


def copied(part: Any, operands: Mapping[str, ast.expr]) -> Any:
    """A tree of our own that may be changed, without places, with names exchanged for operands."""
    if isinstance(part, list):
        return [copied(item, operands) for item in part]
    if isinstance(part, ast.Name):
        return operands.get(part.id) or ast.Name(part.id, part.ctx)
    if isinstance(part, ast.expr | ast.keyword | ast.comprehension | ast.arguments | ast.arg):
        return type(part)(*[copied(getattr(part, field), operands) for field in part._fields])
    return part


def literal(value: Any) -> ast.expr:
    """The expression for a number, bool, text, None or tuple of these; it evaluates to the same bits."""
    if isinstance(value, tuple):
        return ast.Tuple([literal(item) for item in value], ast.Load())
    if isinstance(value, float):
        value = float(value)
        if math.isnan(value):
            return code("np.nan")
        size = code("np.inf") if math.isinf(value) else ast.Constant(abs(value))
        return ast.UnaryOp(ast.USub(), size) if math.copysign(1.0, value) < 0 else size
    if isinstance(value, int) and not isinstance(value, bool) and value < 0:
        return ast.UnaryOp(ast.USub(), ast.Constant(-int(value)))
    return ast.Constant(value)


def guarded(function: T, keep: T, args: Sequence[T]) -> tuple[T, ...]:
    """The arguments of `guarded`; in a long call, of which a tuple is made, none that begins with a function."""
    first = (keep, function) if len(args) > LONG else (function, keep)
    return (*first, *args)
