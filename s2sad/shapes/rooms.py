"""What a loop keeps for its way back, when each trip is taken back at once: room for one trip.

Before: `new t_s = slots(n, m)` · `t_s[i, k] = t` · `w = t_s[i, k]`      After: `new t_s = slots(m)` · `t_s[k] = t` · ...
Before: `new e_s = slots(n)` · `e_s[i] = e` · `e = e_s[i]`               After: `e_s = e` · `e = e_s`

>>> from s2sad.ir.text import show_stmt
>>> body = (New("e_s", Apply("slots", (Var("n"),))), Store("e_s", (Var("i"),), Var("e")))
>>> for s in narrowed(body, {"e_s": 1}):
...     print(show_stmt(s))
e_s = e
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from s2sad.ir.names import Namer
from s2sad.ir.nodes import Accumulate, Apply, Assign, Const, Expr, For, Kind, Load, New, Stmt, Store, Var
from s2sad.ir.walk import Body, map_body, map_expr, map_expressions, variables, writes_in
from s2sad.shapes.subscripts import offset, places


def slots_of(body: Iterable[Stmt]) -> dict[str, Apply]:
    """The arrays that a body makes to keep things in, and what makes them."""
    return {
        s.target: s.value
        for s in body
        if isinstance(s, New) and isinstance(s.value, Apply) and s.value.op == "slots"
    }


def reused(loop: For) -> tuple[Body, Body]:
    """A trip without the arrays that it makes to keep things in, where all trips can use the same; and those.

    What such an array holds in the beginning is not defined, so it may be what the trip before has left.
    """
    changing = {loop.var, *writes_in(loop.body)}
    shared = {
        name: s
        for s in loop.body
        for name, made in slots_of((s,)).items()
        if not changing & {n for e in made.args for n in variables(e)}
    }
    return tuple(s for s in loop.body if not any(s is new for new in shared.values())), tuple(shared.values())


def of_one_trip(loop: For, back: Body, whole: Body) -> list[str]:
    """The slots whose first subscript tells the trip, in a loop and in what takes a trip of it back."""
    found = []
    for array in slots_of(whole):
        inside = [*places(loop.body, array), *places(back, array)]
        if len(inside) == len([*places(whole, array)]) and inside and all(inside):
            firsts = {index[0] for index in inside if index}
            if len(firsts) == 1 and offset(next(iter(firsts)), loop.var) is not None:
                found.append(array)
    return found


def narrowed(body: Body, ranks: Mapping[str, int]) -> Body:
    """`body` with arrays (their numbers of axes beside) that lose their first axis; numbers where they have no other."""

    def short(expr: Expr) -> Expr:
        match expr:
            case Load(array=name, index=index) if name in ranks:
                return Load(name, index[1:]) if len(index) > 1 else Var(name)
            case Apply(op="shape", args=(Var(name), Const(int() as axis))) if name in ranks:
                return replace(expr, args=(Var(name), Const(axis - 1)))
        return expr

    def each(stmt: Stmt) -> tuple[Stmt, ...]:
        stmt = map_expressions(lambda e: map_expr(short, e), stmt)
        match stmt:
            case New(target=name, value=Apply() as made) if name in ranks:
                return (replace(stmt, value=replace(made, args=made.args[1:])),) if ranks[name] > 1 else ()
            case Store(array=name, index=index) if name in ranks:
                if len(index) > 1:
                    return (replace(stmt, index=index[1:]),)
                return (Assign(name, stmt.value, stmt.at),)
            case Accumulate(target=Load(array=name, index=index)) if name in ranks:
                return (replace(stmt, target=Load(name, index[1:]) if len(index) > 1 else Var(name)),)
        return (stmt,)

    return map_body(each, body)


def unpacked(body: Body, kinds: dict[str, Kind], names: Namer) -> Body:
    """`body` with numbers that are kept in an array, at places known now, under names of their own."""
    packed: dict[tuple[str, int], str] = {}
    for array, made in slots_of(body).items():
        met = list(places(body, array))
        if len(made.args) != 1 or not all(index and isinstance(index[0], Const) for index in met):
            continue
        for index in met:
            key = (array, index[0].value)  # type: ignore[index, union-attr]
            if key not in packed:
                packed[key] = names.numbered(array)
                kinds[packed[key]] = Kind(kinds[array].base)
    arrays = {array for array, _ in packed}

    def short(expr: Expr) -> Expr:
        if isinstance(expr, Load) and expr.array in arrays:
            return Var(packed[expr.array, expr.index[0].value])  # type: ignore[union-attr]
        return expr

    def each(stmt: Stmt) -> tuple[Stmt, ...]:
        stmt = map_expressions(lambda e: map_expr(short, e), stmt)
        match stmt:
            case New(target=name) if name in arrays:
                return ()
            case Store(array=name, index=(Const(value=place),)) if name in arrays:
                return (Assign(packed[name, place], stmt.value, stmt.at),)
        return (stmt,)

    return map_body(each, body)
