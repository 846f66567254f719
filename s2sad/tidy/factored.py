"""Linear systems keep the factors of their matrix, and systems with the same matrix share them.

On the way back a system is solved with the transposed matrix: by the factors that the way there left. In a loop that
doesn't write into the matrix there is room for one factorisation, whatever the number of trips.

Before: `for i in range(n):` · `x = solve21(a, v)` · ...
After:  `lu, pivots = room_for_factors(a)` · `for i in range(n):` · `x = solve_by21(a, lu, pivots, v)` · ...

>>> from s2sad.ir.nodes import Const, New, Node, Update
>>> from s2sad.ir.text import show_function
>>> v, x = Var("v"), New("x", Apply("solve21", (Var("a"), Var("v"))))
>>> loop = For("i", Const(0), Var("n"), Const(1), (x, Update("v", Var("x")), Release("x")))
>>> kinds = {"a": Kind("real", 2), "v": Kind("real", 1), "x": Kind("real", 1), "n": Kind("int"), "i": Kind("int")}
>>> print(show_function(factored(Function("f", ("a", "v", "n"), (loop,), (), kinds, (), Node(())))))
def f(a: real[:, :], v: real[:], n: int):
    lu, pivots = call room_for_factors(a)
    for i in range(0, n, 1):
        new x = solve_by21(a, lu, pivots, v)
        v[...] = x
        release x
    release pivots
    release lu
    return
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from s2sad.analyses.entities import classes
from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    Apply,
    Call,
    Expr,
    For,
    Frame,
    Function,
    If,
    Kind,
    Region,
    Release,
    Stmt,
    Var,
    While,
)
from s2sad.ir.walk import Body, blocks, expressions, map_expressions, nodes, with_blocks, writes, writes_in
from s2sad.ops.kinds import kind_of

SOLVED = {"solve21": "solve_by21", "solve22": "solve_by22"}
ROOM = "room_for_factors"
MATRIX, PIVOTS = Kind("real", 2), Kind("int", 1)

Factors = tuple[str, str]


def factored(fn: Function) -> Function:
    """`fn` and what it calls with the factors of matrices kept."""
    callees = {name: factored(callee) for name, callee in fn.callees.items()}
    pass_ = _Factored(fn)
    body = pass_.block(fn.body, {})
    if not pass_.kinds and callees == fn.callees:
        return fn
    return replace(fn, body=body, kinds={**fn.kinds, **pass_.kinds}, callees=callees)


class _Factored:
    def __init__(self, fn: Function) -> None:
        self.fn = fn
        self.same = classes(fn.body)
        self.names = Namer([*fn.kinds, *fn.constants, *fn.callees])
        self.kinds: dict[str, Kind] = {}

    def block(self, body: Body, there: Mapping[str, Factors]) -> Body:
        """A body, with the rooms that are there before it: matrix -> names of its factors and pivots."""
        have, made = dict(there), list[Stmt]()
        own = list[str]()  # names of rooms made here
        for stmt in body:
            written = self.written(stmt)
            wanted = () if isinstance(stmt, If) else self.matrices(stmt)
            if isinstance(stmt, For | While):
                wanted = tuple(m for m in wanted if self.same[m] not in written)
            for matrix in dict.fromkeys(wanted):
                if matrix not in have:
                    have[matrix] = room = self.room(matrix)
                    made.append(Call(room, ROOM, (Var(matrix),), at=stmt.at))
                    own += room
            if blocks(stmt):
                kept = {m: r for m, r in have.items() if self.same[m] not in written}
                inside = {} if isinstance(stmt, Region | Frame) else have if isinstance(stmt, If) else kept
                stmt = with_blocks(stmt, [self.block(block, inside) for block in blocks(stmt)])
            else:
                stmt = map_expressions(lambda e, have=have: _by_factors(e, have), stmt)  # type: ignore[misc]
            made.append(stmt)
            have = {m: r for m, r in have.items() if self.same[m] not in written}
        return (*made, *(Release(name) for name in reversed(own)))

    def matrices(self, stmt: Stmt) -> tuple[str, ...]:
        """The named matrices that a statement, with all that is in it outside of regions, solves with."""
        if isinstance(stmt, Region | Frame):
            return ()
        own = (n.args for e in expressions(stmt) for n in nodes(e) if isinstance(n, Apply) and n.op in SOLVED)
        found = [a.name for a, b in own if isinstance(a, Var) and self.plain(a, b)]
        return (*found, *(m for block in blocks(stmt) for inner in block for m in self.matrices(inner)))

    def plain(self, a: Var, b: Expr) -> bool:
        """Is this a system of double precision with a matrix that has a name?"""
        return self.fn.kinds[a.name] == MATRIX and kind_of(b, self.fn.kinds).base == "real"

    def written(self, stmt: Stmt) -> frozenset[str]:
        """The classes that a statement, with all that is in it, writes into or binds anew."""
        return frozenset(
            self.same[n] for n in (*writes(stmt), *(w for b in blocks(stmt) for w in writes_in(b)))
        )

    def room(self, matrix: str) -> Factors:
        """Names for the factors of a matrix."""
        lu, pivots = self.names.fresh("lu"), self.names.fresh("pivots")
        self.kinds |= {lu: MATRIX, pivots: PIVOTS}
        return lu, pivots


def _by_factors(expr: Expr, have: Mapping[str, Factors]) -> Expr:
    match expr:
        case Apply(op, (Var(matrix), b)) if op in SOLVED and matrix in have:  # have: of double precision
            return Apply(SOLVED[op], (Var(matrix), *map(Var, have[matrix]), _by_factors(b, have)), expr.spell)
        case Apply(op, args, spell):
            return Apply(op, tuple(_by_factors(arg, have) for arg in args), spell)
    return expr
