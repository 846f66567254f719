"""The sweeps over a whole chunk of a tape of entities: which step a statement takes, by its place in the program."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from s2sad.emit.entities import Lines, Step, carried, function


def chunk(
    steps: Sequence[Step],
    calls: Sequence[str],
    axes: Sequence[int],
    sizes: Sequence[int],
    name: str,
    first: int,
    forward: bool,
    options: Mapping[str, str],
) -> ast.FunctionDef:
    """The sweep over one chunk; `calls` are the names of the steps, the sites before `first` the ends of arrays."""
    mark = "d" if forward else "b"
    params = ("sites", "sizes", "indices", "data", *carried(axes, sizes, mark))
    cases: list[tuple[int, Lines]] = []
    for n in axes:
        given = ", ".join(("at", "here", "indices", "data", f"reals_{n}", f"places_{n}"))
        cases.append((n - 1, ["at += 1"] if forward else ["at -= 1", f"revive({given})"]))
    for step, function_ in zip(steps, calls, strict=True):
        fixed = ("at", "here", "indices", "data", *carried(step.site.axes, step.site.sizes, mark))
        move = f"at {'+' if forward else '-'}= {step.site.items}"
        if forward:
            cases.append((first + step.number, [f"{function_}({', '.join(fixed)})", move]))
            continue
        row = (f"{x}[d]" if x.endswith("_b") or x.startswith(("seen", "bars")) else x for x in fixed)
        each = ["for d in range(values_b.shape[0]):", f"    {function_}({', '.join(row)})"]
        cases.append((first + step.number, [move, *each]))
    body = switch(cases) if cases else ["pass"]
    if forward:
        lines = ["at = here = 0", "for k in range(sites.size):", "    site = sites[k]"]
        lines += [*(f"    {line}" for line in body), "    here += sizes[k]"]
    else:
        lines = ["at, here = indices.size, data.size", "for k in range(sites.size - 1, -1, -1):"]
        lines += ["    site = sites[k]", "    here -= sizes[k]", *(f"    {line}" for line in body)]
    doc = "Take a chunk of the tape " + ("forwards." if forward else "backwards, last statement first.")
    return function(name, ", ".join(params), lines, options, doc)


def switch(cases: Sequence[tuple[int, Lines]]) -> Lines:
    """The case that `site` numbers, found by halves."""
    if len(cases) == 1:
        return cases[0][1]
    half = len(cases) // 2
    then, orelse = switch(cases[:half]), switch(cases[half:])
    return [
        f"if site < {cases[half][0]}:",
        *(f"    {x}" for x in then),
        "else:",
        *(f"    {x}" for x in orelse),
    ]
