"""Statements: bodies, results, branches, exits.

Statements behind an `if` that may leave go into its arms, so that every exit stands at the end of one::

    if a: return x          if a: r = x
    y = f(x)           ->   else: y = f(x)
    return y                      r = y
"""

from __future__ import annotations

from collections.abc import Sequence

import gast

from s2sad import library
from s2sad.frontend import subset
from s2sad.frontend.loops import Leaving, Loops
from s2sad.frontend.read import span_of
from s2sad.frontend.values import Known, Lost, Tuple, Value, meet, same, truth
from s2sad.ir.nodes import Apply, Assign, Const, Expr, If, Region, Stmt, Var
from s2sad.markers import checkpoint

#: More statements than this, after exits have been turned into arms, are refused: each may double what follows.
LIMIT = 5000


class Statements(Loops):
    """One method per statement node."""

    # ----- bodies ------------------------------------------------------------------------------------------

    def run(self, function: gast.FunctionDef) -> Value:
        """The value that a body returns."""
        if self.body(function.body):
            self.frame.returned.append((Known(None), function))
        if not self.frame.returned:
            return Known(None)
        (first, _), *others = self.frame.returned
        for value, node in others:
            if not _returns_alike(first, value):
                self.refuse(node, "this result has another form than one before", "S052",
                            "return the same number of results, of the same kinds, on every path")  # fmt: skip
        return first

    def body(self, stmts: Sequence[gast.stmt]) -> bool:
        """Statements one after the other; whether their end is reached.

        What stands behind a statement that may leave goes where that statement doesn't.
        """
        for k, stmt in enumerate(stmts):
            rest = stmts[k + 1 :]
            if not library.belongs(
                self.frame.function
            ):  # what is written out belongs to the line that calls it
                self.at = span_of(stmt, self.frame.source)
            self.frame.steps += 1
            if self.frame.steps > LIMIT:
                self.refuse(stmt, "too many early exits", "S013")
            match stmt:
                case gast.If() if subset.exits([stmt]):
                    return self._branch(stmt, rest)
                case gast.If():
                    if not self._branch(stmt, ()):
                        return False
                case gast.For() | gast.While():
                    left = self.loop(stmt)
                    if not left.ends:
                        return False
                    if stmt.orelse or left.going:
                        return self._behind_exits(stmt, left, rest)
                case gast.With():
                    if not self._region(stmt):
                        return False
                case gast.Return() | gast.Break() | gast.Continue() | gast.Raise():
                    self._statement(stmt)
                    return False
                case _:
                    self._statement(stmt)
        return True

    def _statement(self, stmt: gast.stmt) -> None:
        method = getattr(self, f"stmt_{type(stmt).__name__}", None)
        if method is None:
            self.refuse(stmt, f"`{type(stmt).__name__}` is not supported", "S010")
        method(stmt)

    # ----- exits -------------------------------------------------------------------------------------------

    def stmt_Return(self, node: gast.Return) -> None:
        frame = self.frame
        value = Known(None) if node.value is None else self.expr(node.value)
        if frame.into:
            value = self.bind(frame.into, value, node)
        frame.returned.append((value, node))
        if frame.loops:
            for flag in (frame.going, *(loop.flag for loop in frame.loops)):
                self.emit(*[Assign(flag, Const(False), self.at)] if flag else [])

    def stmt_Break(self, node: gast.Break) -> None:
        loop = self.frame.loops[-1]
        self.emit(Assign(loop.flag, Const(False), self.at))
        loop.ends.append(dict(self.frame.env))

    def stmt_Continue(self, node: gast.Continue) -> None:
        self.frame.loops[-1].ends.append(dict(self.frame.env))

    def _behind_exits(self, node: gast.For | gast.While, left: Leaving, rest: Sequence[gast.stmt]) -> bool:
        """What follows a loop: its `else` unless a `break` left it, all of it unless a `return` did."""
        place = self.at
        with self.block() as stmts:
            if not left.flag or not node.orelse:
                reached = self.body([*node.orelse, *rest])
            elif subset.exits(node.orelse):
                reached = self._fork(Var(left.flag), [*node.orelse, *rest], rest)
            else:
                reached = self._fork(Var(left.flag), node.orelse, ()) and self.body(rest)
        if not left.going:
            self.emit(*stmts)
        elif stmts:
            self.emit(If(Var(left.going), tuple(stmts), (), place))
        return reached

    # ----- branches ----------------------------------------------------------------------------------------

    def _branch(self, node: gast.If, rest: Sequence[gast.stmt]) -> bool:
        """An `if`, with what stands behind it in both arms; whether the end is reached."""
        arms = ([*node.body, *rest], [*node.orelse, *rest])
        test = self.test(node.test)
        known = truth(test)
        if known is not None:
            return self.body(arms[not known])
        if "return" in subset.exits([node]):
            self.frame.into = self.frame.into or self.result()
        return self._fork(self.scalar_of(test, node.test), *arms)

    def _fork(self, test: Expr, then: Sequence[gast.stmt], orelse: Sequence[gast.stmt]) -> bool:
        place, before = self.at, dict(self.frame.env)
        arms: list[tuple[Stmt, ...]] = []
        ways: list[dict[str, Value]] = []
        for arm in (then, orelse):
            self.frame.env = dict(before)
            with self.block() as stmts:
                if self.body(arm):
                    ways.append(self.frame.env)
            arms.append(tuple(stmts))
        one, other = arms
        if other and not one:
            test, one, other = Apply("not", (test,)), other, one
        self.emit(If(test, one, other, place))
        self.frame.env = meet(before, ways) if ways else before
        return bool(ways)

    def _region(self, node: gast.With) -> bool:
        """`with checkpoint():`, a stretch that is run again on the way back; whether its end is reached."""
        call = subset.marked(node)
        function = self.expr(call.func) if call is not None else None
        if not isinstance(function, Known) or function.value is not checkpoint:
            self.refuse(node, "`with` is not supported", "S017")
        left = sorted(subset.exits(node.body))
        if left:
            self.refuse(node, f"a `{left[0]}` leaves this region", "S017", "leave it at its end")
        place = self.at
        with self.block() as stmts:
            reached = self.body(node.body)
        self.emit(Region(tuple(stmts), place))
        return reached

    # ----- the rest ----------------------------------------------------------------------------------------

    def stmt_Expr(self, node: gast.Expr) -> None:
        if isinstance(node.value, gast.Constant):
            return
        if not isinstance(node.value, gast.Call):
            self.refuse(node, "the value of this expression is not used", "S028")
        self.call(node.value)

    def stmt_Delete(self, node: gast.Delete) -> None:
        for target in node.targets:
            self.expr_Name(target)
            self.frame.env[target.id] = Lost("was deleted", "S051")

    def stmt_Nonlocal(self, node: gast.Nonlocal) -> None:
        pass

    def stmt_Pass(self, node: gast.Pass) -> None:
        pass

    def stmt_FunctionDef(self, node: gast.FunctionDef) -> None:
        if node.decorator_list:
            self.refuse(node.decorator_list[0], "decorators of nested functions are not supported", "S027")
        self.outward = self.outward or bool(subset.outer_names([node]))
        self.frame.env[node.name] = self.closure(node)


def _returns_alike(one: Value, other: Value) -> bool:
    match one, other:
        case Tuple(a, make), Tuple(b, made):
            return make == made and len(a) == len(b) and all(map(_returns_alike, a, b))
    return same(one, other)
