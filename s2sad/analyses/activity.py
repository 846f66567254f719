"""Which names carry derivatives: varied (depend on an active input) and useful (an output depends on them).

One answer per name, in program order ignored: names are webs, so little is lost, and a loop needs no care.

>>> from s2sad.ir.nodes import Apply, Assign, Var, Const, REAL
>>> body = (Assign("y", Apply("mul", (Var("x"), Var("k")))), Assign("z", Apply("floor", (Var("y"),))))
>>> sorted(active(body, ("x",), ("y", "z"), {n: REAL for n in "xykz"}))
['x', 'y']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from s2sad.ir.nodes import (
    Accumulate,
    Apply,
    Assign,
    Back,
    Bind,
    Call,
    Expr,
    Keep,
    Kind,
    Load,
    New,
    Pop,
    Push,
    Rebind,
    Stmt,
    Store,
    Update,
    Var,
    View,
)
from s2sad.ir.walk import statements, unique
from s2sad.ops import OPS, several


def sources(expr: Expr) -> Iterator[str]:
    """Names that `expr` depends on smoothly: not through floor, comparisons, subscripts, shapes."""
    match expr:
        case Var(name=name) | Load(array=name):
            yield name
        case Apply(op=op, args=args):
            for k, arg in enumerate(args):
                if OPS[op].flows(k):
                    yield from sources(arg)


def edges(stmt: Stmt) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """(name written, names it depends on smoothly) for each name that the statement itself writes."""
    match stmt:
        case (
            New(target=name, value=Apply(op="place" | "part", args=(Var(name=places), *_)))
            | Call(function="place_at" | "part_at", args=(Var(name=places), _, Var(name=name), *_))
        ):
            return ((name, (places,)), (places, (name,)))  # one memory
        case Assign(target=name, value=value) | New(target=name, value=value):
            return ((name, unique(sources(value))),)
        case Store(array=name, value=value) | Update(array=name, value=value):
            return ((name, unique(sources(value))),)
        case Accumulate(target=target, value=value):
            return ((target.name if isinstance(target, Var) else target.array, unique(sources(value))),)
        case View(target=target, array=array) | Bind(target=target, source=array):
            return ((target, (array,)), (array, (target,)))
        case Rebind(targets=targets, sources=names):
            every = unique((*targets, *names))  # names that exchange entities are active together
            return tuple((name, every) for name in every)
        case Keep(record=record, name=name):
            return ((record, (name,)), (name, (record,)))
        case Back(record=record, name=name):
            return ((record, (name,)), (name, (record,)))
        case Call(targets=targets, function=key, args=args) if row := several(key):
            through = [[e for k, e in enumerate(args) if row.flows(k, j)] for j in range(len(targets))]
            return tuple(
                (name, unique(n for e in exprs for n in sources(e)))
                for name, exprs in zip(targets, through, strict=True)
            )
        case Call(targets=targets, args=args, writes=written):
            passed = unique(n for e in args for n in sources(e))
            return tuple((name, passed) for name in (*targets, *written))
        case Push(stack=stack, value=value):
            return ((stack, unique(sources(value))),)
        case Pop(stack=stack, name=name):
            return ((name, (stack,)),)
    return ()


def reach(pairs: Iterable[tuple[str, str]], start: Iterable[str]) -> frozenset[str]:
    """Everything that can be reached from `start` along (from, to) pairs."""
    onward: dict[str, list[str]] = {}
    for a, b in pairs:
        onward.setdefault(a, []).append(b)
    seen = set(start)
    front = list(seen)
    while front:
        for name in onward.get(front.pop(), ()):
            if name not in seen:
                seen.add(name)
                front.append(name)
    return frozenset(seen)


def flows(body: Iterable[Stmt], kinds: Mapping[str, Kind]) -> list[tuple[str, str]]:
    """(from, to) for every smooth dependence between real names (and arena records) in `body`."""
    real = {name for name, kind in kinds.items() if kind.base in ("real", "single", "complex", "pool")}
    known = set(kinds)
    return [
        (source, target)
        for stmt in statements(body)
        for target, names in edges(stmt)
        for source in names
        if (source in real or source not in known) and (target in real or target not in known)
    ]


def varied(body: Iterable[Stmt], inputs: Iterable[str], kinds: Mapping[str, Kind]) -> frozenset[str]:
    """Names (and records) that depend on `inputs`."""
    return reach(flows(body, kinds), inputs)


def active(
    body: Iterable[Stmt], inputs: Iterable[str], outputs: Iterable[str], kinds: Mapping[str, Kind]
) -> frozenset[str]:
    """Names that are varied by `inputs` and useful for `outputs`; the inputs themselves belong to it.

    Of what one call writes into all that is varied is active, if anything is: inside, one may be of use for another.
    """
    body, inputs = tuple(body), tuple(inputs)
    pairs = flows(body, kinds)
    changed = reach(pairs, inputs)
    found = (changed & reach(((b, a) for a, b in pairs), outputs)) | frozenset(inputs)
    calls = [s for s in statements(body) if isinstance(s, Call) and not several(s.function)]
    written = [({*s.targets, *s.writes}, changed & {*s.writes}) for s in calls]
    while more := [names for given, names in written if given & found and not names <= found]:
        found = found.union(*more)
    return found
