"""Stores that overwrite what nobody needs, since their element got it in the same trip.

Before: `s[i] = 0.0` · `for j in range(i):` · `s[i] += w[j]` · `q += s[i] * s[i]`, with a log of each store
After:  the same with a log of the first store alone: nobody reads the sums on the way, or needs them in reverse

A store is covered where one to the same element, by the same values of the same names, comes before it in its block or in
one around it, and nothing in between reads the array in reverse, binds it anew, or hands it on. Taking the first one back
brings back what was there before.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from s2sad.analyses.versions import Block, Versions
from s2sad.ir.nodes import Assign, For, If, Load, Stmt, Store, While
from s2sad.ir.walk import is_section, nodes, statements, variables

PLAIN = (Assign, Store, For, While, If)


def covered(
    store: Store,
    block: Block,
    bodies: Mapping[Block, tuple[Stmt, ...]],
    facts: Versions,
    needed: Callable[[Stmt], bool],
    late: Collection[Block],
) -> bool:
    """Is what a store overwrites of no use to anybody?

    needed  does a statement itself, without what is in it, need the array in reverse?
    late    blocks at whose end it is needed
    """
    if is_section(store.index) or any(isinstance(n, Load) for e in store.index for n in nodes(e)):
        return False
    inner: Stmt = store
    for depth in range(len(block), -1, -1):
        around = block[:depth]
        body = bodies[around]
        k = next(i for i, s in enumerate(body) if s is inner)
        for s in (inner, *reversed(body[:k])):
            if s is not inner and isinstance(s, Store) and alike(s, store, facts):
                return True
            if any(not isinstance(one, PLAIN) or needed(one) for one in statements((s,))):
                return False
            if any(within(b, around, s) for b in late):
                return False
        if depth:
            inner = next(s for s in bodies[block[: depth - 1]] if id(s) == block[depth - 1][0])
    return False


def within(block: Block, around: Block, stmt: Stmt) -> bool:
    """Is a block in a statement of the one around it?"""
    k = len(around)
    return len(block) > k and block[:k] == around and block[k][0] == id(stmt)


def alike(one: Store, other: Store, facts: Versions) -> bool:
    """Do two stores meet the same element?"""
    then, now = facts.before[id(one)], facts.before[id(other)]
    names = {n for e in one.index for n in variables(e)}
    return (
        one.array == other.array
        and one.index == other.index
        and all(then.get(n) is now.get(n) for n in names)
    )
