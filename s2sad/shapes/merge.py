"""Additions to one element in one stretch of statements become one.

Before: `x_b[i] += w * a` · `w = z_b[i]` · `x_b[i] += w * b`      After: `w2 = z_b[i]` · `x_b[i] += w * a + w2 * b`

The first of two moves down to the second. So nothing between them may read or store what it adds to, nor change what
it reads; scalars that are set twice get a name for each of their lives first.

>>> from s2sad.ir.names import Namer
>>> from s2sad.ir.nodes import Const, Kind
>>> from s2sad.ir.text import show_stmt
>>> x, i = Load("x_b", (Var("i"),)), Var("i")
>>> body = (Accumulate(x, Var("w")), Accumulate(Load("z_b", (i,)), Var("w")), Accumulate(x, Var("v")))
>>> sweep = Sweep({"x_b": Kind("real", 1), "z_b": Kind("real", 1)}, Namer())
>>> loop = For("i", Const(0), Var("n"), Const(1), body)
>>> print(show_stmt(merge((loop,), Place(frozenset(), {}), sweep)[0]))
for i in range(0, n, 1):
    z_b[i] += w
    x_b[i] += w + v
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from s2sad.ir.nodes import Accumulate, Assign, For, If, Load, Stmt, Store, Var
from s2sad.ir.walk import (
    Body,
    blocks,
    expressions,
    is_section,
    map_expressions,
    rename,
    variables,
    with_blocks,
    writes,
)
from s2sad.ops.build import add
from s2sad.shapes.sweep import Place, Sweep, over_loops


def merge(body: Iterable[Stmt], place: Place, sweep: Sweep) -> Body:
    """`body` with the additions in its loops merged."""

    def visit(loop: For, here: Place) -> Body:
        return (replace(loop, body=in_block(loop.body, sweep)),)

    return over_loops(body, place, visit)


def in_block(body: Body, sweep: Sweep) -> Body:
    """One block, its branches included; loops in it have been visited."""
    out: list[Stmt] = []
    run: list[Stmt] = []
    for stmt in body:
        if simple(stmt, sweep):
            run.append(stmt)
            continue
        out += in_run(run, sweep)
        run = []
        inner = isinstance(stmt, If)
        out.append(with_blocks(stmt, [in_block(b, sweep) for b in blocks(stmt)]) if inner else stmt)
    return (*out, *in_run(run, sweep))


def simple(s: Stmt, sweep: Sweep) -> bool:
    """Is a statement one of scalars and single elements?"""
    match s:
        case Store(index=index) | Accumulate(target=Load(index=index)):
            return not is_section(index)
        case Accumulate(target=Var(name=name)):
            return not sweep.is_array(name)
    return isinstance(s, Assign)


def in_run(run: Sequence[Stmt], sweep: Sweep) -> list[Stmt]:
    """A stretch of simple statements with its additions merged."""
    targets = Counter(s.target for s in run if isinstance(s, Accumulate) and isinstance(s.target, Load))
    if not any(count > 1 for count in targets.values()):
        return list(run)
    out: list[Stmt] = []
    for stmt in lives_apart(run, sweep):
        k = next((k for k in reversed(range(len(out))) if same_target(out[k], stmt)), None)
        if k is not None and moves_down(out[k], out[k + 1 :], sweep):
            first = out.pop(k)
            assert isinstance(first, Accumulate)
            assert isinstance(stmt, Accumulate)
            stmt = replace(stmt, value=add(first.value, stmt.value))
        out.append(stmt)
    return out if len(out) < len(run) else list(run)


def same_target(one: Stmt, other: Stmt) -> bool:
    """Do two statements add to one element?"""
    return (
        isinstance(one, Accumulate)
        and isinstance(other, Accumulate)
        and isinstance(one.target, Load)
        and one.target == other.target
    )


def moves_down(stmt: Stmt, past: Sequence[Stmt], sweep: Sweep) -> bool:
    """Can an addition to an element stand behind the statements that follow it?"""
    assert isinstance(stmt, Accumulate)
    assert isinstance(stmt.target, Load)
    mine = {sweep.memory[n] for e in expressions(stmt) for n in variables(e)}
    target = sweep.memory[stmt.target.array]
    for s in past:
        if mine & {sweep.memory[n] for n in writes(s)}:
            return False
        if target in {sweep.memory[n] for e in expressions(s) for n in variables(e)}:
            return False
        if isinstance(s, Store) and sweep.memory[s.array] == target:
            return False
    return True


def lives_apart(run: Sequence[Stmt], sweep: Sweep) -> list[Stmt]:
    """The stretch with a new name for every life but the last of a scalar that is set several times."""
    sets = Counter(s.target for s in run if isinstance(s, Assign))
    done: Counter[str] = Counter()
    now: dict[str, str] = {}
    out: list[Stmt] = []
    for stmt in run:
        new = map_expressions(partial(rename, dict(now)), stmt)
        match new:
            case Assign(target=name):
                done[name] += 1
                now.pop(name, None)
                if done[name] < sets[name]:
                    now[name] = sweep.fresh(name, sweep.kinds[name])
                new = replace(new, target=now.get(name, name))
            case Accumulate(target=Var(name=name)):
                new = replace(new, target=Var(now.get(name, name)))
        out.append(new)
    return out
