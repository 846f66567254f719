"""A nest that scatters over neighbours becomes one that gathers from them, with a frame where a neighbour lacks.

Before: `for i in range(1, n - 1): x_b[i - 1] += w[i] * a` · `x_b[i + 1] += w[i] * b`
After:  `for i in range(2, n - 2): x_b[i] += w[i + 1] * a + w[i - 1] * b`, and the cells 0, 1, n - 2, n - 1 apart

Legal where the nest is order-free and a box, and all shares go to elements `v + c` that are known not to be negative,
one dimension for each loop. An array that gets shares at one offset only stays in the nest, with what else it does.
In the core every source lies in the box, so each load is one that the nest made; in the frame a test decides first.

>>> from s2sad.ir.names import Namer
>>> from s2sad.ir.nodes import INT, Const, Kind
>>> from s2sad.ir.text import show_stmt
>>> from s2sad.ops.build import sub
>>> i, array = Var("i"), Kind("real", 1)
>>> adds = (Accumulate(Load("x_b", (e,)), Load("w", (i,))) for e in (sub(i, Const(1)), add(i, Const(1))))
>>> loop = For("i", Const(1), sub(Var("n"), Const(1)), Const(1), tuple(adds))
>>> sweep = Sweep({"x_b": array, "w": array, "i": INT, "n": INT}, Namer())
>>> print(show_stmt(gather((loop,), Place(frozenset(), {}), sweep)[0]))
for i in range(2, n - 2, 1):
    x_b[i] += w[i + 1] + w[i - 1]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from s2sad.ir.nodes import Accumulate, Apply, Expr, For, Load, Stmt, Var
from s2sad.ir.walk import Body, expressions, nodes, variables, writes_in
from s2sad.ops import OPS
from s2sad.ops.build import add
from s2sad.shapes.frame import Box, around, frame
from s2sad.shapes.nests import Nest, Share, nest_of, shares
from s2sad.shapes.orderfree import accesses
from s2sad.shapes.subscripts import least, moved, offset
from s2sad.shapes.sweep import Place, Sweep, over_nests
from s2sad.tidy.dead import dead

LONGEST = 400  # nodes of expressions that a gathered nest may have


def gather(body: Iterable[Stmt], place: Place, sweep: Sweep) -> Body:
    """`body` with its nests gathered where they can be."""

    def visit(loop: For, here: Place) -> Body | None:
        nest = nest_of(loop, here, sweep)
        return None if nest is None else gathered(nest, sweep)

    return over_nests(body, place, visit)


@dataclass(frozen=True)
class Group:
    """The shares that one array gets at neighbouring elements: offset -> share. `index`: of the element itself."""

    array: str
    index: tuple[Expr, ...]
    shares: Mapping[tuple[int, ...], tuple[Share, ...]]


def gathered(nest: Nest, sweep: Sweep) -> Body | None:
    """The nests that a nest becomes; None where there is nothing to gather, or it isn't legal or worth it."""
    found = shares(nest.body, sweep)
    groups = [g for g in grouped(found or (), nest, sweep) if len(g.shares) > 1]
    taken = {id(share.stmt) for g in groups for some in g.shares.values() for share in some}
    rest = [s for s in nest.body if id(s) not in taken]
    mine = writes_in(nest.body)
    left = dead(rest, nest.place.live, mine)
    if not groups or not worth(nest, groups, left):
        return None
    cores: dict[tuple[tuple[Expr, Expr], ...], list[Core]] = {}
    for core in (core_of(nest, group) for group in groups):
        cores.setdefault(tuple(core.box.core), []).append(core)
    gathers = (gathering(nest, same, sweep) for same in cores.values())
    return (*(s for body in gathers for s in body), *around(nest.loops, left))


