"""Views: which names may look into another array, which may have a copy instead; stores that overlap what they read.

Reading Python leaves a View wherever a name is bound to a section. Each is proved to be one of

* a view that ends in the block where it begins: it stays, of a name of its own if its array's is bound anew before;
* a copy that nothing could tell from the view: nobody writes into either while both are in use;
* a Bind: one more name of the array, that looks at a part of it; the adjoint keeps account of it;

or refused: what is a view or a copy by the layout of memory. A store reads all of its value before it writes anything:
what overlaps goes to a temporary first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce

from s2sad.analyses.entities import classes, dynamic, parts, roots
from s2sad.analyses.layout import LAID, turned
from s2sad.analyses.versions import distinct
from s2sad.errors import AliasingError
from s2sad.frontend.flow import defines, live_after, uses, wanted
from s2sad.frontend.webs import pretty
from s2sad.ir.nodes import (
    Apply,
    Assign,
    Bind,
    Call,
    Const,
    Expr,
    If,
    Kind,
    Load,
    New,
    Rebind,
    Slice,
    Stmt,
    Store,
    Update,
    Var,
    View,
)
from s2sad.ir.walk import Body, blocks, is_section, map_body, rebuild, statements, unique
from s2sad.ops import OPS

Temporary = Callable[[str], str]
Kinds = Callable[[Body], Mapping[str, Kind]]

#: Births of arrays whose elements surely stand in the order of their subscripts: operation and spelling.
LAID_OUT = {(op, f"np.{op}") for op in ("zeros", "ones", "empty", "full")} | {
    (op, "") for op in ("zeros", "ones", "empty", "full", "typed", "cleared", "copy")
}


def settle_views(body: Body, results: Iterable[Expr], temporary: Temporary, kinds: Kinds) -> Body:
    """`body` with views that can stay, and copies for the others; `kinds` gives those of its names.

    Errors: AliasingError S081 where none can be proved to be what Python does.
    """
    if not any(isinstance(s, View) for s in statements(body)):
        return body
    body = distinct(map_body(lambda stmt: (_as_it_is(stmt),), body))
    facts = _Facts(body, frozenset(wanted(results)))
    stay = {name for name in facts.views if facts.may_stay(name)}
    lying = turned(body)

    def axes(name: str) -> int:
        return kinds(body)[name].ndim

    def copied(view: View, seen: Expr) -> Apply:
        """A copy that lies in memory as the view does."""
        return Apply("copy", (seen,), LAID if view.target in lying else "")

    def settle(stmt: Stmt) -> Iterator[Stmt]:
        if not isinstance(stmt, View):
            yield stmt
        elif stmt.target in stay:
            yield stmt if stmt.form != "reshape" or facts.laid_out(stmt.array) else replace(stmt, form="rows")
        elif not facts.may_copy(stmt.target) and facts.may_stay(stmt.target, stmt.array not in facts.views):
            held = temporary(stmt.array)
            yield Rebind((held,), (stmt.array,), stmt.at)
            yield replace(stmt, array=held)
        elif not facts.may_copy(stmt.target):
            if not facts.may_share(stmt):
                raise AliasingError(
                    f"memory decides if `{pretty(stmt.target)}` is a view of `{pretty(stmt.array)}`, and it is written",
                    code="S081", at=stmt.at, hint="put `.copy()` behind it, or take sections of the array",
                )  # fmt: skip
            own = stmt.array in facts.sharing(stmt.target)  # which ends when the name is bound anew
            held = temporary(stmt.target) if own else stmt.target
            yield Bind(held, stmt.array, stmt.index, stmt.form, stmt.at)  # type: ignore[arg-type]
            if held != stmt.target:
                yield Rebind((stmt.target,), (held,), stmt.at)
        elif stmt.form == "section":
            yield New(stmt.target, copied(stmt, Load(stmt.array, stmt.index)), stmt.at)
        elif stmt.form == "reshape" and stmt.array in lying and axes(stmt.array) == len(stmt.index):
            alike = New(stmt.target, Apply("copy", (Var(stmt.array),), LAID), stmt.at)
            yield If(_same_shape(stmt), (alike,), tuple(whole(stmt)), stmt.at)
        else:
            yield from whole(stmt)

    def whole(view: View) -> Iterator[Stmt]:
        """A copy of a view of a whole array."""
        array = view.array
        if view.form == "reshape" and array in facts.views:  # in the order of its own subscripts
            array = temporary(array)
            yield New(array, Apply("copy", (Var(view.array),)), view.at)
        seen = temporary(view.target)
        yield replace(view, target=seen, array=array)
        yield New(view.target, copied(view, Var(seen)), view.at)

    return map_body(settle, body)


def _own_shape(view: View) -> list[Expr]:
    """The lengths of the array of a view in another shape, as many as that has."""
    return [Apply("shape", (Var(view.array), Const(k))) for k in range(len(view.index))]


def _same_shape(view: View) -> Expr:
    """Whether the other shape is its own: NumPy then sees the array as it lies, and copies row by row otherwise."""
    same = [Apply("eq", pair) for pair in zip(_own_shape(view), view.index, strict=True)]
    return reduce(lambda one, other: Apply("and", (one, other)), same)


def _as_it_is(stmt: Stmt) -> Stmt:
    """`w = a.reshape(a.shape)` is `w = a[:]`, a view for sure."""
    if isinstance(stmt, View) and stmt.form == "reshape":
        given = [e.args[0] if isinstance(e, Apply) and e.op == "whole" else e for e in stmt.index]
        if given == _own_shape(stmt):
            return replace(stmt, index=(Slice(),) * len(given), form="section")
    return stmt


class _Facts:
    """What is known of the views of one body."""

    def __init__(self, body: Body, results: frozenset[str]) -> None:
        self.live = live_after(body, results)
        self.same = classes(body)
        self.all = list(statements(body))
        self.views: dict[str, list[View]] = {}
        self.made: dict[str, int] = {}
        self.onward: dict[str, list[str]] = {}
        self.block: dict[int, Sequence[Stmt]] = {id(s): b for b in _blocks(body) for s in b}
        self.outermost = body
        for stmt in self.all:
            for name in defines(stmt):
                self.made[name] = self.made.get(name, 0) + 1
            match stmt:
                case View(target=target, array=array):
                    self.views.setdefault(target, []).append(stmt)
                    self.onward.setdefault(array, []).append(target)
                case Rebind(targets=targets, sources=sources):
                    for target, source in zip(targets, sources, strict=True):
                        self.onward.setdefault(source, []).append(target)
        self.moved = {n for s in self.all if isinstance(s, Rebind) for n in (*s.targets, *s.sources)}

    def sharing(self, name: str) -> frozenset[str]:
        """`name` and what may look into it: views of it, and names that it is handed to."""
        found = [name]
        for known in found:
            found += [n for n in self.onward.get(known, ()) if n not in found]
        return frozenset(found)

    def may_stay(self, name: str, held: bool = False) -> bool:
        """Whether a name is bound by one view, ends in its block, and its array is `held`, or not bound anew."""
        if self.made[name] > 1 or name in self.moved:
            return False
        (view,) = self.views[name]
        if view.form == "reshape" and not self._reshapes(view):
            return False
        shared = self.sharing(name)
        block = self.block[id(view)]
        if block is not self.outermost and shared & self.live[id(block[-1])]:
            return False
        place = next(k for k, stmt in enumerate(block) if stmt is view)
        for stmt in () if held else block[place + 1 :]:
            if view.array in bound_in(stmt) and shared & (self.live[id(stmt)] | _read_inside(stmt)):
                return False
        return True

    def _reshapes(self, view: View) -> bool:
        """Whether another shape of an array is surely a view, or nobody can tell that it isn't: that is up to layout."""
        return view.array not in self.views and (self.may_copy(view.target) or self.laid_out(view.array))

    def laid_out(self, array: str) -> bool:
        """Whether the elements of an array surely lie row by row."""
        births = [s.value for s in self.all if isinstance(s, New) and s.target == array]
        made = self.made.get(array, 0) == 1 and array not in self.moved
        return made and any(isinstance(b, Apply) and (b.op, b.spell) in LAID_OUT for b in births)

    def may_share(self, view: View) -> bool:
        """Whether a view surely is one, so that its name can be one more of the array's."""
        if view.form == "reshape":
            return self._reshapes(view)
        return view.form in ("section", "T")

    def may_copy(self, name: str) -> bool:
        """Whether nobody writes into a view, nor into its array while the view is in use."""
        shared = self.sharing(name)
        for stmt in self.all:
            for array in written(stmt):
                if array in shared or (self.same[array] == self.same[name] and shared & self.live[id(stmt)]):
                    return False
        return True


