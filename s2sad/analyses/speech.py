"""What a program says, and where that can't be: in stretches that are run again, in words that Numba doesn't know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from s2sad.errors import UnsupportedSyntaxError
from s2sad.ir.nodes import Apply, Call, Const, Expr, Function, Print, Region, Stmt
from s2sad.ir.walk import expressions, nodes, statements
from s2sad.ops.kinds import kind_of


def prints(body: Iterable[Stmt], callees: Mapping[str, Function]) -> Print | None:
    """The first `print` that is reached from statements, calls included."""
    waiting, seen = [*statements(body)], set[str]()
    for stmt in waiting:
        if isinstance(stmt, Print):
            return stmt
        if isinstance(stmt, Call) and stmt.function in callees and stmt.function not in seen:
            seen.add(stmt.function)
            waiting += statements(callees[stmt.function].body)
    return None


def once(body: Iterable[Stmt], callees: Mapping[str, Function]) -> None:
    """Refuse a `print` that is reached from statements: they are run more than once.

    Errors: UnsupportedSyntaxError S029.
    """
    found = prints(body, callees)
    if found is not None:
        raise UnsupportedSyntaxError("`print` in what is run again", code="S029", at=found.at,
                                     hint="print outside of the stretch that is run again")  # fmt: skip


def heard_once(fn: Function) -> None:
    """Refuse a `print` in a stretch that is run again on the way back.

    Errors: UnsupportedSyntaxError S029.
    """
    for body in (fn.body, *(callee.body for callee in fn.callees.values())):
        for stmt in statements(body):
            if isinstance(stmt, Region) or (isinstance(stmt, Call) and stmt.joint):
                once((stmt,), fn.callees)


def compilable(fn: Function) -> None:
    """Refuse formatted text that Numba doesn't make: formats, and anything but integers.

    Errors: UnsupportedSyntaxError S035.
    """
    for function in (fn, *fn.callees.values()):
        for stmt in statements(function.body):
            for part in (p for e in expressions(stmt) for n in nodes(e) for p in _parts(n)):
                if not isinstance(part, Const) and kind_of(part, function.kinds).base != "int":
                    raise UnsupportedSyntaxError(
                        "Numba puts nothing but integers into text, without a format", code="S035", at=stmt.at,
                        hint="pass the numbers beside the text: `print(\"x =\", x)`, or use `jit=False`",
                    )  # fmt: skip


def _parts(expr: Expr) -> tuple[Expr, ...]:
    return expr.args if isinstance(expr, Apply) and expr.op == "text" else ()
