r"""Which arrays need a dynamic index, and the index of each of their names as a variable of the program.

Where two names may share an entity or not, by the way the program took (`Bind`), no name can own an adjoint. Each
name then carries an index from a refcounted pool: a birth takes one, sharing counts one more and records nothing
(copy elision), the end of a name counts one less. Indices are integers of the program like any other, so the plan
keeps those that are overwritten; on the way back they lead to the adjoint of the entity that the name had.

Where a name may look at a part of an entity (`Bind` with a form), the pool knows the memory of each entity: the
adjoint of a part stands in the entity's adjoint where the part stands in the entity.

>>> from s2sad.ir.nodes import Kind, Apply, Bind, Function, New, Node, Var
>>> row = Kind("real", 1)
>>> body = (New("u", Apply("copy", (Var("x"),))), Bind("v", "u"))
>>> fn = Function("f", ("x",), body, (), dict.fromkeys("xuv", row), (), Node(()))
>>> from s2sad.ir.text import show_stmt
>>> print(*map(show_stmt, indexed(fn, frozenset("xuv"))[0].body), sep="\n")
new pool = new_pool()
new u = copy(x)
u_i = pool_new(pool)
bind v = u
v_i = pool_share(pool, u_i)
release pool
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from s2sad.analyses.entities import classes, dynamic, parts, roots
from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    INT,
    Apply,
    Assign,
    Bind,
    Call,
    Expr,
    Function,
    Kind,
    New,
    Rebind,
    Release,
    Stmt,
    Var,
)
from s2sad.ir.walk import map_body

POOL = Kind("pool", 1)

#: A pool, an index of it for an entity just born, and the same index once more.
WHOLES = ("new_pool", "pool_new", "pool_share")
PARTS = ("new_parts", "part_new", "part_share")


def indexed(fn: Function, active: frozenset[str]) -> tuple[Function, dict[str, str], frozenset[str]]:
    """`fn` with an index variable for every active name of a dynamic class, kept up to date.

    Beside it the variables by array name, and all of them, those included that an exchange goes through.
    """
    same, root = classes(fn.body), roots(fn.body)
    reps = dynamic(fn.body)
    start, born, share = PARTS if parts(fn.body) else WHOLES
    names = [n for n, k in fn.kinds.items() if k.is_array and n in active and same[n] in reps]
    if not names:
        return fn, {}, frozenset()
    kinds = dict(fn.kinds)
    namer = Namer([*kinds, *fn.constants])
    pool = namer.fresh("pool")
    kinds[pool] = POOL
    index = {n: namer.fresh(f"{n}_i") for n in names}
    kinds.update((i, INT) for i in index.values())

    passing: list[str] = []

    def fresh(name: str, stmt: Stmt) -> Assign:
        args = (Var(pool), Var(name)) if born == "part_new" else (Var(pool),)
        return Assign(index[name], Apply(born, args), stmt.at)

    def keep(stmt: Stmt) -> Iterator[Stmt]:
        match stmt:
            case New(target=name) if name in index:
                yield stmt
                yield fresh(name, stmt)
            case Call(targets=targets) if index.keys() & set(targets):
                yield stmt
                yield from (fresh(name, stmt) for name in targets if name in index)
            case Bind(target=target, source=source) if target in index:
                yield stmt
                yield Assign(index[target], Apply(share, (Var(pool), Var(index[root[source]]))), stmt.at)
            case Rebind(targets=targets, sources=sources) if targets[0] in index:
                yield stmt
                values: list[Expr] = [Var(index[s]) for s in sources]
                if len(targets) > 1:
                    for k, source in enumerate(sources):
                        moved = namer.fresh(f"{source}_i")
                        kinds[moved] = INT
                        passing.append(moved)
                        yield Assign(moved, values[k], stmt.at)
                        values[k] = Var(moved)
                for target, value in zip(targets, values, strict=True):
                    yield Assign(index[target], value, stmt.at)
            case Release(name=name) if name in index:
                yield replace(stmt, index=index[name])
            case _:
                yield stmt

    first = New(pool, Apply(start, ()), fn.at)
    params = [fresh(p, first) for p in fn.params if p in index]
    body = (first, *params, *map_body(keep, fn.body), Release(pool, at=fn.at))
    return replace(fn, body=body, kinds=kinds), index, frozenset((*index.values(), *passing))
