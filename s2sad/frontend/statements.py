"""Statements: gast to IR with raw names."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from dataclasses import dataclass

import gast

from s2sad.errors import AliasingError, KindError
from s2sad.frontend import subset
from s2sad.frontend.calls import Calls
from s2sad.frontend.expressions import BINARY
from s2sad.frontend.read import span_of
from s2sad.frontend.reader import described, ends, has_effects, is_atomic, parallel, reads, remembers
from s2sad.frontend.values import Array, Closure, Fresh, Known, Loop, Lost, Scalar, Tuple, Value, join, same, truth
from s2sad.ir.nodes import Apply, Assign, Const, Expr, For, If, Load, New, Raise, Stmt, Store, Update, Var

WHOLE = "whole"


@dataclass(frozen=True, slots=True)
class Target:
    """One place that an assignment binds, and its value."""

    node: gast.AST
    value: Value


class Statements(Calls):
    """One method per statement node."""

    # ----- bodies ------------------------------------------------------------------------------------------

    def run(self, function: gast.FunctionDef) -> Value:
        """The value that a body returns."""
        value = self.tail(subset.settle(function.body, self.frame.source), None)
        return Known(None) if value is None else value

    def body(self, stmts: Sequence[gast.stmt]) -> None:
        """Statements one after the other."""
        for stmt in stmts:
            self.at = span_of(stmt, self.frame.source)
            method = getattr(self, f"stmt_{type(stmt).__name__}", None)
            if method is None:
                self.refuse(stmt, f"`{type(stmt).__name__}` is not supported", "S010")
            method(stmt)

    def tail(self, stmts: Sequence[gast.stmt], into: str | None) -> Value | None:
        """The value that `stmts` return, kept in `into` where paths meet; None where none is returned."""
        if not stmts:
            return None
        last = stmts[-1]
        self.body(stmts[:-1])
        self.at = span_of(last, self.frame.source)
        if isinstance(last, gast.Return):
            value = Known(None) if last.value is None else self.expr(last.value)
            return value if into is None else self.bind(into, value, last)
        if not isinstance(last, gast.If) or not subset.leaves(last):
            self.body([last])
            return None
        test = self.test(last.test)
        known = truth(test)
        if known is not None:
            return self.tail(last.body if known else last.orelse, into)
        into = into or self.result()
        return self._meet(last, self.scalar_of(test, last.test), into)

    def result(self) -> str:
        """The raw name under which results meet."""
        return self.temporary("r")

    def _meet(self, node: gast.If, test: Expr, into: str) -> Value | None:
        place, before = self.at, dict(self.frame.env)
        arms: list[list[Stmt]] = []
        values: list[Value] = []
        for arm in (node.body, node.orelse):
            self.frame.env = dict(before)
            with self.block() as stmts:
                value = self.tail(arm, into)
            arms.append(stmts)
            if not ends(stmts):
                values.append(Known(None) if value is None else value)
        self.frame.env = before
        self.emit(If(test, tuple(arms[0]), tuple(arms[1]), place))
        if len(values) == 2 and not _returns_alike(*values):
            self.refuse(node, "the results of the two arms have different forms", "S052",
                        "return the same number of results, of the same kinds, on every path")  # fmt: skip
        return values[0] if values else None

    def scalar_of(self, value: Value, node: gast.AST) -> Expr:
        """The expression of a number."""
        if not isinstance(value, Scalar):
            self.refuse(node, f"a number is needed here, not {described(value)}", "S064", error=KindError)
        return value.expr

    # ----- assignment --------------------------------------------------------------------------------------

    def stmt_Assign(self, node: gast.Assign) -> None:
        first = node.targets[0]
        if isinstance(node.value, gast.IfExp) and isinstance(first, gast.Name):
            self.own(first)
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
        if len(pairs) > 1:
            pairs = self._settled(pairs)
        sources: dict[str, str] = {}
        for pair in pairs:
            match pair.node, pair.value:
                case gast.Name(id=name), _:
                    self.own(pair.node)
                    arrays = sources if len(pairs) > 1 else None
                    self.frame.env[name] = self._bind(self.raw(name), pair.value, pair.node, arrays)
                case gast.Subscript(), _:
                    self.store(pair.node, pair.value)
        if sources:
            self.emit(parallel(sources, sources.values(), self.at))

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
                wrong = Apply("ne", (Apply("shape", (Var(name), Const(0))), Const(count)))
                text = Const(f"{count} values are needed to unpack an array into {count} names")
                self.emit(If(wrong, (Raise("ValueError", (text,), self.at),), (), self.at))
                return [Scalar(Load(name, (Const(k),))) for k in range(count)]
        self.refuse(node, f"{described(value)} can't be unpacked", "S043")

    def _settled(self, pairs: list[Target]) -> list[Target]:
        """Values that an earlier target of the same assignment would change are taken out first."""
        handed = any(isinstance(p.node, gast.Name) and _has_array(p.value) for p in pairs)
        stored = [p for p in pairs if isinstance(p.node, gast.Subscript)]
        if handed and stored:
            self.refuse(stored[0].node, "elements and whole arrays assigned in one statement", "S043")
        clobbered: set[str] = set()
        out = []
        for p in pairs:
            value = p.value
            if clobbered & reads(value) or (handed and isinstance(value, Fresh)):
                value = self.spill(value)
            out.append(Target(p.node, value))
            if isinstance(p.node, gast.Name):
                clobbered.update(self._leaf_names(self.raw(p.node.id), value))
            else:
                clobbered.update(reads(self.expr(_base(p.node))))
        return out

    def _leaf_names(self, raw: str, value: Value) -> list[str]:
        if isinstance(value, Tuple):
            return [n for k, item in enumerate(value.items) for n in self._leaf_names(_leaf(raw, k), item)]
        return [raw]

    def own(self, node: gast.AST) -> None:
        """Refuse to bind a name of the function around."""
        assert isinstance(node, gast.Name)

    def bind(self, raw: str, value: Value, node: gast.AST) -> Value:
        """Assign or bind a value to a raw name; leaf by leaf, all at once, where it is a tuple."""
        if not isinstance(value, Tuple):
            return self._bind(raw, value, node, None)
        names = set(self._leaf_names(raw, value))
        if names & reads(value):
            value = self.spill(value)
        sources: dict[str, str] = {}
        bound = self._bind(raw, value, node, sources)
        if sources:
            self.emit(parallel(sources, sources.values(), self.at))
        return bound

    def _bind(self, raw: str, value: Value, node: gast.AST, arrays: dict[str, str] | None) -> Value:
        match value:
            case Scalar(expr):
                if expr != Var(raw):
                    self.emit(Assign(raw, expr, self.at))
                return Scalar(Var(raw))
            case Fresh(expr, ndim):
                self.emit(New(raw, expr, self.at))
                return Array(raw, ndim)
            case Array(name, ndim):
                if arrays is not None:
                    arrays[raw] = name
                elif name != raw:
                    self.emit(parallel((raw,), (name,), self.at))
                return Array(raw, ndim)
            case Tuple(items, make):
                own: dict[str, str] | None = {} if arrays is None else arrays
                bound = tuple(self._bind(_leaf(raw, k), item, node, own) for k, item in enumerate(items))
                if arrays is None and own:
                    self.emit(parallel(own, own.values(), self.at))
                return Tuple(bound, make)
            case Lost():
                self.refuse(node, value.why, value.code)
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
        base, index = self.element_array(node)
        if isinstance(value, Array | Fresh | Tuple):
            self.refuse(node, f"an element is a number, not {described(value)}", "S064", error=KindError)
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
            read = gast.copy_location(gast.Name(id=node.target.id, ctx=gast.Load(), annotation=None, type_comment=None), node.target)
            old, value = self.operands((read, node.value))
            new = self.apply(op, [old, value], node)
            if isinstance(old, Array):
                self.update(node, old, new)
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
            start = len(self.out)
            value = self.expr(node.value)
            old = Scalar(Load(base.name, index))
            if has_effects(self.out[start:]):
                held = self.spill(Tuple(tuple(Scalar(i) for i in index)), start)
                assert isinstance(held, Tuple)
                shift = len(self.out)
                index = tuple(i.expr for i in held.items if isinstance(i, Scalar))
                old = self.spill(Scalar(Load(base.name, index)), start + sum(1 for i in index if isinstance(i, Var)))
                del shift
            self.store_element(node, base, index, self.apply(op, [old, value], node))

    def store_element(self, node: gast.AST, base: Array, index: tuple[Expr, ...], value: Value) -> None:
        """One element of an array gets a value."""
        if not isinstance(value, Scalar):
            self.refuse(node, f"an element is a number, not {described(value)}", "S064", error=KindError)
        self.emit(Store(base.name, index, value.expr, self.at))

    # ----- control -----------------------------------------------------------------------------------------

    def stmt_If(self, node: gast.If) -> None:
        test = self.test(node.test)
        known = truth(test)
        if known is not None:
            self.body(node.body if known else node.orelse)
            return
        expr = self.scalar_of(test, node.test)
        place, before = self.at, dict(self.frame.env)
        arms: list[list[Stmt]] = []
        ways: list[dict[str, Value]] = []
        for arm in (node.body, node.orelse):
            self.frame.env = dict(before)
            with self.block() as stmts:
                self.body(arm)
            arms.append(stmts)
            if not ends(stmts):
                ways.append(self.frame.env)
        self.emit(If(expr, tuple(arms[0]), tuple(arms[1]), place))
        self.frame.env = before if not ways else ways[0] if len(ways) == 1 else _meet(before, *ways)

    def stmt_For(self, node: gast.For) -> None:
        source = self._iterable(node)
        if source is None:
            return
        bounds, element = source
        loop = Loop(dict(self.frame.env))
        self.frame.loops.append(loop)
        place = self.at
        counter = self.temporary(node.target.id if isinstance(node.target, gast.Name) and element is None else "k")
        with self.block() as stmts:
            if element is None:
                self.assign(node.target, Scalar(Var(counter)))
            else:
                self.assign(node.target, Scalar(Load(element.name, (Var(counter),))))
            self.body(subset.settle(node.body, self.frame.source))
        self.frame.loops.pop()
        self.emit(For(counter, *bounds, tuple(stmts), place))
        after = self.frame.env
        self.frame.env = env = dict(loop.entry)
        for name, value in after.items():
            old = loop.entry.get(name)
            if old is None:
                lost = Lost("is bound in a loop that may make no trip", "S051")
                env[name] = lost if isinstance(value, Known | Closure | Lost) else value
            elif old is not value and not same(old, value):
                if name in loop.carried:
                    self.refuse(node, f"`{name}` changes its kind in this loop", "S052",
                                f"use one name for what `{name}` is before the loop, another inside")  # fmt: skip
                env[name] = Lost("has different kinds before the loop and in it")

    def _iterable(self, node: gast.For) -> tuple[tuple[Expr, Expr, Expr], Array | None] | None:
        call = node.iter
        if isinstance(call, gast.Call):
            function = self.expr(call.func)
            marker = isinstance(function, Known) and getattr(function.value, "__name__", "") == "checkpoint_range"
            if function == Known(range) or (marker and function.value.__module__ == "s2sad.markers"):  # type: ignore[union-attr]
                args = call.args[:1] if marker else call.args
                if (call.keywords and not marker) or not 1 <= len(args) <= 3:
                    self.refuse(call, "`range` takes one to three arguments", "S014")
                values = [self.scalar_of(v, n) for v, n in zip(self.operands(args), args, strict=True)]
                match values:
                    case [stop]:
                        return (Const(0), stop, Const(1)), None
                    case [start, stop]:
                        return (start, stop, Const(1)), None
                if values[2] == Const(0):
                    self.refuse(call, "the step of `range` is zero", "S014")
                return (values[0], values[1], values[2]), None
            if isinstance(function, Known) and function.value in (enumerate, zip, reversed):
                self.refuse(call, f"a loop over `{function.value.__name__}` is not supported", "S014")
        value = self.expr(call)
        if isinstance(value, Array | Fresh) and value.ndim == 1:
            base = self.bind(self.temporary("it"), self.array(value), call)
            assert isinstance(base, Array)
            return (Const(0), Apply("shape", (Var(base.name), Const(0))), Const(1)), base
        self.refuse(call, f"a loop over {described(value)} is not supported", "S014")

    # ----- the rest ----------------------------------------------------------------------------------------

    def stmt_Expr(self, node: gast.Expr) -> None:
        if isinstance(node.value, gast.Constant):
            return
        if not isinstance(node.value, gast.Call):
            self.refuse(node, "the value of this expression is not used", "S028")
        self.call(node.value)

    def stmt_Pass(self, node: gast.Pass) -> None:
        pass

    def stmt_Continue(self, node: gast.Continue) -> None:
        pass

    def stmt_FunctionDef(self, node: gast.FunctionDef) -> None:
        if node.decorator_list:
            self.refuse(node.decorator_list[0], "decorators of nested functions are not supported", "S027")
        self.frame.env[node.name] = self.closure(node)

    def stmt_Assert(self, node: gast.Assert) -> None:
        test = self.test(node.test)
        known = truth(test)
        if known:
            return
        args = () if node.msg is None else (self._text(node.msg),)
        wrong = Const(True) if known is False else Apply("not", (self.scalar_of(test, node.test),))
        self.emit(If(wrong, (Raise("AssertionError", args, self.at),), (), self.at))

    def stmt_Raise(self, node: gast.Raise) -> None:
        call = node.exc
        if call is None or node.cause is not None:
            self.refuse(node, "`raise` needs an exception, and takes no cause", "S026")
        args = call.args if isinstance(call, gast.Call) else []
        value = self.expr(call.func if isinstance(call, gast.Call) else call)
        kind = value.value if isinstance(value, Known) else None
        if not (isinstance(kind, type) and issubclass(kind, Exception) and getattr(builtins, kind.__name__, None) is kind):
            self.refuse(node, "a built-in exception is needed here", "S026")
        raising: tuple[Stmt, ...] = (Raise(kind.__name__, tuple(map(self._text, args)), self.at),)
        self.emit(*raising)

    def _text(self, node: gast.AST) -> Expr:
        if isinstance(node, gast.Constant) and isinstance(node.value, str | int | float):
            return Const(node.value)
        self.refuse(node, "the text of an exception must be constant", "S026")


def _meet(before: dict[str, Value], one: dict[str, Value], other: dict[str, Value]) -> dict[str, Value]:
    """The values of names where two arms meet."""
    env: dict[str, Value] = {}
    for name in dict.fromkeys([*one, *other]):
        if name in one and name in other:
            env[name] = join(before.get(name), one[name], other[name])
        else:
            value = one.get(name) or other.get(name)
            assert value is not None
            lost = Lost("is bound in one of the arms only", "S051")
            env[name] = lost if isinstance(value, Known | Closure | Lost) else value
    return env


def _returns_alike(one: Value, other: Value) -> bool:
    match one, other:
        case Tuple(a, make), Tuple(b, made):
            return make is made and len(a) == len(b) and all(map(_returns_alike, a, b))
    return same(one, other)


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


__all__ = ["AliasingError", "Statements", "is_atomic", "remembers"]
