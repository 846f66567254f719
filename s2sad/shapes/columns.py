"""Arrays of which the inner loops read single columns lie column by column in the reverse sweep.

Before: `back pos: pos bind` · ... `for j in range(n): pos_b[j, 0] += pos[j, 0] * w[j]` · `pos_b[j, 1] += ...`
After:  `back pos: pos bind` · `new pos = columns(pos)` · ... the same

Why: along a row-major array the elements of a column are apart, and the compiler can't take several at once. The copy
is one pass over the array; its adjoint is made like it, and lies as it does.

>>> from s2sad.ir.names import Namer
>>> from s2sad.ir.nodes import INT, Const, Kind
>>> from s2sad.ir.text import show_stmt
>>> j, zero = Var("j"), Const(0)
>>> add = Accumulate(Load("p_b", (j, zero)), Apply("mul", (Load("p", (j, zero)), Var("w"))))
>>> loop = For("j", zero, Var("n"), Const(1), (add,))
>>> born = New("p_b", Apply("zeros_like", (Var("p"),)))
>>> kinds = {"p": Kind("real", 2), "p_b": Kind("real", 2), "j": INT, "n": INT, "w": Kind("real")}
>>> body = (Back("p", "p"), born, For("t", zero, Var("n"), Const(1), (loop,)))
>>> [show_stmt(s) for s in columns(body, Place(frozenset(), {}), Sweep(kinds, Namer()))[:3]]
['back p: p bind', 'new p = columns(p)', 'new p_b = zeros_like(p)']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from s2sad.ir.nodes import Accumulate, Apply, Assign, Back, Const, Expr, For, If, Load, New, Stmt, Store, Var
from s2sad.ir.walk import (
    Body,
    blocks,
    children,
    expressions,
    is_section,
    names_in,
    nodes,
    statements,
    variables,
)
from s2sad.shapes.sweep import Place, Sweep

Met = tuple[int, str, tuple[Expr, ...]]  # in how many loops, the counter of the innermost, the subscripts


def columns(body: Iterable[Stmt], place: Place, sweep: Sweep) -> Body:
    """`body` with arrays turned where inner loops go along their columns."""
    body = tuple(body)
    if place.around or any(k.base == "pool" for k in sweep.kinds.values()):
        return body
    out: list[Stmt] = []
    for k, stmt in enumerate(body):
        out.append(stmt)
        if isinstance(stmt, Back) and stmt.how == "bind" and sweep.kinds[stmt.name].ndim == 2:
            if turns(stmt.name, body[k + 1 :], sweep):
                out.append(New(stmt.name, Apply("columns", (Var(stmt.name),))))
    return tuple(out)


def turns(array: str, body: Body, sweep: Sweep) -> bool:
    """Is it worth it, and does nothing depend on how an array, and its adjoint, lie?"""
    like = Apply("zeros_like", (Var(array),))
    births = [s for s in body if isinstance(s, New) and s.value == like]
    mine = {array, *(s.target for s in births)}
    known = all(sweep.kinds[n].is_real and sweep.memory.get(n, n) == n for n in mine)
    if not known or not all(plain(s, array, mine, births) for s in statements(body)):
        return False
    found = [m for n in sorted(mine) for m in met(body, n, 0, "")]
    deepest = max((depth for depth, _, _ in found), default=0)
    inner = [(counter, index) for depth, counter, index in found if depth == deepest]
    alone = all(isinstance(index[1], Const) for _, index in inner)
    return deepest > 1 and alone and any(counter in variables(index[0]) for counter, index in inner)


def plain(s: Stmt, array: str, mine: set[str], births: list[New]) -> bool:
    """Does a statement meet the arrays by their elements alone, but for births and what adjoints add to others?"""
    if not mine & {*names_in((s,))}:
        return True
    match s:
        case Assign() | Store() | For() | If():
            return not any(whole(e, mine) for e in expressions(s))
        case Accumulate(target=Var(name), value=Var(other)) if other in mine:
            return name not in mine and other != array
        case Accumulate(target=target):
            return target not in [Var(n) for n in mine] and not any(whole(e, mine) for e in expressions(s))
        case New():
            return births.count(s) == 1
    return False


def whole(expr: Expr, mine: set[str]) -> bool:
    """Does an expression read one of the arrays as a whole, or a part of it? Shapes don't count."""
    match expr:
        case Apply(op="shape"):
            return False
        case Var(name):
            return name in mine
        case Load(array=array, index=index) if array in mine and len(index) != 2:
            return True
        case Load(array=array, index=index) if array in mine:
            return is_section(index) or any(whole(e, mine) for e in index)
    return any(whole(e, mine) for e in children(expr))


def met(body: Body, array: str, depth: int, counter: str) -> Iterator[Met]:
    """Where the elements of an array are met."""
    for s in body:
        targets = (
            [s.target]
            if isinstance(s, Accumulate)
            else [Load(s.array, s.index)]
            if isinstance(s, Store)
            else []
        )
        for e in (*targets, *expressions(s)):
            for node in nodes(e):
                if isinstance(node, Load) and node.array == array:
                    yield depth, counter, node.index
        for block in blocks(s):
            yield from met(block, array, depth + isinstance(s, For), s.var if isinstance(s, For) else counter)
