"""Dicts whose keys are known while a function is read: each item has a name of its own, and nothing is looked up.

::

    d = {"a": x, "b": 2.0}            d_a = x
    d["b"] *= d["a"]           ->     d_b = 2.0
    return d["b"]                     d_b = d_b * d_a
                                      return d_b

A dict that is written to must have one name, so that nothing else can see it change: `only_uses` reads that off
the text of the function.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NoReturn

import gast

from s2sad.errors import AliasingError
from s2sad.forms import Given, labels, names_of
from s2sad.frontend.expressions import Expressions, Held
from s2sad.frontend.reader import described
from s2sad.frontend.subset import stored_into
from s2sad.frontend.values import Closure, Known, Scalar, Struct, Tuple, Value
from s2sad.ir.nodes import Const

VIEWS = ("keys", "values", "items")
#: Built-in functions that keep nothing of what they are given.
READERS = ("dict", "enumerate", "len", "list", "max", "min", "sorted", "sum", "tuple", "zip")


def dict_of(entries: dict[Hashable, Value]) -> Struct:
    """A dict with these entries, in this order."""
    return Struct(Tuple(tuple(entries.values()), Given(dict, tuple(entries))))


def is_dict(value: Value | None) -> bool:
    """Whether a value is a dict."""
    return isinstance(value, Struct) and isinstance(value.fields.make, Given)


def item_names(raw: str, value: Tuple) -> list[str]:
    """The raw names of the items of a structure that has one."""
    base, _, tag = raw.partition("#")
    return [f"{base}.{label}#{tag}" for label in labels(value.make, len(value.items))]


class Dicts(Expressions):
    """What makes, reads and changes dicts."""

    # ----- making --------------------------------------------------------------------------------------------

    def expr_Dict(self, node: gast.Dict) -> Value:
        values = self.operands(node.values)
        entries: dict[Hashable, Value] = {}
        for key, written, value in zip(node.keys, node.values, values, strict=True):
            entries |= self._entries(written, value) if key is None else {self._key(key): value}
        return dict_of(entries)

    def made_dict(self, node: gast.Call) -> Value:
        """`dict(d, a=x)`, `dict(a=x, **d)`, `dict((("a", x), ("b", y)))`."""
        if len(node.args) > 1:
            self.refuse(node, "`dict` takes one dict, and items by name", "S073")
        values = self.operands([*node.args, *(k.value for k in node.keywords)])
        entries: dict[Hashable, Value] = {}
        for written, value in zip(node.args, values, strict=False):
            entries |= self._entries(written, value)
        given = zip(node.keywords, values[len(node.args) :], strict=True)
        return dict_of(entries | {k.arg: value for k, value in given})

    def _entries(self, node: gast.AST, value: Value) -> dict[Hashable, Value]:
        """The entries of a dict, or of pairs."""
        if isinstance(value, Struct) and is_dict(value):
            return dict(zip(names_of(value.fields.make), value.fields.items, strict=True))
        found: dict[Hashable, Value] = {}
        for pair in value.items if isinstance(value, Tuple) else (None,):
            if not isinstance(pair, Tuple) or len(pair.items) != 2:
                self.refuse(node, f"a dict can't be made of {described(value)} here", "S031")
            found[self.constant_key(node, pair.items[0])] = pair.items[1]
        return found

    def _key(self, node: gast.AST) -> Hashable:
        return self.constant_key(node, self.expr(node))

    def constant_key(self, node: gast.AST, value: Value) -> Hashable:
        match value:
            case Known(str() as key) | Scalar(Const(key)):
                return key
        self.refuse(node, f"the keys of a dict are constants here, not {described(value)}", "S031",
                    "use an array, and a number as subscript")  # fmt: skip

    def spread(self, node: gast.Call) -> gast.Call:
        """A call with `**d` written out, item by item."""
        if all(keyword.arg is not None for keyword in node.keywords):
            return node
        found: list[gast.keyword] = []
        for keyword in node.keywords:
            if keyword.arg is not None:
                found.append(keyword)
                continue
            value = self.expr(keyword.value)
            if not is_dict(value):
                self.refuse(
                    keyword.value, f"`**` is supported with a dict, not with {described(value)}", "S033"
                )
            for name, item in self._entries(keyword.value, value).items():
                held = gast.copy_location(Held(), keyword.value)
                held.item = item
                found.append(gast.copy_location(gast.keyword(name, held), keyword.value))
        return gast.copy_location(gast.Call(node.func, node.args, found), node)

    # ----- reading -------------------------------------------------------------------------------------------

    def entry(self, base: Struct, node: gast.Subscript) -> Value:
        """`d["a"]`."""
        found = self._entries(node, base) if is_dict(base) else {}
        key = self._key(node.slice) if found else None
        if key in found:
            return found[key]
        keys = ", ".join(map(repr, found or names_of(base.fields.make))) or "there are none"
        self.refuse(node, f"{described(base)} takes its constant names here: {keys}", "S037")

    def keys(self, node: gast.AST, base: Struct) -> Tuple:
        """`d.keys()`."""
        return Tuple(tuple(self.baked(key, "", node, plain=True) for key in self._entries(node, base)))

    def dict_method(self, node: gast.Call, base: Struct) -> Value:
        """What the methods of a dict give that don't change it."""
        name, entries = node.func.attr, self._entries(node, base)
        if name == "get" and 1 <= len(node.args) <= 2 and not node.keywords:
            key, *other = self.operands(node.args)
            return entries.get(self.constant_key(node.args[0], key), other[0] if other else Known(None))
        if name == "copy" and not node.args and not node.keywords:
            return base
        if name not in VIEWS or node.args or node.keywords:
            self.refuse(node, f"the method `{name}` of a dict is not supported", "S031")
        keys = self.keys(node, base).items
        pairs = tuple(Tuple(pair) for pair in zip(keys, base.fields.items, strict=True))
        return Tuple({"keys": keys, "values": base.fields.items, "items": pairs}[name])

    def has_key(self, node: gast.AST, key: Value, base: Struct) -> bool:
        """`key in d`."""
        return self.constant_key(node, key) in names_of(base.fields.make)

    # ----- writing -------------------------------------------------------------------------------------------

    def written_dict(self, node: gast.AST) -> Struct | None:
        """The dict that `d["a"]` stands in; None where it stands in something else."""
        if not isinstance(node, gast.Subscript) or not isinstance(node.value, gast.Name):
            return None
        held = self.frame.lookup(node.value.id)
        return held if isinstance(held, Struct) and is_dict(held) else None

    def put_entry(self, node: gast.Subscript, base: Struct, value: Value) -> None:
        """`d["a"] = value`."""
        name, key = node.value.id, self._key(node.slice)
        self._check_alone(node, name)
        entries = self._entries(node, base)
        if key not in entries and any(
            isinstance(loop, gast.For) and _reads(loop.iter, name) and _within(node, loop.body)
            for loop in gast.walk(self.frame.node)
        ):
            self._shared(node, "a dict gets a new item while a loop runs over it")
        made = dict_of(entries | {key: value})
        place = names_of(made.fields.make).index(key)
        leaf = item_names(self.raw(name), made.fields)[place]
        bound = self.bind(leaf, value, node)
        self.frame.env[name] = dict_of(entries | {key: bound})

    def _check_alone(self, node: gast.Subscript, name: str) -> None:
        if self.frame.home(name) is not self.frame or name not in self.frame.locals:
            self._shared(node, "a dict of another function is written")
        args = self.frame.node.args
        if name in {p.id for p in (*args.posonlyargs, *args.args, *args.kwonlyargs)}:
            self._shared(node, "a dict that is given is written")
        readers = {n for n in READERS if n not in self.frame.locals | set(self.frame.function.__globals__)}
        fine = only_uses(self.frame.node, name, readers)
        if any(id(use) not in fine for use in _uses(self.frame.node, name)):
            self._shared(node, f"the dict `{name}` is written, and may have another name")

    def _shared(self, node: gast.AST, message: str) -> NoReturn:
        raise AliasingError(
            message, code="S080", at=self.span(node), hint='make a new one: `{**d, "name": value}`'
        )

    def unshared(self, node: gast.Call, value: Value) -> None:
        """Refuse that a function hands back a dict that it is given, where that dict is written elsewhere."""
        if not holds_dict(value):
            return
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        names = {n.id for n in given if isinstance(n, gast.Name) and is_dict(self.frame.lookup(n.id))}
        if names & set(stored_into(self.frame.node)):
            self._shared(node, "a dict that is written is given to what may hand it back")


