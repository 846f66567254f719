"""An adjoint that is not read again is not set to zero behind its reading.

Going backwards, an array that one loop of the program filled is read once more, by the reverse of that loop; what would
be left in it is of no use to anybody.

Before: `y_b = np.zeros_like(y)` · ... · `for i in range(n):` · `w = y_b[i]` · `y_b[i] = 0.0` · ...
After:  the same without `y_b[i] = 0.0`

>>> from s2sad.ir.nodes import Assign
>>> i = (Var("i"),)
>>> loop = For("i", Const(0), Var("n"), Const(1), (Assign("w", Load("y_b", i)), Store("y_b", i, ZERO)))
>>> last((New("y_b", Apply("zeros", (Var("n"),))), loop))[1].body
(Assign(target='w', value=Load(array='y_b', index=(Var(name='i'),))),)
"""

from __future__ import annotations

from collections.abc import Iterable

from s2sad.ir.nodes import Apply, Bind, Const, Expr, For, Load, New, Rebind, Stmt, Store, Var, View
from s2sad.ir.walk import (
    Body,
    blocks,
    expressions,
    map_body,
    names_in,
    nodes,
    statements,
    with_blocks,
    writes,
)

ZERO = Const(0.0)


def last(body: Iterable[Stmt], live: Iterable[str] = ()) -> Body:
    """`body` without such zeros; what is `live` is read after it."""
    body = tuple(body)
    shared = set(live)
    for stmt in statements(body):
        if isinstance(stmt, View | Bind | Rebind):
            shared |= {*writes(stmt), getattr(stmt, "array", ""), getattr(stmt, "source", "")}
            shared |= set(getattr(stmt, "sources", ()))
    return _block(body, shared)


def _block(body: Body, shared: set[str]) -> Body:
    """A block; arrays that it makes itself end in it."""
    made: list[Stmt] = []
    own = {s.target for s in body if isinstance(s, New) and is_zero(s.value)} - shared
    later: set[str] = set()
    for stmt in reversed(body):
        names = set(names_in((stmt,)))
        if isinstance(stmt, For):
            stmt = _without(stmt, own - later)
        if blocks(stmt):
            stmt = with_blocks(stmt, [_block(b, shared) for b in blocks(stmt)])
        later |= names
        made.append(stmt)
    return tuple(reversed(made))


def is_zero(value: Expr) -> bool:
    """Is it an array of zeros in memory of its own? (A place of a pool may be somebody else's.)"""
    return isinstance(value, Apply) and value.op in ("zeros", "zeros_like")


def _without(nest: For, candidates: set[str]) -> For:
    """A nest without the zeros of those arrays of which each trip sees an element of its own."""
    counters, inner = [nest.var], nest
    while len(inner.body) == 1 and isinstance(inner.body[0], For):
        inner = inner.body[0]
        counters.append(inner.var)
    for array in sorted(candidates):
        places = _places(inner.body, array)
        if places is None or len(places) != 1:
            continue
        (index,) = places
        if sorted(map(str, index)) == sorted(str(Var(c)) for c in counters):
            nest = _dropped(nest, array)
    return nest


def _places(body: Body, array: str) -> set[tuple[Expr, ...]] | None:
    """The subscripts with which an array is read, or set to zero behind that; None: something else happens to it."""
    found: set[tuple[Expr, ...]] = set()
    zeroed = False
    for stmt in body:
        if blocks(stmt) and array in names_in((stmt,)):
            return None
        read = [n for e in expressions(stmt) for n in nodes(e) if isinstance(n, Load) and n.array == array]
        if any(isinstance(n, Var) and n.name == array for e in expressions(stmt) for n in nodes(e)):
            return None
        if read and zeroed:
            return None
        found |= {n.index for n in read}
        if isinstance(stmt, Store) and stmt.array == array:
            if stmt.value != ZERO:
                return None
            found.add(stmt.index)
            zeroed = True
        elif array in writes(stmt):
            return None
    return found if zeroed else None


def _dropped(nest: For, array: str) -> For:
    (made,) = map_body(
        lambda s: () if isinstance(s, Store) and s.array == array and s.value == ZERO else (s,), (nest,)
    )
    assert isinstance(made, For)
    return made
