"""The storage report: for each value that the reverse sweep needs, how it is had and why; how many adjoint arrays."""

from __future__ import annotations

from collections.abc import Iterator

from s2sad.analyses.activity import active
from s2sad.analyses.entities import classes, dynamic
from s2sad.derive import Derived
from s2sad.emit.printer import to_source
from s2sad.emit.python import expression
from s2sad.ir.walk import variables
from s2sad.plan.slots import Decision
from s2sad.shapes.threads import in_threads, told


def explanation(derived: Derived) -> str:
    """The report of an adjoint as text: a table of decisions, then the adjoint arrays."""
    assert derived.adjoint is not None
    rows = [("line", "value", "how", "places", "why"), *map(_row, derived.adjoint.report)]
    widths = [max(len(row[k]) for row in rows) for k in range(4)]
    lines = [
        "  ".join((*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[4])) for row in rows
    ]
    loops = told(in_threads(derived.function, "any"))
    heading = ["", "with `parallel=True`:"] if loops else []
    told_of = [*heading, *(f"  {line}" for line in loops)]
    return "\n".join([*(line.rstrip() for line in lines), "", *_arrays(derived), *told_of]) + "\n"


def _row(d: Decision) -> tuple[str, str, str, str, str]:
    sizes = [to_source(expression(e)).strip() for e in d.shape]
    places = " * ".join(f"({s})" if " " in s and len(sizes) > 1 else s for s in sizes)
    if d.how in ("snapshot", "copy"):
        places = f"{d.name}.size each time"
    return str(d.line or ""), d.name, d.how, places, d.why


def _arrays(derived: Derived) -> Iterator[str]:
    fn = derived.primal
    assert derived.adjoint is not None
    outputs = [n for e in fn.results for n in variables(e)]
    found = active(fn.body, derived.adjoint.gradients, outputs, fn.kinds)
    same, shared = classes(fn.body), dynamic(fn.body)
    groups: dict[str, list[str]] = {}
    for name, kind in fn.kinds.items():
        if kind.is_array and name in found and derived.function.kinds.get(name, kind).is_array:
            groups.setdefault(same[name], []).append(name)
    yield "adjoint arrays, whatever the number of steps:" if groups else "no adjoint arrays"
    for rep, names in groups.items():
        listed = ", ".join(names)
        if rep in shared:
            yield f"  {listed}: {len(names)} at most, by pool index"  # each name holds one
        elif len(names) > 1:
            yield f"  {listed}: {len(names)}, exchanged with their names"
        else:
            yield f"  {listed}: 1"
