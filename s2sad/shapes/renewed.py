"""An array that a nest is about to overwrite is kept as it lies, and goes on in other memory, instead of being copied.

Before: `keep un: un copy` · `for i in range(1, n - 1): un[i] = ...`
After:  `keep un: un[1, n - 1] renew` · `for i in range(1, n - 1): un[i] = ...`

The nest stores into each element of a box, whatever comes, and meets the array nowhere else: so the new memory begins
with what is around the box, and is undefined in it. The array is the sweep's own, exchanges its memory with others of
that kind at most, and what is kept is bound on the way back (`rebound`), not copied.

>>> from s2sad.ir.nodes import INT, Const, Kind, Load, Store, Var
>>> from s2sad.ir.text import show_stmt
>>> i, n = Var("i"), Var("n")
>>> nest = For("i", Const(1), n, Const(1), (Store("v", (i,), Load("u", (i,))),))
>>> ahead = (New("v", Apply("own", (Var("u"),))), Keep("v", "v", "copy"), nest)
>>> made = renewed(ahead, (Back("v", "v", "bind"),), {"u": Kind("real", 1), "v": Kind("real", 1), "i": INT, "n": INT})
>>> show_stmt(made[1])
'keep v: v[1, n] renew'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from s2sad.analyses.entities import classes
from s2sad.ir.nodes import (
    Apply,
    Back,
    Bind,
    Call,
    Expr,
    For,
    Frame,
    Keep,
    Kind,
    New,
    Region,
    Stmt,
    Store,
    View,
)
from s2sad.ir.walk import Body, blocks, names_in, statements, with_blocks, writes_in
from s2sad.shapes.overwrite import box_of, loops_of
from s2sad.shapes.rebound import OWN
from s2sad.shapes.subscripts import places


def renewed(ahead: Iterable[Stmt], back: Iterable[Stmt], kinds: Mapping[str, Kind]) -> Body:
    """The forward sweep with new memory for arrays that nests overwrite."""
    ahead = tuple(ahead)
    stmts = tuple(statements(ahead))
    if any(isinstance(s, Frame | Region) for s in stmts):
        return ahead  # memory that ends before the sweep does
    same = classes(ahead)
    births = [
        s.target for s in ahead if isinstance(s, New) and isinstance(s.value, Apply) and s.value.op in OWN
    ]
    made = [s.target for s in stmts if isinstance(s, New)]
    shown = {same[n] for s in stmts if isinstance(s, View | Bind | Call) for n in names_in((s,))}
    other = {
        same[n] for n in {*same, *kinds} if kinds[n].is_array and not (n in births and made.count(n) == 1)
    }
    copied = {s.name for s in statements(tuple(back)) if isinstance(s, Back) and s.how != "bind"}
    free = {
        n for n in births
        if same[n] not in shown | other and n not in copied and kinds[n].base == "real"
    }  # fmt: skip
    return in_block(ahead, free)


def in_block(body: Body, free: set[str]) -> Body:
    """One block, and those in it."""
    out: list[Stmt] = []
    for k, stmt in enumerate(body):
        if isinstance(stmt, Keep) and stmt.how == "copy" and not stmt.index and stmt.name in free:
            nest = next((s for s in body[k + 1 :] if not isinstance(s, Keep)), None)
            box = overwritten(nest, stmt.name) if isinstance(nest, For) else None
            out.append(stmt if box is None else replace(stmt, how="renew", index=box))
        else:
            out.append(with_blocks(stmt, [in_block(b, free) for b in blocks(stmt)]))
    return tuple(out)


def overwritten(nest: For, array: str) -> tuple[Expr, ...] | None:
    """The box of an array (from and to, per axis) that a nest stores into as a whole; None where that isn't known."""
    _, body = loops_of(nest)
    stores = [s for s in body if isinstance(s, Store) and s.array == array]
    met = [*places((nest,), array)]
    if len(stores) != 1 or met != [stores[0].index]:
        return None
    box = box_of(nest, stores[0].index, {*writes_in((nest,))})
    return None if box is None else tuple(end for r in box.ranges for end in r)
