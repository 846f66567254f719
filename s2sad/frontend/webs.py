"""One name per web: definitions that reach a common use share a name, others don't.

`x = a; y = x; x = b; z = x` has two webs of `x`: the second becomes `x_2`, so that no value is overwritten
without need. A name that is carried round a loop, or meets at the end of arms, stays one name.
"""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from s2sad.analyses.versions import distinct
from s2sad.frontend.flow import defines, uses, wanted
from s2sad.ir.names import MODULES, RUNTIME
from s2sad.ir.nodes import (
    Assign,
    Call,
    Expr,
    For,
    Function,
    If,
    Leaf,
    New,
    Node,
    Raise,
    Rebind,
    Region,
    Release,
    Stmt,
    Store,
    Tree,
    Update,
    View,
    While,
)
from s2sad.ir.walk import Body, blocks, map_expressions, names_in, rename, with_blocks

#: Built-in names that emitted code may use; other ones (`sum`, `input`, `id`) are free for the user.
PRINTED = ("abs", "max", "min", "int", "float", "bool", "round", "pow", "len", "range")
RESERVED = frozenset(
    (*keyword.kwlist, *PRINTED, *(n for n in dir(builtins) if n.endswith(("Error", "Exception"))),
     *(n for n in RUNTIME if n not in ("total", "memory", "release_memory")), *MODULES)
)  # fmt: skip

State = dict[str, frozenset[int]]


@dataclass(slots=True)
class Webs:
    """Union-find over definitions; `use` and `make` tell the definition behind a name at a statement."""

    parent: list[int] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    number: dict[tuple[int, str], int] = field(default_factory=dict)
    use: dict[tuple[int, str], int] = field(default_factory=dict)

    def make(self, key: int, name: str) -> int:
        """The number of the definition of `name` at statement `key`."""
        if (key, name) not in self.number:
            self.number[key, name] = len(self.parent)
            self.parent.append(len(self.parent))
            self.names.append(name)
        return self.number[key, name]

    def find(self, k: int) -> int:
        """The first definition of the web of k."""
        while self.parent[k] != k:
            k = self.parent[k]
        return k

    def read(self, key: int, name: str, state: State) -> None:
        """A use: all definitions that reach it belong together."""
        reaching = sorted(state.get(name, ()))
        for k in reaching:
            one, other = self.find(reaching[0]), self.find(k)
            self.parent[max(one, other)] = min(one, other)
        if reaching:
            self.use[key, name] = reaching[0]


def _meet(one: State | None, other: State | None) -> State | None:
    if one is None or other is None:
        return other if one is None else one
    return {
        name: one.get(name, frozenset()) | other.get(name, frozenset())
        for name in dict.fromkeys([*one, *other])
    }


def _analyse(body: Sequence[Stmt], entry: Iterable[str], results: Iterable[Expr]) -> Webs:
    webs = Webs()

    def block(stmts: Sequence[Stmt], state: State | None) -> State | None:
        state = None if state is None else dict(state)
        for stmt in stmts:
            if state is None:
                state = {}
            key = id(stmt)
            for name in (stmt.name,) if isinstance(stmt, Release) else uses(stmt):
                webs.read(key, name, state)
            match stmt:
                case Raise():
                    state = None
                case If(then=then, orelse=orelse):
                    state = _meet(block(then, state), block(orelse, state))
                case Region(body=inner):
                    state = block(inner, state)
                case For(var=var, body=inner):
                    number = webs.make(key, var)
                    head = state
                    while True:
                        end = block(inner, head | {var: frozenset((number,))})
                        more = _meet(head, end)
                        if more == head or more is None:
                            break
                        head = more
                    state = head
                case While(body=inner):
                    head = state
                    while True:
                        for name in uses(stmt):
                            webs.read(key, name, head)
                        more = _meet(head, block(inner, head))
                        if more == head or more is None:
                            break
                        head = more
                    state = head
                case _:
                    for name in defines(stmt):
                        state[name] = frozenset((webs.make(key, name),))
        return state

    state = block(body, {name: frozenset((webs.make(0, name),)) for name in entry})
    for name in sorted(wanted(results)):
        webs.read(0, name, state or {})
    return webs