def holds_dict(value: Value) -> bool:
    """Whether a value may hold a dict."""
    match value:
        case Tuple(items):
            return any(map(holds_dict, items))
    return isinstance(value, Struct | Closure)


def only_uses(function: gast.FunctionDef, name: str, readers: set[str]) -> set[int]:
    """The places, by identity, where `name` stands such that a dict gets no second name by it.

    Items that are read and written; displays that it is bound to; `return d`, `**d`, `"a" in d`, arguments of calls;
    loops over its items that write no other item than the one whose turn it is.
    """
    found: set[int] = set()

    def plain(node: gast.AST | None) -> None:
        if isinstance(node, gast.Name) and node.id == name:
            found.add(id(node))

    def looked_over(node: gast.AST) -> None:
        """`d`, `d.items()`, `zip(d.values(), x)`: what is used up at once."""
        match node:
            case gast.Call(func=gast.Attribute(value=value, attr=attr), args=[]) if attr in VIEWS:
                plain(value)
            case gast.Call(func=gast.Name(id=called), args=args) if called in readers:
                for arg in args:
                    looked_over(arg)
            case _:
                plain(node)

    for node in gast.walk(function):
        match node:
            case gast.Subscript(value=value):
                plain(value)
            case gast.Call(func=gast.Attribute(value=value, attr="get" | "copy")):
                plain(value)
            case gast.Call(func=gast.Name(id=called)) if called in readers:
                looked_over(node)
        match node:
            case gast.Assign(targets=[gast.Name() as target], value=value) if is_display(value):
                plain(target)
            case gast.Return(value=value):
                plain(value)
            case gast.Dict(keys=keys, values=values):
                for key, value in zip(keys, values, strict=True):
                    plain(value if key is None else None)
            case gast.Call(args=args, keywords=keywords):
                for value in (*args, *(keyword.value for keyword in keywords)):
                    plain(value)
            case gast.Compare(ops=[gast.In() | gast.NotIn()], comparators=[value]):
                plain(value)
            case gast.comprehension(iter=source):
                looked_over(source)
            case gast.For(target=target, iter=source, body=body) if _own_turn(name, target, body):
                looked_over(source)
    return found


