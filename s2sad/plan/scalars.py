"""How the reverse sweep gets each scalar version it needs: there, formed again, counted, or from a slot."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from s2sad.analyses.entities import Classes
from s2sad.analyses.versions import Block, Version, Versions
from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    Apply,
    Assign,
    Base,
    Bind,
    Call,
    Const,
    Expr,
    For,
    Function,
    Kind,
    Load,
    New,
    Rebind,
    Release,
    Stmt,
    Store,
    Update,
    Var,
    View,
    While,
)
from s2sad.ir.walk import blocks, expressions, nodes, statements, unique, variables
from s2sad.ops import OPS, dear
from s2sad.ops.build import add
from s2sad.ops.kinds import kind_of
from s2sad.plan.boxes import boxed
from s2sad.plan.counters import advanced
from s2sad.plan.elements import apart, floors
from s2sad.plan.slots import CHEAP, ITEMSIZE, Decision, Plan, Slot

if TYPE_CHECKING:
    from s2sad.plan.later import Later

#: Names of the arrays for values outside loops, by what they hold.
KEPT = {"real": "kept", "single": "kept_f", "int": "kept_n", "bool": "kept_c", "complex": "kept_z"}


class Scalars:
    """Decides for the scalars of one prepared function."""

    fn: Function
    facts: Versions
    kinds: Mapping[str, Kind]
    needs: Mapping[int, tuple[Expr, ...]]
    active: frozenset[str]
    classes: Classes
    bodies: dict[Block, tuple[Stmt, ...]]
    by_id: dict[int, Stmt]
    wanted: frozenset[Version]
    namer: Namer
    plan: Plan
    late: dict[Block, tuple[str, ...]]
    once: Mapping[str, Store]
    later: Later
    final: set[Version]  # found in arrays: what stands there stays there
    widens: bool  # somewhere a name of float64 gets a float32, and may be one for a while
    kept: dict[str, str]  # base -> the array for values outside loops

    def direct(self) -> Iterator[Version]:
        """Versions that some reverse statement reads."""
        for key, exprs in self.needs.items():
            table, later = self.facts.before[key], self.facts.after.get(key, {})
            for expr in exprs:
                for name in variables(expr):
                    if name.endswith("'"):
                        yield later[name[:-1]]
                    elif name in table:
                        yield table[name]

    def scalars(self) -> None:
        for version in sorted(self.wanted, key=lambda v: v.number):
            self.settle(version)

    def settle(self, v: Version) -> None:
        """Decide how the value `v` is had on the way back."""
        if v.birth in ("param", "loopvar") or v in self.plan.slots or v in self.plan.again:
            return
        if v.birth == "assign" and isinstance(v.stmt, Assign) and self.free(v):
            self.plan.again[v] = v.stmt.value
            table = self.facts.before[id(v.stmt)]
            for name in variables(v.stmt.value):
                if name in table:
                    self.settle(table[name])
            self.late[v.block] = unique((*self.late.get(v.block, ()), *arrays_in(v.stmt.value, self.kinds)))
            self.note(v, "recompute", "cheap, its operands are at hand")
        elif (closed := self.closed(v)) is not None:
            self.plan.again[v] = closed
            table = self.facts.before[id(v.stmt)]
            for name in variables(closed):
                if name in table:
                    self.settle(table[name])
            self.note(v, "count", "a counter: entry value and iterations tell it")
        elif (element := self.stored(v)) is not None:
            self.plan.again[v] = element
            self.final.add(v)
            self.late[v.block] = unique((*self.late.get(v.block, ()), element.array))
            self.note(v, "reread", f"it stands in `{element.array}`, where nothing overwrites it")
        else:
            self.plan.slots[v] = self.slot(v.name, v.block)
            self.note(v, "slot", reason(v), v)

    def free(self, v: Version) -> bool:
        """Can `v` be had without keeping anything that isn't kept anyway?"""
        if v.birth in ("param", "loopvar"):
            return True
        if v.birth != "assign" or not isinstance(v.stmt, Assign):
            return v in self.wanted or self.closed(v) is not None
        value = v.stmt.value
        if not cheap(value) or not self.unchanged(value, v) or self.loose(value):
            return v in self.wanted and v in self.plan.slots
        table = self.facts.before[id(v.stmt)]
        return all(
            self.free(table[n]) or (table[n] in self.wanted and table[n] is not v)
            for n in variables(value)
            if n in table
        )

    def loose(self, value: Expr) -> bool:
        """Could `value` be another one when it is formed again: of reals that were float32 before they were float64?"""
        return self.widens and any(kind_of(node, self.kinds).is_real for node in nodes(value))

    def unchanged(self, value: Expr, v: Version) -> bool:
        """Do the arrays that `value` loads stay as they are until the end of the block in which `v` is born?"""
        loaded = {self.classes[a] for a in arrays_in(value, self.kinds)}
        loaded |= {self.classes[n.args[0].name] for n in nodes(value) if is_shape(n)}  # type: ignore[union-attr]
        if not loaded:
            return True
        body = self.bodies[v.block]
        k = next(i for i, s in enumerate(body) if s is v.stmt)
        behind = [s for s in body[k + 1 :] if not (isinstance(s, Store) and self.spares(s, value, v))]
        return not self.ended(loaded, v) and not any(
            self.classes[a] in loaded for s in statements(behind) for a in touched(s)
        )

    def ended(self, arrays: Container[str], v: Version) -> bool:
        """Do arrays end before the block in which `v` is born does? On the way back they are not there at first."""
        body = self.bodies[v.block]
        return any(
            isinstance(s, Release) and self.classes[s.name] in arrays for s in body[: tail(body, self.active)]
        )

    def spares(self, store: Store, value: Expr, v: Version) -> bool:
        """Does a store in the block in which `v` is born meet other elements than those that `value` loads?"""
        then, now = self.facts.before[id(v.stmt)], self.facts.before[id(store)]
        low = floors(self.by_id[key] for key, _ in v.block)
        floor = {
            n: c for n, c in low.items() if n in then and now.get(n) is then[n] and then[n].birth == "loopvar"
        }
        alike = self.classes[store.array]
        return all(
            apart(n, store, floor)
            for n in nodes(value)
            if isinstance(n, Load) and self.classes[n.array] == alike
        )

    def closed(self, v: Version) -> Expr | None:
        """The closed form of an integer counter at the start of an iteration, in names of before its loop."""
        loop = v.stmt
        if v.birth != "header" or self.kinds[v.name].base != "int" or not isinstance(loop, For):
            return None
        more = advanced(v.name, loop)
        return None if more is None else add(Var(v.name), more)

    def stored(self, v: Version) -> Load | None:
        """The element of an array that the value goes to, unchanged and for good, in the block of its birth."""
        if v.birth != "assign":
            return None
        body = self.bodies[v.block]
        k = next(i for i, s in enumerate(body) if s is v.stmt)
        for stmt in body[k + 1 :]:
            if isinstance(stmt, Store) and stmt.value == Var(v.name) and self.stays(stmt):
                table = self.facts.before[id(stmt)]
                alike = self.kinds[stmt.array].base == self.kinds[v.name].base
                known = alike and table.get(v.name) is v and fixed(stmt.index, table)
                if known and not self.ended({self.classes[stmt.array]}, v):
                    return Load(stmt.array, stmt.index)
        return None

    def stays(self, stmt: Store) -> bool:
        """Does an element keep what a store gives it?"""
        return self.once.get(stmt.array) is stmt or self.later.final(stmt)

    def slot(self, name: str, block: Block, base: Base | None = None) -> Slot:
        """A slot with a place per iteration of the loops around `block`."""
        base = base or self.kinds[name].base
        loops = tuple(s for key, _ in block if isinstance(s := self.by_id[key], For | While))
        if not loops:
            if base not in self.kept:
                self.kept[base] = self.namer.fresh(KEPT[base])
            array = self.kept[base]
            place = self.plan.scratch.get(array, 0)
            self.plan.scratch[array] = place + 1
            return Slot(array, base, (), None, place)
        boxes = self.outwards(loops, loops[-1:])
        first = next((k for k, s in enumerate(loops) if isinstance(s, For) and s.threads), len(loops))
        if first < len(loops) - len(boxes) and (inside := self.boxes(loops[first:])):
            boxes = self.outwards(loops, inside)
        k = len(loops) - len(boxes)
        return Slot(self.namer.fresh(f"{name}_s"), base, loops[k:], loops[k], boxes=boxes)

    def outwards(
        self, loops: tuple[For | While, ...], boxes: tuple[For | While, ...]
    ) -> tuple[For | While, ...]:
        """The last loops, and those around them before which all bounds are settled."""
        k = len(loops) - len(boxes)
        while k > 0 and all(
            isinstance(inner, For) and self.settled(inner, expressions(box), loops[k - 1])
            for inner, box in zip(loops[k:], boxes, strict=True)
        ):
            k -= 1
            boxes = (loops[k], *boxes)
        return boxes

    def boxes(self, loops: tuple[For | While, ...]) -> tuple[For, ...]:
        """Loops, the first of them in threads, with bounds that are known before it; none where they can't be told."""
        around: dict[str, For] = {}
        made: list[For] = []
        for loop in loops:
            box = boxed(loop, around) if isinstance(loop, For) else None
            if box is None or not self.settled(loop, expressions(box), loops[0]):
                return ()
            made.append(box)
            around[box.var] = box
        return tuple(made)

    def settled(self, inner: For | While, bounds: Iterable[Expr], outer: For | While) -> bool:
        """Are `bounds`, as they stand at `inner`, settled before `outer` begins?"""
        table = self.facts.before[id(inner)]
        for expr in bounds:
            for name in variables(expr):
                if name in table and any(key == id(outer) for key, _ in table[name].block):
                    return False
                if (
                    name in self.kinds
                    and self.kinds[name].is_array
                    and any(
                        self.classes[name] == self.classes[t] for s in statements((outer,)) for t in bound(s)
                    )
                ):
                    return False
        return True

    def note(self, v: Version, how: str, why: str, kept: Version | None = None) -> None:
        at = v.stmt.at.line if v.stmt is not None else 0
        shape = self.plan.slots[kept].shape if kept is not None else ()
        itemsize = ITEMSIZE.get(self.kinds[v.name].base, 8)
        self.plan.report.append(Decision(at, v.name, how, why, shape, itemsize))


