"""Assignments: names, elements, whole arrays, tuples of these; all values are taken before anything is bound."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import gast

from s2sad import library
from s2sad.errors import AliasingError, KindError
from s2sad.frontend.calls import Calls
from s2sad.frontend.dicts import item_names
from s2sad.frontend.expressions import BINARY
from s2sad.frontend.lists import counter_of
from s2sad.frontend.reader import born, described, disturbs, is_constant, reads
from s2sad.frontend.subscripts import WHOLE, Index, is_pick, is_whole
from s2sad.frontend.subset import bindings, changed_lists
from s2sad.frontend.values import Array, Fresh, Growing, Scalar, Struct, Tuple, Value, is_list, same
from s2sad.ir.nodes import Apply, Assign, Const, Expr, If, Load, Raise, Rebind, Store, Update, Var
from s2sad.ir.walk import is_axis, is_section


@dataclass(frozen=True, slots=True)
class Target:
    """One place that an assignment binds, and its value."""

    node: gast.AST
    value: Value


class Assignments(Calls):
    """What assigns."""

    # ----- assignment --------------------------------------------------------------------------------------

    def stmt_Assign(self, node: gast.Assign) -> None:
        first = node.targets[0]
        if isinstance(node.value, gast.IfExp) and isinstance(first, gast.Name):
            value = self.choice(node.value, self.raw(first.id))
        else:
            value = self.expr(node.value)
        if len(node.targets) > 1 and not isinstance(first, gast.Name):
            value = self.spill(value)
        for target in node.targets:
            self.assign(target, value)
            if isinstance(target, gast.Name):
                value = self.frame.home(target.id).env[target.id]

    def stmt_AnnAssign(self, node: gast.AnnAssign) -> None:
        self.assign(node.target, self.expr(node.value))

    def assign(self, target: gast.AST, value: Value) -> None:
        """Assign to a target of any form; all values are taken before anything is bound."""
        pairs = self._pairs(target, value)
        if self._mixed(pairs):
            for pair in [Target(p.node, self.taken(p.value, p.node)) for p in pairs]:
                self._assign([pair])
        else:
            self._assign(self._settled(pairs))

    def _assign(self, pairs: list[Target]) -> None:
        sources: dict[str, str] = {}
        for pair in pairs:
            if isinstance(pair.node, gast.Name) and self._stays(pair.node, pair.value):
                self.frame.env[pair.node.id] = pair.value
            elif isinstance(pair.node, gast.Name):
                self._name(pair.node, self._bind(self.raw(pair.node.id), pair.value, sources))
            else:
                self.store(pair.node, pair.value)
        self._hand_over(sources)

    def _stays(self, node: gast.Name, value: Value) -> bool:
        """Whether a name of the library's is one for what is known now, and is bound at this place alone."""
        return (
            library.belongs(self.frame.function)
            and is_constant(value)
            and bindings(self.frame.node).count(node.id) == 1
        )

    def _name(self, node: gast.Name, value: Value) -> None:
        """From here on a name stands for `value`; one of a function around for what it stood for before."""
        frame = self.frame.home(node.id)
        if frame is not self.frame:
            old = frame.env.get(node.id)
            if old is None or not same(old, value):
                self.refuse(node, f"`{node.id}` has no value of this kind in the function around", "S023")
            return
        frame.env[node.id] = value

    def _pairs(self, target: gast.AST, value: Value) -> list[Target]:
        match target:
            case gast.Name() | gast.Subscript():
                return [Target(target, value)]
            case gast.Tuple(elts=elts) | gast.List(elts=elts):
                starred = [k for k, t in enumerate(elts) if isinstance(t, gast.Starred)]
                if starred:
                    elts, value = self._collected(elts, starred[0], value)
                return [pair for t, v in zip(elts, self._unpack(target, value, len(elts)), strict=True)
                        for pair in self._pairs(t, v)]  # fmt: skip
        self.refuse(target, "this can't be assigned to", "S043")

    def _collected(self, elts: list[gast.AST], k: int, value: Value) -> tuple[list[gast.AST], Value]:
        """The targets and values of `a, *b = t`: those that target k takes together are one value."""
        more = len(elts) - 1
        if not isinstance(value, Tuple) or len(value.items) < more:
            self.refuse(elts[k], f"{described(value)} can't be taken apart like this", "S043")
        end = len(value.items) - more + k
        items = (*value.items[:k], Tuple(value.items[k:end], list), *value.items[end:])
        return [*elts[:k], elts[k].value, *elts[k + 1 :]], Tuple(items)

    def _unpack(self, node: gast.AST, value: Value, count: int) -> list[Value]:
        if isinstance(value, Fresh):
            value = self.array(value)
        match value:
            case Tuple(items):
                if len(items) != count:
                    self.refuse(node, f"{len(items)} values for {count} names", "S043")
                return list(items)
            case Array(name, 1) | Growing(name):
                rows = value if isinstance(value, Array) else Array(name, 1 + self.rank(value))
                length: Expr = Var(value.count) if isinstance(value, Growing) else self.shape(rows)[0]
                many, few = (
                    Raise("ValueError", (Const(f"{how} values to unpack (expected {count})"),), self.at)
                    for how in ("too many", "not enough")
                )
                which = If(Apply("gt", (length, Const(count))), (many,), (few,), self.at)
                self.emit(If(Apply("ne", (length, Const(count))), (which,), (), self.at))
                rest = (WHOLE,) * (rows.ndim - 1)
                return [self.selected(rows, (Const(k), *rest)) for k in range(count)]
        self.refuse(node, f"{described(value)} can't be unpacked", "S043")

    def _mixed(self, pairs: list[Target]) -> bool:
        """Whether one statement writes elements and gives names to whole arrays: from left to right, then."""
        return _hands_over(pairs) and any(isinstance(p.node, gast.Subscript) for p in pairs)

    def _settled(self, pairs: list[Target]) -> list[Target]:
        """Values that an earlier target of the same assignment would change are taken out first."""
        handed = _hands_over(pairs)
        stored = [p for p in pairs if isinstance(p.node, gast.Subscript)]
        calling = any(isinstance(n, gast.Call) for p in stored for n in gast.walk(p.node))
        clobbered: set[str] = set()
        out = []
        for p in pairs:
            value = p.value
            names = self._leaf_names(self.raw(p.node.id), value) if isinstance(p.node, gast.Name) else []
            within = len(names) > 1 and bool(set(names) & reads(value))
            beside = len(pairs) > 1 and ((handed and isinstance(value, Fresh)) or calling)
            if clobbered & reads(value) or within or beside:
                value = self.spill(value)
            out.append(Target(p.node, value))
            clobbered.update(names if isinstance(p.node, gast.Name) else reads(self.expr(_base(p.node))))
        return out

    def _leaf_names(self, raw: str, value: Value) -> list[str]:
        inner: list[str] = []
        value = value.fields if isinstance(value, Struct) else value
        if isinstance(value, Tuple):
            leaves = zip(item_names(raw, value), value.items, strict=True)
            inner = [n for leaf, item in leaves for n in self._leaf_names(leaf, item)]
            if value.make is not list:
                return inner
        return [raw, counter_of(raw), *inner] if isinstance(value, Tuple | Growing) else [raw]

    def bind(self, raw: str, value: Value, node: gast.AST) -> Value:
        """Assign or bind a value to a raw name; leaf by leaf, all at once, where it is a tuple."""
        if isinstance(value, Struct):
            return Struct(self.bind(raw, value.fields, node))  # type: ignore[arg-type]
        if isinstance(value, Tuple) and set(self._leaf_names(raw, value)) & reads(value):
            value = self.spill(value)
        sources: dict[str, str] = {}
        bound = self._bind(raw, value, sources)
        self._hand_over(sources)
        return bound

    def _hand_over(self, sources: dict[str, str]) -> None:
        """Bind array names to what other names are bound to, all at once; `bindings` proves it."""
        pairs = {target: source for target, source in sources.items() if target != source}
        if pairs:
            self.emit(Rebind(tuple(pairs), tuple(pairs.values()), self.at))

    def _bind(self, raw: str, value: Value, sources: dict[str, str]) -> Value:
        match value:
            case Scalar(expr):
                if expr != Var(raw):
                    self.emit(Assign(raw, expr, self.at))
                return Scalar(Var(raw))
            case Fresh(Apply("stop_gradient", (Var(),))):
                raise AliasingError(
                    "`stop_gradient` of an array is that array itself", code="S080", at=self.at,
                    hint="use `stop_gradient(x).copy()`, or `stop_gradient(x)` inside an expression",
                )  # fmt: skip
            case Fresh(_, ndim):
                self.emit(born(raw, value, self.at))
                return Array(raw, ndim)
            case Array(name, ndim):
                sources[raw] = name
                return Array(raw, ndim)
            case Tuple(items, make) if make is list and self._changes(raw, items):
                return self.grown(raw, value, self.frame.node)
            case Growing():
                return self.handed(raw, value)
            case Struct(fields):
                return Struct(self._bind(raw, fields, sources))  # type: ignore[arg-type]
            case Tuple(items, make):
                early = library.belongs(self.frame.function)
                bound = (
                    v if early and is_constant(v) else self._bind(leaf, v, sources)
                    for leaf, v in zip(item_names(raw, value), items, strict=True)
                )  # fmt: skip
                found = Tuple(tuple(bound), make)
                tag = raw.rpartition("#")[2]
                if make is list and tag.isdecimal():
                    self.steady.append((found, int(tag)))
                return found
        return value

    def _changes(self, raw: str, items: tuple[Value, ...]) -> bool:
        """Whether a list that a name is bound to changes, or is looked up by computed subscripts."""
        if not items:
            return True
        if raw.partition("#")[0] not in changed_lists(self.frame.node):
            return False
        if all(isinstance(item, Scalar) for item in items):
            return True
        return len({v.ndim if isinstance(v, Array | Fresh) else 0 for v in items}) == 1 and all(
            isinstance(item, Array | Fresh) for item in items
        )

    # ----- stores ------------------------------------------------------------------------------------------

    def store(self, node: gast.Subscript, value: Value) -> None:
        """`a[i, j] = value`, `a[1:] = value`, or `a[:] = value` for the whole array; an item of a list."""
        if (written := self.written_dict(node)) is not None:
            self.put_entry(node, written, value)
            return
        start = len(self.out)
        held = self.frame.lookup(node.value.id) if isinstance(node.value, gast.Name) else None
        if isinstance(held, Growing) and not isinstance(node.slice, gast.Slice | gast.Tuple):
            where = self.expr(node.slice)
            if disturbs(self.out[start:], value):
                value = self.spill(value, start)
            self.put_item(held, where, value, node)
            return
        base, index = self.target(node)
        if disturbs(self.out[start:], value):
            value = self.spill(value, start)
        self.put(node, base, index, value)

    def target(self, node: gast.Subscript) -> tuple[Array, Index]:
        """The array and subscript of a target."""
        base, index = self.place(node)
        if isinstance(base, Growing):
            self.refuse(node, "a part of a list can't be assigned", "S031", "assign its items in a loop")
        if not isinstance(base, Array):
            made = described(base)
            hint = f"make a new {made.partition(' ')[2]}"
            self.refuse(node, f"items of {made} can't be assigned here", "S043", hint)
        return base, index

    def put(self, node: gast.AST, base: Array, index: Index, value: Value) -> None:
        """`base[index] = value` for a full subscript."""
        if any(map(is_pick, index)):
            self.scattered(node, base, index, self.array_of(node, value) if is_list(value) else value)
            return
        if not is_section(index):
            self.emit(Store(base.name, index, self.scalar_of(value, node), self.at))
            return
        expr = self.filling(node, value, sum(map(is_axis, index)))
        if is_whole(index):
            self.emit(Update(base.name, expr, self.at))
        else:
            self.emit(Store(base.name, index, expr, self.at))

    def filling(self, node: gast.AST, value: Value, ndim: int) -> Expr:
        """The expression that fills an array or section of so many dimensions."""
        if is_list(value):
            value = self.array_of(node, value)
        if isinstance(value, Fresh) and value.whole:
            value = self.array(value)
        if isinstance(value, Array | Fresh) and value.ndim > ndim:
            self.refuse(node, f"{described(value)} doesn't fit into {ndim}", "S064", error=KindError)
        match value:
            case Scalar(expr) | Fresh(expr):
                return expr
            case Array(name):
                return Var(name)
        self.refuse(node, f"an array can't take {described(value)}", "S064", error=KindError)

    def stmt_AugAssign(self, node: gast.AugAssign) -> None:
        op = BINARY[type(node.op).__name__]
        if isinstance(node.target, gast.Name) or self.written_dict(node.target) is not None:
            read = _as_read(node.target)
            values = self.operands((read, node.value))
            if isinstance(values[0], Growing) and op == "add":
                self.extend(values[0], values[1], node)
                return
            own = self.overloaded(node, values)
            if isinstance(values[0], Array) and is_list(values[1]):
                values[1] = self.array_of(node, values[1])
            new = self.apply(op, values, node) if own is None else own
            if own is None and isinstance(values[0], Array):
                self.put(node, values[0], (WHOLE,) * values[0].ndim, new)
            else:
                self.assign(node.target, new)
        elif not isinstance(node.target, gast.Subscript):
            self.refuse(node.target, "this can't be assigned to", "S043")
        else:
            base, index = self.target(_as_read(node.target))
            old = self.selected(base, index)
            start = len(self.out)
            value = self.expr(node.value)
            if disturbs(self.out[start:], old) and isinstance(old, Scalar):
                with self.block() as stmts:
                    index = tuple(self.scalar_of(self.held(Scalar(i)), node) for i in index)
                    old = self.held(Scalar(Load(base.name, index)))
                self.out[start:start] = stmts
            if isinstance(old, Array | Fresh) and is_list(value):
                value = self.array_of(node, value)
            new = self.apply(op, [old, value], node)
            self.put(node, base, index, new)


def _hands_over(pairs: Iterable[Target]) -> bool:
    """Whether a name is given to a whole array."""
    return any(isinstance(p.node, gast.Name) and _has_array(p.value) for p in pairs)


def _has_array(value: Value) -> bool:
    return isinstance(value, Array) or (isinstance(value, Tuple) and any(map(_has_array, value.items)))


def _as_read(node: gast.AST) -> gast.AST:
    """A name or an element that is assigned, as one that is read."""
    if isinstance(node, gast.Name):
        made = gast.Name(id=node.id, ctx=gast.Load(), annotation=None, type_comment=None)
    else:
        made = gast.Subscript(value=node.value, slice=node.slice, ctx=gast.Load())
    return gast.copy_location(made, node)


def _base(node: gast.Subscript) -> gast.AST:
    inner: gast.AST = node
    while isinstance(inner, gast.Subscript):
        inner = inner.value
    return inner
