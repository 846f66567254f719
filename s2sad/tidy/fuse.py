"""Array statements become loops over their elements, one loop for those that go through the same shape.

Arrays that only the loop itself reads become numbers. Where it is not known before anything runs that two shapes are
the same, the loop runs over the shape that they have together, and over `fitted` arrays: themselves, as a rule.

Before: `a = x * np.sin(x)` · `s = np.sum(a)`
After:  `s = 0.0` · `for i in range(x.shape[0]):` · `t = np.sin(x[i])` · `a = x[i] * t` · `s += a`

>>> from s2sad.ir.nodes import Node
>>> from s2sad.ir.text import show_function
>>> body = (
...     New("a", Apply("mul", (Var("x"), Apply("sin", (Var("x"),))))),
...     Assign("s", Apply("sum", (Var("a"),))),
...     Release("a"),
... )
>>> kinds = {"x": Kind("real", 1), "a": Kind("real", 1), "s": Kind("real")}
>>> print(show_function(fused(Function("f", ("x",), body, (Var("s"),), kinds, (), Node(())))))
def f(x: real[:]):
    s = 0.0
    for i in range(0, shape(x, 0), 1):
        t = sin(x[i])
        a = x[i] * t
        s = s + a
    return s
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from s2sad.analyses.entities import Classes, classes, dynamic, roots
from s2sad.analyses.extents import Axes, Extents
from s2sad.analyses.layout import turned
from s2sad.analyses.widths import mixed
from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    Apply,
    Assign,
    Const,
    Expr,
    For,
    Function,
    If,
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
from s2sad.ir.walk import (
    Body,
    blocks,
    expressions,
    map_body,
    nodes,
    reads,
    statements,
    variables,
    with_blocks,
    writes,
    writes_in,
)
from s2sad.tidy.elements import loop
from s2sad.tidy.groups import Group, Refused, Symbols, sums


def fused(fn: Function) -> Function:
    """`fn` and what it calls with loops for its array statements."""
    callees = {name: fused(callee) for name, callee in fn.callees.items()}
    if any(callees[name] is not callee for name, callee in fn.callees.items()):
        fn = replace(fn, callees=callees)
    return fn if fn.rule is not None or fn.steps is not None or mixed(fn) else _Fuse(fn).run()


class _Fuse:
    def __init__(self, fn: Function) -> None:
        self.fn = fn
        self.kinds = dict(fn.kinds)
        self.names = self.namer(fn.kinds)
        self.extents = Extents(fn)
        every, looked_into, dynamic_ = classes(fn.body), roots(fn.body), dynamic(fn.body)
        self.same = Classes(  # what stands for all names that may be the same memory at the same time
            {n: every[n] if every[n] in dynamic_ else looked_into[n] for n in fn.kinds}
        )
        self.uses = uses(fn)
        self.stored: set[str] = set()  # arrays that are read outside of the loop that makes them
        self.turned = turned(fn.body)
        self.made: dict[str, Symbols] = {}  # arrays that loops fill -> what their extents are
        self.lengths: dict[Expr, str] = {}  # extents that have names
        self.commons: dict[frozenset[Expr], str] = {}  # lengths that several extents have together
        self.fits: dict[tuple[str, Axes], str] = {}  # arrays that are seen in a shape, by what they are seen

    def run(self) -> Function:
        k = len(self.fn.body)
        while k > 0 and isinstance(self.fn.body[k - 1], Release):
            k -= 1
        body, results = self.block(self.fn.body[:k], self.fn.body[k:], self.fn.results)
        if body == self.fn.body:
            return self.fn
        gone = {n for n, kind in self.kinds.items() if kind != self.fn.kinds.get(n, kind)}
        body = map_body(lambda s: () if isinstance(s, Release) and s.name in gone else (s,), body)
        return replace(self.fn, body=body, results=results, kinds=self.kinds)

    def block(
        self, body: Body, ends: Body = (), results: tuple[Expr, ...] = ()
    ) -> tuple[Body, tuple[Expr, ...]]:
        """A body, statement by statement, then `results`, then the `ends` of its arrays."""
        before = (self.lengths, self.commons, self.fits)
        inner = tuple(self.nested(stmt) for stmt in body)
        while True:
            self.lengths, self.commons, self.fits = dict(before[0]), dict(before[1]), {}
            kinds, filled = dict(self.kinds), dict(self.made)
            try:
                made, final = self.grouped(inner, results)
            except Refused as refused:  # arrays are read elsewhere after all
                self.stored.update(refused.names)
                self.kinds, self.made, self.names = kinds, filled, self.namer(kinds)
                continue
            self.lengths, self.commons, self.fits = before
            return (*made, *ends), final

    def namer(self, kinds: Iterable[str]) -> Namer:
        return Namer([*kinds, *self.fn.constants, *self.fn.callees, *self.fn.pairs])

    def nested(self, stmt: Stmt) -> Stmt:
        return with_blocks(stmt, [self.block(b)[0] for b in blocks(stmt)]) if blocks(stmt) else stmt

    def grouped(self, body: Body, results: tuple[Expr, ...]) -> tuple[list[Stmt], tuple[Expr, ...]]:
        made: list[Stmt] = []
        group: Group | None = None
        for stmt in body:
            if group is not None:
                if group.takes(stmt):
                    continue
                stmt = self.reduced(stmt, group)
                self.put(self.written(group), made)
                group = None
            if isinstance(stmt, New | Update | Store):
                group = Group(self)
                if group.takes(stmt):
                    continue
                group = None
            self.put((stmt,), made)
            self.named(stmt)
        if group is not None:
            results = tuple(group.reduced(e, self.fn.end or self.fn.at) for e in results)
            self.put(self.written(group), made)
        made += [Release(seen) for seen in reversed(self.fits.values())]
        return made, results

    def written(self, group: Group) -> Iterable[Stmt]:
        """A group as a loop; a sum of two arrays that may not be of one shape alone is as good as it is."""
        first = group.stmts[0]
        alone = len(group.stmts) == 1 and isinstance(first, New) and linear(first.value)
        if alone and any(len(extents) > 1 for extents in group.axes):
            return (*group.before, first, *group.after)
        return loop(group)

    def put(self, stmts: Iterable[Stmt], made: list[Stmt]) -> None:
        """Add statements; what sees an array in a shape ends before that is written or ends."""
        for stmt in stmts:
            inside = tuple(statements((stmt,)))
            written = {self.same[n] for n in writes_in((stmt,))}
            ended = {s.name for s in inside if isinstance(s, Release)}
            anew = {n for s in inside if not isinstance(s, Store | Update) for n in writes(s)}
            anew |= {n for s in inside if isinstance(s, Rebind) for n in s.sources}
            for (array, shape), seen in reversed(tuple(self.fits.items())):
                own = isinstance(stmt, View) and stmt.target == seen
                lengths = {n for e in shape for n in variables(e)}
                if not own and (
                    self.same[array] in written | {self.same[n] for n in ended} or lengths & (ended | anew)
                ):
                    made.append(Release(seen, stmt.at))
                    del self.fits[array, shape]
            made.append(stmt)

    def reduced(self, stmt: Stmt, group: Group) -> Stmt:
        """A statement that ends a group, the sums in it taken by the group."""
        if isinstance(stmt, Assign) and sums(stmt.value):
            return replace(stmt, value=group.reduced(stmt.value, stmt.at))
        return stmt

    def named(self, stmt: Stmt) -> None:
        """Remember the name of a length."""
        if isinstance(stmt, Assign) and stmt.target in self.extents.once:
            extent = self.extents.resolved(Var(stmt.target))
            if extent is not None and not isinstance(extent, Var | Const):
                self.lengths.setdefault(extent, stmt.target)

    def scalar(self, wish: str, base: str = "real") -> str:
        """A new name for numbers."""
        name = self.names.fresh(wish)
        self.kinds[name] = Kind(base)  # type: ignore[arg-type]
        return name


def linear(expr: Expr) -> bool:
    """Is it a sum or difference of names?"""
    return isinstance(expr, Var) or (
        isinstance(expr, Apply) and expr.op in ("add", "sub", "neg") and all(map(linear, expr.args))
    )


def uses(fn: Function) -> Counter[str]:
    """How often each name is read, or written or bound again; its own birth and end don't count."""
    found = Counter(names(fn.results))
    births: Counter[str] = Counter()
    for stmt in statements(fn.body):
        found.update(names(expressions(stmt)))
        match stmt:
            case New(target=target):
                births[target] += 1
            case Assign() | Store() | Update() | For() | If() | While():
                found.update(writes(stmt))
            case Release():
                pass
            case _:
                found.update((*reads(stmt), *writes(stmt)))
    found.update({n: 1 for n, times in births.items() if times > 1})
    return found


def names(every: Iterable[Expr]) -> list[str]:
    """The names in expressions, as often as they occur."""
    return [
        n.name if isinstance(n, Var) else n.array
        for e in every
        for n in nodes(e)
        if isinstance(n, Var | Load)
    ]