def fixed(index: Iterable[Expr], table: Mapping[str, Version]) -> bool:
    """Are subscripts constants, and names that keep their value for a whole iteration?"""
    return all(
        isinstance(sub, Const) or (isinstance(sub, Var) and table[sub.name].birth in ("loopvar", "param"))
        for sub in index
    )


def reason(v: Version) -> str:
    """Why a value is kept."""
    match v:
        case Version(birth="header"):
            return "carried by the loop"
        case Version(birth="assign", stmt=Assign(value=value)) if not cheap(value):
            return "dear to form again"
        case Version(birth="assign", stmt=Assign()):
            return "what it is made of is overwritten"
        case Version(birth="assign"):
            return "a call gives it"
    return "a branch or a loop decides it"


def tail(body: Sequence[Stmt], active: Container[str]) -> int:
    """Where the end of a block begins: from there on it lets arrays go, or counts trips, which isn't taken back."""
    k = len(body)
    while k > 0 and (
        isinstance(s := body[k - 1], Release) or (isinstance(s, Assign) and s.target not in active)
    ):
        k -= 1
    return k


def nested(body: tuple[Stmt, ...], block: Block = ()) -> Iterator[tuple[Block, tuple[Stmt, ...]]]:
    """Every body with its block."""
    yield block, body
    for stmt in body:
        for k, inner in enumerate(blocks(stmt)):
            yield from nested(inner, (*block, (id(stmt), k)))


