"""A stretch of a program as a function of its own: what is live into it are parameters, what is live out of it results.

Arrays written in place are parameters that the function writes into. Arrays bound anew inside and known outside come
out as results; a permutation of names moves behind the stretch::

    u, v = v, u                     step(v, u)
    u[0] = v[1]            ->       u, v = v, u
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from s2sad.analyses.entities import classes, dynamic, parts, roots
from s2sad.errors import AliasingError
from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    Apply,
    Assign,
    Bind,
    Call,
    For,
    Function,
    If,
    Kind,
    Leaf,
    New,
    Node,
    Rebind,
    Region,
    Release,
    Stmt,
    Store,
    Update,
    Var,
    View,
    While,
)
from s2sad.ir.walk import (
    Body,
    blocks,
    expressions,
    names_in,
    reads,
    rename,
    statements,
    unique,
    variables,
    writes,
    writes_in,
)
from s2sad.ops.kinds import NOTHING


@dataclass(slots=True)
class Cut:
    """What stands for a stretch: a call, and what follows it.

    own        arrays bound anew inside: (name, the call's target); those in `ended` end with the stretch
    exchanged  permutations of names that follow
    """

    call: Call
    own: tuple[tuple[str, str], ...] = ()
    ended: tuple[str, ...] = ()
    exchanged: tuple[Rebind, ...] = ()

    @property
    def after(self) -> Body:
        """The statements behind the call."""
        at = self.call.at
        ends = (Release(name, at) for name in self.ended)
        return (*ends, *(Rebind((n,), (t,), at) for n, t in self.own), *self.exchanged)


@dataclass
class Cutter:
    """Cuts stretches out of one function, whose statements are distinct objects.

    made      the functions made
    presets   numbers that a stretch may leave as they were, and nobody gave a value before
    """

    fn: Function
    made: dict[str, Function] = field(default_factory=dict)
    kinds: dict[str, Kind] = field(default_factory=dict)
    presets: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        fn = self.fn
        self.kinds |= fn.kinds
        self.namer = Namer([*fn.kinds, *fn.constants, *fn.callees, fn.name])
        self.same, self.shared, self.root = classes(fn.body), dynamic(fn.body), roots(fn.body)
        self.views = {s.target: s for s in statements(fn.body) if isinstance(s, View)}

    def is_array(self, name: str) -> bool:
        return name in self.kinds and self.kinds[name].is_array

    def fresh(self, stem: str, kind: Kind) -> str:
        """A new name of a kind."""
        self.kinds[name := self.namer.fresh(stem)] = kind
        return name

    def cut(self, stretch: Stmt, body: Body, later: Iterable[str], stem: str, doc: str) -> Cut:
        """The body of `stretch` as a function; `later` are names that may be read when it has run."""
        fn, at = self.fn, stretch.at
        outside = self.outside(stretch)
        ends = frozenset((*later, *(n for e in fn.results for n in variables(e))))
        body, exchanged, hard = hoisted(body, lambda n: n in outside and self.is_array(n))
        self.legal(body, hard, stretch)
        before, behind = bound_around(body, hard)
        self.preset(body, ends, stretch)
        scalars = [n for n in writes_in(body) if n in self.kinds and not self.is_array(n)]
        results = tuple(n for n in scalars if n in ends)
        exposed, sure = reach(body, frozenset())
        needed = {*exposed, *(n for n in results if n not in sure)}
        born = {n for s in statements(body) for n in births(s) if self.is_array(n)}

        names: dict[str, str] = {}  # array -> the parameter that it is, where that is another name
        start: list[Stmt] = []
        last: list[Stmt] = []
        for name in before:
            names[name] = param = self.fresh(f"{name}_in", self.kinds[name])
            found = handed_in(body, name, param)
            if found is None:
                start.append(New(name, Apply("copy", (Var(param),)), at))
            else:
                body = found
        outer = [n for n in names_in(body) if self.is_array(n) and n not in born and n not in names.values()]
        arrays = unique((*names.values(), *(n for n in outer if n not in fn.constants and n not in before)))
        arrays, views = self.viewed(body, arrays, stretch)
        start[:0] = views
        last += [Release(view.target, at) for view in reversed(views)]
        body, own_names = self.told_apart(body, arrays, last, stretch)
        start += own_names
        numbers = (n for n in names_in((*views, *body)) if n in self.kinds and not self.is_array(n))
        params = unique(
            (*arrays, *(n for n in numbers if n in {*needed, *reads_of(views)} and n not in fn.constants))
        )
        name = self.namer.fresh(f"{fn.name}_{stem}")
        whole = (*start, *body, *last, *(Release(n, at) for n in reversed(behind)))
        inner = classes(whole)
        changed = {inner[n] for s in statements(whole) for n in stored(s)}
        given = {g: n for n, g in names.items()}
        written = tuple(given.get(p, p) for p in arrays if inner[p] in changed)
        self.made[name] = Function(
            name, params, whole, tuple(map(Var, (*results, *behind))), self.kinds, (),
            Node(tuple(map(Leaf, (*results, *behind)))), fn.constants, doc, at=at,
        )  # fmt: skip
        targets = {n: self.fresh(f"{n}_out", self.kinds[n]) for n in behind}
        args = tuple(Var(given.get(p, p)) for p in params)
        call = Call((*results, *targets.values()), name, args, written, joint=True, at=at)
        return Cut(call, tuple(targets.items()), before, exchanged)

    # ----- what is known around it

    def outside(self, stretch: Stmt) -> frozenset[str]:
        """Names that occur outside of a stretch."""
        inside = {id(stretch), *map(id, statements(blocks(stretch)[0]))}
        found = {*self.fn.params, *self.fn.constants, *(n for e in self.fn.results for n in variables(e))}
        for stmt in statements(self.fn.body):
            if id(stmt) not in inside:
                found.update(writes(stmt), reads(stmt))
                found.update((stmt.name,) if isinstance(stmt, Release) else ())
        return frozenset(found)

    def legal(self, body: Body, hard: frozenset[str], stretch: Stmt) -> None:
        """Refuse arrays that are bound inside, known outside, and may share memory with others.

        Errors: AliasingError S084.
        """
        for name in sorted(hard):
            if name in self.views or self.same[name] in self.shared:
                raise AliasingError(
                    f"`{name}` is bound in a stretch that is run again, and shares memory with another name", code="S084",
                    at=stretch.at, hint="make the array before, and write into it: `x[:] = ...`",
                )  # fmt: skip

    def preset(self, body: Body, ends: frozenset[str], stretch: Stmt) -> None:
        """Note numbers that have no value before a stretch, and may have none after it."""
        exposed, sure = reach(body, frozenset())
        inside = {id(stretch), *map(id, statements(blocks(stretch)[0]))}
        given = {*self.fn.params, *self.fn.constants, *self.presets}
        given.update(n for s in statements(self.fn.body) if id(s) not in inside for n in writes(s))
        for name in writes_in(body):
            loose = name in exposed or (name in ends and name not in sure)
            if loose and name in self.kinds and not self.is_array(name) and name not in given:
                self.presets.append(name)

    def viewed(
        self, body: Body, arrays: tuple[str, ...], stretch: Stmt
    ) -> tuple[tuple[str, ...], list[View]]:
        """Arrays that are views of others among them, made anew inside where one of these is written."""
        changed = {self.root[n] for s in statements(body) for n in stored(s)}
        groups: dict[str, list[str]] = {}
        for name in arrays:
            groups.setdefault(self.root[name], []).append(name)
        again: list[View] = []
        kept = list(arrays)
        for root, names in groups.items():
            if len(names) < 2 or root not in changed:
                continue
            chain: dict[str, View] = {}
            for name in names:
                view = self.views.get(name)
                while view is not None and view.target not in chain:
                    chain[view.target] = view
                    view = self.views.get(view.array)
            order = [s for s in statements(self.fn.body) if isinstance(s, View) and s.target in chain]
            if any(not self.steady(v) for s in order for e in s.index for v in variables(e)):
                raise AliasingError(
                    f"`{names[-1]}` looks into `{root}`, which a stretch that is run again writes into", code="S084",
                    at=stretch.at, hint="take the section inside",
                )  # fmt: skip
            again += order
            kept = [n for n in kept if n not in chain]
            if root not in kept:
                kept.append(root)
        return tuple(kept), again

    def steady(self, name: str) -> bool:
        """Has a number one value at most, wherever it is known?"""
        return sum(name in writes(s) for s in statements(self.fn.body)) + (name in self.fn.params) <= 1

    def told_apart(
        self, body: Body, arrays: tuple[str, ...], last: list[Stmt], stretch: Stmt
    ) -> tuple[Body, list[Stmt]]:
        """Arrays that may be one or not, by the way taken: names inside that are bound accordingly.

        Errors: AliasingError S084 where they may also be parts of one.
        """
        changed = {self.same[n] for s in statements(body) for n in stored(s)}
        start: list[Stmt] = []
        groups: dict[str, list[str]] = {}
        for name in arrays:
            if self.same[name] in self.shared & changed:
                groups.setdefault(self.same[name], []).append(name)
        partly = {self.same[n] for n in parts(self.fn.body)}
        for rep, names in groups.items():
            if len(names) > 1 and (rep in partly or any(name in self.views for name in names)):
                raise AliasingError(
                    f"`{names[0]}` and `{names[1]}` may be parts of an array that a stretch writes into and is run again",
                    code="S084", at=stretch.at, hint="put `.copy()` behind the view",
                )  # fmt: skip
            for k, name in enumerate(names[1:], 1):
                inner = self.fresh(name, self.kinds[name])
                made: tuple[Stmt, ...] = (Bind(inner, name),)
                for other in reversed(names[:k]):
                    one = Apply("eq", (Apply("address_of", (Var(name),)), Apply("address_of", (Var(other),))))
                    made = (If(one, (Bind(inner, other),), made),)
                start += made
                body = rename({name: inner}, body)
                last.insert(0, Release(inner))
        return body, start


# ----- names of arrays ---------------------------------------------------------------------------------------


def stored(stmt: Stmt) -> tuple[str, ...]:
    """Arrays that a statement itself writes into."""
    match stmt:
        case Store(array=name) | Update(array=name):
            return (name,)
        case Call(writes=names):
            return names
    return ()


def births(stmt: Stmt) -> tuple[str, ...]:
    """Array names that a statement binds (of a call also numbers)."""
    match stmt:
        case New(target=name) | View(target=name) | Bind(target=name):
            return (name,)
        case Rebind(targets=targets) | Call(targets=targets):
            return targets
    return ()


def ended(stmt: Stmt) -> tuple[str, ...]:
    """Array names that a statement ends."""
    match stmt:
        case Release(name=name):
            return (name,)
        case Rebind(targets=targets, sources=sources):
            return tuple(s for s in sources if s not in targets)
    return ()


def hoisted(body: Body, known: Callable[[str], bool]) -> tuple[Body, tuple[Rebind, ...], frozenset[str]]:
    """`body` with permutations of outer names moved to its end; the names that are bound in other ways."""
    moving = [
        s for s in body if isinstance(s, Rebind) and set(s.targets) == set(s.sources) and known(s.targets[0])
    ]
    hard: set[str] = set()
    while True:
        found = {
            n
            for s in statements(body)
            if not any(s is m for m in moving)
            for n in (*births(s), *ended(s))
            if known(n)
        }
        stay = [s for s in moving if not found.intersection(s.targets)]
        hard = found
        if len(stay) == len(moving):
            break
        moving = stay
    out: list[Stmt] = []
    now: dict[str, str] = {}  # name -> the name that its array had at the start
    for stmt in body:
        if any(stmt is m for m in moving):
            assert isinstance(stmt, Rebind)
            now |= {t: now.get(s, s) for t, s in zip(stmt.targets, stmt.sources, strict=True)}
        else:
            out += rename(now, (stmt,)) if now else (stmt,)
    moved = {t: s for t, s in now.items() if t != s}
    at = moving[-1].at if moving else None
    exchanged = (Rebind(tuple(moved), tuple(moved.values()), at),) if moved and at is not None else ()
    return tuple(out), exchanged, frozenset(hard)


def bound_around(body: Body, names: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Of `names`: those that are bound when `body` begins, those that are when it ends."""
    first: dict[str, bool] = {}
    last: dict[str, bool] = {}
    for stmt in statements(body):
        for name in (*births(stmt), *ended(stmt)):
            born = name in births(stmt)
            again = isinstance(stmt, Rebind) and name in stmt.sources and name in stmt.targets
            first.setdefault(name, again or not born)
            last[name] = born
    inside = [n for n in names_in(body) if n in frozenset(names)]
    return tuple(n for n in inside if first[n]), tuple(n for n in inside if last[n])


def handed_in(body: Body, name: str, given: str) -> Body | None:
    """`body` with the parameter `given` for the array that `name` begins with; None where it has to be copied.

    So it is where `name` is let go once, outside of all branches and loops, before it is bound anew.
    """
    for k, stmt in enumerate(body):
        if isinstance(stmt, Release) and stmt.name == name:
            return (*rename({name: given}, body[:k]), *body[k + 1 :])
        if any(name in (*births(s), *ended(s)) for s in statements((stmt,))):
            return None
    return None


def reads_of(body: Iterable[Stmt]) -> Iterator[str]:
    """Names that the expressions of statements read."""
    return (n for s in body for e in expressions(s) for n in variables(e))


def reach(body: Iterable[Stmt], known: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """(names that may be read before `body` gives them a value, names that surely have one after it)."""
    exposed: frozenset[str] = frozenset()
    for stmt in body:
        exposed |= frozenset(reads(stmt)) - known
        match stmt:
            case For(var=var, body=inner):
                exposed |= reach(inner, known | {var})[0]
            case While(body=inner):
                exposed |= reach(inner, known)[0]
            case If(then=then, orelse=orelse):
                (one, after_one), (other, after_other) = reach(then, known), reach(orelse, known)
                exposed |= one | other
                known |= after_one & after_other
            case Region(body=inner):
                more, known = reach(inner, known)
                exposed |= more
            case _:
                known |= frozenset(writes(stmt))
    return exposed, known


def first_value(name: str, kind: Kind) -> Assign:
    """A value for a number that is never read."""
    return Assign(name, NOTHING[kind.base])
