"""What is accepted: a table of refusals by construct, by which `check` refuses before anything is lowered.

Also questions about the text: which names statements bind, and how they may leave what they stand in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NoReturn

import gast

from s2sad.errors import UnsupportedSyntaxError
from s2sad.frontend.read import span_of
from s2sad.source import Source

#: Construct -> code, what is said of it, hint (the catalogue's where empty).
REFUSED: dict[str, tuple[str, str, str]] = {
    "AsyncFor": ("S024", "`async for` is not supported", ""),
    "AsyncWith": ("S024", "`async with` is not supported", ""),
    "AsyncFunctionDef": ("S024", "coroutines are not supported", "write a plain `def`"),
    "Yield": ("S024", "`yield` is not supported", ""),
    "YieldFrom": ("S024", "`yield from` is not supported", ""),
    "Await": ("S024", "`await` is not supported", ""),
    "Try": ("S016", "`try` is not supported", ""),
    "TryStar": ("S016", "`try` is not supported", ""),
    "Import": ("S019", "`import` inside a function is not supported", ""),
    "ImportFrom": ("S019", "`import` inside a function is not supported", ""),
    "Global": ("S020", "global names can't be written", ""),
    "ClassDef": (
        "S022",
        "classes can't be defined inside a function",
        "define the class at the top of the file",
    ),
    "Set": ("S031", "sets are not supported", ""),
    "SetComp": ("S032", "comprehensions are not supported", ""),
    "TemplateStr": ("S035", "formatted text is not supported", "use constant text"),
}

OPERATORS = {"MatMult": "@", "LShift": "<<", "RShift": ">>"}


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
    for node in _walk(function, top=True):
        try:
            _check(node, source)
        except UnsupportedSyntaxError as fault:
            faults.append(fault)
    if faults:
        raise min(faults, key=lambda fault: (fault.at.line, fault.at.column))


def _walk(node: gast.AST, top: bool = False) -> Iterator[gast.AST]:
    """Every node below `node`; annotations are left out."""
    yield node
    if isinstance(node, gast.FunctionDef | gast.Lambda):
        args = node.args
        parts = [*args.defaults, *(d for d in args.kw_defaults if d is not None)] if not top else []
        parts += node.body if isinstance(node, gast.FunctionDef) else [node.body]
    elif isinstance(node, gast.AnnAssign):
        parts = [node.target, *([node.value] if node.value is not None else [])]
    elif isinstance(node, gast.Name):
        parts = []
    else:
        parts = list(gast.iter_child_nodes(node))
    for part in parts:
        yield from _walk(part)


def _check(node: gast.AST, source: Source) -> None:
    name = type(node).__name__
    if name in REFUSED:
        code, message, hint = REFUSED[name]
        refuse(node, source, message, code, hint)
    match node:
        case gast.With() if marked(node) is None:
            refuse(node, source, "`with` is not supported", "S017")
        case gast.FunctionDef() | gast.Lambda():
            if node.args.kwarg is not None:
                refuse(node.args.kwarg, source, "`**` parameters are not supported", "S033")
        case gast.GeneratorExp() | gast.ListComp() | gast.DictComp():
            for inner in gast.walk(node):
                if isinstance(inner, gast.NamedExpr):
                    refuse(inner, source, "`:=` inside a comprehension is not supported", "S036")
        case gast.Delete(targets=targets):
            for target in targets:
                if not isinstance(target, gast.Name):
                    refuse(target, source, "`del` of an element is not supported", "S018")
        case gast.BinOp(op=gast.MatMult()):
            pass
        case gast.BinOp(op=op) | gast.AugAssign(op=op) | gast.UnaryOp(op=op):
            if type(op).__name__ in OPERATORS:
                refuse(node, source, f"`{OPERATORS[type(op).__name__]}` is not supported", "S039")
        case gast.Attribute(ctx=gast.Store()):
            refuse(node, source, "attributes can't be written", "S021")
        case gast.Constant(value=bytes()):
            refuse(node, source, "bytes are not supported", "S035")
        case gast.AnnAssign(value=None):
            refuse(node, source, "a declaration binds nothing", "S044")


def marked(node: gast.With) -> gast.Call | None:
    """The call in `with call():`, where a statement has this form."""
    match node.items:
        case [gast.withitem(context_expr=gast.Call(args=[], keywords=[]) as call, optional_vars=None)]:
            return call
    return None


def bound_names(function: gast.FunctionDef) -> frozenset[str]:
    """The local names of a function: parameters, and every name that it binds (not those of nested functions)."""
    args = function.args
    names = {p.id for p in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
    names |= {args.vararg.id} if args.vararg is not None else set()
    return frozenset((names | _bound(function.body)) - outer_names(function.body, deep=False))


def outer_names(body: list[gast.stmt], deep: bool = True) -> set[str]:
    """The names that statements declare `nonlocal`; with those of functions defined in them where `deep`."""
    found: set[str] = set()
    stack: list[gast.AST] = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, gast.Nonlocal):
            found.update(node.names)
        elif deep or not isinstance(node, gast.FunctionDef):
            stack.extend(gast.iter_child_nodes(node))
    return found


def assigned_names(body: list[gast.stmt]) -> set[str]:
    """The names that statements bind, or functions defined in them may."""
    return _bound(body) | outer_names(body)


def _bound(body: list[gast.stmt]) -> set[str]:
    found: set[str] = set()
    stack: list[gast.AST] = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, gast.FunctionDef | gast.ClassDef):
            found.add(node.name)
        elif isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store):
            found.add(node.id)
        elif not isinstance(node, gast.Lambda | gast.GeneratorExp | gast.ListComp | gast.DictComp):
            stack.extend(gast.iter_child_nodes(node))
    return found


def bindings(function: gast.FunctionDef) -> list[str]:
    """The names of a function's text that are bound, once for each place that binds them."""
    stores = (n for n in gast.walk(function) if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load))
    return [n.id for n in stores]