def grouped(found: Iterable[Share], nest: Nest, sweep: Sweep) -> list[Group]:
    """The shares by array and the dimensions that the loops go through, for arrays that the nest only adds to."""
    met = accesses(nest.body, sweep)
    groups: dict[tuple[str, tuple[Expr, ...]], dict[tuple[int, ...], list[Share]]] = {}
    for share in found:
        group = met[sweep.memory[share.target.array]]
        if group.stores or group.reads or not sweep.kinds[share.target.array].is_real:
            continue
        if (at := neighbour(share.target, nest)) is not None:
            index, offsets = at
            groups.setdefault((share.target.array, index), {}).setdefault(offsets, []).append(share)
    return [Group(array, index, {o: tuple(s) for o, s in table.items()})
            for (array, index), table in groups.items()]  # fmt: skip


def neighbour(target: Load, nest: Nest) -> tuple[tuple[Expr, ...], tuple[int, ...]] | None:
    """The element that an iteration is at, and how far off it adds; None where the loops don't go through one each."""
    changing = {*nest.vars, *writes_in(nest.body)}
    index: list[Expr] = []
    offsets: dict[str, int] = {}
    for e in target.index:
        mine = changing & set(variables(e))
        if not mine:
            index.append(e)
            continue
        (var, *others) = mine
        c, low = offset(e, var), least(e, nest.place.floor)
        if others or c is None or var in offsets or low is None or low < 0:
            return None
        offsets[var] = c
        index.append(Var(var))
    return (tuple(index), tuple(offsets[v] for v in nest.vars)) if set(offsets) == set(nest.vars) else None


def worth(nest: Nest, groups: Sequence[Group], left: Sequence[Stmt]) -> bool:
    """Does gathering form nothing dear more often than the nest does, and keep expressions at a readable length?"""
    values = [share.value for g in groups for some in g.shares.values() for share in some]
    kept = [e for s in left for e in expressions(s)]
    once = [e for s in nest.body for e in expressions(s)]
    return dear((*values, *kept)) <= dear(once) and sum(1 for e in values for _ in nodes(e)) <= LONGEST


def dear(exprs: Iterable[Expr]) -> int:
    """How many operations that cost like exp are in expressions."""
    return sum(isinstance(n, Apply) and OPS[n.op].cost == "dear" for e in exprs for n in nodes(e))


@dataclass(frozen=True)
class Core:
    """What the cells of one array get: all of it in the core of a box, each share by itself in the frame around that."""

    array: str
    box: Box
    total: Accumulate
    edges: Sequence[tuple[tuple[int, ...], Accumulate]]


def core_of(nest: Nest, group: Group) -> Core:
    """The core for one array."""
    at = max((s.stmt.at for some in group.shares.values() for s in some), key=lambda span: span.line)
    terms: dict[tuple[int, ...], Expr] = {}
    for offsets, some in group.shares.items():
        back = {var: -o for var, o in zip(nest.vars, offsets, strict=True)}
        for share in some:
            value = moved(share.value, back)
            terms[offsets] = add(terms[offsets], value) if offsets in terms else value
    here = tuple(0 for _ in nest.vars)
    terms = {o: terms[o] for o in sorted(terms, key=lambda o: o != here)}  # its own share first
    box = Box(nest.loops, (here, *terms))
    total: Expr | None = None
    for value in terms.values():
        total = value if total is None else add(total, value)
    assert total is not None
    target = Load(group.array, group.index)
    edges = [(o, Accumulate(target, value, at)) for o, value in terms.items()]
    return Core(group.array, box, Accumulate(target, total, at), edges)


def gathering(nest: Nest, cores: Sequence[Core], sweep: Sweep) -> Body:
    """Arrays with the same core in one nest, which reads once what they get in common, and in one frame."""
    one, box = len(cores) == 1, cores[0].box
    names = " and ".join(core.array for core in cores)
    note = f"{names} gather{'s' * one} what {'its' if one else 'their'} cells get from their neighbours"
    loops = [
        replace(loop, start=low, stop=high) for loop, (low, high) in zip(nest.loops, box.core, strict=True)
    ]
    loops[0] = replace(loops[0], note=note)
    edges = [edge for core in cores for edge in core.edges]
    return (*around(loops, tuple(core.total for core in cores)), *frame(box, edges, sweep))
