"""From a function object to its text and gast tree.

The text is looked up through the *code object*, so that a wrapper made with `functools.wraps` shows its own text
and not that of the function it wraps. Spans count lines and columns as in the user's file.

>>> import textwrap
>>> source, tree = source_of(textwrap.dedent)
>>> tree.name, source.line(source.first_line)
('dedent', 'def dedent(text):')
"""

from __future__ import annotations

import functools
import inspect
import types
from typing import Any

import gast

from s2sad.errors import SourceUnavailableError
from s2sad.source import Source, Span
from s2sad.texts import compiled_from, has_changed, source_of_code


def plain_function(f: Any) -> types.FunctionType:
    """The Python function behind `f`: itself, what a Numba dispatcher compiles, what a partial binds.

    Errors: SourceUnavailableError S001 for functions written in C, S002 for what is no function.
    """
    while True:
        if isinstance(f, functools.partial):
            f = f.func
        elif isinstance(f, types.FunctionType):
            return f
        elif isinstance(getattr(f, "__dict__", {}).get("py_func"), types.FunctionType):
            f = f.py_func  # a Numba dispatcher
        elif type(f).__module__ == "s2sad.decorator":
            f = f.__wrapped__
        elif (
            isinstance(f, types.BuiltinFunctionType | types.MethodDescriptorType)
            or type(f).__name__ == "ufunc"
        ):
            raise SourceUnavailableError(f"`{_called(f)}` is not written in Python", code="S001")
        else:
            raise SourceUnavailableError(f"`{_called(f)}` is not a function", code="S002")


def source_of(f: Any) -> tuple[Source, gast.FunctionDef]:
    """The text of `f` and its tree; a lambda becomes a definition that returns its expression.

    Errors: SourceUnavailableError S001 where there is no text, S003 where it can't be parsed on its own,
    S004 where the file was changed after the function was made.
    """
    function = plain_function(f)
    code = function.__code__
    try:
        source = source_of_code(code)
    except OSError:
        raise SourceUnavailableError(
            f"the text of `{function.__name__}` can't be found",
            code="S001",
            hint="put the function into a file; to another process send the derivative: it takes the text along",
        ) from None
    tree = _parse(source, function.__name__)
    if function.__name__ == "<lambda>":
        node = _lambda(tree, code, function.__name__)
    else:
        node = next(
            (n for n in gast.walk(tree) if isinstance(n, gast.FunctionDef | gast.AsyncFunctionDef)), None
        )
    if (
        node is None
        or node.name not in (code.co_name, "f")
        or _parameters(node) != _declared(code)
        or has_changed(code)
    ):
        raise SourceUnavailableError(
            f"the text of `{function.__name__}` in {code.co_filename} is not what was loaded", code="S004"
        )
    return source, node


def span_of(node: gast.AST, source: Source) -> Span:
    """The place of a node in its source."""
    return Span(source, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)


def _parse(source: Source, name: str) -> gast.AST:
    """The tree of an excerpt that may be indented, with line numbers of its file."""
    indented = source.text[:1] in (" ", "\t")
    try:
        tree = gast.parse(("if 1:\n" if indented else "") + source.text)
    except SyntaxError:
        raise SourceUnavailableError(
            f"the text found for `{name}` can't be parsed on its own", code="S003"
        ) from None
    gast.increment_lineno(tree, source.first_line - 1 - indented)
    return tree


def _lambda(tree: gast.AST, code: types.CodeType, name: str) -> gast.FunctionDef:
    found = compiled_from((n for n in gast.walk(tree) if isinstance(n, gast.Lambda)), code)
    if found is None or _parameters(found) != _declared(code):
        raise SourceUnavailableError(
            f"the text found for `{name}` doesn't tell which lambda it is", code="S003"
        )
    names = [
        n.targets[0].id
        for n in gast.walk(tree)
        if isinstance(n, gast.Assign) and n.value is found and isinstance(n.targets[0], gast.Name)
    ]
    return define(found, names[0] if names else "f", code.co_name)


def define(node: gast.Lambda, name: str, code_name: str = "") -> gast.FunctionDef:
    """A lambda as a function definition."""
    back = gast.copy_location(gast.Return(value=node.body), node.body)
    made = gast.FunctionDef(
        name=code_name or name, args=node.args, body=[back], decorator_list=[], returns=None, type_comment=None,
        type_params=[],
    )  # fmt: skip
    made.shown = name
    return gast.copy_location(made, node)


def _parameters(node: gast.FunctionDef | gast.Lambda) -> list[str]:
    a = node.args
    extra = [v for v in (a.vararg, a.kwarg) if v is not None]
    return [p.id for p in (*a.posonlyargs, *a.args, *a.kwonlyargs, *extra)]


def _declared(code: types.CodeType) -> list[str]:
    stars = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + stars])


def _called(f: Any) -> str:
    return getattr(f, "__name__", None) or type(f).__name__