def bound(stmt: Stmt) -> tuple[str, ...]:
    """Array names that a statement binds or ends."""
    match stmt:
        case New(target=name) | View(target=name) | Release(name=name):
            return (name,)
        case Rebind(targets=targets, sources=sources):
            return unique((*targets, *sources))
        case Bind(target=name):
            return (name,)
        case Call(targets=targets):
            return targets
    return ()


def touched(stmt: Stmt) -> tuple[str, ...]:
    """Array names that a statement binds, or whose content it changes. The end of a scope changes nothing."""
    match stmt:
        case Store(array=name) | Update(array=name):
            return (name,)
        case Call(writes=written):
            return unique((*bound(stmt), *written))
        case Release():
            return ()
    return bound(stmt)


def cheap(value: Expr) -> bool:
    """Is forming `value` again cheaper than keeping it?"""
    ops = [n.op for n in nodes(value) if isinstance(n, Apply)]
    return (
        len(ops) <= CHEAP
        and not dear(value)
        and not any(OPS[op].structural in ("sum", "amax", "pick", "matrix") for op in ops)
    )


def is_shape(node: Expr) -> bool:
    """Does `node` ask an array for its shape?"""
    return isinstance(node, Apply) and node.op == "shape" and isinstance(node.args[0], Var)


def arrays_in(expr: Expr, kinds: Mapping[str, Kind]) -> tuple[str, ...]:
    """Arrays whose elements `expr` loads."""
    return unique(n.array for n in nodes(expr) if isinstance(n, Load))