def written(stmt: Stmt) -> tuple[str, ...]:
    """Arrays that a statement itself writes into."""
    match stmt:
        case Store(array=name) | Update(array=name):
            return (name,)
        case Call(writes=names):
            return names
    return ()


def bound_in(stmt: Stmt) -> frozenset[str]:
    """Array names that a statement, or one in it, binds anew or hands over."""
    names: list[str] = []
    for inner in statements((stmt,)):
        match inner:
            case New(target=name) | View(target=name) | Bind(target=name):
                names.append(name)
            case Rebind(targets=targets, sources=sources):
                names += [*targets, *sources]
            case Call(targets=targets):
                names += targets
    return frozenset(names)


def _read_inside(stmt: Stmt) -> frozenset[str]:
    """What is read in a statement with blocks; one without reads before it binds."""
    return frozenset(n for s in statements((stmt,)) for n in uses(s)) if blocks(stmt) else frozenset()


def _blocks(body: Sequence[Stmt]) -> Iterator[Sequence[Stmt]]:
    yield body
    for stmt in body:
        for block in blocks(stmt):
            yield from _blocks(block)


# ----- stores that overlap what they read ------------------------------------------------------------------


def untangled(body: Body, temporary: Temporary) -> Body:
    """`body` where a store of several elements reads no other places of its array: those are copied before."""
    same, root, shared = classes(body), roots(body), dynamic(body)
    partly = {same[name] for name in parts(body)}

    def one(array: str) -> str:
        """What stands for all names that may be the same memory at the same time."""
        return same[array] if same[array] in shared else root[array]

    def settle(stmt: Stmt) -> Iterator[Stmt]:
        if isinstance(stmt, Update) or (isinstance(stmt, Store) and is_section(stmt.index)):
            own = Var(stmt.array) if isinstance(stmt, Update) else Load(stmt.array, stmt.index)
            names: dict[Expr, str] = {}
            for leaf in unique(_leaves(stmt.value)):
                array, element = _read(leaf)
                aligned = isinstance(leaf, Var) and own == Var(stmt.array) and root[array] != root[stmt.array]
                aligned &= same[array] not in partly
                if (
                    leaf == own
                    or aligned
                    or one(array) != one(stmt.array)
                    or (element and array == stmt.array)
                ):
                    continue
                names[leaf] = name = temporary("t")
                yield Assign(name, leaf, stmt.at) if element else New(name, Apply("copy", (leaf,)), stmt.at)
            if names:
                stmt = replace(stmt, value=_exchanged(stmt.value, names))
        yield stmt

    return map_body(settle, body)


def _read(leaf: Var | Load) -> tuple[str, bool]:
    """The name that a leaf reads, and whether it is one element of an array."""
    return (leaf.name, False) if isinstance(leaf, Var) else (leaf.array, not is_section(leaf.index))


def _exchanged(expr: Expr, names: dict[Expr, str]) -> Expr:
    """`expr` with leaves exchanged, outside reductions."""
    if expr in names:
        return Var(names[expr])
    if isinstance(expr, Apply) and OPS[expr.op].structural in ("", "copy"):
        return rebuild(expr, lambda child: _exchanged(child, names))
    return expr


def _leaves(expr: Expr) -> Iterator[Var | Load]:
    """Operands that are read element by element: not those of reductions."""
    match expr:
        case Var() | Load():
            yield expr
        case Apply(op=op, args=args) if OPS[op].structural in ("", "copy"):
            for arg in args:
                yield from _leaves(arg)
