"""Arrays each of whose elements is written once: nothing that such a store overwrites was ever read.

That holds for a local array of undefined elements (`np.empty`) with one statement that stores into it, where every
loop between its birth and the store counts a subscript of its own; for one of zeros too, where nothing reads it
before those loops are done. What is stored stands there for the rest of the array's life.

>>> from s2sad.ir.nodes import Apply, Const, For, Var
>>> store = Store("a", (Var("i"),), Const(1.0))
>>> loop = For("i", Const(0), Var("n"), Const(1), (store,))
>>> once((New("a", Apply("empty", (Var("n"),))), loop)) == {"a": store}
True
"""

from __future__ import annotations

from collections.abc import Iterable

from s2sad.ir.nodes import (
    Apply,
    Assign,
    Bind,
    Call,
    For,
    If,
    New,
    Rebind,
    Stmt,
    Store,
    Update,
    Var,
    View,
)
from s2sad.ir.walk import blocks, names_in, reads, reads_in, statements, writes
from s2sad.plan.elements import floors

BLANK = ("empty", "empty_like")
FILLED = ("zeros", "zeros_like", "ones", "ones_like", "full", "full_like")


def once(body: Iterable[Stmt]) -> dict[str, Store]:
    """The arrays of `body` that are written once, and the statement that writes them."""
    body = tuple(body)
    news: dict[str, list[New]] = {}
    stores: dict[str, list[Stmt]] = {}
    for stmt in statements(body):
        match stmt:
            case New(target=name):
                news.setdefault(name, []).append(stmt)
            case Store(array=name):
                stores.setdefault(name, []).append(stmt)
            case Update() | View() | Bind() | Rebind() | Call():
                for name in (*writes(stmt), *reads(stmt)):
                    stores.setdefault(name, []).append(stmt)
    found: dict[str, Store] = {}
    for name, born in news.items():
        written = stores.get(name, [])
        if len(born) == len(written) == 1 and isinstance(store := written[0], Store):
            if single(body, born[0], store):
                found[name] = store
    return found


def filling(body: Iterable[Stmt]) -> frozenset[int]:
    """The stores (their ids) that fill an array of undefined elements just born: there is nothing that they overwrite.

    What becomes of the array later, and how often its name is bound, doesn't matter.
    """
    body = tuple(body)
    found: set[int] = set()
    for home in bodies(body):
        for k, born in enumerate(home):
            if not isinstance(born, New) or not isinstance(born.value, Apply) or born.value.op not in BLANK:
                continue
            nest = next((s for s in home[k + 1 :] if born.target in names_in((s,))), None)
            if not isinstance(nest, For):
                continue
            stores = [s for s in statements((nest,)) if born.target in writes(s)]
            if len(stores) == 1 and isinstance(store := stores[0], Store):
                way = path((nest,), store)
                if way is not None and reaches_each_once(way, store):
                    found.add(id(store))
    return frozenset(found)


def single(body: tuple[Stmt, ...], born: New, store: Store) -> bool:
    """Does `store` write each element of the array at most once in its life, and is nothing lost by that?"""
    made = born.value.op if isinstance(born.value, Apply) else ""
    home = next(b for b in bodies(body) if any(s is born for s in b))
    k = next(i for i, s in enumerate(home) if s is born)
    way = path(home[k + 1 :], store)
    if way is None or made not in (*BLANK, *FILLED):
        return False
    if made in FILLED and store.array in reads_in((*home[: home.index(way[0])][k + 1 :], way[0])):
        return False
    return reaches_each_once(way, store)


def reaches_each_once(way: tuple[Stmt, ...], store: Store) -> bool:
    """Do the loops around a store lead to another element on every trip?"""
    loops = [s for s in way if isinstance(s, For)]
    if any(not isinstance(s, For | If | Store) for s in way):
        return False
    counters = [s.var for s in loops]
    assigned = {s.target for s in statements(way[:1]) if isinstance(s, Assign)}
    return (
        len(set(counters)) == len(counters)
        and not assigned & set(counters)
        and all(sum(sub == Var(v) for sub in store.index) == 1 for v in counters)
        and all(map(upright, loops))
    )


def upright(loop: For) -> bool:
    """Are the loop's numbers known to be 0 or more, so that none of them counts from an array's end?"""
    return floors((loop,)).get(loop.var, -1) >= 0


def bodies(body: tuple[Stmt, ...]) -> Iterable[tuple[Stmt, ...]]:
    """`body` and all bodies nested in it."""
    yield body
    for stmt in body:
        for inner in blocks(stmt):
            yield from bodies(inner)


def path(body: tuple[Stmt, ...], wanted: Stmt) -> tuple[Stmt, ...] | None:
    """The statements around `wanted`, outermost first, with itself at the end; None where it isn't in `body`."""
    for stmt in body:
        if stmt is wanted:
            return (stmt,)
        for inner in blocks(stmt):
            if (rest := path(inner, wanted)) is not None:
                return (stmt, *rest)
    return None
