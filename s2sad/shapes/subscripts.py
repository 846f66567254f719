"""Subscripts: where an array has which; those that are a loop variable and a constant read, moved, bounded from below.

>>> from s2sad.ir.text import show
>>> e = add(Var("i"), Const(1))
>>> offset(e, "i"), show(moved(e, {"i": -2})), least(e, {"i": 0})
(1, 'i - 1', 1)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from s2sad.ir.nodes import Accumulate, Apply, Const, Expr, Load, Stmt, Store, Var
from s2sad.ir.walk import children, expressions, nodes, rebuild, statements, variables
from s2sad.ops.build import add, number, sub, whole


def offset(expr: Expr, var: str) -> int | None:
    """C where `expr` is `var + c`; None where it is something else."""
    if var not in variables(expr) or any(isinstance(n, Load) for n in nodes(expr)):
        return None
    rest = number(sub(expr, Var(var)))
    return int(rest) if rest is not None and rest == int(rest) else None


def plus(expr: Expr, c: int) -> Expr:
    """`expr + c`, whole numbers added up."""
    return whole(add(expr, Const(c))) if c else expr


def moved(expr: Expr, by: Mapping[str, int]) -> Expr:
    """`expr` with `var + by[var]` for each variable, sums in it added up."""
    if isinstance(expr, Var):
        return plus(expr, by.get(expr.name, 0))
    if not any(name in by for name in variables(expr)):
        return expr
    expr = rebuild(expr, lambda child: moved(child, by))
    match expr:
        case Apply(op="add", args=(a, b), spell=""):
            return whole(add(a, b)) if integral(expr) else expr
        case Apply(op="sub", args=(a, b), spell=""):
            return whole(sub(a, b)) if integral(expr) else expr
    return expr


def integral(expr: Expr) -> bool:
    """Is an expression made of names and whole numbers by sums and differences: a subscript, as they are?"""
    return all(
        isinstance(n, Var)
        or (isinstance(n, Const) and type(n.value) is int)
        or (isinstance(n, Apply) and n.op in ("add", "sub", "shape"))
        for n in nodes(expr)
    )


def least(expr: Expr, floor: Mapping[str, int]) -> int | None:
    """A number that an integer expression is not below, given such numbers for some names; None: not known."""
    match expr:
        case Const(value=int() as known):
            return int(known)
        case Var(name=name):
            return floor.get(name)
        case Apply(op="shape"):
            return 0
        case Apply(op="add", args=(a, b)):
            p, q = least(a, floor), least(b, floor)
            return None if p is None or q is None else p + q
        case Apply(op="sub", args=(a, b)):
            p, by = least(a, floor), number(b)
            return None if p is None or by is None else p - int(by)
        case Apply(op="neg", args=(a,)):
            value = number(a)
            return None if value is None else -int(value)
        case Apply(op="mul", args=(a, b)):
            p, q = least(a, floor), least(b, floor)
            return p * q if p is not None and q is not None and min(p, q) >= 0 else None
        case Apply(op="floordiv", args=(a, Const(value=int() as divisor))) if divisor > 0:
            p = least(a, floor)
            return None if p is None else p // divisor
    return None


def places(body: Iterable[Stmt], array: str) -> Iterator[tuple[Expr, ...] | None]:
    """The subscripts of an array wherever it stands in `body`, but where it is made; None where it has none."""
    for stmt in statements(tuple(body)):
        match stmt:
            case Store(array=name, index=index) if name == array:
                yield index
            case Accumulate(target=Load(array=name, index=index)) if name == array:
                yield index
        for expr in expressions(stmt):
            yield from _read_at(expr, array)


def _read_at(expr: Expr, array: str) -> Iterator[tuple[Expr, ...] | None]:
    match expr:
        case Load(array=name, index=index) if name == array:
            yield index
        case Var(name) if name == array:
            yield None
        case Apply(op="shape", args=(Var(name), Const(int() as axis))) if name == array and axis > 0:
            return
    for child in children(expr):
        yield from _read_at(child, array)
