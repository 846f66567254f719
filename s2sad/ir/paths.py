"""Functions that solve an initial value problem y' = f(y, s, ...): each row of the result is y at one of the times.

::

    def swing_path(y0, t, k, rtol, atol, hmax, mxstep):
        path = odeint(swing, y0, t, rtol, atol, hmax, mxstep, k)
        return path

The right-hand side is a function of the program, called by SciPy's solver; its name stands among the operands. A rule
says so as well: its call is that of the right-hand side, which is all that derivatives are made from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from s2sad.ir.names import Namer
from s2sad.ir.nodes import INT, REAL, Apply, Call, Const, Function, Kind, Leaf, New, Rule, Stmt, Var
from s2sad.source import NOWHERE, Span

OPTIONS = ("rtol", "atol", "hmax", "mxstep")
VECTOR, MATRIX = Kind("real", 1), Kind("real", 2)
KINDS = (REAL, REAL, REAL, INT)  # of the options
KEYS = ("odeint", "odeint_or_raise")


def path(name: str, rate: str, rest: Mapping[str, Kind], at: Span = NOWHERE, own: bool = True) -> Function:
    """The function that solves y' = rate(y, s, *rest) for y0 and times t, with the options of the solver.

    The user's own problem is solved as SciPy does it; one that is not `own` raises where SciPy warns.
    """
    namer = Namer(rest)
    y0, t, *options, made, y, s, dy = map(namer.fresh, ("y0", "t", *OPTIONS, "path", "y", "s", "y_t"))
    params = (y0, t, *rest, *options)
    kinds = {y0: VECTOR, t: VECTOR, **rest, **dict(zip(options, KINDS, strict=True)), made: MATRIX}
    call = Call((dy,), rate, (Var(y), Var(s), *map(Var, rest)), at=at)
    known = {**kinds, y: VECTOR, s: REAL, dy: VECTOR}
    rule = Rule("path", (call,), (y0, t, *rest), (y, s), (made,), (dy,), known)
    solved = Apply(KEYS[not own], (Const(rate), *map(Var, (y0, t, *options, *rest))))
    return Function(
        name, params, (New(made, solved, at),), (Var(made),), kinds, (), Leaf("r_0"), rule=rule, at=at,
        doc=f"The solution of y' = {rate}(y, ...) from y0 on, at the times t.",
    )  # fmt: skip


def is_path(fn: Function) -> bool:
    """Whether a function is such a solution."""
    return fn.rule is not None and fn.rule.how == "path"


def with_rate(fn: Function, rate: str) -> Function:
    """The function with its right-hand side by another name."""
    assert fn.rule is not None
    (call,) = fn.rule.calls
    made = path(fn.name, rate, {a.name: fn.kinds[a.name] for a in call.args[2:] if isinstance(a, Var)}, fn.at)
    return replace(fn, body=made.body, rule=made.rule, doc=made.doc)


def called_by(stmt: Stmt) -> str:
    """The function that a statement calls, or hands over to be called; "" for none."""
    match stmt:
        case Call(function=name):
            return name
        case New(value=Apply(op, (Const(str() as name), *_))) if op in KEYS:
            return name
    return ""


def calling(stmt: Stmt, name: str) -> Stmt:
    """A statement that calls something, or hands it over, with another function in its place."""
    match stmt:
        case Call():
            return replace(stmt, function=name)
        case New(value=Apply(op, (_, *rest), spell)):
            return replace(stmt, value=Apply(op, (Const(name), *rest), spell))
    raise TypeError(f"{type(stmt).__name__} calls nothing")
