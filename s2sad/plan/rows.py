r"""A local array that every iteration fills anew gets a row of its own per iteration, so nothing is overwritten.

Before: `xc = np.empty(d)` · per `ix`: `xc[i] = x[ix, i] - m[i]`, for all `i`, read afterwards
After: `xc = real_slots(arena, (n, d))` · per `ix`: `xc[ix, i] = x[ix, i] - m[i]`, read as `xc[ix, i]`

It takes the memory that a log of the overwritten elements would take, but is written and read once only. Only
arrays whose elements alone are used, all within one body of a `for` loop, which first of all stores every element.

>>> from s2sad.ir.nodes import Function, Kind, Node, REAL, INT
>>> from s2sad.ir.text import show_stmt
>>> fill = For("i", Const(0), Var("d"), Const(1), (Store("a", (Var("i"),), Load("x", (Var("j"),))),))
>>> use = Assign("s", Load("a", (Const(0),)))
>>> loop = For("j", Const(0), Var("n"), Const(1), (fill, use))
>>> kinds = {"a": Kind("real", 1), "x": Kind("real", 1), "s": REAL, "d": INT, "n": INT}
>>> body = (New("a", Apply("empty", (Var("d"),))), loop)
>>> made, wide = rows(Function("f", ("x", "d", "n"), body, (), kinds, (), Node(())), {"a"})
>>> print(*map(show_stmt, made.body), sep="\n")
new a = slots(n, d)
for j in range(0, n, 1):
    for i in range(0, d, 1):
        a[j, i] = x[j]
    s = a[j, 0]
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from s2sad.ir.nodes import (
    Apply,
    Assign,
    Call,
    Const,
    Expr,
    For,
    Function,
    Kind,
    Load,
    New,
    Release,
    Stmt,
    Store,
    Var,
    While,
)
from s2sad.ir.walk import (
    blocks,
    expressions,
    is_section,
    map_body,
    map_expr,
    map_expressions,
    nodes,
    statements,
    variables,
    with_blocks,
    writes,
)
from s2sad.plan.once import BLANK, FILLED, bodies, path
from s2sad.plan.slots import extent, number


def rows(fn: Function, wanted: Collection[str]) -> tuple[Function, dict[str, int]]:
    """`fn` with rows for those arrays of `wanted` that can have them; by name, how many subscripts tell the row."""
    found: dict[str, int] = {}
    for name in fn.kinds:
        if name in wanted and (plan := planned(fn, name)) is not None:
            born, loops, shape = plan
            found[name] = len(loops)
            fn = widened(fn, born, loops, shape)
    return fn, found


def planned(fn: Function, name: str) -> tuple[New, tuple[For, ...], tuple[Expr, ...]] | None:
    """The birth of the array, the loops that number its rows, the shape of one row; None where it can't have them."""
    every = list(statements(fn.body))
    uses = uses_of(fn.body, name)
    births = [s for s in every if isinstance(s, New) and s.target == name]
    if len(births) != 1 or not uses or any(name in variables(e) for e in fn.results):
        return None
    if any(s is not births[0] and isinstance(s, New) and mentions(s, name) for s in every):
        return None
    if not all(elementwise(s, name) for s in uses):
        return None
    (born,) = births
    home = next(b for b in bodies(fn.body) if any(s is born for s in b))
    way = shared(home, uses)
    loops = tuple(s for s in way if isinstance(s, For))
    defined = single(fn)
    shape = shape_of(born.value, fn.kinds)
    if not loops or shape is None or any(isinstance(s, While) for s in way):
        return None
    first = home.index(way[0])
    known = {*fn.params, *(n for n, s in defined.items() if before(fn.body, s, way[0]))} - changed(fn)
    bounds = [v for loop in loops for e in expressions(loop) for v in variables(e)]
    if not {*bounds, *(v for e in shape for v in variables(e))} <= known | arrays_of(fn):
        return None
    if first < next(i for i, s in enumerate(home) if s is born):
        return None
    resolved = tuple(resolve(e, defined) for e in shape)
    return (born, loops, shape) if filled(loops[-1].body, name, resolved, defined) else None


