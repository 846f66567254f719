"""Subscripts: elements, and sections that share their array's memory, in full form.

A subscript has one entry per dimension (an integer expression or a Slice) and a None for each new axis. `x[1:][0]`
is a subscript of `x` where the two fit together; where they don't, the first section gets a name as a view.
"""

from __future__ import annotations

import builtins
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import gast

from s2sad.frontend.infer import kind_of
from s2sad.frontend.reader import Reader, described
from s2sad.frontend.values import Array, Fresh, Growing, Known, Scalar, Struct, Tuple, Value, leaves_of
from s2sad.ir.nodes import BOOL, Apply, Assign, Const, Expr, If, Load, Raise, Slice, Var
from s2sad.ir.walk import is_axis, is_section, nodes

Index = tuple[Expr, ...]
NEW_AXIS = Const(None)
WHOLE = Slice()
PICK = "pick"  # an array as subscript, with its number of dimensions


@dataclass(frozen=True, slots=True)
class Axis:
    """One subscript as written: its node and the values of its parts (one, or the three of a slice)."""

    node: gast.AST
    parts: tuple[Value | None, ...]


class Subscripts(Reader):
    """Reads and places by subscript."""

    def expr_Subscript(self, node: gast.Subscript) -> Value:
        base, index = self.place(node)
        if isinstance(base, Growing):
            return base
        return (
            self._item(base, node) if isinstance(base, Tuple | Struct) else self.selected(base, index, node)
        )

    def selected(self, base: Array, index: Index, node: gast.AST | None = None) -> Value:
        """What stands at a full subscript: an element, a section, the array itself; elements that an array picks."""
        if any(map(is_pick, index)):
            return self.gathered(node or self.frame.node, base, index)
        if is_whole(index):
            return base
        if is_section(index):
            return Fresh(Load(base.name, index), sum(is_axis(sub) for sub in index))
        return Scalar(Load(base.name, index))

    def place(self, node: gast.Subscript) -> tuple[Array | Tuple | Struct | Growing, Index]:
        """The array and the full subscript of `x[i, j]`, `x[i][j]`, `x[1:, None]`; or a tuple, a part of a list."""
        chain: list[gast.AST] = []
        inner: gast.AST = node
        while isinstance(inner, gast.Subscript):
            chain.insert(0, inner.slice)
            inner = inner.value
        base = self.expr(inner)
        while isinstance(base, Tuple | Struct) and len(chain) > 1:
            base = self._item(base, _with_slice(node, chain.pop(0)))
        if isinstance(base, Tuple | Struct):
            return base, ()
        while isinstance(base, Growing) and chain and isinstance(chain[0], gast.Slice):
            (axes,) = self._axes([chain.pop(0)])
            part = self._subscript(axes[0])
            assert part is not None
            base = self.list_part(base, part)
        match base:
            case Growing() if not chain:
                return base, ()
            case Fresh(Load(array, index)):
                base = Array(array, len(index) - index.count(NEW_AXIS))
            case Array(ndim=ndim):
                index = (WHOLE,) * ndim
            case Fresh(ndim=ndim):
                base, index = self.array(base), (WHOLE,) * ndim
            case Growing():
                base, index = self._in_list(base, chain, node)
            case _:
                self.refuse(node, f"{described(base)} can't be subscripted", "S037")
        for axes in self._axes(chain):
            if any(map(is_pick, index)):
                base = self.gathered(node, base, index)
                index = (WHOLE,) * base.ndim
            base, index = self._narrowed(node, base, index, [self._subscript(axis) for axis in axes])
        if is_section(index):
            return base, tuple(map(self._settled_part, index))
        if NEW_AXIS in index:
            self.refuse(node, "a new axis of a single element is not supported", "S037", "use `np.full`")
        return base, index

    @abstractmethod
    def gathered(self, node: gast.AST, base: Array, index: Index) -> Array:
        """`base[index]` where arrays stand in the subscript."""

    @abstractmethod
    def array_of(self, node: gast.AST, value: Value, op: str = "typed") -> Array | Fresh:
        """`np.array(value)`; of integers where op is "full"."""

    @abstractmethod
    def rank(self, base: Growing) -> int:
        """The number of dimensions of what a list holds."""

    @abstractmethod
    def position(self, base: Growing, index: Value, node: gast.AST, what: str = "list") -> Expr:
        """The subscript of an item in the array behind a list."""

    @abstractmethod
    def list_part(self, base: Growing, part: Expr) -> Growing:
        """`x[a:b]`, a list of its own."""

    def _in_list(self, base: Growing, chain: list[gast.AST], node: gast.Subscript) -> tuple[Array, Index]:
        """The array behind a list, and where an item stands in it; what follows are subscripts of the item."""
        if isinstance(chain[0], gast.Tuple):
            self.refuse(node, "a list takes one subscript", "S037")
        what = "list" if len(chain) > 1 or not isinstance(node.ctx, gast.Store) else "list assignment"
        where = self.position(base, self.expr(chain.pop(0)), node, what)
        rank = self.rank(base)
        if rank and not chain and isinstance(node.ctx, gast.Store):
            self.refuse(node, "an item of a list that has no name can't be assigned", "S043")
        if chain and not rank:
            self.refuse(node, "a number can't be subscripted", "S037")
        return Array(base.name, 1 + rank), (where, *(WHOLE,) * rank)

    def _axes(self, chain: Sequence[gast.AST]) -> list[list[Axis]]:
        """The values of all subscripts, evaluated from left to right."""
        written = [part.elts if isinstance(part, gast.Tuple) else [part] for part in chain]
        exprs = [e for axes in written for axis in axes for e in _parts(axis) if e is not None]
        values = iter(self.operands([e for e in exprs if not _is_ellipsis(e)]))
        return [
            [
                Axis(a, tuple(None if e is None or _is_ellipsis(e) else next(values) for e in _parts(a)))
                for a in axes
            ]
            for axes in written
        ]

    def _subscript(self, axis: Axis) -> Expr | None:
        """A subscript as an IR expression; None for an Ellipsis."""
        if isinstance(axis.node, gast.Slice):
            return Slice(*(self._bound(value, axis.node) for value in axis.parts))
        if _is_ellipsis(axis.node):
            return None
        match axis.parts[0]:
            case Known(None):
                return NEW_AXIS
            case Array() | Fresh() | Tuple(make=builtins.list) as picked:
                if isinstance(picked, Tuple):  # (of bools it is a mask)
                    bools = all(self._is_bool(item) for item in leaves_of(picked))
                    picked = self.array_of(axis.node, picked, "typed" if bools else "full")
                return Apply(PICK, (Var(self.array(picked).name), Const(picked.ndim)))
            case Scalar(expr) if not isinstance(expr, Const) or type(expr.value) is int:
                return expr
        self.refuse(axis.node, "a subscript must be an integer", "S038", "write one integer per dimension")

    def _is_bool(self, value: Value) -> bool:
        return isinstance(value, Scalar) and kind_of(value.expr, self.kinds) == BOOL

    def _bound(self, value: Value | None, node: gast.AST) -> Expr | None:
        if value is None or value == Known(None):
            return None
        if isinstance(value, Scalar) and (not isinstance(value.expr, Const) or type(value.expr.value) is int):
            return value.expr
        self.refuse(node, "the bounds of a slice must be integers", "S038")

    def _narrowed(
        self, node: gast.AST, base: Array, index: Index, subs: Sequence[Expr | None]
    ) -> tuple[Array, Index]:
        """`base[index][subs]` as one subscript, of a view of the first where it takes two."""
        free = [sub for sub in index if is_axis(sub)]
        full = self._filled(node, subs, len(free))
        taken = [sub for sub in full if sub != NEW_AXIS]
        if any(old != WHOLE != new for old, new in zip(free, taken, strict=True)):
            base = self.array(Fresh(Load(base.name, tuple(map(self._settled_part, index))), len(free)))
            index = (WHOLE,) * len(free)
            free = list(index)
        rest = iter(full)
        out: list[Expr] = []
        for old in index:
            if not is_axis(old):
                out.append(old)
                continue
            new = next(rest)
            while new == NEW_AXIS:
                out.append(new)
                new = next(rest)
            out.append(old if new == WHOLE else new)
        return base, (*out, *rest)

    def _filled(self, node: gast.AST, subs: Sequence[Expr | None], ndim: int) -> list[Expr]:
        """Subscripts with the missing ones put in, where the Ellipsis is or at the end."""
        missing = ndim - sum(sub is not None and sub != NEW_AXIS for sub in subs)
        if missing < 0:
            self.refuse(node, f"{ndim - missing} subscripts for {ndim} dimensions", "S037")
        if subs.count(None) > 1:
            self.refuse(node, "a subscript can have one `...`", "S037")
        if None not in subs:
            subs = [*subs, None]
        return [e for sub in subs for e in ([WHOLE] * missing if sub is None else [sub])]

    def _settled_part(self, sub: Expr) -> Expr:
        """A part of a section's subscript that can be evaluated again later: elements are read now."""
        match sub:
            case Slice(start, stop, step):
                return Slice(*(None if p is None else self._settled_part(p) for p in (start, stop, step)))
        if any(isinstance(n, Load) or (isinstance(n, Apply) and n.op == "sum") for n in nodes(sub)):
            name = self.temporary("i")
            self.emit(Assign(name, sub, self.at))
            return Var(name)
        return sub

    @abstractmethod
    def entry(self, base: Struct, node: gast.Subscript) -> Value:
        """`d["a"]`."""

    def _item(self, base: Tuple | Struct, node: gast.Subscript) -> Value:
        if isinstance(base, Struct):
            return self.entry(base, node)
        if isinstance(node.slice, gast.Slice):
            return self._items(base, node.slice)
        value = self.expr(node.slice)
        index = value.expr.value if isinstance(value, Scalar) and isinstance(value.expr, Const) else None
        if isinstance(value, Scalar) and isinstance(value.expr, Var):
            index = self.constants.get(value.expr.name)
        if type(index) is not int and all(isinstance(item, Scalar) for item in base.items):
            return self._item_at(base, value, node)
        if type(index) is not int:
            self.refuse(
                node,
                "a tuple of this form is subscripted by a constant",
                "S037",
                "use an array, or a constant",
            )
        if not -len(base.items) <= index < len(base.items):
            self.refuse(node, f"a tuple of {len(base.items)} has no item {index}", "S037")
        return base.items[index]

    def _items(self, base: Tuple, part: gast.Slice) -> Value:
        """`t[a:b:c]` with bounds that are known now."""
        bounds: list[int | None] = []
        for node in (part.lower, part.upper, part.step):
            value = Known(None) if node is None else self.expr(node)
            if isinstance(value, Scalar) and isinstance(value.expr, Const) and type(value.expr.value) is int:
                bounds.append(value.expr.value)
            elif value == Known(None):
                bounds.append(None)
            else:
                self.refuse(part, "the bounds of a part of a tuple are constants", "S037")
        return Tuple(base.items[slice(*bounds)], base.make if described(base) == "a list" else None)

    def _item_at(self, base: Tuple, place: Value, node: gast.Subscript) -> Value:
        """An item of a tuple of numbers at a computed place."""
        count = Const(len(base.items))
        at = self.spill(Scalar(self.scalar_of(place, node)))
        assert isinstance(at, Scalar)
        below = Apply("lt", (at.expr, Const(-len(base.items))))
        wrong = Apply("or", (below, Apply("ge", (at.expr, count))))
        self.emit(
            If(wrong, (Raise("IndexError", (Const("tuple index out of range"),), self.at),), (), self.at)
        )
        items = self.array(self.array_of(node, base))
        return Scalar(Load(items.name, (Apply("mod", (at.expr, count)),)))


def is_pick(sub: Expr) -> bool:
    """Whether a subscript is an array."""
    return isinstance(sub, Apply) and sub.op == PICK


def is_whole(index: Sequence[Expr]) -> bool:
    """Whether a subscript selects the array as it is."""
    return all(sub == WHOLE for sub in index)


def _parts(axis: gast.AST) -> Iterator[gast.AST | None]:
    yield from (axis.lower, axis.upper, axis.step) if isinstance(axis, gast.Slice) else (axis,)


def _is_ellipsis(node: gast.AST) -> bool:
    return isinstance(node, gast.Constant) and node.value is Ellipsis


def _with_slice(node: gast.Subscript, index: gast.AST) -> gast.Subscript:
    return gast.copy_location(gast.Subscript(value=node.value, slice=index, ctx=gast.Load()), node)