def stored_into(node: gast.AST) -> Iterator[str]:
    """The names whose items statements assign."""
    for part in gast.walk(node):
        match part:
            case gast.Subscript(value=gast.Name(id=name), ctx=gast.Store()):
                yield name


#: The methods of lists that change.
LIST_METHODS = (
    "append",
    "clear",
    "copy",
    "count",
    "extend",
    "index",
    "insert",
    "pop",
    "remove",
    "reverse",
    "sort",
)


def _is_constant(node: gast.AST | None) -> bool:
    return node is None or isinstance(node, gast.UnaryOp | gast.Constant)


def changed_lists(function: gast.FunctionDef) -> frozenset[str]:
    """Names that are used as lists are which change: by methods, stores, computed subscripts, `+=`; or are given such."""
    found: set[str] = set()
    given: list[tuple[str, str]] = []
    for node in gast.walk(function):
        match node:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=method)) if (
                method in LIST_METHODS
            ):
                found.add(name)
            case gast.Subscript(value=gast.Name(id=name), ctx=ctx, slice=index):
                parts = (index.lower, index.upper, index.step) if isinstance(index, gast.Slice) else (index,)
                if not isinstance(ctx, gast.Load) or not all(map(_is_constant, parts)):
                    found.add(name)
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.ListComp() | gast.BinOp() as value) if (
                any(isinstance(part, gast.List | gast.ListComp) for part in gast.walk(value))
            ):
                found.add(name)
            case gast.AugAssign(target=gast.Name(id=name)):
                found.add(name)
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Name(id=other)):
                given.append((name, other))
    for _ in given:
        found.update(name for name, other in given if other in found)
    return frozenset(found)


# ----- exits -----------------------------------------------------------------------------------------------


def exits(stmts: Iterable[gast.stmt]) -> frozenset[str]:
    """How statements may leave what they stand in: "return", "break", "continue"."""
    found: frozenset[str] = frozenset()
    for stmt in stmts:
        match stmt:
            case gast.Return() | gast.Break() | gast.Continue():
                found |= {type(stmt).__name__.lower()}
            case gast.With(body=body):
                found |= exits(body)
            case gast.If(body=body, orelse=orelse):
                found |= exits(body) | exits(orelse)
            case gast.For(body=body, orelse=orelse) | gast.While(body=body, orelse=orelse):
                found |= (exits(body) & {"return"}) | exits(orelse)
    return found
