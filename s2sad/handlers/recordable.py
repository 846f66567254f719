r"""What the tape handler does to a program before it records it: nothing that the value could notice.

Results that are expressions get names; reductions, products of matrices and parts of complex numbers stand alone.

>>> from s2sad.ir.nodes import REAL, Apply, Function, Node, Var
>>> from s2sad.ir.text import show_stmt
>>> fn = Function("f", ("x",), (), (Apply("sum", (Apply("sin", (Var("x"),)),)),), {"x": Kind("real", 1)}, (), Node(()))
>>> print(*map(show_stmt, recordable(fn).body), sep="\n")
new t = sin(x)
y = sum(t)
release t
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from s2sad.handlers.prepare import REDUCTIONS, structure
from s2sad.handlers.reductions import reductions_named
from s2sad.ir.names import Namer
from s2sad.ir.nodes import Apply, Assign, Expr, Function, Kind, Load, New, Release, Stmt, Var
from s2sad.ir.walk import map_body
from s2sad.ops.kinds import kind_of


def recordable(fn: Function) -> Function:
    """`fn` with results that are names, and reductions and products that stand alone on names."""
    return _alone(reductions_named(_results_named(fn), ("real", "single", "complex")))


def _results_named(fn: Function) -> Function:
    kinds = dict(fn.kinds)
    namer = Namer([*kinds, *fn.constants])
    tail: list[Stmt] = []
    results: list[Expr] = []
    for value in fn.results:
        kind = kind_of(value, kinds)
        if isinstance(value, Apply | Load) and kind.is_real:
            kinds[name := namer.fresh("y")] = kind
            born = Apply("copy", (value,)) if isinstance(value, Load) else value
            at = fn.end or fn.at
            tail.append(New(name, born, at) if kind.is_array else Assign(name, value, at))
            value = Var(name)
        results.append(value)
    k = len(fn.body)
    while k > 0 and isinstance(fn.body[k - 1], Release):
        k -= 1
    return replace(fn, body=(*fn.body[:k], *tail, *fn.body[k:]), results=tuple(results), kinds=kinds)


def _alone(fn: Function) -> Function:
    kinds = dict(fn.kinds)
    namer = Namer([*kinds, *fn.constants])

    def settle(stmt: Stmt) -> Iterator[Stmt]:
        born: list[Stmt] = []
        match stmt:
            case (
                Assign(value=Apply(op=op, args=args) as value) | New(value=Apply(op=op, args=args) as value)
            ) if op in REDUCTIONS or structure(value) == "matrix":
                names: list[Expr] = []
                for arg in args:
                    kind = kind_of(arg, kinds)
                    if kind.is_array and not isinstance(arg, Var):
                        kinds[t := namer.fresh("t")] = Kind(kind.base, kind.ndim)
                        born.append(New(t, Apply("copy", (arg,)) if isinstance(arg, Load) else arg, stmt.at))
                        arg = Var(t)
                    names.append(arg)
                yield from born
                yield replace(stmt, value=replace(value, args=tuple(names)))
            case _:
                yield stmt
        yield from (Release(s.target, s.at) for s in reversed(born) if isinstance(s, New))

    return replace(fn, body=map_body(settle, fn.body), kinds=kinds)
