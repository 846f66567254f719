"""What a program says, and where that can't be: in stretches that are run again, in words that Numba doesn't know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from s2sad.errors import KindError, UnsupportedSyntaxError
from s2sad.forms import Given, is_named
from s2sad.ir.nodes import Apply, Call, Const, Expr, Function, Leaf, New, Print, Raise, Region, Stmt, Tree
from s2sad.ir.paths import KEYS, called_by
from s2sad.ir.walk import expressions, nodes, statements
from s2sad.ops.kinds import kind_of
from s2sad.ops.registered import shown
from s2sad.rules import RECORDS


def prints(body: Iterable[Stmt], callees: Mapping[str, Function]) -> Print | None:
    """The first `print` that is reached from statements, calls included."""
    waiting, seen = [*statements(body)], set[str]()
    for stmt in waiting:
        if isinstance(stmt, Print):
            return stmt
        name = called_by(stmt)
        if name in callees and name not in seen:
            seen.add(name)
            waiting += statements(callees[name].body)
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
    """Refuse what Numba doesn't make: text with formats or of anything but integers; lists, dicts and dataclasses;
    calls of registered functions that are not its own.

    Errors: UnsupportedSyntaxError S029, S035, KindError S062.
    """
    for tree, what in (
        *((p.tree, f"the argument `{p.name}`") for p in fn.signature),
        (fn.returns, "the result"),
    ):
        made = _not_compiled(tree)
        if made:
            raise KindError(f"{what} is made of a {made}, which is not compiled", code="S062", at=fn.at,
                            hint="use tuples and NamedTuples, or `jit=False`")  # fmt: skip
    for function in (fn, *fn.callees.values()):
        for stmt in statements(function.body):
            if isinstance(stmt, Print) and replace(stmt, args=()) != Print(()):
                raise UnsupportedSyntaxError("Numba prints without `sep=`, `end=`, `file=` and `flush=`", code="S029",
                                             at=stmt.at, hint="leave them out, or use `jit=False`")  # fmt: skip
            if isinstance(stmt, New) and isinstance(stmt.value, Apply) and stmt.value.op in KEYS:
                raise KindError("`odeint` is SciPy's, which compiled code can't call", code="S062", at=stmt.at,
                                hint="use `jit=False`, or write the steps of a method as a loop")  # fmt: skip
            if isinstance(stmt, Raise) and stmt.cause is not None:
                raise UnsupportedSyntaxError("Numba raises exceptions without a cause", code="S026", at=stmt.at,
                                             hint="leave `from` out, or use `jit=False`")  # fmt: skip
            for part in (p for e in expressions(stmt) for n in nodes(e) for p in _parts(n)):
                if not isinstance(part, Const) and kind_of(part, function.kinds).base != "int":
                    raise UnsupportedSyntaxError(
                        "Numba puts nothing but integers into text, without a format", code="S035", at=stmt.at,
                        hint="pass the numbers beside the text: `print(\"x =\", x)`, or use `jit=False`",
                    )  # fmt: skip
        for expr in (
            *function.results,
            *(e for stmt in statements(function.body) for e in expressions(stmt)),
        ):
            for node in nodes(expr):
                if isinstance(node, Apply) and node.op in RECORDS and not RECORDS[node.op].compiles:
                    name = shown(RECORDS[node.op])
                    raise KindError(f"`{name}` is registered, and no function that Numba can call", code="S062",
                                    at=fn.at, hint="use `jit=False`, or a function of Numba")  # fmt: skip


def _not_compiled(tree: Tree) -> str:
    """The name of the first structure in a tree that Numba doesn't take."""
    if isinstance(tree, Leaf):
        return ""
    make = tree.make
    if isinstance(make, Given):
        return make.make.__name__
    if make is not None and not is_named(make):
        return f"`{make.__name__}`"
    return next(filter(None, map(_not_compiled, tree.items)), "")


def _parts(expr: Expr) -> tuple[Expr, ...]:
    return expr.args if isinstance(expr, Apply) and expr.op == "text" else ()
