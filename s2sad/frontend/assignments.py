"""Assignments: names, elements, whole arrays, tuples of these; all values are taken before anything is bound."""

from __future__ import annotations

from dataclasses import dataclass

import gast

from s2sad.errors import AliasingError, KindError
from s2sad.frontend.calls import Calls
from s2sad.frontend.expressions import BINARY
from s2sad.frontend.reader import described, has_effects, reads, remembers
from s2sad.frontend.values import Array, Fresh, Scalar, Tuple, Value
from s2sad.ir.nodes import Apply, Assign, Const, Expr, If, Load, New, Raise, Rebind, Store, Update, Var


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
                value = self.frame.env[target.id]

    def stmt_AnnAssign(self, node: gast.AnnAssign) -> None:
        self.assign(node.target, self.expr(node.value))

    def assign(self, target: gast.AST, value: Value) -> None:
        """Assign to a target of any form; all values are taken before anything is bound."""
        pairs = self._pairs(target, value)
        pairs = self._settled(pairs)
        sources: dict[str, str] = {}
        for pair in pairs:
            if isinstance(pair.node, gast.Name):
                self.frame.env[pair.node.id] = self._bind(self.raw(pair.node.id), pair.value, sources)
            else:
                self.store(pair.node, pair.value)
        self._hand_over(sources)

    def _pairs(self, target: gast.AST, value: Value) -> list[Target]:
        match target:
            case gast.Name() | gast.Subscript():
                return [Target(target, value)]
            case gast.Tuple(elts=elts):
                return [pair for t, v in zip(elts, self._unpack(target, value, len(elts)), strict=True)
                        for pair in self._pairs(t, v)]  # fmt: skip
        self.refuse(target, "this can't be assigned to", "S043")

    def _unpack(self, node: gast.AST, value: Value, count: int) -> list[Value]:
        if isinstance(value, Fresh):
            value = self.array(value)
        match value:
            case Tuple(items):
                if len(items) != count:
                    self.refuse(node, f"{len(items)} values for {count} names", "S043")
                return list(items)
            case Array(name, 1):
                length = Apply("shape", (Var(name), Const(0)))
                many, few = (
                    Raise("ValueError", (Const(f"{how} values to unpack (expected {count})"),), self.at)
                    for how in ("too many", "not enough")
                )
                which = If(Apply("gt", (length, Const(count))), (many,), (few,), self.at)
                self.emit(If(Apply("ne", (length, Const(count))), (which,), (), self.at))
                return [Scalar(Load(name, (Const(k),))) for k in range(count)]
        self.refuse(node, f"{described(value)} can't be unpacked", "S043")

    def _settled(self, pairs: list[Target]) -> list[Target]:
        """Values that an earlier target of the same assignment would change are taken out first."""
        handed = any(isinstance(p.node, gast.Name) and _has_array(p.value) for p in pairs)
        stored = [p for p in pairs if isinstance(p.node, gast.Subscript)]
        if handed and stored:
            self.refuse(stored[0].node, "elements and whole arrays assigned in one statement", "S043")
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
            clobbered.update(names or reads(self.expr(_base(p.node))))
        return out

    def _leaf_names(self, raw: str, value: Value) -> list[str]:
        if isinstance(value, Tuple):
            return [n for k, item in enumerate(value.items) for n in self._leaf_names(_leaf(raw, k), item)]
        return [raw]

    def bind(self, raw: str, value: Value, node: gast.AST) -> Value:
        """Assign or bind a value to a raw name; leaf by leaf, all at once, where it is a tuple."""
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
            case Fresh(expr, ndim):
                self.emit(New(raw, expr, self.at))
                return Array(raw, ndim)
            case Array(name, ndim):
                sources[raw] = name
                return Array(raw, ndim)
            case Tuple(items, make):
                return Tuple(tuple(self._bind(_leaf(raw, k), v, sources) for k, v in enumerate(items)), make)
        return value

    # ----- stores ------------------------------------------------------------------------------------------

    def store(self, node: gast.Subscript, value: Value) -> None:
        """`a[i, j] = value`, or `a[:] = value` for the whole array."""
        if self._is_whole(node):
            base = self.expr(node.value)
            if not isinstance(base, Array):
                self.refuse(node, f"elements of {described(base)} can't be assigned", "S043")
            self.update(node, base, value)
            return
        start = len(self.out)
        base, index = self.element_array(node)
        if remembers(value) and has_effects(self.out[start:]):
            value = self.spill(value, start)
        self.emit(Store(base.name, index, self.scalar_of(value, node), self.at))

    def element_array(self, node: gast.Subscript) -> tuple[Array, tuple[Expr, ...]]:
        """The array and subscript of a target."""
        base, index = self.element(node)
        if not isinstance(base, Array):
            self.refuse(node, "items of a tuple can't be assigned", "S043", "make a new tuple")
        return base, index

    def update(self, node: gast.AST, base: Array, value: Value) -> None:
        """`base[...] = value`."""
        if isinstance(value, Fresh) and value.whole:
            value = self.array(value)
        if isinstance(value, Array | Fresh) and value.ndim > base.ndim:
            self.refuse(node, f"{described(value)} doesn't fit into {base.ndim}", "S064", error=KindError)
        match value:
            case Scalar(expr) | Fresh(expr):
                self.emit(Update(base.name, expr, self.at))
            case Array(name):
                self.emit(Update(base.name, Var(name), self.at))
            case _:
                self.refuse(node, f"an array can't take {described(value)}", "S064", error=KindError)

    def _is_whole(self, node: gast.Subscript) -> bool:
        axes = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
        if len(axes) == 1 and isinstance(axes[0], gast.Constant) and axes[0].value is Ellipsis:
            return True
        empty = [isinstance(a, gast.Slice) and (a.lower, a.upper, a.step) == (None, None, None) for a in axes]
        if not all(empty):
            return False
        base = self.expr(node.value)
        return isinstance(base, Array) and len(axes) <= base.ndim

    def stmt_AugAssign(self, node: gast.AugAssign) -> None:
        op = BINARY[type(node.op).__name__]
        if isinstance(node.target, gast.Name):
            read = gast.Name(id=node.target.id, ctx=gast.Load(), annotation=None, type_comment=None)
            gast.copy_location(read, node.target)
            values = self.operands((read, node.value))
            new = self.apply(op, values, node)
            if isinstance(values[0], Array):
                self.update(node, values[0], new)
            else:
                self.assign(node.target, new)
        elif not isinstance(node.target, gast.Subscript):
            self.refuse(node.target, "this can't be assigned to", "S043")
        elif self._is_whole(node.target):
            base = self.expr(node.target.value)
            new = self.apply(op, [base, self.expr(node.value)], node)
            assert isinstance(base, Array)
            self.update(node, base, new)
        else:
            base, index = self.element_array(node.target)
            old: Value = Scalar(Load(base.name, index))
            start = len(self.out)
            value = self.expr(node.value)
            if has_effects(self.out[start:]):
                with self.block() as stmts:
                    index = tuple(self.scalar_of(self.held(Scalar(i)), node) for i in index)
                    old = self.held(Scalar(Load(base.name, index)))
                self.out[start:start] = stmts
            new = self.apply(op, [old, value], node)
            self.emit(Store(base.name, index, self.scalar_of(new, node), self.at))


def _has_array(value: Value) -> bool:
    return isinstance(value, Array) or (isinstance(value, Tuple) and any(map(_has_array, value.items)))


def _leaf(raw: str, k: int) -> str:
    base, _, tag = raw.partition("#")
    return f"{base}.{k}#{tag}"


def _base(node: gast.Subscript) -> gast.AST:
    inner: gast.AST = node
    while isinstance(inner, gast.Subscript):
        inner = inner.value
    return inner
