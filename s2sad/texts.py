"""The texts of functions: as their files have them, or as they came along with a pickle from another process."""

from __future__ import annotations
import __future__

import ast
import inspect
import os
import time
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from types import CodeType, FunctionType
from typing import Any, TypeAlias

from s2sad.source import Source

Mark: TypeAlias = tuple[object, ...]
_came: dict[Mark, Source] = {}
_BEGAN = time.time()


def source_of_code(code: CodeType) -> Source:
    """The text that code was compiled from.

    Errors: OSError where there is none
    """
    came = _came.get(_mark(code))
    if came is not None:
        return came
    try:
        lines, first = inspect.getsourcelines(code)
    except (TypeError, SyntaxError, tokenize.TokenError):
        raise OSError(f"no text of {code.co_name}") from None
    source = Source(code.co_filename, "".join(lines), max(first, 1))
    if code.co_name == "<lambda>" and not _holds(source, code):
        return _cut_out(code) or source
    return source


def extent_of(code: CodeType) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Line and column at which the instructions of code begin and end; None where it doesn't tell."""
    begins, ends = [], []
    for line, end_line, column, end_column in code.co_positions():
        if line is None or end_line is None or column is None or end_column is None:
            continue
        if (line, column) != (end_line, end_column):  # (what opens a function has no extent)
            begins.append((line, column))
            ends.append((end_line, end_column))
    return (min(begins), max(ends)) if begins else None


def compiled_from(nodes: Iterable[Any], code: CodeType) -> Any:
    """The lambda that code was compiled from: of those around all of its instructions the innermost; None without one."""
    extent = extent_of(code)
    if extent is None:
        return None
    start, end = extent
    found = None
    for node in nodes:
        body = node.body
        if (body.lineno, body.col_offset) <= start and end <= (body.end_lineno, body.end_col_offset):
            if found is None or (body.lineno, body.col_offset) >= (found.body.lineno, found.body.col_offset):
                found = node
    return found


def _holds(source: Source, code: CodeType) -> bool:
    """Whether lines hold a lambda whole: they may end before it does."""
    indented = source.text[:1] in (" ", "\t")
    try:
        tree = ast.parse(("if 1:\n" if indented else "") + source.text)
    except SyntaxError:
        return False
    ast.increment_lineno(tree, source.first_line - 1 - indented)
    return compiled_from(_lambdas(tree), code) is not None


def _lambdas(tree: ast.AST) -> list[ast.Lambda]:
    """The lambdas in a tree."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.Lambda)]


def _cut_out(code: CodeType) -> Source | None:
    """A lambda from within a statement of several lines, in parentheses, at its place in its line."""
    text = "".join(inspect.findsource(code)[0])
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    found = compiled_from(_lambdas(tree), code)
    if found is None or not found.col_offset:
        return None
    shown = f"{' ' * (found.col_offset - 1)}({ast.get_source_segment(text, found)})\n"
    return Source(code.co_filename, shown, found.lineno)


def has_changed(code: CodeType) -> bool:
    """Whether the file, written since s2sad was imported, doesn't say any more what code was compiled from."""
    try:
        if _mark(code) in _came or os.stat(code.co_filename).st_mtime < _BEGAN:
            return False
        text = "".join(inspect.findsource(code)[0])
        flags = code.co_flags & __future__.annotations.compiler_flag
        now = compile(text, code.co_filename, "exec", flags, dont_inherit=True)
    except (OSError, TypeError):
        return False
    except SyntaxError:
        return True
    return code not in _inside(now)


def _inside(code: CodeType) -> Iterator[CodeType]:
    """Code and the functions defined in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _inside(constant)


def texts_of(functions: Iterable[FunctionType]) -> dict[Mark, Source]:
    """The texts of functions, to be sent; those without one are left out."""
    found: dict[Mark, Source] = {}
    for function in functions:
        try:
            found[_mark(function.__code__)] = source_of_code(function.__code__)
        except OSError:
            continue
    return found


def arrived(texts: Mapping[Mark, Source]) -> None:
    """Know the texts that another process sent."""
    _came.update(texts)


def _mark(code: CodeType) -> Mark:
    """What code has in common with its copy in another process; the name of its file may get lost on the way."""
    return code.co_name, code.co_firstlineno, code.co_code, code.co_names, code.co_varnames, code.co_linetable