def separate(body: Body, entry: Sequence[str], results: tuple[Expr, ...]) -> tuple[Body, tuple[Expr, ...]]:
    """The program with a raw name per web: the first web of a name keeps it, others get `~1`, `~2`, ...

    `entry` names have a value at the start: parameters and constants.
    """
    body = distinct(body)
    webs = _analyse(body, entry, results)
    labels: dict[int, str] = {}
    count: dict[str, int] = {}
    for k, name in enumerate(webs.names):
        if webs.find(k) == k:
            labels[k] = f"{name}~{count[name]}" if name in count else name
            count[name] = count.get(name, 0) + 1

    def read_as(key: int, names: Iterable[str]) -> dict[str, str]:
        return {n: labels[webs.find(webs.use[key, n])] for n in names if (key, n) in webs.use}

    def made_as(key: int, name: str) -> str:
        return labels[webs.find(webs.number[key, name])]

    def fresh(stmts: Body) -> Body:
        return tuple(one(stmt) for stmt in stmts)

    def one(stmt: Stmt) -> Stmt:
        key = id(stmt)
        read = read_as(key, (stmt.name,) if isinstance(stmt, Release) else uses(stmt))
        new = map_expressions(lambda expr: rename(read, expr), stmt)
        match new:
            case Assign() | New():
                new = replace(new, target=made_as(key, new.target))
            case View():
                array = read.get(new.array, new.array)
                new = replace(new, target=made_as(key, new.target), array=array)
            case Store() | Update():
                new = replace(new, array=read.get(new.array, new.array))
            case Rebind():
                targets = tuple(made_as(key, n) for n in new.targets)
                new = replace(new, targets=targets, sources=tuple(read.get(n, n) for n in new.sources))
            case Call():
                written = tuple(read.get(n, n) for n in new.writes)
                new = replace(new, targets=tuple(made_as(key, n) for n in new.targets), writes=written)
            case Release():
                new = replace(new, name=read.get(new.name, new.name))
            case For():
                new = replace(new, var=made_as(key, new.var))
        return with_blocks(new, [fresh(b) for b in blocks(stmt)])

    at_end = read_as(0, wanted(results))
    return fresh(body), tuple(rename(at_end, expr) for expr in results)


# ----- final names -----------------------------------------------------------------------------------------


def _rank(raw: str) -> int:
    """Who chooses first: the outermost function and constants, its further webs, functions written out, temporaries."""
    tag = raw.partition("#")[2]
    if tag.startswith("t"):
        return 3
    if tag in ("", "0") or tag.startswith("c"):
        return 0
    return 1 if tag.startswith("0~") else 2


def pretty(raw: str) -> str:
    """The name that a raw name comes from."""
    return raw.partition("#")[0].partition("~")[0].replace(".", "_")


def choose(raws: Iterable[str], first: Sequence[str] = (), taken: Iterable[str] = ()) -> dict[str, str]:
    """Raw name -> final name; `first` ones (parameters) choose before all others."""
    used = set(RESERVED) | set(taken)
    final: dict[str, str] = {}
    rest = [raw for raw in dict.fromkeys(raws) if raw not in first]
    for raw in (*first, *sorted(rest, key=_rank)):
        wish = name = pretty(raw)
        number = 2
        while name in used:
            name, number = f"{wish}_{number}", number + 1
        used.add(name)
        final[raw] = name
    return final


def tree_renamed(tree: Tree, names: Mapping[str, str]) -> Tree:
    """A tree of leaves with names exchanged."""
    if isinstance(tree, Leaf):
        return Leaf(names.get(tree.name, tree.name))
    return Node(tuple(tree_renamed(item, names) for item in tree.items), tree.make)


def split_webs(fn: Function) -> Function:
    """`fn` with a name per web: x, x_2, x_3, ...; parameters and constants keep theirs.

    >>> from s2sad.ir.nodes import REAL, Apply, Param, Var
    >>> body = (Assign("x", Apply("sin", (Var("x"),))), Assign("x", Apply("cos", (Var("x"),))))
    >>> fn = Function("f", ("x",), body, (Var("x"),), {"x": REAL}, (Param("x", Leaf("x")),), Leaf("r_0"))
    >>> [stmt.target for stmt in split_webs(fn).body]
    ['x_2', 'x_3']
    """
    entry = (*fn.params, *fn.constants)
    body, results = separate(fn.body, entry, fn.results)
    raws = names_in(body)
    names = choose(raws, entry)
    kinds = {
        name: fn.kinds[raw.partition("~")[0]]
        for raw, name in names.items()
        if raw.partition("~")[0] in fn.kinds
    }
    return replace(
        fn, body=rename(names, body), results=tuple(rename(names, r) for r in results), kinds={**kinds},
        params=tuple(names[p] for p in fn.params), constants={names[c]: v for c, v in fn.constants.items()},
        signature=tuple(replace(p, tree=tree_renamed(p.tree, names)) for p in fn.signature),
    )  # fmt: skip
