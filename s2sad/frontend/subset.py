"""What is accepted: a table of refusals by construct, and early exits turned into arms.

`check` refuses before anything is lowered. `settle` rewrites a body so that every `return` and `continue` stands
at the end of an arm: the statements behind an `if` that may leave move into its arms::

    if a: return x          if a: return x
    y = f(x)           ->   else: y = f(x)
    return y                      return y
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

import gast

from s2sad.errors import UnsupportedSyntaxError
from s2sad.frontend.read import span_of
from s2sad.source import Source

#: Construct -> code, what is said of it, hint (the catalogue's where empty).
REFUSED: dict[str, tuple[str, str, str]] = {
    "While": ("S011", "`while` loops are not supported", "write a `for` over `range` with a bound"),
    "Break": (
        "S012",
        "`break` is not supported",
        "run all trips, and put the rest of the body under an `if`",
    ),
    "AsyncFor": ("S024", "`async for` is not supported", ""),
    "AsyncWith": ("S024", "`async with` is not supported", ""),
    "AsyncFunctionDef": ("S024", "coroutines are not supported", "write a plain `def`"),
    "Yield": ("S024", "`yield` is not supported", ""),
    "YieldFrom": ("S024", "`yield from` is not supported", ""),
    "Await": ("S024", "`await` is not supported", ""),
    "Try": ("S016", "`try` is not supported", ""),
    "TryStar": ("S016", "`try` is not supported", ""),
    "With": ("S017", "`with` is not supported", ""),
    "Delete": ("S018", "`del` is not supported", ""),
    "Import": ("S019", "`import` inside a function is not supported", ""),
    "ImportFrom": ("S019", "`import` inside a function is not supported", ""),
    "Global": ("S020", "global names can't be written", ""),
    "Nonlocal": ("S023", "a nested function can't write outer names", ""),
    "ClassDef": (
        "S022",
        "classes can't be defined inside a function",
        "define the class at the top of the file",
    ),
    "Match": ("S025", "`match` is not supported", ""),
    "List": ("S031", "lists are not supported", ""),
    "Dict": ("S031", "dicts are not supported", ""),
    "Set": ("S031", "sets are not supported", ""),
    "ListComp": ("S032", "comprehensions are not supported", ""),
    "SetComp": ("S032", "comprehensions are not supported", ""),
    "DictComp": ("S032", "comprehensions are not supported", ""),
    "GeneratorExp": ("S032", "generator expressions are not supported", ""),
    "NamedExpr": ("S036", "`:=` is not supported", ""),
    "JoinedStr": ("S035", "formatted text is not supported", "use constant text"),
    "TemplateStr": ("S035", "formatted text is not supported", "use constant text"),
    "Starred": ("S033", "`*` is not supported here", ""),
}

OPERATORS = {"MatMult": "@", "BitAnd": "&", "BitOr": "|", "BitXor": "^", "LShift": "<<", "RShift": ">>",
             "Invert": "~", "In": "in", "NotIn": "not in"}  # fmt: skip

#: More statements than this, after exits have been turned into arms, are refused: each may double what follows.
LIMIT = 5000


def refuse(
    node: gast.AST, source: Source, message: str, code: str, hint: str = "", label: str = ""
) -> NoReturn:
    """Raise the error of a construct, at its place."""
    raise UnsupportedSyntaxError(message, code=code, at=span_of(node, source), hint=hint, label=label)


def check(function: gast.FunctionDef, source: Source) -> None:
    """Refuse every construct outside the language that can be told by its form.

    Errors: UnsupportedSyntaxError, at the first such construct in reading order.
    """
    name = type(function).__name__
    if name in REFUSED:
        refuse(function, source, REFUSED[name][1], REFUSED[name][0], REFUSED[name][2])
    faults: list[UnsupportedSyntaxError] = []
    for node, in_loop in _walk(function, False, top=True):
        try:
            _check(node, source, in_loop)
        except UnsupportedSyntaxError as fault:
            faults.append(fault)
    if faults:
        raise min(faults, key=lambda fault: (fault.at.line, fault.at.column))


def _walk(node: gast.AST, in_loop: bool, top: bool = False) -> Iterator[tuple[gast.AST, bool]]:
    """Every node below `node` with whether it stands in a loop of its own function; annotations are left out."""
    yield node, in_loop
    if isinstance(node, gast.FunctionDef | gast.Lambda):
        in_loop = False
        args = node.args
        parts = [*args.defaults, *(d for d in args.kw_defaults if d is not None)] if not top else []
        parts += node.body if isinstance(node, gast.FunctionDef) else [node.body]
    elif isinstance(node, gast.AnnAssign):
        parts = [node.target, *([node.value] if node.value is not None else [])]
    elif isinstance(node, gast.Name | gast.Raise):
        parts = []
    else:
        parts = list(gast.iter_child_nodes(node))
    for part in parts:
        yield from _walk(part, in_loop or isinstance(node, gast.For))


def _check(node: gast.AST, source: Source, in_loop: bool) -> None:
    name = type(node).__name__
    if name in REFUSED:
        code, message, hint = REFUSED[name]
        refuse(node, source, message, code, hint)
    match node:
        case gast.Return() if in_loop:
            refuse(node, source, "`return` inside a loop is not supported", "S013",
                   "keep the result in a name, and return it after the loop")  # fmt: skip
        case gast.For(orelse=[_, *_]):
            refuse(node.orelse[0], source, "`else` of a loop is not supported", "S015")
        case gast.FunctionDef() | gast.Lambda():
            for star in (node.args.vararg, node.args.kwarg):
                if star is not None:
                    refuse(star, source, "`*` and `**` parameters are not supported", "S033")
        case gast.Call():
            for keyword in node.keywords:
                if keyword.arg is None:
                    refuse(keyword.value, source, "`**` arguments are not supported", "S033")
        case gast.BinOp(op=op) | gast.AugAssign(op=op) | gast.UnaryOp(op=op):
            if type(op).__name__ in OPERATORS:
                refuse(node, source, f"`{OPERATORS[type(op).__name__]}` is not supported", "S039")
        case gast.Compare(ops=ops):
            for op in ops:
                if type(op).__name__ in OPERATORS:
                    refuse(node, source, f"`{OPERATORS[type(op).__name__]}` is not supported", "S039")
        case gast.Attribute(ctx=gast.Store()):
            refuse(node, source, "attributes can't be written", "S021")
        case gast.Constant(value=complex()):
            refuse(node, source, "complex numbers are not supported", "S042")
        case gast.Constant(value=bytes()):
            refuse(node, source, "bytes are not supported", "S035")
        case gast.AnnAssign(value=None):
            refuse(node, source, "a declaration binds nothing", "S044")


def bound_names(function: gast.FunctionDef) -> frozenset[str]:
    """The local names of a function: parameters, and every name that it binds (not those of nested functions)."""
    names = {p.id for p in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)}
    return frozenset(names | assigned_names(function.body))


def assigned_names(body: list[gast.stmt]) -> set[str]:
    """The names that statements bind."""
    found: set[str] = set()
    stack: list[gast.AST] = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, gast.FunctionDef | gast.ClassDef):
            found.add(node.name)
        elif isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store):
            found.add(node.id)
        elif not isinstance(node, gast.Lambda):
            stack.extend(gast.iter_child_nodes(node))
    return found


# ----- early exits -----------------------------------------------------------------------------------------


def settle(body: list[gast.stmt], source: Source) -> list[gast.stmt]:
    """`body` with each of its own `return` and `continue` at the end of an arm.

    Errors: UnsupportedSyntaxError S013 where this would multiply the program beyond `LIMIT` statements.
    """
    count = 0

    def settled(stmts: list[gast.stmt]) -> list[gast.stmt]:
        nonlocal count
        out: list[gast.stmt] = []
        for k, stmt in enumerate(stmts):
            count += 1
            if count > LIMIT:
                refuse(stmt, source, "too many early exits", "S013", "return once, at the end")
            if isinstance(stmt, gast.Return | gast.Continue | gast.Raise):
                return [*out, stmt]
            if isinstance(stmt, gast.If) and leaves(stmt):
                rest = stmts[k + 1 :]
                arms = (settled([*stmt.body, *rest]), settled([*stmt.orelse, *rest]))
                new = gast.If(test=stmt.test, body=arms[0], orelse=arms[1])
                return [*out, gast.copy_location(new, stmt)]
            out.append(stmt)
        return out

    return settled(body)


def leaves(stmt: gast.stmt) -> bool:
    """Whether a statement holds a `return`, or a `continue` of the loop it stands in."""
    if isinstance(stmt, gast.Return | gast.Continue):
        return True
    return isinstance(stmt, gast.If) and any(map(leaves, (*stmt.body, *stmt.orelse)))
