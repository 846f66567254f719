"""Which names depend on inputs, calls looked into; `activity` takes all results of a call to depend on all arguments.

>>> from s2sad.ir.nodes import REAL, Node, Var
>>> both = Function("both", ("x", "d"), (), (Var("x"), Var("d")), {n: REAL for n in "xd"}, (), Node(()))
>>> body = (Call(("y", "y_d"), "both", (Var("a"), Var("a_d"))),)
>>> sorted(dependent(body, ("a_d",), {n: REAL for n in ("a", "a_d", "y", "y_d")}, {"both": both}))
['a_d', 'y_d']
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from s2sad.analyses.activity import flows, reach, sources
from s2sad.ir.nodes import Call, Function, Kind, Stmt
from s2sad.ir.walk import map_body

Callees: TypeAlias = Mapping[str, Function]
Found: TypeAlias = dict[tuple[str, int], frozenset[str]]  # (function, result) -> the parameters it depends on


def dependent(
    body: Iterable[Stmt], inputs: Iterable[str], kinds: Mapping[str, Kind], callees: Callees
) -> frozenset[str]:
    """Names that depend smoothly on `inputs`."""
    return reach(_pairs(body, kinds, callees, {}), inputs)


def _pairs(
    body: Iterable[Stmt], kinds: Mapping[str, Kind], callees: Callees, found: Found
) -> list[tuple[str, str]]:
    """(from, to) for every smooth dependence."""
    calls: list[Call] = []

    def rest(stmt: Stmt) -> tuple[Stmt, ...]:
        if isinstance(stmt, Call) and not stmt.half and stmt.function in callees:
            calls.append(stmt)
            return ()
        return (stmt,)

    pairs = flows(map_body(rest, body), kinds)
    for call in calls:
        given = dict(zip(callees[call.function].params, call.args, strict=True))
        for k, target in enumerate(call.targets):
            through = _through(call.function, k, callees, found)
            pairs += [(name, target) for p in given if p in through for name in sources(given[p])]
        passed = {name for arg in call.args for name in sources(arg)}
        pairs += [(name, array) for array in call.writes for name in passed]
    return pairs


def _through(function: str, result: int, callees: Callees, found: Found) -> frozenset[str]:
    """The parameters that a result depends on."""
    fn = callees[function]
    if (function, result) not in found:
        found[function, result] = frozenset(fn.params)  # as long as nothing else is known (recursion)
        pairs = _pairs(fn.body, fn.kinds, callees, found)
        back = reach(((b, a) for a, b in pairs), sources(fn.results[result]))
        found[function, result] = back & frozenset(fn.params)
    return found[function, result]