def is_display(node: gast.AST) -> bool:
    """Whether an expression makes a dict of its own."""
    match node:
        case gast.Dict() | gast.DictComp() | gast.Call(func=gast.Name(id="dict")):
            return True
        case gast.Call(func=gast.Attribute(attr="copy")):
            return True
    return False


def _own_turn(name: str, target: gast.AST, body: list[gast.AST]) -> bool:
    """Whether a loop assigns no item of the dict but at the key that is its target, or the first one of it."""
    key = target.elts[0] if isinstance(target, gast.Tuple) else target
    names = [key.id] if isinstance(key, gast.Name) else []
    for node in (node for stmt in body for node in gast.walk(stmt)):
        match node:
            case gast.Subscript(value=gast.Name(id=written), slice=where, ctx=gast.Store()) if (
                written == name
            ):
                if not isinstance(where, gast.Name) or where.id not in names:
                    return False
            case gast.Name(id=bound, ctx=gast.Store()) if bound in names:
                return False
    return True


def _uses(function: gast.FunctionDef, name: str) -> list[gast.AST]:
    return [n for n in gast.walk(function) if isinstance(n, gast.Name) and n.id == name]


def _reads(node: gast.AST, name: str) -> bool:
    return any(isinstance(n, gast.Name) and n.id == name for n in gast.walk(node))


def _within(node: gast.AST, body: list[gast.AST]) -> bool:
    return any(n is node for stmt in body for n in gast.walk(stmt))
