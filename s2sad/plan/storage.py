"""Where the reverse sweep finds each value it needs: the first sound way, with its reason, as data.

Scalars, by version: *there* (a parameter, a loop variable) · *recompute* (cheap, its operands at hand, its loads
unchanged until the end of its block) · *count* (an integer counter, by its closed form) · *slot* (kept at birth, in
an array with one place per iteration of the enclosing loops).
Arrays, by overwriting statement, where an earlier reader is reversed later: *nothing* (no such reader) ·
*snapshot* (a nest overwrites the array as a whole: copied once before it) · *copy* (a whole-array statement) ·
*log* (the overwritten element goes to a slot).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from s2sad.analyses.entities import Classes, classes, dynamic, roots
from s2sad.analyses.versions import Block, Version, Versions
from s2sad.analyses.widths import widens
from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    Call,
    Expr,
    For,
    Function,
    If,
    Load,
    Stmt,
    Store,
    Update,
    While,
)
from s2sad.ir.walk import expressions, is_section, statements, variables
from s2sad.plan.covered import covered
from s2sad.plan.elements import counted_by
from s2sad.plan.later import Later, elements_read
from s2sad.plan.once import filling, once
from s2sad.plan.rows import begun
from s2sad.plan.scalars import Scalars, bound, nested
from s2sad.plan.slots import Decision, Plan


class Storage(Scalars):
    """Decides for one prepared function; `plan` is the result."""

    def __init__(
        self,
        fn: Function,
        facts: Versions,
        needs: Mapping[int, tuple[Expr, ...]],
        reads: Mapping[int, tuple[str, ...]],
        active: frozenset[str],
        namer: Namer,
        preserve: Iterable[str] = (),
        plain: Iterable[int] = (),
        wide: Iterable[str] = (),
        *,
        later: Later,
        told: Iterable[int] = (),
    ) -> None:
        """needs: expressions that the reverse of a statement evaluates, by id; reads: arrays whose content they read;
        preserve: parameters that have to be put back as they came; plain: ids of calls that nobody reverses; wide: arrays
        with a row per iteration; later: what is known of stores to come; told: ids of stores whose reverse reads what
        they have stored.
        """
        self.preserve, self.plain, self.told = tuple(preserve), frozenset(plain), frozenset(told)
        self.fn, self.facts, self.needs, self.reads, self.active, self.namer = (
            fn,
            facts,
            needs,
            dict(reads),
            active,
            namer,
        )
        self.kinds = fn.kinds
        self.widens = widens(fn)
        self.classes: Classes = classes(fn.body)
        self.roots: Classes = roots(fn.body)
        self.shared = dynamic(fn.body)
        self.bodies: dict[Block, tuple[Stmt, ...]] = dict(nested(fn.body))
        self.by_id = {id(s): s for s in statements(fn.body)}
        self.later, self.final = later, set[Version]()
        self.needed_of: dict[str, list[tuple[Stmt, Load | None]]] = {}
        self.once, self.filling = once(fn.body), filling(fn.body)
        self.anew = {name: begun(fn.body, name) for name in wide}
        self.plan = Plan()
        self.kept: dict[str, str] = {}
        self.late: dict[
            Block, tuple[str, ...]
        ] = {}  # arrays that values formed again at the end of a block load
        self.wanted = frozenset(self.direct())
        self.scalars()
        self.arrays()
        self.hold()

    # ----- arrays

    def arrays(self) -> None:
        self.pending: set[str] = {self.classes[p] for p in self.preserve}
        self.done: set[int] = set()
        self.walk(self.fn.body, ())
        undone = [
            s.array
            for key in (*self.plan.logs, *self.plan.copies)
            if isinstance(s := self.by_id[key], Store | Update)
        ]
        undone += [a for names in self.plan.snapshots.values() for a in names]
        undone += [a for s in self.by_id.values() if isinstance(s, Call) for a in s.writes]
        spoiled = {self.classes[a] for a in undone}
        self.plan.undone = frozenset(
            n for n, k in self.kinds.items() if k.is_array and self.classes[n] in spoiled
        )

    def walk(self, body: Iterable[Stmt], block: Block) -> None:
        """Follow `pending`: classes with an element that a statement reversed later reads as it was."""
        for stmt in body:
            reads = {self.classes[a] for a in self.reads.get(id(stmt), ())}
            match stmt:
                case Store(array=array) | Update(array=array):
                    if self.fresh(stmt, array):
                        pass  # nobody has read what it overwrites
                    elif (
                        self.classes[array] in self.pending | reads
                        and not self.covered(stmt, block)
                        and not self.spared(stmt)
                    ):
                        self.overwrite(stmt, block)
                case Call(writes=written):
                    if id(stmt) in self.plain and any(self.classes[a] in self.pending for a in written):
                        self.plan.copies.add(id(stmt))
                case For(body=inner) | While(body=inner):
                    within = (*block, (id(stmt), 0))
                    rows = {name for name, (loop, _) in self.anew.items() if loop is stmt}
                    while True:
                        before = set(self.pending)
                        self.pending -= rows
                        self.walk(inner, within)
                        if self.pending == before:
                            break
                case If(then=then, orelse=orelse):
                    self.walk(then, (*block, (id(stmt), 0)))
                    self.walk(orelse, (*block, (id(stmt), 1)))
            self.pending |= reads
        self.pending |= {self.classes[a] for a in self.late.get(block, ())}

    def fresh(self, stmt: Stmt, array: str) -> bool:
        """Does a store only ever meet elements that nothing was stored in?"""
        anew = array in self.anew and self.anew[array][1] is stmt
        return anew or id(stmt) in self.filling or self.once.get(array) is stmt

    def covered(self, stmt: Store | Update, block: Block) -> bool:
        """Did its element get what a store overwrites in the same trip, for nobody?"""
        group = self.classes[stmt.array]

        def needed(s: Stmt) -> bool:
            return group in {self.classes[a] for a in self.reads.get(id(s), ())}

        late = [b for b, names in self.late.items() if group in {self.classes[a] for a in names}]
        return isinstance(stmt, Store) and covered(stmt, block, self.bodies, self.facts, needed, late)

    def spared(self, stmt: Store | Update) -> bool:
        """Is what a store overwrites, element by element, none of what was read before it?"""
        name, group = stmt.array, self.classes[stmt.array]
        if (
            not isinstance(stmt, Store)
            or is_section(stmt.index)
            or group in {self.classes[p] for p in self.preserve}
        ):
            return False
        known, born = self.later.alone(name)
        if not known:
            return False
        return not any(
            load is None or self.later.meets(reader, load.index, stmt, born)
            for reader, load in self.needed(name)
        )

    def needed(self, array: str) -> list[tuple[Stmt, Load | None]]:
        """The statements for whose reverse an array is read, and the elements (None: several at once)."""
        if array not in self.needed_of:
            readers = [(self.by_id[key], e) for key, exprs in self.needs.items() for e in exprs]
            readers += [(v.stmt, e) for v, e in self.plan.again.items() if v.stmt and v not in self.final]
            self.needed_of[array] = [(s, load) for s, e in readers for load in elements_read(e, array)]
        return self.needed_of[array]

    def overwrite(self, stmt: Store | Update, block: Block) -> None:
        """Keep what `stmt` overwrites."""
        if id(stmt) in self.done:
            return
        self.done.add(id(stmt))
        self.plan.overwritten.add(stmt.array)
        line = stmt.at.line
        if isinstance(stmt, Update) or is_section(stmt.index):
            self.plan.copies.add(id(stmt))
            self.plan.report.append(Decision(line, stmt.array, "copy", "overwritten at once, read before"))
            return
        loops = [s for key, _ in block if isinstance(s := self.by_id[key], For)]
        for loop in loops:
            if self.covering(loop, stmt.array):
                names = self.plan.snapshots.get(id(loop), ())
                if stmt.array not in names:
                    self.plan.snapshots[id(loop)] = (*names, stmt.array)
                    self.plan.report.append(
                        Decision(line, stmt.array, "snapshot", "the nest overwrites it as a whole")
                    )
                return
        base = self.kinds[stmt.array].base
        self.plan.logs[id(stmt)] = slot = self.slot(
            stmt.array, block, base if base in ("real", "single", "complex") else "int"
        )
        self.plan.report.append(
            Decision(line, stmt.array, "log", "an overwritten element is read before", slot.shape)
        )

    def one(self, array: str) -> str:
        """What stands for all names that may be the same memory at the same time."""
        rep = self.classes[array]
        return rep if rep in self.shared else self.roots[array]

    def covering(self, nest: For, array: str) -> bool:
        """Does `nest` overwrite `array` as a whole, box-wise, and its reverse read nothing of it?"""
        inside = list(statements((nest,)))
        if any(self.classes[a] == self.classes[array] for s in inside for a in bound(s)):
            return False  # below, other names of the class are other entities
        if any(id(s) in self.told for s in inside if isinstance(s, Store) and s.array == array):
            return False  # what they have stored is read on the way back
        root = self.one(array)
        late = (names for b, names in self.late.items() if (id(nest), 0) in b)
        if any(
            self.one(a) == root
            for names in (*(self.reads.get(id(s), ()) for s in inside), *late)
            for a in names
        ):
            return False
        loops = {s.var: s for s in inside if isinstance(s, For)}
        counters = {s.var for s in self.by_id.values() if isinstance(s, For)}
        for stmt in inside:
            if isinstance(stmt, Store | Update) and self.one(stmt.array) == root:
                if not isinstance(stmt, Store) or stmt.array != array:
                    return False
                used = [counted_by(e) for e in stmt.index]
                if None in used or len(set(used)) < len(used) or not set(used) <= set(loops):
                    return False
                bounds = [v for u in used if u for e in expressions(loops[u]) for v in variables(e)]
                if counters & set(bounds):
                    return False
        return True

    # ----- what has to be at hand

    def hold(self) -> None:
        """Local arrays that the reverse sweep has to see: active ones, and those whose content or shape it reads."""
        local = {self.classes[n] for s in statements(self.fn.body) for n in bound(s)}
        seen = {self.classes[a] for names in (*self.reads.values(), *self.late.values()) for a in names}
        exprs = [e for es in self.needs.values() for e in es] + list(self.plan.again.values())
        exprs += [e for slot in self.plan.arrays for e in (*slot.shape, *slot.index)]
        seen |= {self.classes[n] for e in exprs for n in variables(e) if n in self.kinds}
        seen |= {self.classes[n] for n in self.active if self.kinds[n].is_array}
        seen |= {n for n, k in self.kinds.items() if k.base == "pool"}
        seen |= {self.classes[s.array] for key in self.plan.logs if isinstance(s := self.by_id[key], Store)}
        seen |= {
            self.classes[s.array]
            for key in self.plan.copies
            if isinstance(s := self.by_id[key], Store | Update)
        }
        seen |= {
            self.classes[a]
            for key in self.plan.copies
            if isinstance(s := self.by_id[key], Call)
            for a in s.writes
        }
        arrays = [n for n, k in self.kinds.items() if k.is_array]
        self.plan.seen = frozenset(n for n in arrays if self.classes[n] in seen)
        self.plan.held = frozenset(
            n for n in arrays if self.classes[n] in seen & local and self.roots[n] == n
        )
