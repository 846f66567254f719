"""Where the index of a scalar begins and ends: before and after the statements of the outermost block that name it.

Within loops and arms a name keeps the index that it has: the next trip assigns to it again.

>>> from s2sad.ir.nodes import Assign, Var
>>> body = (Assign("t", Var("x")), Assign("y", Var("t")), Assign("z", Var("y")))
>>> found = lifetimes(body, ("t", "y", "z"), ("z",))
>>> found.closing, sorted(found.first)
({1: ('t',), 2: ('y',)}, [(0, 't'), (1, 'y'), (2, 'z')])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from s2sad.ir.nodes import Assign, Call, Stmt
from s2sad.ir.walk import names_in, variables


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """opening  position of a statement -> names that need an index of 0 before it
    closing     position of a statement -> names that end after it
    first       (position, name): the statement itself is the beginning of the name
    """

    opening: dict[int, tuple[str, ...]]
    closing: dict[int, tuple[str, ...]]
    first: frozenset[tuple[int, str]]


def lifetimes(
    body: Sequence[Stmt], names: Iterable[str], kept: Iterable[str], of: Callable[[str], str] = str
) -> Lifetimes:
    """The lifetimes of scalars in the statements of an outermost block; those `kept` don't end.

    of  what stands for a name: the first field, for all fields of a value with one index
    """
    begins: dict[str, int] = {}
    ends: dict[str, int] = {}
    for k, stmt in enumerate(body):
        for name in map(of, names_in((stmt,))):
            begins.setdefault(name, k)
            ends[name] = k
    opening: dict[int, tuple[str, ...]] = {}
    closing: dict[int, tuple[str, ...]] = {}
    first = set()
    kept = set(map(of, kept))
    for name in dict.fromkeys(map(of, names)):
        if name not in begins:
            continue
        k = begins[name]
        stmt = body[k]
        if (
            isinstance(stmt, Assign)
            and of(stmt.target) == name
            and name not in map(of, variables(stmt.value))
        ) or (isinstance(stmt, Call) and name in stmt.targets):
            first.add((k, name))
        else:
            opening[k] = (*opening.get(k, ()), name)
        if name not in kept:
            closing[ends[name]] = (*closing.get(ends[name], ()), name)
    return Lifetimes(opening, closing, frozenset(first))
