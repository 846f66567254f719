"""What a program says: exceptions, `assert`, `print`, and the text in them.

An f-string is the operation "text" of its parts; it stands in the arguments of an exception and of `print`, nowhere
else. `print` speaks on the way forward only.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

import gast

from s2sad.frontend.expressions import Expressions
from s2sad.frontend.reader import described
from s2sad.frontend.values import Array, Fresh, Known, Scalar, Tuple, Value, truth
from s2sad.ir.nodes import Apply, Const, Expr, If, Print, Raise, Var

CONVERSIONS = {-1: "", 114: "!r", 115: "!s", 97: "!a"}


class Words(Expressions):
    """Reads what is said."""

    # ----- statements --------------------------------------------------------------------------------------

    def stmt_Assert(self, node: gast.Assert) -> None:
        test = self.test(node.test)
        known = truth(test)
        if known:
            return
        wrong = Const(True) if known is False else Apply("not", (self.scalar_of(test, node.test),))
        with self.perhaps() as stmts:
            args = () if node.msg is None else self.said([node.msg], copies=True)
        self.emit(If(wrong, (*stmts, Raise("AssertionError", args, self.at)), (), self.at))

    def stmt_Raise(self, node: gast.Raise) -> None:
        call = node.exc
        if call is None:
            self.refuse(node, "`raise` needs an exception", "S026")
        made = self._exception(node, call)
        if node.cause is not None and not (
            isinstance(node.cause, gast.Constant) and node.cause.value is None
        ):
            made = replace(made, cause=self._exception(node, node.cause))
        self.emit(made)

    def _exception(self, node: gast.Raise, call: gast.AST) -> Raise:
        """What is raised, or its cause: an exception of Python's, or of a module, with its arguments."""
        value = self.expr(call.func if isinstance(call, gast.Call) else call)
        kind = value.value if isinstance(value, Known) else None
        if not isinstance(kind, type) or not issubclass(kind, Exception):
            self.refuse(node, "the class of an exception is needed here", "S026")
        if isinstance(call, gast.Call) and call.keywords:
            self.refuse(call.keywords[0].value, "an exception takes arguments by position here", "S026")
        args = self.said(call.args, copies=True) if isinstance(call, gast.Call) else ()
        known = getattr(builtins, kind.__name__, None) is kind
        return Raise(kind.__name__ if known else kind, args, self.at)

    def printed(self, node: gast.Call) -> Value:
        """A call of `print`."""
        words = self.said(node.args)
        how = {"sep": " ", "end": "\n"}
        stream, flush = "", False
        for keyword in node.keywords:
            value = self.expr(keyword.value)
            if keyword.arg == "flush" and value in (Scalar(Const(True)), Scalar(Const(False))):
                flush = value == Scalar(Const(True))
                continue
            if (
                keyword.arg == "file"
                and isinstance(value, Known)
                and value.value in (None, sys.stdout, sys.stderr)
            ):
                stream = {None: "", sys.stdout: "stdout", sys.stderr: "stderr"}[value.value]
                continue
            if keyword.arg not in how or not isinstance(value, Known) or not isinstance(value.value, str):
                message = f"`{keyword.arg}=` of `print` is not supported"
                if keyword.arg in how:
                    message = f"`{keyword.arg}=` of `print` has to be a text that is known"
                self.refuse(keyword.value, message, "S029", "print without it, or in the caller")
            how[keyword.arg] = value.value
        self.emit(Print(words, self.at, **how, stream=stream, flush=flush))
        return Known(None)

    # ----- text --------------------------------------------------------------------------------------------

    def said(self, nodes: Sequence[gast.AST], copies: bool = False) -> tuple[Expr, ...]:
        """The arguments of `print`, or of an exception (it outlives arrays: `copies`); evaluated from left to right."""
        parts = [part for node in nodes for part in self._parts(node)]
        values = iter(self.operands(parts))
        return tuple(self._argument(node, values, copies) for node in nodes)

    def _parts(self, node: gast.AST) -> list[gast.AST]:
        """What is evaluated for an argument."""
        if not isinstance(node, gast.JoinedStr):
            return [node]
        return [part.value for part in node.values if isinstance(part, gast.FormattedValue)]

    def _argument(self, node: gast.AST, values: Iterator[Value], copies: bool) -> Expr:
        if isinstance(node, gast.JoinedStr):
            return Apply("text", tuple(self._piece(part, values) for part in node.values))
        return self._word(node, next(values), copies)

    def _piece(self, part: gast.AST, values: Iterator[Value]) -> Expr:
        """A part of an f-string."""
        if not isinstance(part, gast.FormattedValue):
            return Const(part.value)
        value = next(values)
        if not isinstance(value, Scalar | Known):
            self.refuse(
                part, f"{described(value)} in a text is not supported", "S035", "print it beside the text"
            )
        word = self._word(part.value, value, False)
        how = CONVERSIONS[part.conversion]
        match part.format_spec:
            case None:
                pass
            case gast.JoinedStr(values=[gast.Constant(value=str() as spec)]):
                how += f":{spec}"
            case _:
                self.refuse(part, "a computed format is not supported", "S035", "write the format out")
        return Apply("format", (word, Const(how))) if how else word

    def _word(self, node: gast.AST, value: Value, copies: bool) -> Expr:
        match value:
            case Scalar(expr):
                return expr
            case Known(None | str() as known):
                return Const(known)
            case Array() | Fresh():
                array = Var(self.array(value).name)
                return Apply("copy", (array,)) if copies else array
            case Tuple(items, None):
                return Apply("items", tuple(self._word(node, item, copies) for item in items))
        self.refuse(node, f"{described(value)} can't be said here", "S026",
                    "say numbers, arrays, text and tuples of these")  # fmt: skip

    def expr_JoinedStr(self, node: gast.JoinedStr) -> Value:
        self.refuse(node, "formatted text stands in `print` and in exceptions only", "S035")