def uses_of(body: Iterable[Stmt], name: str) -> list[Stmt]:
    """The statements that name the array, but for its birth and its end."""
    return [s for s in statements(body) if mentions(s, name) and not isinstance(s, New | Release)]


def mentions(stmt: Stmt, name: str) -> bool:
    """Does the statement itself name the array?"""
    return name in writes(stmt) or any(name in variables(e) for e in expressions(stmt)) or named(stmt, name)


def named(stmt: Stmt, name: str) -> bool:
    """Does a field of the statement name it?"""
    fields = (getattr(stmt, f, "") for f in ("array", "source", "name"))
    several = (n for f in ("sources", "targets", "writes") for n in getattr(stmt, f, ()))
    return name in (*fields, *several)


def elementwise(stmt: Stmt, name: str) -> bool:
    """Does the statement use single elements of the array, and nothing else of it?"""
    if isinstance(stmt, Call) or (named(stmt, name) and not isinstance(stmt, Store)):
        return False
    if isinstance(stmt, Store) and stmt.array == name and is_section(stmt.index):
        return False
    return not any(
        (isinstance(node, Var) and node.name == name)
        or (isinstance(node, Load) and node.array == name and is_section(node.index))
        for e in expressions(stmt)
        for node in nodes(e)
    )


def shared(home: tuple[Stmt, ...], uses: Iterable[Stmt]) -> tuple[Stmt, ...]:
    """The statements that have all uses in a body of theirs, outermost first."""
    ways = [path(home, use) or () for use in uses]
    common: list[Stmt] = []
    for level in zip(*(way[:-1] for way in ways), strict=False):
        if any(s is not level[0] for s in level):
            break
        common.append(level[0])
    while common and not isinstance(common[-1], For):
        common.pop()
    return tuple(common)


def begun(body: Iterable[Stmt], name: str) -> tuple[For, Store]:
    """The loop in whose iterations an array with rows begins anew, and the store that fills its row."""
    body = tuple(body)
    uses = uses_of(body, name)
    loop, store = shared(body, uses)[-1], uses[0]
    assert isinstance(loop, For)
    assert isinstance(store, Store)
    return loop, store


def single(fn: Function) -> dict[str, Assign]:
    """The scalars that one statement gives a value, made of such scalars, parameters as they came, and shapes."""
    assigned: dict[str, list[Stmt]] = {}
    for stmt in statements(fn.body):
        for name in writes(stmt):
            assigned.setdefault(name, []).append(stmt)
    known = {p for p in fn.params if not fn.kinds[p].is_array} - changed(fn)
    known |= arrays_of(fn)
    found: dict[str, Assign] = {}
    for name, stmts in assigned.items():
        if len(stmts) == 1 and isinstance(s := stmts[0], Assign) and name not in fn.params:
            if {*variables(s.value)} <= known and not any(isinstance(n, Load) for n in nodes(s.value)):
                found[name] = s
                known.add(name)
    return found


def changed(fn: Function) -> set[str]:
    """Parameters that get another value, or whose memory another name may have."""
    return {n for s in statements(fn.body) for n in writes(s) if n in fn.params and not fn.kinds[n].is_array}


def arrays_of(fn: Function) -> set[str]:
    """Parameters whose shape can be asked for anywhere."""
    rebound = {n for s in statements(fn.body) if not isinstance(s, Store) for n in writes(s)}
    return {p for p in fn.params if fn.kinds[p].is_array and p not in rebound}


def before(body: tuple[Stmt, ...], one: Stmt, other: Stmt) -> bool:
    """Has `one` surely run when `other` begins?"""
    home = next(b for b in bodies(body) if any(s is one for s in b))
    k = next(i for i, s in enumerate(home) if s is one)
    return path(home[k + 1 :], other) is not None


def shape_of(value: Expr, kinds: Mapping[str, Kind]) -> tuple[Expr, ...] | None:
    """The shape of a fresh array whose elements nobody has to know."""
    match value:
        case Apply(op="empty" | "zeros" | "ones", args=shape):
            return shape
        case Apply(op="full", args=(Const(), *rest)):
            return tuple(rest)
        case Apply(op=op, args=(Var(name=like), *_)) if op in (*BLANK, *FILLED) and op.endswith("_like"):
            return tuple(Apply("shape", (Var(like), Const(k))) for k in range(kinds[like].ndim))
    return None


