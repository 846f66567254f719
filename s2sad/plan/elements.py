"""Elements of one array that never meet: `c[i - 1]` and `c[i]`.

>>> from s2sad.ir.nodes import Apply, Const, For, Load, Store, Var
>>> i = Var("i")
>>> before = Load("c", (Apply("sub", (i, Const(1))),))
>>> loop = For("i", Const(1), Var("n"), Const(1), ())
>>> apart(before, Store("c", (i,), Const(0.0)), floors((loop,)))
True
>>> apart(before, Store("c", (i,), Const(0.0)), {})  # c[-1] may be c[i]
False
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from s2sad.ir.nodes import Apply, Const, Expr, For, Load, Stmt, Store, Var


def floors(loops: Iterable[Stmt]) -> dict[str, int]:
    """Loop variables -> a number that they are not below, where it can be told."""
    found: dict[str, int] = {}
    for loop in loops:
        match loop:
            case For(var=var, start=Const(int() as start), step=Const(int() as step)) if step > 0:
                found[var] = start
            case For(var=var, stop=Const(int() as stop), step=Const(int() as step)) if step < 0:
                found[var] = stop + 1
            case For(var=var):
                found.pop(var, None)
    return found


def apart(load: Load, store: Store, floor: Mapping[str, int]) -> bool:
    """Is the element that is read never the one that is written, with the same values of all names?

    So it is where in one dimension the subscripts differ by a number, and neither counts from the end.
    """
    if load.array != store.array or len(load.index) != len(store.index):
        return False
    for one, other in zip(map(parts, load.index), map(parts, store.index), strict=True):
        if one is None or other is None:
            continue
        (name, c), (same, d) = one, other
        low = 0 if name is None else floor.get(name)
        if name == same and c != d and low is not None and low + min(c, d) >= 0:
            return True
    return False


def counted_by(e: Expr) -> str | None:
    """The variable of a subscript `v`, `v + c` or `v - c`."""
    found = parts(e)
    return None if found is None else found[0]


def parts(e: Expr) -> tuple[str | None, int] | None:
    """Of a subscript `c`, `v`, `v + c` or `v - c`: its variable and its number."""
    match e:
        case Const(value) if type(value) is int:
            return None, value
        case Var(name):
            return name, 0
        case Apply(op="add", args=(Var(name), Const(int() as c))):
            return name, c
        case Apply(op="sub", args=(Var(name), Const(int() as c))):
            return name, -c
    return None
