"""Comprehensions, `any` and `all`: as functions defined where they stand, called at once.

::

    any(v > 1 for v in x)     ->     def any():
                                         for v in x:
                                             if v > 1:
                                                 return True
                                         return False
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

#: Names such that none of the user's is the same.
RESULT, ITEM = "items#g", "item#g"


def gathers(target: Any) -> str:
    """The name of the built-in function that `target` is, of those that look at items one by one."""
    return next((f.__name__ for f in (any, all) if f is target), "")


def definition(node: gast.AST, name: str) -> gast.FunctionDef:
    """The function that a comprehension ("list"), or a call of `any` or `all` with one argument, stands for."""
    first: list[gast.stmt] = []
    if name == "list":
        first = [gast.Assign([_name(RESULT, gast.Store())], gast.List([], gast.Load()), None)]
        append = gast.Attribute(_name(RESULT), "append", gast.Load())
        source, leaf, result = node, gast.Expr(gast.Call(append, [node.elt], [])), _name(RESULT)
    else:
        source = _comprehension(node.args[0])
        test = source.elt if name == "any" else gast.UnaryOp(gast.Not(), source.elt)
        leaf = gast.If(test, [gast.Return(gast.Constant(name == "any", None))], [])
        result = gast.Constant(name == "all", None)
    body: list[gast.stmt] = [leaf]
    for part in reversed(source.generators):
        for test in reversed(part.ifs):
            body = [gast.If(test, body, [])]
        body = [gast.For(part.target, part.iter, body, [], None)]
    return _function(node, name, [], [*first, *body, gast.Return(result)])


def entries(node: gast.DictComp) -> tuple[gast.FunctionDef, gast.FunctionDef]:
    """Two functions of what one `for` runs over: whether the dict has an entry for it; its key and value."""
    part = node.generators[0]
    bound = gast.Assign([part.target], _name(ITEM), None)
    test = gast.BoolOp(gast.And(), [gast.Constant(True, None), *part.ifs])
    entry = gast.Tuple([node.key, node.value], gast.Load())
    asked, made = (_function(node, "dict", [ITEM], [bound, gast.Return(value)]) for value in (test, entry))
    return asked, made


def _function(
    node: gast.AST, name: str, params: Sequence[str], body: Sequence[gast.stmt]
) -> gast.FunctionDef:
    """A function that stands where `node` does."""
    names = [gast.Name(param, gast.Param(), None, None) for param in params]
    args = gast.arguments(names, [], None, [], [], None, [])
    made = gast.FunctionDef(name, args, list(body), [], None, None, [])
    for made_node in gast.walk(made):
        if not hasattr(made_node, "lineno"):
            gast.copy_location(made_node, node)
    return made


def as_list(node: gast.AST) -> gast.ListComp:
    """`list(x)` as a comprehension."""
    made = _comprehension(node)
    return gast.copy_location(gast.ListComp(made.elt, made.generators), node)


def _comprehension(node: gast.AST) -> gast.AST:
    """A comprehension of the items of what is none."""
    if isinstance(node, gast.GeneratorExp | gast.ListComp):
        return node
    part = gast.comprehension(_name(ITEM, gast.Store()), node, [], 0)
    return gast.GeneratorExp(_name(ITEM), [part])


def _name(name: str, ctx: gast.AST | None = None) -> gast.Name:
    return gast.Name(name, ctx or gast.Load(), None, None)
