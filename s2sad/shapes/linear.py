"""What of a derivative is linear in its directions, and the forms in which a pass can tell.

>>> from s2sad.ir.nodes import Kind, Node
>>> body = (Assign("t", Apply("mul", (Var("x"), Var("x_d")))), Assign("u", Var("x")))
>>> kinds = {n: Kind("real") for n in ("x", "x_d", "t", "u")}
>>> sorted(linear_in(Function("f_d", ("x", "x_d"), body, (), kinds, (), Node(())), frozenset({"x_d"})))
['t', 'x_d']
"""

from __future__ import annotations

from dataclasses import replace

from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    Accumulate,
    Apply,
    Assign,
    Bind,
    Call,
    Expr,
    Function,
    Load,
    New,
    Rebind,
    Stmt,
    Store,
    Turn,
    Update,
    Var,
    View,
)
from s2sad.ir.walk import Body, children, rename, statements, variables, writes_in
from s2sad.ops.kinds import kind_of


def linear_in(fn: Function, names: frozenset[str]) -> frozenset[str]:
    """Names that get anything of `names`, directly or not, and those that share memory with them."""
    found = set(names)
    stmts = tuple(statements(fn.body))
    while True:
        before = len(found)
        for s in stmts:
            match s:
                case Assign(target=name) | New(target=name) | Store(array=name) | Update(array=name):
                    given = carried(s.value)
                case Accumulate():
                    name, given = target_of(s), carried(s.value)
                case View(target=name, array=array) | Bind(target=name, source=array):
                    given = {array, name}
                    name = array if name in found else name
                case Rebind(targets=targets, sources=sources):
                    pairs = zip(targets, sources, strict=True)
                    found |= {n for pair in pairs if found & set(pair) for n in pair}
                    continue
                case Call(function=function, args=args) if function in fn.helpers:
                    helper = fn.helpers[function]
                    table = dict(zip(helper.params, args, strict=True))
                    inner = linear_in(
                        helper, frozenset(p for p, a in table.items() if found & {*variables(a)})
                    )
                    found |= {v for p in inner if p in table for v in variables(table[p])}
                    continue
                case _:
                    continue
            if found & given:
                found.add(name)
        if len(found) == before:
            return frozenset(found)


def target_of(s: Accumulate) -> str:
    """The name that is added to."""
    return s.target.name if isinstance(s.target, Var) else s.target.array


def carried(expr: Expr) -> set[str]:
    """The names whose values go into a value: not those of its subscripts, and not those that tell a length."""
    match expr:
        case Var(name=name) | Load(array=name):
            return {name}
        case Apply(op="shape"):
            return set()
    return {name for child in children(expr) for name in carried(child)}


# ----- forms -----------------------------------------------------------------------------------------------


def with_named_results(fn: Function, mine: frozenset[str]) -> Function:
    """`fn` with names for its results that are formed of `mine`."""
    namer, kinds = Namer([*fn.kinds, *fn.constants, *fn.callees, *fn.pairs, *fn.helpers]), dict(fn.kinds)

    def named_in(results: tuple[Expr, ...]) -> tuple[Body, tuple[Expr, ...]]:
        before: list[Stmt] = []
        new: list[Expr] = []
        for e in results:
            if not isinstance(e, Var) and mine & set(variables(e)) and not kind_of(e, fn.kinds).is_array:
                before.append(Assign(name := namer.fresh("r_d"), e))
                kinds[name] = kind_of(e, fn.kinds)
                e = Var(name)
            new.append(e)
        return tuple(before), tuple(new)

    body: list[Stmt] = []
    for s in fn.body:
        if isinstance(s, Turn):
            before, results = named_in(s.results)
            body += before
            s = replace(s, results=results)
        body.append(s)
    before, results = named_in(fn.results)
    return replace(fn, body=(*body, *before), results=results, kinds=kinds)


def halves_apart(fn: Function, mine: frozenset[str]) -> Function:
    """`fn` with other names behind its Turn for numbers of `mine` that occur before it, too."""
    k = next((k for k, s in enumerate(fn.body) if isinstance(s, Turn)), len(fn.body))
    ahead, back = fn.body[:k], fn.body[k + 1 :]
    seeds = {n for s in fn.body[k : k + 1] if isinstance(s, Turn) for n in s.seeds}
    shared = mine & set(writes_in(ahead)) & set(writes_in(back)) - {*fn.params, *seeds}
    namer = Namer([*fn.kinds, *fn.constants, *fn.callees, *fn.pairs, *fn.helpers])
    new = {n: namer.fresh(n) for n in sorted(shared) if not fn.kinds[n].is_array}
    results = tuple(rename(new, e) for e in fn.results) if back else fn.results
    kinds = {**fn.kinds, **{name: fn.kinds[n] for n, name in new.items()}}
    return replace(fn, body=(*ahead, *fn.body[k : k + 1], *rename(new, back)), results=results, kinds=kinds)
