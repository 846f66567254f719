"""Array names: which are the same array, which hand one over, and where each ends.

Reading Python leaves raw Rebinds of any form (`b = a`, `u, v = v, u`). Each is proved to be one of

* one array under two names, neither rebound while the other is in use: they become one name;
* a permutation of names, or a hand-over of a name that is not used again;
* a copy that nothing could tell from the original, since nobody writes into either;
* a copy of a parameter's array that is written back in the end (`borrowed`);
* a Bind: from then on the two share an array, or not, by the way taken, and the adjoint keeps account of it.

Then every local array is released where its name ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from s2sad.analyses.entities import classes, dynamic, parts
from s2sad.analyses.versions import distinct
from s2sad.errors import AliasingError
from s2sad.frontend.borrowed import lent, written_back
from s2sad.frontend.flow import defines, live_after, wanted
from s2sad.frontend.items import settle_items
from s2sad.frontend.reader import ends
from s2sad.frontend.views import Kinds, bound_in, settle_views, untangled, written
from s2sad.frontend.webs import pretty
from s2sad.ir.nodes import (
    Apply,
    Assign,
    Bind,
    Call,
    Expr,
    For,
    If,
    New,
    Raise,
    Rebind,
    Region,
    Release,
    Slice,
    Stmt,
    Var,
    View,
    While,
)
from s2sad.ir.walk import Body, map_body, rebuild, rename, statements, variables

Results = tuple[Expr, ...]


class Bindings:
    """Settles the Rebinds of one function. Outer names (parameters, constants) never end and are never handed over."""

    def __init__(
        self,
        params: Sequence[str],
        constants: Iterable[str],
        born: Callable[[Call], tuple[str, ...]],
        kinds: Kinds,
    ) -> None:
        """`born` tells the arrays that a call brings forth, `kinds` the kinds of the names of a program."""
        self.born, self.kinds = born, kinds
        self.params = frozenset(params)
        self.outer = self.params | frozenset(constants)
        self.count = 0

    def temporary(self, raw: str) -> str:
        """A fresh raw name that reads like `raw`."""
        self.count += 1
        return f"{pretty(raw)}#tb{self.count}"

    def settle(self, body: Body, results: Results) -> tuple[Body, Results]:
        """The program with proved Rebinds and with Releases.

        Errors: AliasingError S080 where two names may refer to one array and it matters.
        """
        body, results = self._own_parameters(body, results)
        body, results = self._merge(distinct(body), results)
        body = settle_items(distinct(body), results, self.outer)
        body = settle_views(distinct(body), results, self.temporary, self.kinds)
        body = untangled(self._legal(distinct(body), results), self.temporary)
        body, results = self._results_apart(body, results)
        body = distinct(body)
        body = self._released(body, results)
        return written_back(body, self.temporary, self.born), results

    def _results_apart(self, body: Body, results: Results) -> tuple[Body, Results]:
        """Results that are views are copied: what they look into ends with the function, or is the caller's."""
        views = {*parts(body), *(s.target for s in statements(body) if isinstance(s, View))}
        made: list[Stmt] = []
        out: list[Expr] = []
        for result in results:
            if isinstance(result, Var) and result.name in views:
                name = self.temporary("r")
                made.append(New(name, Apply("copy", (result,)), body[-1].at))
                result = Var(name)
            out.append(result)
        return (*body, *made), tuple(out)

    # ----- one array, one name -----------------------------------------------------------------------------

    def _own_parameters(self, body: Body, results: Results) -> tuple[Body, Results]:
        """A parameter that is bound anew in a loop or an arm gets a local name for what it is bound to."""
        bound = {n: s.at for s in statements(body) if isinstance(s, New | View | Rebind) for n in defines(s)}
        names = {n: f"{n}~p" for n in bound if n in self.outer}
        start = tuple(Rebind((local,), (outer,), bound[outer]) for outer, local in names.items())
        return (*start, *rename(names, body)), tuple(rename(names, r) for r in results)

    def _merge(self, body: Body, results: Results) -> tuple[Body, Results]:
        while (pair := self._mergeable(body, results)) is not None:
            target, source = pair
            if source not in self.outer and _standing(target) < _standing(source):
                target, source = source, target
            body = map_body(_without_self, rename({target: source}, body))
            results = tuple(rename({target: source}, r) for r in results)
        return body, results

    def _mergeable(self, body: Body, results: Results) -> tuple[str, str] | None:
        made: dict[str, int] = {}
        for stmt in statements(body):
            for name in defines(stmt):
                made[name] = made.get(name, 0) + 1
        live = live_after(body, wanted(results))
        for stmt in statements(body):
            if isinstance(stmt, Rebind):
                for target, source in zip(stmt.targets, stmt.sources, strict=True):
                    if made[target] == 1 and not any(
                        source in defines(s) and target in live[id(s)] for s in statements(body)
                    ):
                        return target, source
        return None

    # ----- permutations, hand-overs, copies ----------------------------------------------------------------

    def _legal(self, body: Body, results: Results) -> Body:
        live = live_after(body, wanted(results))
        same = classes(body)
        changed = {same[array] for s in statements(body) for array in written(s)}
        raises = any(isinstance(s, Raise) for s in statements(body))

        def used_up(stmt: Rebind, source: str) -> bool:
            return source not in live[id(stmt)] or source in stmt.targets

        def stays(stmt: Rebind, source: str) -> bool:
            return source in self.outer or not used_up(stmt, source) or stmt.sources.count(source) > 1

        def lendable(stmt: Rebind, source: str) -> bool:
            once = stmt.sources.count(source) == 1
            return used_up(stmt, source) and source in self.params and once and not raises

        shared = {
            same[source]
            for stmt in statements(body)
            if isinstance(stmt, Rebind) and set(stmt.targets) != set(stmt.sources)
            for source in stmt.sources
            if stays(stmt, source) and not lendable(stmt, source)
        } | dynamic(body)

        def settle(stmt: Stmt) -> Iterator[Stmt]:
            if not isinstance(stmt, Rebind) or set(stmt.targets) == set(stmt.sources):
                yield stmt
                return
            pending: dict[str, str] = {}
            for target, source in zip(stmt.targets, stmt.sources, strict=True):
                if stays(stmt, source):
                    held = target if len(stmt.targets) == 1 else self.temporary(target)
                    if same[source] not in changed:
                        yield New(held, Apply("copy", (Var(source),)), stmt.at)
                    elif lendable(stmt, source) and same[source] not in shared:
                        yield lent(held, source, stmt.at)
                    else:
                        yield Bind(held, source, at=stmt.at)
                    source = held
                if source != target:
                    pending[target] = source
            yield from _in_order(pending, stmt)

        return map_body(settle, body)

    # ----- ends --------------------------------------------------------------------------------------------

    def _early(self, stmt: Bind, ended: str, out: list[Stmt]) -> Bind:
        """`stmt` with what its subscripts ask of an array worked out before, where that ends first."""

        def settle(expr: Expr) -> Expr:
            if isinstance(expr, Slice):
                return rebuild(expr, settle)
            if ended not in variables(expr):
                return expr
            out.append(Assign(name := self.temporary("end"), expr, stmt.at))
            return Var(name)

        return replace(stmt, index=tuple(map(settle, stmt.index)))

    def _released(self, body: Body, results: Results) -> Body:
        live = live_after(body, wanted(results))
        base = {s.target: s.array for s in statements(body) if isinstance(s, View)}

        def over(name: str, arrays: frozenset[str]) -> bool:
            return name in base and (base[name] in arrays or over(base[name], arrays))

        def block(stmts: Sequence[Stmt], bound: dict[str, None]) -> tuple[list[Stmt], dict[str, None]]:
            out: list[Stmt] = []
            bound = dict(bound)
            for stmt in stmts:
                arrays = bound_in(stmt)
                ended = [n for n in reversed(bound) if over(n, arrays)]
                ends_here: list[Stmt] = [Release(n, stmt.at) for n in ended]
                for n in ended:
                    del bound[n]
                match stmt:
                    case New(target=name, value=value) if name in bound:
                        ends_here.append(Release(name, stmt.at))
                        if {name, *ended} & wanted((value,)):
                            held = self.temporary(name)
                            out += [replace(stmt, target=held), *ends_here, Rebind((name,), (held,), stmt.at)]
                        else:
                            out += [*ends_here, stmt]
                        continue
                out += ends_here
                match stmt:
                    case New(target=name) | View(target=name):
                        out.append(stmt)
                        bound[name] = None
                    case Call() if self.born(stmt):
                        out.append(stmt)
                        bound |= dict.fromkeys(self.born(stmt))
                    case Bind(target=target):
                        if target in bound:
                            stmt = self._early(stmt, target, out)
                            out.append(Release(target, stmt.at))
                        out.append(stmt)
                        bound[target] = None
                    case Rebind(targets=(target,), sources=(source,)) if target != source:
                        out += [Release(target, stmt.at)] if target in bound else []
                        out.append(stmt)
                        bound.pop(source, None)
                        bound[target] = None
                    case If(then=then, orelse=orelse):
                        one, after_one = block(then, bound)
                        other, after_other = block(orelse, bound)
                        arms = [(one, after_one), (other, after_other)]
                        open_arms = [after for arm, after in arms if not ends(arm)]
                        stay = {
                            n: None for n in (open_arms[0] if open_arms else ())
                            if all(n in after for after in open_arms) and (n in bound or n in live[id(stmt)])
                        }  # fmt: skip
                        for arm, after in arms:
                            if not ends(arm):
                                arm += [Release(n, stmt.at) for n in reversed(after) if n not in stay]
                        out.append(replace(stmt, then=tuple(one), orelse=tuple(other)))
                        bound = stay
                    case For(body=inner) | While(body=inner):
                        new, after = block(inner, bound)
                        new += [Release(n, stmt.at) for n in reversed(after) if n not in bound]
                        lost = [n for n in bound if n not in after]
                        if lost:
                            raise AliasingError(
                                f"`{pretty(lost[0])}` gives its array away in a loop", code="S083", at=stmt.at
                            )
                        out.append(replace(stmt, body=tuple(new)))
                    case Region(body=inner):
                        new, after = block(inner, bound)
                        stay = {n: None for n in after if n in bound or n in live[id(stmt)]}
                        new += [Release(n, stmt.at) for n in reversed(after) if n not in stay]
                        bound = stay
                        out.append(replace(stmt, body=tuple(new)))
                    case _:
                        out.append(stmt)
            return out, bound

        new, bound = block(body, {})
        at = body[-1].at if body else None
        if at is not None and not ends(new):
            new += [Release(n, at) for n in reversed(bound)]
        return tuple(new)


def _standing(raw: str) -> int:
    """How near a name is to the user: names of the outermost function, of functions written out, temporaries."""
    tag = raw.partition("#")[2].partition("~")[0]
    return 2 if tag.startswith("t") else 0 if tag == "0" else 1


def _without_self(stmt: Stmt) -> Iterator[Stmt]:
    if isinstance(stmt, Rebind):
        pairs = [(t, s) for t, s in zip(stmt.targets, stmt.sources, strict=True) if t != s]
        if pairs:
            targets, sources = zip(*pairs, strict=True)
            yield stmt if len(pairs) == len(stmt.targets) else replace(stmt, targets=targets, sources=sources)
    else:
        yield stmt


def _in_order(pending: dict[str, str], stmt: Rebind) -> Iterator[Stmt]:
    """Hand-overs one by one, each onto a name that is free by then; what is left goes round in circles."""
    while pending:
        free = [t for t in pending if t not in pending.values()]
        if not free:
            yield Rebind(tuple(pending), tuple(pending.values()), stmt.at)
            return
        yield Rebind((free[0],), (pending.pop(free[0]),), stmt.at)
