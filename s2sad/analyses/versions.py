"""Which value of a scalar name a statement sees: its versions, as in SSA, without renaming anything.

A version is born by an assignment, or where values meet: at the head of a loop (`header`: the value at the start
of an iteration), behind a loop (`exit`) and behind a branch (`join`). Each belongs to the block in which it is
born and holds one value per run of that block, so a value that the reverse sweep needs can be named, kept per
iteration or computed again.

Statements are told apart by identity: every statement object occurs once in a body (`distinct` sees to it).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from s2sad.ir.nodes import Assign, Call, For, If, Kind, Pop, Region, Stmt, While
from s2sad.ir.walk import expressions, map_body, statements, unique, variables

Birth: TypeAlias = Literal["param", "assign", "loopvar", "header", "exit", "join"]
Block: TypeAlias = tuple[tuple[int, int], ...]  # (id of statement, which of its bodies), outermost first


@dataclass(frozen=True, slots=True)
class Version:
    """One value of a scalar name: how and in which block it is born, by which statement; `number` orders births."""

    name: str
    birth: Birth
    block: Block
    number: int
    stmt: Stmt | None = field(default=None, compare=False, repr=False)


@dataclass(slots=True)
class Versions:
    """before[id(stmt)][name] and after[id(stmt)][name]: the version of a name just before and after a statement.

    A statement knows of the names that it reads or gives a value, a loop also of those in the bounds of loops in it.

    start[block] holds the versions at the start of a nested body, entry[id(loop)] those before its first
    iteration.
    """

    before: dict[int, dict[str, Version]] = field(default_factory=dict)
    after: dict[int, Mapping[str, Version]] = field(default_factory=dict)
    start: dict[Block, Mapping[str, Version]] = field(default_factory=dict)
    block: dict[int, Block] = field(default_factory=dict)
    final: Mapping[str, Version] = field(default_factory=dict)
    count: int = 0

    @property
    def all(self) -> tuple[Version, ...]:
        """Every version that some statement reads or brings forth, in order of birth."""
        seen = {
            v
            for table in (*self.before.values(), *self.after.values(), *self.start.values())
            for v in table.values()
        }
        return tuple(sorted(seen, key=lambda v: v.number))


def distinct(body: Iterable[Stmt]) -> tuple[Stmt, ...]:
    """The same body with every statement a fresh object."""
    return map_body(lambda stmt: (replace(stmt),), body)


def assigned(body: Iterable[Stmt]) -> tuple[str, ...]:
    """Names that get a value (by a Call perhaps an array) anywhere in `body`, loop variables apart."""
    return unique(name for s in statements(body) for name in given(s))


def given(stmt: Stmt) -> tuple[str, ...]:
    """Names that a statement itself gives a value."""
    match stmt:
        case Assign(target=name) | Pop(name=name):
            return (name,)
        case Call(targets=targets):
            return targets
    return ()


def versions(body: Iterable[Stmt], params: Iterable[str], kinds: Mapping[str, Kind]) -> Versions:
    """The versions of every scalar name at every statement of `body`, whose statements are `distinct`."""
    found = Versions()

    def birth(name: str, how: Birth, block: Block, stmt: Stmt | None) -> Version:
        found.count += 1
        return Version(name, how, block, found.count, stmt)

    def walk(body: Iterable[Stmt], env: dict[str, Version], block: Block) -> dict[str, Version]:
        found.start[block] = env
        env = dict(env)
        for stmt in body:
            found.block[id(stmt)] = block
            read = {n: env[n] for e in expressions(stmt) for n in variables(e) if n in env}
            found.before[id(stmt)] = read
            match stmt:
                case Assign() | Pop() | Call():
                    names = [n for n in given(stmt) if not kinds[n].is_array]
                    read.update((n, env[n]) for n in names if n in env)
                    env.update((n, birth(n, "assign", block, stmt)) for n in names)
                    found.after[id(stmt)] = {n: env[n] for n in names}
                case For(var=var, body=inner):
                    within = (*block, (id(stmt), 0))
                    carried = [n for n in assigned(inner) if not kinds[n].is_array]
                    loops = [s for s in statements(inner) if isinstance(s, For)]
                    bounds = [n for s in loops for e in expressions(s) for n in variables(e)]
                    read.update((n, env[n]) for n in (*carried, *bounds) if n in env)
                    head = env | {n: birth(n, "header", within, stmt) for n in carried if n in env}
                    head[var] = birth(var, "loopvar", within, stmt)
                    walk(inner, head, within)
                    env.update((n, birth(n, "exit", block, stmt)) for n in carried)
                    found.after[id(stmt)] = {n: env[n] for n in carried}
                case While(body=inner, counter=counter):
                    within = (*block, (id(stmt), 0))
                    carried = [n for n in assigned(inner) if not kinds[n].is_array]
                    head = env | {n: birth(n, "header", within, stmt) for n in carried if n in env}
                    if counter:
                        head[counter] = birth(counter, "loopvar", within, stmt)
                    read.update((n, env[n]) for n in carried if n in env)
                    walk(inner, head, within)
                    env.update((n, birth(n, "exit", block, stmt)) for n in carried)
                    found.after[id(stmt)] = {n: env[n] for n in carried}
                case If(then=then, orelse=orelse):
                    one, other = (
                        walk(arm, env, (*block, (id(stmt), k))) for k, arm in enumerate((then, orelse))
                    )
                    for name in unique([*one, *other]):
                        if one.get(name) is not other.get(name):
                            env[name] = birth(name, "join", block, stmt)
                    found.after[id(stmt)] = {n: v for n, v in env.items() if v.stmt is stmt}
                case Region(body=inner):
                    end = walk(inner, env, (*block, (id(stmt), 0)))
                    changed = [n for n, v in end.items() if env.get(n) is not v]
                    env.update((n, birth(n, "exit", block, stmt)) for n in changed)
                    found.after[id(stmt)] = {n: env[n] for n in changed}
        return env

    found.final = walk(tuple(body), {p: birth(p, "param", (), None) for p in params}, ())
    return found
