"""Regions become functions: what is live into a region are its parameters, what is live out of it its results.

A region is then a joint call, and everything that holds for calls holds for it; regions nest as functions do. A loop
of `checkpoint_range` becomes a call of a function that runs it, step by step (`steps`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from s2sad.analyses.versions import distinct
from s2sad.handlers.steps import stepped
from s2sad.handlers.stretches import Cutter, first_value, reach
from s2sad.ir.nodes import For, Function, Region, Stmt, While
from s2sad.ir.walk import Body, blocks, names_in, reads_in, statements, unique, with_blocks


def outlined(fn: Function, taken: Iterable[str] = ()) -> Function:
    """`fn` with every Region as a Call of a function among its callees, whose names are not among those `taken`."""
    if not any(isinstance(s, Region) for s in statements(fn.body)):
        return fn
    fn = replace(fn, body=distinct(fn.body))
    cutter = Cutter(fn)
    cutter.namer.take(*taken)
    body = walk(cutter, fn.body, ())
    presets = tuple(first_value(name, fn.kinds[name]) for name in cutter.presets)
    return replace(
        fn, body=(*presets, *body), kinds=cutter.kinds, callees={**fn.callees, **cutter.made}
    )  # fmt: skip


def walk(cutter: Cutter, body: Body, after: tuple[str, ...]) -> Body:
    """`body` with its regions outlined; `after` are names that may be read when it has run."""
    out: list[Stmt] = []
    for k, stmt in enumerate(body):
        later = unique((*reads_in(body[k + 1 :]), *after))
        if isinstance(stmt, Region):
            out += outline(cutter, stmt, later)
            continue
        if isinstance(stmt, For | While):  # the next iteration may read what this one writes
            exposed = reach((stmt,), frozenset())[0]
            later = unique((*later, *(n for n in names_in((stmt,)) if n in exposed)))
        out.append(with_blocks(stmt, (walk(cutter, inner, later) for inner in blocks(stmt))))
    return tuple(out)


def outline(cutter: Cutter, region: Region, later: tuple[str, ...]) -> Body:
    """What stands for one region: a call, and what binds the names of arrays behind it."""
    if region.schedule:
        return stepped(cutter, region, later)
    doc = f"A region of `{cutter.fn.name}`, run again on the way back."
    cut = cutter.cut(region, region.body, later, "region", doc)
    return (cut.call, *cut.after)