def resolve(expr: Expr, defined: Mapping[str, Assign]) -> Expr:
    """`expr` in terms of what is never assigned."""

    def step(node: Expr) -> Expr:
        if isinstance(node, Var) and node.name in defined:
            return resolve(defined[node.name].value, defined)
        return replace(node, spell="") if isinstance(node, Apply) else node

    return map_expr(step, expr)


def filled(body: tuple[Stmt, ...], name: str, shape: tuple[Expr, ...], defined: Mapping[str, Assign]) -> bool:
    """Is the first use of the array in `body` a nest of loops that stores every element of it, once?"""
    for stmt in body:
        inside = [s for s in statements((stmt,)) if mentions(s, name)]
        if not inside:
            continue
        if not isinstance(inside[0], Store) or inside[0].array != name:
            return False
        store = inside[0]
        way = path((stmt,), store) or ()
        loops = {s.var: s for s in way[:-1] if isinstance(s, For)}
        counters = [sub.name for sub in store.index if isinstance(sub, Var)]
        return (
            len(loops) == len(way) - 1 == len(store.index) == len(counters)
            and set(counters) == set(loops)
            and all(
                (loop := loops[v]).start == Const(0)
                and loop.step == Const(1)
                and resolve(loop.stop, defined) == n
                for v, n in zip(counters, shape, strict=True)
            )
            and not any(isinstance(s, Assign) and s.target in loops for s in statements((stmt,)))
            and not any(loads_of(e, name) for e in expressions(store))
            and all(any(s is own for own in innermost(way)) for s in inside)
            and all(
                node.index == store.index
                for s in inside
                for e in expressions(s)
                for node in loads_of(e, name)
            )
            and all(s.index == store.index for s in inside if isinstance(s, Store) and s.array == name)
        )
    return False


def innermost(way: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """The body in which the last statement of a way stands."""
    around = way[-2]
    assert isinstance(around, For)
    return around.body


def loads_of(expr: Expr, name: str) -> list[Load]:
    """The elements of the array that `expr` reads."""
    return [node for node in nodes(expr) if isinstance(node, Load) and node.array == name]


def widened(fn: Function, born: New, loops: tuple[For, ...], shape: tuple[Expr, ...]) -> Function:
    """`fn` with rows for the array `born`: made before the first of the loops that number them."""
    name, row = born.target, tuple(map(number, loops))
    made = replace(born, value=Apply("slots", (*map(extent, loops), *shape)))

    def longer(expr: Expr) -> Expr:
        def step(node: Expr) -> Expr:
            if isinstance(node, Load) and node.array == name:
                return replace(node, index=(*row, *node.index))
            return node

        return map_expr(step, expr)

    home = next(b for b in bodies(fn.body) if any(s is born for s in b))
    top = next(s for s in home if path((s,), loops[0]) is not None)

    def rewrite(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        out: list[Stmt] = []
        for stmt in body:
            if stmt is born:
                continue
            if stmt is top:
                out.append(made)
            out.append(stmt)
        return tuple(out)

    def each(stmt: Stmt) -> tuple[Stmt, ...]:
        stmt = map_expressions(longer, stmt)
        if isinstance(stmt, Store) and stmt.array == name:
            stmt = replace(stmt, index=(*row, *stmt.index))
        return (stmt,)

    body = replaced(fn.body, home, rewrite(home))
    kinds = {**fn.kinds, name: Kind(fn.kinds[name].base, fn.kinds[name].ndim + len(loops))}
    return replace(fn, body=map_body(each, body), kinds=kinds)


def replaced(body: tuple[Stmt, ...], old: tuple[Stmt, ...], new: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """`body` with the body `old`, itself or nested in it, exchanged."""
    if body is old:
        return new
    return tuple(with_blocks(s, tuple(replaced(b, old, new) for b in blocks(s))) for s in body)
