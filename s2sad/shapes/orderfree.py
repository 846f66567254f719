"""Order-free: may the iterations of a loop run in any order, be distributed over several loops, be shifted?

One condition for all passes, tested on the sweep as it stands. It holds where each iteration has its own part:

* no scalar is carried from one iteration to the next, or out of the loop, but sums that nobody reads in it;
* an array that is stored into, or both read and added to, is met by all of them at one same subscript that contains
  the loop variable, so that no two iterations meet in an element. Subscripts count only where they are known not to
  be negative, since negative ones wrap;
* nothing else happens: no binding, keeping, taking back, call or exception.

Additions to an array that is neither read nor stored into commute, whatever the subscripts. Names that may share
memory count as one. Only the order in which derivatives are summed up changes, never a value.

>>> from dataclasses import replace
>>> from s2sad.analyses.entities import Classes
>>> from s2sad.ir.names import Namer
>>> from s2sad.ir.nodes import Accumulate, Const, Kind, Store
>>> from s2sad.ops.build import sub
>>> i, array = Var("i"), Kind("real", 1)
>>> sweep = Sweep({"y_b": array, "x_b": array}, Namer(), Classes())
>>> add = Accumulate(Load("x_b", (sub(i, Const(1)),)), Load("y_b", (i,)))
>>> loop = For("i", Const(1), Var("n"), Const(1), (add, Store("y_b", (i,), Const(0.0))))
>>> order_free(loop, Place(frozenset(), {}), sweep)
''
>>> order_free(replace(loop, start=Const(-1)), Place(frozenset(), {}), sweep)
'`y_b` is stored into, and iterations may meet in an element'
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from s2sad.ir.nodes import Accumulate, Apply, Assign, Expr, For, If, Load, Stmt, Store, Var
from s2sad.ir.walk import children, expressions, is_section, reads, statements
from s2sad.shapes.liveness import exposed
from s2sad.shapes.subscripts import least, offset
from s2sad.shapes.sweep import Place, Sweep

Access = tuple[str, tuple[Expr, ...]]


@dataclass
class Accesses:
    """How one class of arrays is met in a body; a read of the whole array has no subscripts."""

    stores: list[Access] = field(default_factory=list)
    adds: list[Access] = field(default_factory=list)
    reads: list[Access] = field(default_factory=list)

    @property
    def all(self) -> list[Access]:
        return [*self.stores, *self.adds, *self.reads]


def order_free(loop: For, place: Place, sweep: Sweep, zero: Collection[str] = ()) -> str:
    """Why the iterations of a loop can't run in any order, as a clause; empty where they can.

    Names that each iteration finds and leaves at `zero` bind none to another.
    """
    stmts = tuple(statements(loop.body))
    for s in stmts:
        if not plain(s, sweep):
            return f"its body has a {type(s).__name__}"
    carried = carries(loop, stmts, place, zero)
    if carried:
        return f"`{carried}` goes from one iteration to another"
    floor = place.floors(loop)
    for group, met in accesses(stmts, sweep).items():
        if {name for name, _ in met.all} <= {*zero}:
            continue
        if (met.stores or (met.adds and met.reads)) and not apart(met.all, loop.var, floor):
            what = "stored into" if met.stores else "read and added to"
            return f"`{group}` is {what}, and iterations may meet in an element"
    return ""


def plain(s: Stmt, sweep: Sweep) -> bool:
    """Is a statement one of scalars and single elements, or a loop or branch?"""
    match s:
        case Assign() | For() | If():
            return True
        case Store(index=index) | Accumulate(target=Load(index=index)):
            return not is_section(index)
        case Accumulate(target=Var(name=name)):
            return not sweep.is_array(name)
    return False


def carries(loop: For, stmts: Iterable[Stmt], place: Place, zero: Collection[str] = ()) -> str:
    """A scalar that binds iterations to their order; empty where there is none."""
    assigned = {s.target for s in stmts if isinstance(s, Assign)}
    counters = {s.var for s in stmts if isinstance(s, For)}
    summed = {s.target.name for s in stmts if isinstance(s, Accumulate) and isinstance(s.target, Var)}
    if loop.var in assigned | counters | summed or loop.var in place.live:
        return loop.var
    needed = place.live | exposed(loop.body)
    for name in sorted(assigned | counters):
        if name in needed and name not in zero:
            return name
    read = {n for s in stmts for n in reads_beside(s)}
    return next((name for name in sorted(summed - assigned) if name in read and name not in zero), "")


def reads_beside(s: Stmt) -> Iterator[str]:
    """The names that a statement reads, but for the scalar that it adds to."""
    if isinstance(s, Accumulate) and isinstance(s.target, Var):
        yield from reads(Assign("", s.value))
    else:
        yield from reads(s)


def accesses(stmts: Iterable[Stmt], sweep: Sweep) -> dict[str, Accesses]:
    """The accesses of a body by class of arrays."""
    found: dict[str, Accesses] = {}

    def of(name: str) -> Accesses:
        return found.setdefault(sweep.memory[name], Accesses())

    for s in stmts:
        match s:
            case Store(array=name, index=index):
                of(name).stores.append((name, index))
            case Accumulate(target=Load(array=name, index=index)):
                of(name).adds.append((name, index))
        for expr in expressions(s):
            for name, index in read_in(expr, sweep):
                of(name).reads.append((name, index))
    return found


def read_in(expr: Expr, sweep: Sweep) -> Iterator[Access]:
    """The elements that an expression reads; of an array read as a whole, no subscripts. Shapes don't count."""
    match expr:
        case Apply(op="shape"):
            return
        case Load(array=array, index=index):
            yield array, index
        case Var(name=name) if sweep.is_array(name):
            yield name, ()
    for child in children(expr):
        yield from read_in(child, sweep)


def apart(met: list[Access], var: str, floor: dict[str, int]) -> bool:
    """Do all accesses have one array, and one same subscript `var + c` in one dimension, never negative?"""
    if len({name for name, _ in met}) > 1 or len({len(index) for _, index in met}) > 1:
        return False
    for subs in zip(*(index for _, index in met), strict=True):
        low = least(subs[0], floor)
        if len(set(subs)) == 1 and offset(subs[0], var) is not None and low is not None and low >= 0:
            return True
    return False
