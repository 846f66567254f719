"""Statements: bodies, results, branches, loops, exceptions."""

from __future__ import annotations

import builtins
from collections.abc import Sequence

import gast

from s2sad.frontend import subset
from s2sad.frontend.assignments import Assignments
from s2sad.frontend.read import span_of
from s2sad.frontend.reader import described, ends
from s2sad.frontend.values import (
    Array,
    Closure,
    Fresh,
    Known,
    Loop,
    Lost,
    Scalar,
    Tuple,
    Value,
    join,
    same,
    truth,
)
from s2sad.ir.nodes import Apply, Const, Expr, For, If, Load, Raise, Stmt, Var


class Statements(Assignments):
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
        counter = self.temporary(
            node.target.id if isinstance(node.target, gast.Name) and element is None else "k"
        )
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
            called = function.value if isinstance(function, Known) else None
            marker = (
                getattr(called, "__name__", "") == "checkpoint_range" and called.__module__ == "s2sad.markers"
            )
            if called is range or marker:
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
            if called is enumerate or called is zip or called is reversed:
                self.refuse(call, f"a loop over `{called.__name__}` is not supported", "S014")
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
        if (
            not isinstance(kind, type)
            or not issubclass(kind, Exception)
            or not hasattr(builtins, kind.__name__)
        ):
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
