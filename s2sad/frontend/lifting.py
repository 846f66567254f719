"""Functions defined inside, taken out: what they read from around them are parameters then.

Those that they call in turn come along, with what these read, each from where it was defined. So a name may stand for one
thing here and for another there; it has a number then::

    s = x * x                              def g(s, s_2):
    def h(y):                                  return s_2 * s * s
        return s * y * y           ->
    def g(s):                              g(2.0, s)
        return h(s)
    g(2.0)
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import gast

from s2sad.frontend import subset
from s2sad.frontend.values import Closure, Frame, Growing, Known, Lost, Value


class Lifted:
    """A function defined inside, with all that it calls.

    frame     where all of them are read
    captured  what they read from around: parameters
    """

    def __init__(self, closure: Closure, number: int) -> None:
        around = closure.frame
        self.frame = Frame(around.source, around.function, closure.node, frozenset(), number)
        self.captured: list[tuple[str, Value]] = []
        self.own = subset.bound_names(closure.node)
        self.held: dict[str, Value] = {}
        self.frame.node = self._taken(closure.node, around)
        self.frame.locals = frozenset((*self.own, *self.held))

    def _taken(self, tree: gast.FunctionDef, home: Frame) -> gast.FunctionDef:
        """The text of a function, for the frame; what it reads is entered there."""
        new: dict[str, str] = {}
        for name in free_names(tree):
            value = home.lookup(name)
            if value is None or isinstance(value, Lost | Growing):
                continue
            key = self._key(name, value)
            if key not in self.held:
                self.held[key] = value
                if isinstance(value, Closure):
                    node = self._taken(value.node, value.frame)
                    self.frame.env[key] = replace(value, node=node, frame=self._home(value.frame))
                elif isinstance(value, Known):
                    self.frame.env[key] = value
                else:
                    self.captured.append((key, value))
            if key != name:
                new[name] = key
        return renamed(tree, new) if new else tree

    def _home(self, home: Frame) -> Frame:
        """Where a function is read that was defined in another frame: names of its module are those of its own."""
        if home.function is self.frame.function:
            return self.frame
        return Frame(home.source, home.function, home.node, frozenset(), home.number, self.frame)

    def _key(self, name: str, value: Value) -> str:
        """The name of a value in the frame."""
        key, number = name, 2
        while key in self.own or (key in self.held and self.held[key] != value):
            key, number = f"{name}#{number}", number + 1
        return key


def free_names(tree: gast.FunctionDef) -> Iterator[str]:
    """The names that a function reads, and doesn't bind itself, each once."""
    bound = subset.bound_names(tree)
    found = (n.id for n in gast.walk(tree) if isinstance(n, gast.Name) and n.id not in bound)
    yield from dict.fromkeys(found)


def writes_around(tree: gast.FunctionDef) -> bool:
    """Whether a function writes names of the one around it."""
    return any(isinstance(n, gast.Nonlocal) for n in gast.walk(tree))


def renamed(tree: Any, new: Mapping[str, str]) -> Any:
    """A text with names exchanged that are not bound in it."""
    return _Renamed(new).visit(copy.deepcopy(tree)) if new else tree


class _Renamed(gast.NodeTransformer):  # type: ignore[misc]
    def __init__(self, new: Mapping[str, str]) -> None:
        self.new = new

    def visit_Name(self, node: gast.Name) -> gast.Name:
        node.id = self.new.get(node.id, node.id)
        return node

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.FunctionDef:
        return self._inside(node, subset.bound_names(node))

    def visit_Lambda(self, node: gast.Lambda) -> gast.Lambda:
        args = node.args
        every = [*args.posonlyargs, *args.args, *args.kwonlyargs, *([args.vararg] if args.vararg else [])]
        return self._inside(node, frozenset(p.id for p in every))

    def _inside(self, node: Any, bound: frozenset[str]) -> Any:
        args, outer = node.args, self.new
        args.defaults = [self.visit(d) for d in args.defaults]
        args.kw_defaults = [None if d is None else self.visit(d) for d in args.kw_defaults]
        self.new = {old: name for old, name in outer.items() if old not in bound}
        body = node.body
        node.body = [self.visit(s) for s in body] if isinstance(body, list) else self.visit(body)
        self.new = outer
        return node
